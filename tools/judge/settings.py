# SPDX-License-Identifier: BSD-3-Clause
"""How programs are run and compared: settings of a table, or of --set."""
import copy
import re
import shlex
from dataclasses import dataclass, field

# Launchers by a short name; the number of ranks follows.
LAUNCHERS = {
    "mpich": ["mpirun.mpich", "-n"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n"],
    "srun": ["srun", "-n"],
}


class Mistake(Exception):
    """A table or an option cannot be meant; the text says what to write."""


@dataclass
class Settings:
    env: dict = field(default_factory=dict)
    launches: list = field(default_factory=list)    # words, ranks at the end
    expect: list = field(default_factory=list)      # patterns of what is said
    status: int = None      # what a bare run must return
    timeout: float = None
    masks: list = field(default_factory=list)       # (pattern, word)
    ignored: list = field(default_factory=list)     # globs of files
    copied: list = field(default_factory=list)      # into the directory
    input: str = None       # a file for stdin
    user: str = None        # who runs it, when the judge is root
    needs: list = field(default_factory=list)       # commands and files
    modes: list = field(default_factory=list)       # only these
    explained: list = field(default_factory=list)   # (modes, classes, reason)
    sorted: bool = False    # the order of lines means nothing

    def copy(self):
        return copy.deepcopy(self)


def set_env(settings, rest):
    for word in shlex.split(rest):
        name, equals, value = word.partition("=")
        if not equals:
            raise Mistake("env NAME=VALUE...")
        settings.env[name] = value


def set_launch(settings, rest):
    words = shlex.split(rest)
    if len(words) < 2 or not re.fullmatch(r"\d+(,\d+)*", words[1]):
        raise Mistake("launch LAUNCHER RANKS[,RANKS]... [OPTION]...")
    start = LAUNCHERS.get(words[0], [words[0], "-n"])
    for ranks in words[1].split(","):
        settings.launches.append([start[0], *words[2:], *start[1:], ranks])


def set_mask(settings, rest):
    pattern, arrow, word = rest.partition(" => ")
    try:
        settings.masks.append((re.compile(pattern, re.M), word.strip()))
    except re.error as why:
        raise Mistake(f"mask PATTERN => WORD: {why}") from None
    if not arrow:
        raise Mistake("mask PATTERN => WORD")


def set_expect(settings, rest):
    try:
        settings.expect.append(re.compile(rest, re.M))
    except re.error as why:
        raise Mistake(f"expect PATTERN: {why}") from None


def set_explained(settings, rest):
    words = rest.split(None, 2)
    if len(words) < 3:
        raise Mistake("explained MODES CLASSES REASON, lists with commas, "
                      "* for any")
    settings.explained.append((words[0].split(","), words[1].split(","),
                               words[2]))


def set_number(name, kind):
    def put(settings, rest):
        try:
            setattr(settings, name, kind(rest))
        except ValueError:
            raise Mistake(f"{name} NUMBER") from None
    return put


def add_words(name):
    def put(settings, rest):
        getattr(settings, name).extend(shlex.split(rest))
    return put


def set_word(name):
    def put(settings, rest):
        setattr(settings, name, rest)
    return put


VERBS = {
    "env": set_env,
    "launch": set_launch,
    "expect": set_expect,
    "status": set_number("status", int),
    "timeout": set_number("timeout", float),
    "mask": set_mask,
    "ignore": add_words("ignored"),
    "copy": add_words("copied"),
    "input": set_word("input"),
    "user": set_word("user"),
    "needs": add_words("needs"),
    "modes": add_words("modes"),
    "explained": set_explained,
    "sorted": lambda settings, rest: setattr(settings, "sorted", True),
}


def apply(settings, line):
    """One setting, as `env A=1`."""
    verb, _, rest = line.strip().partition(" ")
    if verb not in VERBS:
        raise Mistake(f"there is no setting '{verb}'; there are "
                      + ", ".join(VERBS))
    VERBS[verb](settings, rest.strip())
