#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Threads of a rank that use MPI at once: no call lost, none misplaced.

usage: run-threads.py PROGRAM FLAVOUR
"""
import json
import sys
from collections import Counter

import mpirun
import weirtool
from weirtool import Tap

RANKS = 2
# Under OMPIO threads that wait for requests of a file crash by themselves: its
# progress function walks a list that another thread is freeing.
COMPONENTS = {"mpich": [], "openmpi": ["--mca", "io", "romio321"]}
CERTAIN = ("MPI_File_write_at", "MPI_File_iread_at", "MPI_File_done")


def play(scratch, program, flavour):
    line = mpirun.command(flavour, RANKS, *COMPONENTS[flavour], program,
                          scratch / "file", scratch / "expected")
    mpirun.recorded(scratch / "trace", line)
    told = {}
    for path in scratch.glob("expected.*"):
        head, *calls = map(json.loads, path.read_text().splitlines())
        told[head["pid"]] = Counter(
            (c["call"], c["size"], c["off"], c["ret"]) for c in calls)
    events = mpirun.by_process(weirtool.events(scratch / "trace"))
    return told, events, scratch / "file"


def as_told(event):
    return event["call"], event["size"], event.get("off", -1), event["ret"]


def check_process(tap, told, events, path):
    found = Counter(as_told(e) for e in events if e["call"] in CERTAIN)
    mpirun.check(tap, found == told, f"{sum(told.values())} calls as told",
                 [told - found, found - told])
    moved = mpirun.transfers(events, path)
    wrong = mpirun.lonely(moved)
    mpirun.check(tap, moved and not wrong,
                 f"all {len(moved)} transfers are below an MPI call",
                 wrong[:3])
    placed = [e for e in moved if e["parent"]["call"] == "MPI_File_write" and
              "off" in e["parent"] and "off" in e]
    wrong = [e for e in placed if e["off"] != e["parent"]["off"]]
    mpirun.check(tap, not wrong, "where the rank's own pointer was is right, "
                 f"or not told ({len(placed)} told)", wrong[:3])
    pairs = Counter(e["args"]["id"] for e in events
                    if e["layer"] == "mpiio" and "id" in e["args"])
    mpirun.check(tap, set(pairs.values()) == {2},
                 "each request ends once", pairs.most_common(2))


def main(program, flavour):
    tap = Tap()
    told, events, path = weirtool.in_whole(
        lambda scratch: play(scratch, program, flavour))
    mpirun.check(tap, len(told) == RANKS, "each rank has told its calls")
    for pid, calls in told.items():
        check_process(tap, calls, events.get(pid, []), path)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
