#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Views are recorded with the size, extent and number of runs of their types.

usage: run-shapes.py PROGRAM FLAVOUR [FIRST COUNT]
"""
import sys

import mpirun
import weirtool
from weirtool import Tap


def play(scratch, program, flavour, first, count):
    line = mpirun.command(flavour, 1, program, first, count, scratch / "file")
    done = mpirun.recorded(scratch / "trace", line)
    told = [list(map(int, line.split())) for line in done.stdout.splitlines()]
    seen = [[e["off"], e["args"]["filetype"], e["args"]["extent"],
             e["args"].get("runs")]
            for e in weirtool.events(scratch / "trace")
            if e["call"] == "MPI_File_set_view" and "err" not in e]
    return told, seen


def main(program, flavour, first=1, count=400):
    tap = Tap()
    told, seen = weirtool.in_whole(
        lambda scratch: play(scratch, program, flavour, first, count))
    wrong = [(one, other) for one, other in zip(told, seen) if one != other]
    mpirun.check(tap, not wrong and int(count) / 2 < len(told) == len(seen),
                 f"{len(seen)} types have the shapes that their bytes have",
                 [f"{len(wrong)} wrong", *wrong[:5]])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
