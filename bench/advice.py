#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir report` says that forwarding would save, and what it does save.

usage: bench/run advice [--rounds N] [--quick] [--only PLACE,...]

Programs write to GlusterFS and to a file system of a known rate and latency
(the plug-in throttle), directly and forwarded in turns. Both runs are recorded:
what is compared is the time in writes, and in closes and syncs after them, of
the process that spends most. An estimate is an upper bound: what is saved must
not exceed it by more than half. Where forwarding is not advised nothing is
promised. On throttle the direct run is one by a service with --policy through.
"""
import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from lib.bench import BUILD, WEIR, Options, heading, median, row, table
from lib.places import gluster
from lib.service import Service

WORKLOAD = BUILD / "tests/findings/findings_workload"
MS = 1e6
THROTTLE = "throttle:rate=100M,latency=1ms"
FORWARD = "--forward=."

CASES = [
    ("1 KiB in a row", "open:wc:out 2000{ write:1k } close"),
    ("1 KiB, computing between",
     "open:wc:out 10{ 200{ write:1k } sleep:150 } close"),
    ("64 KiB, computing between",
     "open:wc:out 10{ 32{ write:64k } sleep:200 } close"),
    ("1 MiB in a row", "open:wc:out 48{ write:1m } close"),
    ("1 MiB, computing between",
     "open:wc:out 10{ 4{ write:1m } sleep:200 } close"),
    ("4 processes, 4 KiB",
     "fork:4{ open:wc:o@ 5{ 100{ write:4k } sleep:150 } close }"),
    ("1 KiB all over, computing",
     "open:wc:out 10{ 40{ pwrite:1k:?60m } sleep:200 } close"),
    ("1 KiB, each synced", "open:wc:out 100{ write:1k fsync } close"),
    ("100 files of 4 KiB", "100{ open:wc:o@ write:4k close }"),
]


def recorded(folder, words, *options):
    """What the report says of a run there."""
    with tempfile.TemporaryDirectory() as scratch:
        trace = Path(scratch) / "trace"
        subprocess.run([WEIR, "run", "--all", "-q", "-o", trace, *options,
                        "--", WORKLOAD, *words.split()], check=True,
                       cwd=folder, stdin=subprocess.DEVNULL,
                       capture_output=True)
        said = subprocess.run([WEIR, "report", "--json", trace], check=True,
                              capture_output=True).stdout
    for name in os.listdir(folder):
        os.unlink(folder / name)
    return json.loads(said)


def saving(said):
    return next(one["saving"] for one in said["answers"]
                if one["id"] == "forwarded-writes")


def verdict(estimate, saved, span):
    """Whether what was promised is kept: as `waiting-writes` is judged."""
    if estimate < 10 * MS or estimate < span / 100:
        return "not advised"
    if saved > 1.5 * estimate:
        return "TOO LOW"
    return "yes" if saved > estimate / 2 else "TOO HIGH"


def measure(words, folder, rounds, direct, forwarded):
    before, after, told, spans = [], [], [], []
    for _ in range(rounds):
        said = recorded(folder, words, *direct)
        before.append(said["forecast"]["now"])
        told.append((saving(said), said["forecast"]))
        spans.append(said["span"])
        said = recorded(folder, words, *forwarded)
        after.append(said["forecast"]["now"])
    return (median(before), median(after), median(one for one, _ in told),
            median(spans), told[-1][1])


@contextmanager
def on_gluster(scratch):
    with gluster(scratch) as mount:
        yield mount, (), (FORWARD,)


@contextmanager
def on_throttle(scratch):
    """Of a service that somebody else started, a trace tells nothing: what
    the report says is what it would say of such a file system."""
    with Service(THROTTLE, scratch, "--policy", "through") as slow:
        yield (Path(scratch), (FORWARD, "--server", slow.place),
               (FORWARD, "--backend", THROTTLE))


# how to have a place: the folder, options of the direct run and of the other
PLACES = {"gluster": on_gluster, "throttle": on_throttle}


def run_place(name, folder, rounds, options):
    table(f"{name}: time in writes, closes and syncs (ms; medians)", "what", "direct",
          "forwarded", "saved", "estimate", "ratio", "the run took", "case",
          "rate MiB/s", "kept")
    for what, words in CASES:
        before, after, estimate, span, forecast = measure(
            words, folder, rounds, *options)
        saved = before - after
        row(what, *(f"{one / MS:.1f}" for one in (before, after, saved,
                                                  estimate)),
            f"{saved / estimate:.2f}" if estimate else "-",
            f"{span / MS:.1f}", forecast["case"],
            f"{forecast['rate'] / (1 << 20):.0f}"
            f"{'' if forecast['measured'] else '?'}",
            verdict(estimate, saved, span))


def main():
    options = Options(__doc__, ",".join(PLACES), rounds=(5, 1)).chosen()
    heading("advice", f"{options.rounds} rounds")
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch, \
                PLACES[name](scratch) as (mount, *how):
            if not mount:
                print(f"{name}: this machine cannot have it")
                continue
            folder = mount / "files"
            folder.mkdir()
            run_place(name, folder, options.rounds, how)


if __name__ == "__main__":
    sys.exit(main())
