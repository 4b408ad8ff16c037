#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A trace directory that fills up, may not be written, or goes away.

usage: place.py [short]    (short: fewer sizes of the disk)"""
import os
import subprocess
import sys
from collections import Counter

from inside import Reference
from outside import has_word, judge_trace, leftover_problems
from trial import leftovers, on_stage
from weirtool import WEIR

KIB = 1024
DISK = 8 << 20


class Disk:
    """A small file system of its own."""

    def __init__(self, trial):
        self.place = trial.scratch / "disk"
        self.place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}",
                        "tmpfs", self.place], check=True)
        trial.trace = self.place / "trace"

    def leave(self, room):
        """Fill it up to that many bytes."""
        ballast = self.place / "ballast"
        ballast.unlink(missing_ok=True)
        state = os.statvfs(self.place)
        taken = state.f_bavail * state.f_frsize - room
        with open(ballast, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(1, taken))

    def remount(self, how):
        subprocess.run(["mount", "-o", f"remount,{how}", self.place],
                       check=True)


def look(trial, behaviour, reference, count):
    """Problems of a run on a bad place."""
    trial.await_collector()
    yield from behaviour.differences(reference.bare)
    if "runs without being recorded" in behaviour.stderr:
        count["not recorded, as told"] += 1
    else:
        yield from judge_trace(trial, behaviour, reference, count)
    yield from leftover_problems(trial, behaviour)


def fill_up(tap, trial, disk, reference, step):
    count, problems = Counter(), []
    for room in range(0, 192 * KIB, step):
        subprocess.run(["rm", "-rf", trial.trace], check=True)
        disk.leave(room)
        count["sizes"] += 1
        problems += [f"{room} bytes left: {problem}" for problem in
                     look(trial, trial.recorded(["-q"]), reference, count)]
    disk.leave(DISK // 2)
    told = ", ".join(f"{key} {count[key]}" for key in sorted(count))
    tap.result(not problems and count["not recorded, as told"]
               and count["with losses"],
               f"a disk that fills up: {count['sizes']} sizes",
               [told, *problems[:10]])


def read_only(tap, trial, disk, reference):
    subprocess.run(["rm", "-rf", trial.trace], check=True)
    disk.remount("ro")
    behaviour = trial.recorded(["-q"])
    problems = list(look(trial, behaviour, reference, Counter()))
    disk.remount("rw")
    tap.result(not problems and has_word(behaviour),
               "a place that may not be written", problems)


def removed(tap, trial, reference):
    behaviour = trial.run(
        [WEIR, "run", "-q", "-o", trial.trace, "--", "sh", "-c",
         f'rm -rf {trial.trace}; exec "$@"', "sh"])
    trial.await_collector()
    problems = list(behaviour.differences(reference.bare))
    problems += [f"{name} is left over" for name in leftovers()]
    tap.result(not problems and has_word(behaviour),
               "a trace that is removed while it is made",
               [*problems, behaviour.stderr.strip()])


def play(tap, trial, short):
    reference = Reference(trial)
    disk = Disk(trial)
    try:
        fill_up(tap, trial, disk, reference, 16 * KIB if short else KIB)
        read_only(tap, trial, disk, reference)
        removed(tap, trial, reference)
    finally:
        subprocess.run(["umount", "-l", disk.place], check=True)


if __name__ == "__main__":
    sys.exit(on_stage(play))
