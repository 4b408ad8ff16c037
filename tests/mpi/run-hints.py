#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hints are recorded as they were asked for, and as the MPI has made them; and
a report tells of all that were ignored or changed.

usage: run-hints.py PROGRAM FLAVOUR

PROGRAM (hints.c) writes what it asked and what MPI_File_get_info tells.
"""
import sys
from pathlib import Path

import mpirun
import weirtool
from weirtool import Tap

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "report"))
from judged import FIGURES, Judged  # noqa: E402
from callview import views  # noqa: E402
from sums import report  # noqa: E402

CALLS = ("MPI_File_open", "MPI_File_set_view", "MPI_File_set_info")
# More than there is room for, each as long as every MPI allows.
LONG = [f"key{n}={n}{'x' * 200}" for n in range(12)]
ROOM = (1500, 2000)  # for those asked for, and those that were made of them
RUNS = {
    "asked of each call":
        ["open", "cb_buffer_size=65536", "nonsense=yes", "view",
         "cb_buffer_size=131072", "info", "cb_buffer_size=262144"],
    "nothing asked": ["open", "view"],
    "of views only what is new":
        ["open", "cb_nodes=1", "view", "cb_nodes=1", "view", "cb_nodes=2",
         "view", "cb_nodes=2", "view", "info", "cb_nodes=1", "view",
         "cb_nodes=1", "view", "cb_nodes=2"],
    "a value with signs of ours": ["open", "odd=a;b=c\"d", "view", "e=="],
    "too many": ["open", *LONG],
    "as it pleases":
        ["open", "cb_nodes=64", "cb_buffer_size=0x10000", "nc_x=1",
         "romio_ds_read=ENABLE", "romio_ds_write=bogus",
         "romio_cb_write=automatic", "view", "cb_nodes=1", "cb_buffer_size=64k",
         "romio_cb_write=automatic", "info", "romio_cb_write=automatic",
         "romio_no_indep_rw=no"],
}
RULE = "ignored-hints"


def expected(lines):
    """(call, asked, made) as it is to be recorded."""
    before = ""
    for line in lines:
        call, asked, made = line.split("\t")
        if call == "MPI_File_set_view" and asked in ("", before):
            yield call, "", ""
            continue
        before = asked
        yield call, asked, made


def advised(trace, flavour):
    """What the report says, and what it should."""
    found = next((row for row in report(trace)["findings"]
                  if row["id"] == RULE), None)
    judged = Judged(views(trace), flavour)
    right = judged.told().get(RULE)
    if not found or not right:
        return found, right
    told = {(row["name"], row["asked"], row["got"]):
            (row["count"], row["files"]) for row in found["hints"]}
    every = judged.hints.told()
    most = sorted(every.items(), key=lambda one: (
        -one[1][0], one[0][:2], one[0][2] or ""))
    return ({key: found[key] for key in (*FIGURES, "files")} | told,
            right | dict(most[:5]))


def play(scratch, program, flavour, words):
    """What is told, what each rank's record says, and the report."""
    line = mpirun.command(flavour, 2, program, scratch / "file", *words)
    done = mpirun.recorded(scratch / "trace", line)
    events = mpirun.by_process(weirtool.events(scratch / "trace"))
    return (list(expected(done.stdout.splitlines())),
            [[(e["call"], e["args"]["asked"], e["args"]["hints"])
              for e in own if e["call"] in CALLS]
             for own in events.values() if any(e["call"] in CALLS
                                               for e in own)],
            advised(scratch / "trace", flavour))


def fits(text, whole, room):
    """As many hints as have room, and a sign where there are more."""
    if len(whole) < room:
        return text == whole
    return (text.endswith(";...") and whole.startswith(text[:-3]) and
            room - 300 < len(text) < room + 4)


def is_told(told, own):
    return len(told) == len(own) and all(
        one[0] == other[0] and all(map(fits, other[1:], one[1:], ROOM))
        for one, other in zip(told, own))


def main(program, flavour):
    tap = Tap()
    for name, words in RUNS.items():
        told, seen, (found, expected_of_it) = weirtool.in_whole(
            lambda scratch: play(scratch, program, flavour, words))
        calls = sum("=" not in word for word in words)
        right = len(seen) == 2 and len(told) == calls and all(
            is_told(told, own) for own in seen)
        mpirun.check(tap, right, f"{name}: as recorded", [told, *seen])
        mpirun.check(tap, found == expected_of_it,
                     f"{name}: hints that were not taken: "
                     f"{found['count'] if found else 0}",
                     [found, expected_of_it])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
