#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Polls of operations under way: recorded or counted, never lost.

usage: run-polls.py PROGRAM"""
import json
import os
import re
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from sums import report  # noqa: E402
from weirtool import (WEIR, Tap, events, in_whole,  # noqa: E402
                      must_be_whole, run)

EINPROGRESS = 115


class Take:
    """The program, recorded with some options."""

    def __init__(self, program, scratch, *options):
        (scratch / "walked").mkdir(exist_ok=True)
        self.trace = scratch / "trace"
        done = run(WEIR, "run", "--strict", "--buffer", "16M", *options, "-o",
                   self.trace, "--", program, scratch / "walked", check=False)
        must_be_whole(done)
        self.said = done.stderr
        self.rows, self.asked = map(int, done.stdout.split())
        self.info = json.loads(run(WEIR, "info", "--format", "json",
                                   self.trace).stdout)
        self.events = [] if "--profile" in options else events(self.trace)

    @property
    def counted(self):
        return self.info["polls"]


def is_vain(event):
    """A poll that found nothing done."""
    if event["call"] == "aio_suspend":
        return event["ret"] and event["args"].get("timeout") == 0
    return event["call"] == "aio_error" and event["ret"] == EINPROGRESS


def others(take):
    """What it did beside, and at which depth."""
    return Counter((e["call"], e["depth"]) for e in take.events
                   if not is_vain(e))


def check_counts(tap, folded):
    vain = [e for e in folded.events if is_vain(e)]
    tap.result(len(vain) == folded.rows and not any(e["depth"] for e in vain),
               f"the first of each of {folded.rows} rows is recorded",
               [len(vain)])
    tap.result(folded.counted == folded.asked - folded.rows,
               f"all others of the {folded.asked} are counted",
               [folded.counted])


def check_whole(tap, whole, folded):
    tap.result(whole.counted == 0 and
               sum(map(is_vain, whole.events)) == whole.asked,
               "--all records each of them", [whole.counted])
    tap.result(others(folded) == others(whole), "and nothing else differs",
               [others(folded) - others(whole),
                others(whole) - others(folded)])


def check_tellers(tap, take):
    text = {
        "weir run": take.said,
        "weir info": run(WEIR, "info", take.trace).stdout,
        "weir report": run(WEIR, "report", take.trace).stdout,
        "weir dump": run(WEIR, "dump", take.trace).stderr,
        "weir dump --tree": run(WEIR, "dump", "--tree", take.trace).stderr,
    }
    for who, words in text.items():
        lines = [line for line in words.splitlines() if "polls of" in line or
                 "polls counted" in line]
        tap.result(len(lines) == 1 and
                   re.search(rf"\b{take.counted}\b", lines[0]) and
                   "--all" in lines[0], f"{who} tells how many", lines)
    tap.result(report(take.trace)["unseen"]["polls"] == take.counted,
               "weir report --format json too")


def check_ring(tap, take):
    tap.result(take.counted == take.asked - take.rows,
               "the last calls: counted likewise", [take.counted])
    tap.result(len(take.events) < take.asked, "and not kept",
               [len(take.events)])


def check_profile(tap, take):
    """Two operations are found to have ended, and three calls do wait."""
    calls = report(take.trace)["total"]["calls"]
    found = calls["aio_error"]["calls"] + calls["aio_suspend"]["calls"]
    tap.result(found == take.rows + 2 + 3 and
               take.counted == take.asked - take.rows,
               "sums: polls in vain are counted likewise",
               [found, take.counted])


def main(program):
    tap = Tap()
    program = os.path.abspath(program)
    whole = in_whole(lambda scratch: Take(program, scratch, "--all"))

    def fold(scratch):
        take = Take(program, scratch)
        check_counts(tap, take)
        check_whole(tap, whole, take)
        check_tellers(tap, take)

    in_whole(fold)
    in_whole(lambda scratch: check_ring(
        tap, Take(program, scratch, "--ring", "1M")))
    in_whole(lambda scratch: check_profile(
        tap, Take(program, scratch, "--profile")))
    in_whole(lambda scratch: check_counts(
        tap, Take(program, scratch, "--backtrace")))
    return tap.done()


sys.exit(main(*sys.argv[1:]))
