#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fortran programs are recorded like C programs, one record a call.

usage: run-fortran.py FLAVOUR PROGRAM...
"""
import sys
from pathlib import Path

import mpirun
import weirtool
from weirtool import Tap

RANKS = 2


def expected(rank):
    """(call, size, offset, result) of what every program does."""
    own = 1000 * rank
    return [("MPI_Init", 0, None, 0),
            ("MPI_File_open", 0, None, 0),
            ("MPI_File_write_at", 100, own, 100),
            ("MPI_File_write_at_all", 100, own, 100),
            ("MPI_File_iwrite_at", 100, own, 0),
            ("MPI_Wait", 0, None, 0),
            ("MPI_File_done", 0, None, 100),
            ("MPI_File_seek", 0, own, 0),
            ("MPI_File_read_all", 100, own, 100),
            ("MPI_File_set_view", 0, 4096, 0),
            ("MPI_File_write_all", 24, None, 24),
            ("MPI_File_close", 0, None, 0),
            ("MPI_Finalize", 0, None, 0)]


def own_calls(events):
    return [(e["call"], e["size"], e.get("off"), e["ret"]) for e in events
            if e["layer"] == "mpiio" and
            (not e["depth"] or e["call"] == "MPI_File_done")]


def play(scratch, program, flavour):
    """(output bare, output recorded, events of each rank)"""
    out = []
    for name in ("bare", "recorded"):
        folder = scratch / name
        folder.mkdir()
        line = mpirun.command(flavour, RANKS, program, folder)
        run = mpirun.bare(line) if name == "bare" else \
            mpirun.recorded(scratch / "trace", line)
        if run.returncode:
            raise weirtool.Failure(f"{line}: {run.returncode} {run.stderr}")
        out.append(sorted(run.stdout.splitlines()))
    processes = mpirun.by_process(weirtool.events(scratch / "trace"))
    return (*out, [events for events in processes.values()
                   if any(e["layer"] == "mpiio" for e in events)])


def main(flavour, *programs):
    tap = Tap()
    for program in programs:
        name = Path(program).name
        bare, recorded, ranks = weirtool.in_whole(
            lambda scratch: play(scratch, program, flavour))
        mpirun.check(tap, bare == recorded and len(bare) == RANKS,
                     f"{name} prints what it prints without us",
                     [bare, recorded])
        found = sorted(map(own_calls, ranks), key=str)
        wanted = sorted(map(expected, range(RANKS)), key=str)
        mpirun.check(tap, found == wanted, f"{name}: every call once", found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
