#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Processes that a program starts by MPI are recorded like the others.

usage: run-spawn.py PROGRAM FLAVOUR
"""
import sys
import tempfile
from pathlib import Path

import mpirun
import weirtool
from weirtool import Tap


def writers(events, name):
    """Who wrote the file, and as which rank of its own world."""
    return sorted({(e["pid"], e.get("rank")) for e in events
                   if e["call"] == "MPI_File_write_at_all" and
                   str(e.get("file", "")).endswith("/" + name)})


def play(scratch, line):
    mpirun.recorded(scratch / "trace", line, cwd=scratch)
    return list(weirtool.events(scratch / "trace"))


def main(program, flavour):
    tap = Tap()
    program = Path(program).resolve()  # it is started elsewhere
    for how in ("one", "several"):
        line = mpirun.command(flavour, 2, program, how)
        with tempfile.TemporaryDirectory(prefix="weir-spawn-") as place:
            done = mpirun.bare(line, cwd=place, timeout=60)
        if done.returncode:
            tap.skip(f"{how}: processes that MPI starts are recorded",
                     f"{flavour} cannot start any here, also without weir")
            continue
        events = weirtool.in_whole(lambda scratch: play(Path(scratch), line))
        for name in "parents", "children":
            found = writers(events, name)
            mpirun.check(tap, len(found) == 2 and
                         {rank for _, rank in found} == {0, 1},
                         f"{how}: both {name} are recorded, by rank", found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
