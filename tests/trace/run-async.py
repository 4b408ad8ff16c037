#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Operations and ends that no order of calls tells, compared as sets.

usage: run-async.py ORACLE"""
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import rings  # noqa: E402
from weirtool import (WEIR, Tap, events, in_whole,  # noqa: E402
                      must_be_whole)


ENVIRONMENT = rings.environment()


def play(oracle, scenario, count, scratch):
    """What the program told, what was recorded, what weir run said."""
    log, trace = scratch / "log", scratch / "trace"
    done = subprocess.run(
        [WEIR, "run", "--all", "--strict", "--buffer", "32M", "-o", trace, "--",
         oracle, log, scenario, str(count)], cwd=scratch, timeout=120,
        capture_output=True, text=True, env=ENVIRONMENT)
    must_be_whole(done)
    told = [json.loads(line) for line in log.read_text().splitlines()]
    return told, events(trace), done.stderr, trace


def operations(rows):
    return Counter((row["fd"], row["size"], row["off"],
                    row.get("args", row)["id"])
                   for row in rows if row.get("call") == "uring_op" or
                   row.get("symbol") == "uring_op")


def ends(rows):
    return Counter((row.get("args", row)["id"], row["ret"])
                   for row in rows if row.get("call") == "uring_done" or
                   row.get("symbol") == "uring_done")


def unseen_by_dump(trace, *options):
    """A long trace is not read to its end by weir run, but by the dump."""
    said = subprocess.run([WEIR, "dump", *options, trace], check=True,
                          capture_output=True, text=True).stderr
    found = re.search(r"without a recorded end: (\d+)", said)
    return int(found[1]) if found else 0


def race(tap, oracle, scratch, count=20000):
    told, recorded, _, trace = play(oracle, "uring-race", count, scratch)
    tap.result(operations(told) == operations(recorded) and
               sum(operations(told).values()) == count,
               f"{count} operations of a shared ring, each told once")
    seen, unseen = ends(recorded), ends(told) - ends(recorded)
    tap.result(not seen - ends(told), "no end is told twice or wrongly")
    missing = sum(unseen.values())
    tap.result(unseen_by_dump(trace) == missing,
               f"the {missing} ends not seen are counted")


def never_ending(tap, oracle, scratch):
    _, _, said, trace = play(oracle, "uring-unseen", 3, scratch)
    tap.result("3 asynchronous operations submitted, 0 seen to complete"
               in said, "operations without an end are counted")
    tap.result(unseen_by_dump(trace) == 3, "weir dump tells them too")
    tap.result(unseen_by_dump(trace, "--process", "oracle") == 0,
               "but not of a part of the trace")


def main(oracle):
    tap = Tap()
    for test in (race, never_ending):
        in_whole(lambda scratch: test(tap, os.path.abspath(oracle), scratch))
    return tap.done()


sys.exit(main(*sys.argv[1:]))
