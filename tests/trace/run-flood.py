#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A buffer that is too small loses calls, and every one of them is counted.

usage: run-flood.py FLOOD"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from victims import await_collector  # noqa: E402
from weirtool import WEIR, Tap, events  # noqa: E402

EVENTS_LOST = 6
THREADS, CALLS = "4", "30000"
STOPPED = 0.1  # seconds, in which a flood begins even on a busy machine


def account(rows):
    """{tid: [recorded, dropped]} and what is out of place."""
    told = defaultdict(lambda: [0, 0])
    next_call = defaultdict(int)
    problems = []
    for row in rows:
        tid = row["tid"]
        if row["call"] == "weir:loss":
            told[tid][1] += row["size"]
            next_call[tid] += row["size"]
        elif row["call"] == "pread":
            told[tid][0] += 1
            if row["off"] != next_call[tid]:
                problems.append(f"thread {tid}: call {row['off']} where "
                                f"{next_call[tid]} was due")
            next_call[tid] = row["off"] + 1
    return told, problems


def gap_problems(rows):
    """Losses lie between what was recorded, and have a length in time."""
    ends = defaultdict(int)
    for row in rows:
        if row["call"] == "weir:loss" and row["start"] < ends[row["tid"]]:
            yield f"a gap begins before what was recorded last: {row}"
        if row["call"] != "weir:loss":
            ends[row["tid"]] = row["start"] + row["dur"]


def run(program, scratch, options, stop):
    """The collector sleeps while the flood begins, when told to stop."""
    trace = scratch / "trace"
    process = subprocess.Popen(
        [WEIR, "run", "--all", "-q", *options, "-o", trace, "--", program, THREADS,
         CALLS], cwd=scratch, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    collector = await_collector(trace)
    if stop:
        os.kill(collector, signal.SIGSTOP)
    process.stdin.close()
    time.sleep(STOPPED)
    if stop:
        os.kill(collector, signal.SIGCONT)
    output = process.stdout.read()
    return process.wait(), output, trace


def flood(tap, program, scratch, options, stop):
    status, output, trace = run(program, scratch, options, stop)
    offered = {int(tid): int(calls) for tid, calls in
               (line.split() for line in output.splitlines())}
    rows = events(trace)
    told, problems = account(rows)
    dropped = sum(pair[1] for pair in told.values())
    for tid, calls in offered.items():
        if sum(told[tid]) != calls:
            problems.append(f"thread {tid} offered {calls}, recorded + "
                            f"dropped = {told[tid]}")
    problems += gap_problems(rows)
    tap.result(len(offered) == int(THREADS) and not problems,
               f"offered = recorded + dropped: {sum(offered.values())} = "
               f"{sum(offered.values()) - dropped} + {dropped}",
               problems[:20])
    return status, dropped, trace


def main():
    program = os.path.abspath(sys.argv[1])
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-flood-") as name:
        status, dropped, trace = flood(tap, program, Path(name).resolve(),
                                       ["--strict", "--buffer", "32K"], True)
        tap.result(dropped > 0, "the small buffer did lose calls")
        tap.result(status == EVENTS_LOST, f"--strict returns {EVENTS_LOST}",
                   [f"it returned {status}"])
        text = subprocess.run([WEIR, "dump", trace], capture_output=True,
                              text=True)
        tap.result(f": {dropped}\n" in text.stderr, "dump tells how many",
                   text.stderr.splitlines())
    with tempfile.TemporaryDirectory(prefix="weir-flood-") as name:
        status, _, _ = flood(tap, program, Path(name).resolve(),
                             ["--buffer", "32K"], True)
        tap.result(status == 0, "without --strict the program's own status "
                   "is returned", [f"it returned {status}"])
    with tempfile.TemporaryDirectory(prefix="weir-flood-") as name:
        flood(tap, program, Path(name).resolve(), ["--buffer", "32K"], False)
    return tap.done()


sys.exit(main())
