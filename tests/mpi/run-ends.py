#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""However MPI ends, what every rank did before is in the trace.

usage: run-ends.py PROGRAM FLAVOUR
"""
import json
import sys

import mpirun
import weirtool
from weirtool import Tap

RANKS = 2
SIGNALS = {"kill": "SIGKILL", "crash": "SIGSEGV"}
BEFORE = {"MPI_Init", "MPI_File_open", "MPI_File_write_at"}


def play(scratch, program, flavour, how):
    line = mpirun.command(flavour, RANKS, program, how, scratch / "file")
    done = weirtool.record(scratch / "trace", line,
                           env=weirtool.mpi_environment(),
                           capture_output=True, text=True)
    processes = mpirun.by_process(
        weirtool.events(scratch / "trace", allowed=(0, 4)))
    ranks = [events for events in processes.values()
             if any(e["layer"] == "mpiio" for e in events)]
    told = weirtool.run(weirtool.WEIR, "info", "--format", "json",
                        scratch / "trace", check=False)
    return done.returncode, ranks, json.loads(told.stdout)["killed"]


def calls_of(events):
    return [e["call"] for e in events if e["layer"] == "mpiio"]


def main(program, flavour):
    tap = Tap()
    for how in ("free", "after", "abort", "kill", "crash"):
        status, ranks, killed = weirtool.in_whole(
            lambda scratch: play(scratch, program, flavour, how))
        calls = [set(calls_of(events)) for events in ranks]
        bad = how in ("abort", *SIGNALS)
        mpirun.check(tap, len(ranks) == RANKS and bool(status) == bad,
                     f"{how}: both ranks are recorded, the status is kept",
                     [status, calls])
        mpirun.check(tap, all(BEFORE <= c for c in calls),
                     f"{how}: what they did before is there", calls)
        ends = {one.get("rank"): one["signal"] for one in killed}
        if how in SIGNALS:
            mpirun.check(tap, ends.get(1) == SIGNALS[how],
                         f"{how}: rank 1 is named with its signal", [ends])
        if not bad:
            mpirun.check(tap, not ends, f"{how}: nobody was killed", [ends])
        if how == "free":
            done = [e for events in ranks for e in events
                    if e["call"] == "MPI_File_done"]
            mpirun.check(tap, len(done) == RANKS and
                         all(e["args"].get("assumed") == 100 for e in done),
                         "free: the end of a request is not made up", done)
        if how == "abort":
            mpirun.check(tap, any("MPI_Abort" in c for c in calls),
                         "abort: the call that never returned is there", calls)
        if how == "after":
            late = [e for events in ranks for e in events
                    if e["call"] == "write" and e["size"] == 7]
            mpirun.check(tap, len(late) == 1, "after: POSIX calls go on", late)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
