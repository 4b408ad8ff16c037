#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Storms end the same, bare and under weir, and the trace has every call.

usage: run-storms.py brief|short|full [NAME]...

A storm counts its calls in a page: made before each, back after each. With
what the trace has of them, whole or entered only, and what it says was lost,

    back <= whole + lost     whole + entered + lost <= made

and where nothing is cut off both are equal, for each call."""
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
from weirtool import WEIR, Tap, record  # noqa: E402

BUILD = Path(WEIR).parent / "tests" / "torture"
STORM = os.environ.get("STORM", str(BUILD / "storm"))
PLUGIN = os.environ.get("PLUGIN", str(BUILD / "libplugin.so"))
# The most that a storm makes of other kinds (its setting up, its last words):
# lost ones have no kind.
OTHER_CALLS = 16
KINDS = re.findall(r"X\((\w+)\)", (HERE / "tally.h").read_text().split(
    "#define TALLY_KINDS(X)")[1].split("#define")[0])
ROOM = 64  # kinds in the page


@dataclass
class Storm:
    name: str
    what: str  # it has done so many of
    counts: dict
    is_exact: bool = True  # no call is cut off
    options: tuple = ()
    arguments: tuple = ()


def counts(brief, short, full):
    return {"brief": brief, "short": short, "full": full}


STORMS = [
    Storm("processes", "forks, vforks and spawns",
          counts(100, 3000, 105000)),
    Storm("execs", "programs executed", counts(20, 300, 3000)),
    Storm("ends", "ends", counts(24, 600, 12000)),
    Storm("signals", "signals handled", counts(2000, 200000, 1200000)),
    Storm("signals", "signals handled, with a tiny buffer",
          counts(1000, 50000, 200000), options=("--buffer", "32K")),
    Storm("threads", "threads", counts(320, 9600, 200000)),
    Storm("cancels", "cancellations", counts(60, 2000, 40000),
          is_exact=False),
    Storm("jumps", "jumps", counts(100, 4000, 100000), is_exact=False),
    Storm("descriptors", "descriptors opened", counts(3, 15, 150)),
    Storm("close-all", "", counts(100, 2000, 20000)),
    Storm("plugins", "libraries loaded", counts(40, 2000, 40000),
          arguments=(PLUGIN,)),
]


class Page:
    """What a storm counted."""

    def __init__(self, path):
        words = struct.unpack(f"<{2 * ROOM + 9}Q",
                              path.read_bytes()[:8 * (2 * ROOM + 9)])
        self.made = Counter(dict(zip(KINDS, words)))
        self.back = Counter(dict(zip(KINDS, words[ROOM:])))
        self.done = sum(words[2 * ROOM + 1:])


class Told:
    """What a trace has of the calls that storms make."""

    def __init__(self, trace):
        self.whole, self.entered = Counter(), Counter()
        with subprocess.Popen([WEIR, "dump", "--format", "csv", trace],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as dump:
            self.read(dump.stdout)
            self.errors = dump.stderr.read()
        self.status = dump.returncode
        self.lost = sum(map(int, re.findall(r"weir: calls .*: (\d+)$",
                                            self.errors, re.M)))

    def read(self, lines):
        heading = next(lines).strip().split(",")
        call, flags = heading.index("call"), heading.index("flags")
        for line in lines:
            words = line.split(",", max(call, flags) + 1)
            if words[call] in KINDS:
                cut = "entered" in words[flags]
                (self.entered if cut else self.whole)[words[call]] += 1


def run_bare(command, scratch):
    return subprocess.run(command, cwd=scratch, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=3000)


def faults(storm, page, told):
    """What the trace should have and has not, or the other way round."""
    made, back = page.made.total(), page.back.total()
    whole, entered = told.whole.total(), told.entered.total()
    if told.status:
        yield f"weir dump returned {told.status}: {told.errors}"
    others = OTHER_CALLS if told.lost else 0
    if not (back <= whole + told.lost
            and whole + entered + told.lost <= made + others):
        yield (f"made {made}, back {back}, whole {whole}, entered {entered}, "
               f"lost {told.lost}")
    for kind in KINDS:
        if told.whole[kind] > page.made[kind]:
            yield f"{kind}: {told.whole[kind]}, but made {page.made[kind]}"
        if storm.is_exact and not told.lost and \
           told.whole[kind] != page.made[kind]:
            yield f"{kind}: {told.whole[kind]} of {page.made[kind]}"
    if storm.is_exact and made != back:
        yield f"made {made}, back {back}"


def run_storm(tap, storm, size):
    with tempfile.TemporaryDirectory(prefix="weir-storm-") as name:
        scratch = Path(name).resolve()
        pages = [scratch / "bare.page", scratch / "seen.page"]
        commands = [[STORM, storm.name, str(storm.counts[size]), page,
                     *storm.arguments] for page in pages]
        bare = run_bare(commands[0], scratch)
        begin = time.monotonic()
        seen = record(scratch / "trace", commands[1], storm.options,
                      cwd=scratch, capture_output=True, timeout=3000)
        spent = time.monotonic() - begin
        page, told = Page(pages[1]), Told(scratch / "trace")
        wrong = list(faults(storm, page, told))
        if (bare.returncode, bare.stdout) != (seen.returncode, seen.stdout):
            wrong += [f"bare: {bare}", f"under weir: {seen}"]
        if b"descriptors 0, wrong results 0" not in seen.stdout:
            wrong.append(f"it printed {seen.stdout}")
        tap.result(not wrong, f"{storm.name}: {page.done} {storm.what}, "
                   f"{page.made.total()} calls = {told.whole.total()} whole + "
                   f"{told.entered.total()} entered + {told.lost} lost"
                   f"{'' if storm.is_exact else ' + cut off'}; "
                   f"{spent:.1f} s", wrong)


def main():
    size, *names = sys.argv[1:] or ["short"]
    tap = Tap()
    for storm in STORMS:
        if not names or storm.name in names:
            run_storm(tap, storm, size)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
