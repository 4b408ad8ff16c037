#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every MPI call is recorded as its program says, and behaves as without us.

usage: run-calls.py PROGRAM FLAVOUR SYMBOLS

PROGRAM writes what it expects (tell.h); SYMBOLS is mpiio_symbols.txt.
"""
import json
import sys
from pathlib import Path

import mpirun
import weirtool
from weirtool import Tap

RANKS = 2
# On a busy machine OMPIO 4.1.4 itself reads other bytes after requests, or
# refuses to be atomic: so did 2 and 4 of 120 runs without weir.
TRIES = {"mpich": 1, "openmpi": 4}
# Asked until it is done: only the last time counts.
POLLS = {"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome",
         "MPI_Waitany", "MPI_Waitsome"}
# Shown elsewhere: tests/mpi/run-ends.py
ELSEWHERE = {"MPI_Init", "MPI_Abort", "MPI_Request_free"}


def read_expected(folder):
    """{pid: (rank, calls)}"""
    found = {}
    for path in sorted(folder.glob("expected.*")):
        head, *calls = map(json.loads, path.read_text().splitlines())
        found[head["pid"]] = head["rank"], calls
    return found


def own_calls(events):
    """Calls that the program made, and what was derived from them."""
    calls = [e for e in events if e["layer"] == "mpiio" and
             (not e["depth"] or e["call"] == "MPI_File_done")]
    last = {id(e["parent"]) for e in calls if e["depth"]}
    return [e for e in calls if e["call"] not in POLLS or id(e) in last]


def as_told(event):
    failed = "err" in event
    return {"call": event["call"], "size": event["size"],
            "off": event.get("off", -1),
            "ret": -1 if failed else event["ret"],
            "together": int(bool(event["args"].get("coll"))),
            "child": event["depth"]}


def difference(expected, events):
    """The first one, or nothing."""
    found = [as_told(e) for e in own_calls(events)]
    for n, (one, other) in enumerate(zip(expected, found)):
        if one != other:
            return f"call {n}: expected {one}, recorded {other}"
    if len(expected) != len(found):
        return f"{len(expected)} calls expected, {len(found)} recorded"
    return ""


def collective(events):
    return [(e["call"], e["args"]["coll"], e["args"]["seq"])
            for e in events if e["layer"] == "mpiio" and
            e["args"].get("coll") and "err" not in e]


def check_keys(tap, processes):
    keys = [collective(events) for events in processes]
    mpirun.check(tap, all(k == keys[0] for k in keys),
                 "the ranks' collective calls have the same keys")
    mpirun.check(tap, len(set(k[1:] for k in keys[0])) == len(keys[0]) > 20,
                 "no two collective calls of a rank have the same key")


def check_ids(tap, processes):
    for events in processes:
        begun = [e["args"]["id"] for e in events
                 if "id" in e["args"] and e["call"].startswith("MPI_File_")
                 and e["call"] != "MPI_File_done"
                 and not e["call"].endswith("_end")]
        ended = [e["args"]["id"] for e in events if "id" in e["args"] and
                 (e["call"] == "MPI_File_done" or
                  e["call"].endswith("_end"))]
        mpirun.check(tap, sorted(begun) == sorted(ended) and
                     len(set(begun)) == len(begun) > 10,
                     f"all {len(begun)} operations that were begun are seen "
                     "to end")


def check_nesting(tap, processes, folder):
    for events in processes:
        moved = mpirun.transfers(events, folder)
        wrong = mpirun.lonely(moved)
        mpirun.check(tap, len(moved) > 20 and not wrong,
                     f"all {len(moved)} transfers are below an MPI call",
                     wrong[:2])


def check_coverage(tap, symbols, processes):
    rows = map(str.split, Path(symbols).read_text().splitlines())
    table = {call for _, call, role, *_ in rows if role != "unseen"}
    seen = {e["call"] for events in processes for e in events}
    missing = sorted(table - seen - ELSEWHERE)
    mpirun.check(tap, not missing, f"every one of {len(table)} calls is made",
                 missing)


def play(scratch, program, flavour):
    """(stdout bare, stdout recorded, expected, {pid: events}, folder)"""
    results = []
    for name in ("bare", "recorded"):
        folder = scratch / name
        folder.mkdir()
        line = mpirun.command(flavour, RANKS, program, folder,
                              folder / "expected")
        run = mpirun.bare(line) if name == "bare" else \
            mpirun.recorded(scratch / "trace", line)
        if run.returncode:
            raise weirtool.Failure(f"{line}: {run.returncode} {run.stderr}")
        results.append(sorted(run.stdout.splitlines()))
    events = mpirun.by_process(weirtool.events(scratch / "trace"))
    return (*results, read_expected(scratch / "recorded"), events,
            scratch / "recorded")


def play_again(program, flavour):
    """Until the program does the same twice, if it may not at once."""
    for left in reversed(range(TRIES[flavour])):
        try:
            played = weirtool.in_whole(
                lambda scratch: play(scratch, program, flavour))
            if played[0] == played[1] or not left:
                return played
        except weirtool.Failure:
            if not left:
                raise
        print("# what the program sees or ends with varies: once more",
              flush=True)


def main(program, flavour, symbols):
    tap = Tap()
    bare, recorded, expected, events, folder = play_again(program, flavour)
    mpirun.check(tap, bare == recorded and len(bare) > 20,
                 "the program sees what it sees without us",
                 sorted(set(bare) ^ set(recorded)))
    mpirun.check(tap, len(expected) == RANKS,
                 "each rank has told what to expect")
    for pid, (rank, calls) in expected.items():
        fault = difference(calls, events.get(pid, []))
        mpirun.check(tap, not fault,
                     f"rank {rank}: {len(calls)} calls as told", [fault])
    processes = [events.get(pid, []) for pid in expected]
    check_keys(tap, processes)
    check_ids(tap, processes)
    check_nesting(tap, processes, folder)
    check_coverage(tap, symbols, processes)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
