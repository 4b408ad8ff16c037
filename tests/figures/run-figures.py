#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of programs of all kinds are the same on all screens.

usage: run-figures.py shells|pythons|kernels
"""
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import agree  # noqa: E402
import programs  # noqa: E402
from weirtool import (LOST, WEIR, Lost, Tap, in_whole,  # noqa: E402
                      mpi_environment)

FILES = {"a.txt": 3000, "b.txt": 50, "c.txt": 700, "d.txt": 9000, "e.txt": 1}


def make_place(place):
    shutil.rmtree(place, ignore_errors=True)
    (place / "tree").mkdir(parents=True)
    for name, count in FILES.items():
        (place / "tree" / name).write_text(f"{name} line\n" * count)


def record(scratch, trace, command, options):
    """A program may fail: that is not what is asked here."""
    make_place(scratch / "place")
    done = subprocess.run(
        [WEIR, "run", "--strict", "--buffer", "64M", *options, "-o", trace,
         "--", *map(str, command)], cwd=scratch / "place", text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, env=mpi_environment())
    if done.returncode == LOST:
        raise Lost(done.stderr)
    return done.stderr


def check(tap, name, command, options):
    def play(scratch):
        trace, profile = scratch / "trace", scratch / "profile"
        told = record(scratch, trace, command, options)
        wrong = agree.check(trace, scratch, told)
        if not name.endswith("#") and not options:
            record(scratch, profile, command, ["--profile"])
            wrong += agree.check_profile(trace, profile)
        tap.result(not wrong, name.rstrip(" #"),
                   [*wrong[:20], *(told.splitlines()[-4:] if wrong else ())])
    in_whole(play)


def main():
    tap = Tap()
    for name, command, options in programs.GROUPS[sys.argv[1]]():
        if shutil.which(str(command[0])):
            check(tap, name, command, options)
        else:
            tap.skip(name, f"{command[0]} is not here")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
