#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir report` takes for large traces, and whether its sums are right.

usage: bench/run report [--only NAME,...] [--quick] [--rounds N] [--dir DIR]

The traces are made by bench/make_events and kept for the next time, some 300
MiB in DIR or below $TMPDIR.
"""
import argparse
import hashlib
import multiprocessing
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "lib"))
from crowd import MIB, run  # noqa: E402
from events import Events, make, wrong_text  # noqa: E402

BUILD = Path(os.environ.get("WEIR_BUILD", ROOT / "build")).resolve()
WEIR, MAKER = BUILD / "weir", BUILD / "make_events"


class Shape:
    """A trace to make, and what a report of it may take: seconds, MB."""

    def __init__(self, name, *figures, rounds=1, seconds=None, memory=None):
        self.name, self.rounds = name, rounds
        self.seconds, self.memory = seconds, memory
        self.options = dict(zip(("events", "processes", "threads", "files",
                                 "hosts"), figures))

    def key(self):
        return "-".join(f"{value}{key}" for key, value in self.options.items())


#     name     events  processes threads files hosts
SHAPES = (
    Shape("small", 600_000, 16, 1, 64, 2, rounds=5, seconds=1, memory=100),
    Shape("medium", 5_000_000, 64, 2, 256, 4),
    Shape("alone", 5_000_000, 1, 1, 1, 1),
    Shape("square", 5_000_000, 1024, 1, 1024, 8),
    Shape("files", 5_000_000, 64, 1, 100_000, 4),
    Shape("large", 50_000_000, 64, 2, 256, 4, seconds=20, memory=512),
)
QUICK = "small,medium"

COMMANDS = (("report", ["report"], True),
            ("report --format json", ["report", "--format", "json"], True),
            ("dump --format csv", ["dump", "--format", "csv"], False))


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def made(shape, store):
    """The shape's trace: there already, or made now by this very maker."""
    maker = hashlib.sha256(MAKER.read_bytes()).hexdigest()[:8]
    place = store / f"{shape.key()}-{maker}"
    if not place.exists():
        for old in store.glob(f"{shape.key()}-*"):
            shutil.rmtree(old)
        with tempfile.TemporaryDirectory(dir=store) as scratch:
            new = Path(scratch) / "new"
            new.mkdir()
            truth = make(BUILD, new / "trace", **shape.options)
            (new / "truth").write_text(truth, encoding="utf-8")
            new.rename(place)
    return Events(place / "trace", (place / "truth").read_text())


def check(file, events):
    """In a process of its own: what is resident in this one would count for
    those it starts from then on, too."""
    with multiprocessing.Pool(1) as pool:
        wrong = pool.apply(wrong_text, (file, events))
    if wrong:
        sys.exit(f"bench: {events.path} is summed up wrongly: {wrong[:9]}")


def measure(command, events, rounds):
    runs = []
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch:
        for _ in range(rounds):
            with open(Path(scratch) / "out", "w", encoding="utf-8") as out:
                done = run([WEIR, *command, events.path],
                           to=out if "json" in command else None, keep=False)
            if done.status:
                sys.exit(f"bench: weir {command}: status {done.status}")
            runs.append(done)
        if "json" in command:
            check(out.name, events)
    return runs


def verdict(shape, seconds, cpu, memory):
    if not shape.seconds:
        return "", ""
    target = f"≤ {shape.seconds} s, ≤ {shape.memory} MB"
    if memory > shape.memory * 1e6 or min(seconds, cpu) > shape.seconds:
        return target, "MISSED"
    # others may have had the processors
    return target, ("ok" if seconds <= shape.seconds else
                    "MISSED, but not by CPU time")


def tell(shape, events, rounds):
    for name, command, has_target in COMMANDS:
        runs = measure(command, events, rounds)
        seconds, cpu, memory = (
            statistics.median(getattr(one, figure) for one in runs)
            for figure in ("seconds", "cpu", "memory"))
        count = events.truth["events"] / 1e6
        row(shape.name, f"{count:.1f}", f"{events.size() / MIB:.0f}", name,
            f"{seconds:.2f}", f"{cpu:.2f}", f"{count / cpu:.2f}",
            f"{memory / 1e6:.0f}",
            *(verdict(shape, seconds, cpu, memory) if has_target
              else ("", "")))


def store_of(options):
    store = Path(options.dir or
                 Path(tempfile.gettempdir()) / f"weir-events-{os.getuid()}")
    store.mkdir(mode=0o700, parents=True, exist_ok=True)
    return store


def main():
    names = ",".join(shape.name for shape in SHAPES)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=names, help=names)
    parser.add_argument("--quick", action="store_true", help=QUICK)
    parser.add_argument("--rounds", type=int, help="of each; else 1 or 5")
    parser.add_argument("--dir", help="where traces are kept")
    options = parser.parse_args()
    chosen = (QUICK if options.quick else options.only).split(",")
    store = store_of(options)
    print(f"bench/run report, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} "
          f"cores, load {os.getloadavg()[0]:.1f}, {platform.release()}; "
          "medians; JSON's sums compared with the maker's\n")
    row("trace", "M events", "MiB", "weir", "s", "CPU s", "M events/CPU s",
        "peak MB", "target", "")
    row(*["---"] * 10)
    for shape in SHAPES:
        if shape.name in chosen:
            tell(shape, made(shape, store), options.rounds or shape.rounds)


if __name__ == "__main__":
    main()
