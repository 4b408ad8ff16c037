#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Operations that a program hands to event sets, and where they end.

usage: run-later.py PROGRAM

The program (stub/later.c) makes each kind of end on a dataset of its own."""
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import (WEIR, Tap, has_flag, in_whole,  # noqa: E402
                      must_be_whole)

DONE, FAILED, CANCELLED, NOT_KNOWN = range(4)
ENDS = {"completes", "batched"}
# dataset: operations, the kind of link, the call that tells, how they ended
TOLD = {
    "all": (3, "completes", "H5ESwait", DONE),
    "some": (3, "completes", "H5ESwait", DONE),
    "lazy": (2, "batched", "H5ESwait", DONE),
    "failed": (1, "completes", "H5ESwait", FAILED),
    "mixed": (3, "completes", "H5ESwait", NOT_KNOWN),
    "left": (2, "completes", "H5ESwait", DONE),
    "right": (2, "completes", "H5ESwait", DONE),
    "cancelled": (2, "completes", "H5EScancel", CANCELLED),
    "started": (2, "completes", "H5ESwait", NOT_KNOWN),
    "counted": (2, "completes", "H5ESget_count", DONE),
    "closed": (2, "completes", "H5ESclose", DONE),
    "shared": (100, "completes", "H5ESwait", DONE),
    "own": (100, "completes", "H5ESwait", DONE),
}
# what waits say one after another: left, failed, ended
WAITS = {
    "some": [(1, 0, 0), (1, 0, 0), (0, 0, 3), (0, 0, 0)],
    "mixed": [(0, 1, 0), (0, 0, 3), (None, None, 0)],
    "started": [(0, 0, 2)],
}


class Play:
    """The program without and with a recorder."""

    def __init__(self, scratch, program):
        self.prints = []
        self.files = []
        self.trace = scratch / "trace"
        recorded = [WEIR, "run", "-q", "--strict", "--layers", "hdf5", "-o",
                    str(self.trace), "--", program]
        for name, command in ("bare", [program]), ("weir", recorded):
            folder = scratch / name
            folder.mkdir()
            done = subprocess.run(command, cwd=folder, text=True, timeout=120,
                                  capture_output=True)
            must_be_whole(done)
            self.prints.append(done.stdout)
            self.files.append((folder / "later.h5").read_bytes())
        lines = self.dump("--format", "jsonl", "--links")
        self.events = [json.loads(line) for line in lines.splitlines()]
        self.by_id = {event["id"]: event for event in self.events}
        self.tree = self.dump("--tree")
        self.first = self.handed_over("all")[0]["id"]
        self.alone = self.dump("--of", self.first)

    def dump(self, *options):
        done = subprocess.run([WEIR, "dump", *options, str(self.trace)],
                              text=True, capture_output=True, check=True)
        self.unseen = done.stderr
        return done.stdout

    def of(self, name, *calls):
        return [e for e in self.events if e["call"] in calls and
                (e.get("file") or "").endswith("later.h5:/" + name)]

    def handed_over(self, name):
        return [e for e in self.of(name, "H5Dwrite_async", "H5Dread_async")
                if "id" in e["args"]]

    def waits(self, name):
        sets = {e["args"]["es_id"] for e in self.of(name, "H5Dwrite_async")}
        return [tuple(e["args"].get(key)
                      for key in ("in_progress", "failed", "ended"))
                for e in sorted(self.events, key=lambda e: e["start"])
                if e["call"] == "H5ESwait" and e["args"]["es_id"] in sets]


def end_of(play, event):
    """(submission's id, kind, caller) of a record hdf5_done."""
    ends = [link for link in event["links"] if link["kind"] in ENDS]
    if len(ends) != 1:
        return None
    return (ends[0]["to"], ends[0]["kind"],
            play.by_id[event["parent"]]["call"])


def check_ends(tap, play):
    for name, (count, kind, caller, how) in TOLD.items():
        begun = play.handed_over(name)
        ends = play.of(name, "hdf5_done")
        seen = Counter(end_of(play, event) for event in ends)
        expected = Counter((e["id"], kind, caller) for e in begun)
        wrong = [e for e in ends if e["args"]["end"] != how or
                 has_flag(e, "failed") != (how == FAILED) or
                 e["size"] != 800]
        tap.result(len(begun) == count and seen == expected and not wrong,
                   f"{name}: {count} operations end below {caller}",
                   [len(begun), seen - expected, expected - seen, wrong[:2]])


def check_ids(tap, play):
    """An id stands for one operation, and both records have it."""
    numbers = defaultdict(list)
    for event in play.events:
        if event["layer"] == "hdf5" and "id" in event["args"]:
            numbers[event["args"]["id"]].append(event["call"])
    wrong = {number: calls for number, calls in numbers.items()
             if sum(call != "hdf5_done" for call in calls) != 1 or
             len(calls) > 2}
    tap.result(not wrong, f"{len(numbers)} operations have ids of their own",
               [wrong])


def check_others(tap, play):
    for name, waits in WAITS.items():
        tap.result(play.waits(name) == waits, f"{name}: what the waits say",
                   [play.waits(name)])
    at_once = play.of("at_once", "H5Dwrite_async")
    tap.result(len(at_once) == 1 and "id" not in at_once[0]["args"] and
               not play.of("at_once", "hdf5_done"),
               "without an event set nothing is handed over", at_once)
    opened = [e for e in play.events if e["call"] == "H5Dcreate_async"]
    tap.result(opened and not any("id" in e["args"] for e in opened),
               "nor what is done when the call returns", opened)
    kept = play.handed_over("kept")
    tap.result(len(kept) == 2 and not play.of("kept", "hdf5_done") and
               "without a recorded end: 2" in play.unseen,
               "a set that cannot be closed keeps its operations",
               [len(kept), play.unseen])
    request = [e for e in play.events if e["call"] == "H5ESinsert_request"]
    ends = [end_of(play, e) for e in play.events
            if e["call"] == "hdf5_done" and not e.get("file")]
    tap.result([(e["id"], "completes", "H5ESwait") for e in request] == ends,
               "a request that is put into a set ends there", [ends])


def check_tree(tap, play):
    work = [e for e in play.events if e["call"] in ("pwrite", "pread") and
            "later.h5" in (e.get("file") or "")]
    elsewhere = [e for e in work if e["parent"] is None]
    tap.result(len(work) - len(elsewhere) == 3, "what the connector's thread "
               "does stays there", [len(work), len(elsewhere)])
    wrong = [e["id"] for e in play.handed_over("lazy")
             if f"[batched, completes {e['id']}]" not in play.tree]
    tap.result(not wrong and "end=not_known" in play.tree and
               f"[completes {play.first}]" in play.alone,
               "the tree shows where they end", [*wrong, play.alone])


def main():
    program = os.path.abspath(sys.argv[1])
    tap = Tap()
    play = in_whole(lambda scratch: Play(scratch, program))
    tap.result(play.prints[0] == play.prints[1],
               "results, arguments and errno are the same", play.prints)
    tap.result(play.files[0] == play.files[1], "writes the same")
    check_ends(tap, play)
    check_ids(tap, play)
    check_others(tap, play)
    check_tree(tap, play)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
