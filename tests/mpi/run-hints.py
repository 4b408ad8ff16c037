#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hints are recorded as they were asked for, and as the MPI has made them.

usage: run-hints.py PROGRAM FLAVOUR

PROGRAM (hints.c) writes what it asked and what MPI_File_get_info tells.
"""
import sys

import mpirun
import weirtool
from weirtool import Tap

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
}


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


def play(scratch, program, flavour, words):
    """What is told, and what each rank's record says."""
    line = mpirun.command(flavour, 2, program, scratch / "file", *words)
    done = mpirun.recorded(scratch / "trace", line)
    events = mpirun.by_process(weirtool.events(scratch / "trace"))
    return (list(expected(done.stdout.splitlines())),
            [[(e["call"], e["args"]["asked"], e["args"]["hints"])
              for e in own if e["call"] in CALLS]
             for own in events.values() if any(e["call"] in CALLS
                                               for e in own)])


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
        told, seen = weirtool.in_whole(
            lambda scratch: play(scratch, program, flavour, words))
        calls = sum("=" not in word for word in words)
        right = len(seen) == 2 and len(told) == calls and all(
            is_told(told, own) for own in seen)
        mpirun.check(tap, right, f"{name}: as recorded", [told, *seen])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
