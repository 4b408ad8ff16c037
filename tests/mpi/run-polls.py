#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Who waits for requests by asking in a loop does not fill the trace.

usage: run-polls.py PROGRAM FLAVOUR
"""
import json
import sys

import mpirun
import weirtool
from weirtool import WEIR, Tap

BYTES = 16 << 20
# MPICH fails by itself when MPI_Testall completes several of a file's.
WAYS = {"wait": ("MPI_Waitall", 4), "test": ("MPI_Test", 4),
        "testall": ("MPI_Testall", 1), "testany": ("MPI_Testany", 4),
        "testsome": ("MPI_Testsome", 4)}
EINPROGRESS = 115


def play(scratch, program, flavour, way, parts):
    """How often it asked in vain; what is recorded, what is counted."""
    path, trace = scratch / "file", scratch / "trace"
    line = mpirun.command(flavour, 1, program, way, parts, path, BYTES)
    done = weirtool.run(WEIR, "run", "--strict", "-o", trace, "--", *line,
                        check=False, env=weirtool.mpi_environment())
    weirtool.must_be_whole(done)
    info = weirtool.run(WEIR, "info", "--format", "json", trace)
    events = [event
              for process in mpirun.by_process(weirtool.events(trace)).values()
              for event in process]
    return (int(done.stdout), events, json.loads(info.stdout)["polls"],
            path.read_bytes())


def check_way(tap, program, flavour, way):
    call, parts = WAYS[way]
    vain, events, polls, written = weirtool.in_whole(
        lambda scratch: play(scratch, program, flavour, way, parts))
    asked = [e for e in events if e["call"] == call]
    ended = [e for e in events if e["call"] == "MPI_File_done"]
    inside = [e for e in events if e["call"] in ("aio_error", "aio_return")]
    mpirun.check(tap, written == b"p" * BYTES and len(ended) == parts,
                 f"{way}: all is written, and its ends are told", ended)
    # The first of each row, those that did something, and that saw an end.
    mpirun.check(tap, 0 < len(asked) <= 3 * parts + 1,
                 f"{way}: {vain} times asked in vain, "
                 f"{len(asked)} calls recorded, {polls} polls counted")
    mpirun.check(tap, polls >= vain - len(asked),
                 f"{way}: what is not recorded is counted")
    wrong = [e for e in inside if e["call"] == "aio_error" and
             e["ret"] == EINPROGRESS]
    mpirun.check(tap, not wrong, f"{way}: no poll of MPI's own is recorded",
                 wrong[:3])
    wrong = mpirun.lonely(inside)
    mpirun.check(tap, not wrong, f"{way}: the others are below their call",
                 wrong[:3])


def main(program, flavour):
    tap = Tap()
    for way in WAYS:
        check_way(tap, program, flavour, way)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
