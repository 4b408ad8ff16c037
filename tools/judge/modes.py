# SPDX-License-Identifier: BSD-3-Clause
"""The ways weir runs a program, and the file systems it runs on."""
import contextlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests/lib"))
import glusterfs  # noqa: E402
from settings import Mistake  # noqa: E402

# Options of weir run; {place} is the program's directory.
OPTIONS = {
    "recorded": [],
    "all": ["--all"],
    "profile": ["--profile"],
    "ring": ["--ring", "1M"],
    "verify": ["--verify"],
    "backtrace": ["--backtrace"],
    "forward": ["--forward={place}"],
    "small": ["--forward={place}", "--cache", "4M"],
    "defer": ["--forward={place}", "--defer", "{place}"],
}
PLACES = ("disk", "tmpfs", "gluster")
# What --modes takes beside single modes.
GROUPS = {
    "records": "recorded all profile ring verify backtrace",
    "forwards": "forward@disk forward@tmpfs defer@disk",
    "every": "records forwards forward@gluster defer@tmpfs defer@gluster",
}


@dataclass
class Mode:
    name: str
    options: list
    place: str

    def command(self, weir, trace, here, words):
        options = [word.replace("{place}", str(here))
                   for word in self.options]
        return [weir, "run", "-q", "-o", str(trace), *options, "--", *words]


def mode_called(word):
    name, at, place = word.partition("@")
    if name not in OPTIONS or (at and place not in PLACES):
        raise Mistake(f"there is no mode '{word}'; there are MODE[@PLACE] with "
                      f"MODE {', '.join(OPTIONS)} and PLACE "
                      f"{', '.join(PLACES)}; and {', '.join(GROUPS)}")
    return Mode(word, OPTIONS[name], place or "disk")


def modes_called(text):
    """Of a list with commas or blanks, without repetition."""
    found = {}
    for word in text.replace(",", " ").split():
        names = modes_called(GROUPS[word]) if word in GROUPS else \
            [mode_called(word)]
        found.update((mode.name, mode) for mode in names)
    return list(found.values())


def type_of(path):
    done = subprocess.run(["stat", "-f", "-c", "%T", path], check=True,
                          capture_output=True, text=True)
    name = done.stdout.strip()
    return {"ext2/ext3": "ext4", "fuseblk": "fuse"}.get(name, name)


@contextlib.contextmanager
def places_for(modes, disk):
    """{place: directory} for these modes; a place that this machine cannot
    have is a text that says why."""
    with contextlib.ExitStack() as stack:
        found = {}
        for name in sorted({mode.place for mode in modes}):
            above = "/dev/shm" if name == "tmpfs" else disk
            try:
                where = Path(stack.enter_context(tempfile.TemporaryDirectory(
                    prefix="judge-", dir=above, ignore_cleanup_errors=True)))
                where.chmod(0o755)  # for programs of other users
                found[name] = stack.enter_context(glusterfs.mounted(where)) \
                    if name == "gluster" else where.resolve()
            except (OSError, glusterfs.Missing) as why:
                found[name] = str(why)
        yield found
