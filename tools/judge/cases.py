# SPDX-License-Identifier: BSD-3-Clause
"""Which programs are run, and how: by tables, or by what a tree holds."""
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from settings import LAUNCHERS, Mistake, Settings, apply

TABLE = "judge"
# Libraries that say with which launcher a program goes.
MPIS = {"libmpich.so": "mpich", "libmpi.so.12": "mpich", "libmpi.so": "openmpi"}
RANKS = ("1", "2")
LONGEST = 50    # characters of a name
# What builds leave beside programs.
PASSED_OVER = re.compile(r"^\..*|CMakeFiles|__pycache__|.*\.p")


@dataclass
class Case:
    suite: str
    name: str
    words: list
    settings: Settings
    folder: Path
    parallel: bool = False  # ranks share an output: lines have no order


def libraries(program):
    done = subprocess.run(["ldd", program], capture_output=True, text=True,
                          check=False)
    return re.findall(r"^\s*(\S+)", done.stdout, re.M)


def launchers_of(program):
    """Of the MPI it is linked with: its launcher, with 1 and 2 ranks."""
    found = libraries(program)
    for beginning, name in MPIS.items():
        if any(library.startswith(beginning) for library in found):
            return [[*LAUNCHERS[name], ranks] for ranks in RANKS]
    return []


def is_program(path):
    """Neither data nor a library that merely may be executed."""
    if not path.is_file() or not os.access(path, os.X_OK) or \
            path.name == TABLE or re.search(r"\.(so|a|la|o)(\.[\d.]+)?$",
                                            path.name):
        return False
    with open(path, "rb") as file:
        return file.read(4).startswith((b"\x7fELF", b"#!"))


def folders_below(root):
    for place, names, _ in os.walk(root):
        names[:] = sorted(name for name in names
                          if not PASSED_OVER.fullmatch(name))
        yield Path(place)


def launched(suite, path, settings, words=()):
    """A program alone, or once for each way to launch it."""
    ways = settings.launches or launchers_of(path)
    for way in ways or [[]]:
        name = f"{path.name} -n {way[-1]}" if way else path.name
        if len({one[0] for one in ways}) > 1:
            name += f" ({way[0]})"
        yield Case(suite, name, [*way, str(path), *words], settings,
                   path.parent, bool(way))


def cases_of_tree(root, settings):
    for folder in folders_below(root):
        name = str(folder.relative_to(root))
        suite = root.name if name == "." else name
        for path in sorted(filter(is_program, folder.iterdir())):
            yield from launched(suite, path, settings)


class Table:
    """DIR/judge: settings (@NAME ...) and programs (NAME: ...)."""

    def __init__(self, folder, settings):
        self.folder, self.suite = folder, folder.name
        self.common, self.settings = settings, settings
        self.cases = []

    def read_setting(self, text):
        verb, _, rest = text.partition(" ")
        if verb == "suite":
            self.suite, self.settings = rest.strip(), self.common.copy()
        else:
            apply(self.settings, text)

    def read_program(self, text):
        name, colon, rest = text.partition(":")
        path = self.folder / name.strip()
        if not colon or not os.access(path, os.X_OK):
            raise Mistake("'NAME: launcher and arguments' is expected, NAME "
                          "a program of the folder")
        words = shlex.split(rest)
        if "{}" not in words:
            words.append("{}")
        at = words.index("{}")
        before, behind = words[:at], words[at + 1:]
        if not before:
            cases = launched(self.suite, path, self.settings, behind) \
                if self.settings.launches else [self.alone(path, behind)]
        else:
            cases = [Case(self.suite, path.name, [*before, str(path), *behind],
                          self.settings, self.folder, True)]
        self.cases += cases

    def alone(self, path, words):
        return Case(self.suite, path.name, [str(path), *words], self.settings,
                    self.folder)

    def read(self, lines):
        for number, line in enumerate(lines, 1):
            text = re.sub(r"(^|\s)#.*", "", line).strip()
            try:
                if text.startswith("@"):
                    self.read_setting(text[1:])
                elif text:
                    self.read_program(text)
            except Mistake as why:
                raise Mistake(f"{self.folder}/{TABLE}:{number}: {why}") \
                    from None
        return self.cases


def tell_apart(cases):
    """Programs that are run several times also have their words as a name."""
    names = [(case.suite, case.name) for case in cases]
    for case in cases:
        if names.count((case.suite, case.name)) > 1:
            words = [word for word in case.words
                     if word != str(case.folder / case.name)]
            case.name = f"{case.name} {' '.join(words)}"[:LONGEST]
    return cases


def cases_in(root, settings):
    """By the tables in the tree, else by its programs."""
    tables = [folder for folder in folders_below(root)
              if (folder / TABLE).is_file()]
    if not tables:
        return list(cases_of_tree(root, settings))
    found = []
    for folder in tables:
        with open(folder / TABLE, encoding="utf-8") as lines:
            found += Table(folder, settings.copy()).read(lines)
    return tell_apart(found)
