#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Call trees by seed, of which it is known who caused what.

usage: run-corpus.py SEEDS CALLS PROGRAM FLAVOUR [PROGRAM FLAVOUR]…

Each call works on a part of the file of its own, so every event that moves
bytes tells by its offset alone which call it belongs to. What `weir dump
--links` says is above it must agree: the same call of the same rank, or one
that completes it, or, of a collective call, that call in another rank."""
import bisect
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, mpi_environment  # noqa: E402

RANKS = 2
LAUNCH = {"mpich": ["mpirun.mpich"],
          "openmpi": ["mpirun.openmpi", "--oversubscribe"]}
MOVES = {"pread", "pwrite", "read", "write", "preadv", "pwritev", "readv",
         "writev", "aio_read", "aio_write"}


class Trace:
    """The events of the file, and what is above and beside them."""

    def __init__(self, trace, name):
        done = subprocess.run([WEIR, "dump", "--format", "jsonl", "--links",
                               trace], capture_output=True, check=True)
        self.events = {}
        for line in done.stdout.splitlines():
            event = json.loads(line)
            self.events[event["id"]] = event
        self.name = name
        self.nodes, self.ends = {}, {}
        for event in self.events.values():
            for link in event["links"]:
                if link["kind"] == "collective":
                    self.nodes.setdefault(link["node"], []).append(event)
                elif link["kind"] in ("completes", "batched"):
                    self.ends.setdefault(event["parent"], []).append(
                        self.events[link["to"]])

    def moves(self):
        return [event for event in self.events.values()
                if event.get("file") == self.name and "off" in event and
                event["call"] in MOVES and event["size"]]

    def top(self, event):
        while event["parent"] is not None:
            event = self.events[event["parent"]]
        return event

    def together(self, event):
        """It, and the parts of the same call in other ranks."""
        for link in event["links"]:
            if link["kind"] == "collective":
                return self.nodes[link["node"]]
        return [event]

    def causes(self, event):
        """Calls that could have caused it: above it, or completed there."""
        top = self.top(event)
        found = [top] + self.ends.get(top["id"], [])
        return [other for one in found for other in self.together(one)]


class Parts:
    """Who owns which bytes of the file."""

    def __init__(self, story):
        self.rows = sorted({row["low"]: row for row in story
                            if "low" in row}.values(),
                           key=lambda row: row["low"])
        self.lows = [row["low"] for row in self.rows]

    def at(self, off, shift=0):
        """The row of an offset, or the one so many after it."""
        found = bisect.bisect_right(self.lows, off) - 1
        if found < 0 or off >= self.rows[found]["high"]:
            return None
        return self.rows[(found + shift) % len(self.rows)]


def is_of(cause, row):
    """It is that call, on these bytes or on that object, if it says so."""
    return cause["call"] == row["call"] and \
        ("off" not in cause or row["low"] <= cause["off"] < row["high"]) and \
        ("object" not in row or cause["file"].endswith(":" + row["object"]))


def judge(trace, story, shift=0):
    """Events whose cause is right, is wrong, is not known."""
    right, wrong, unknown = 0, [], 0
    parts = Parts(story)
    for event in trace.moves():
        row = parts.at(event["off"], shift)
        top = trace.top(event)
        if not row:
            continue  # what a library keeps in the file for itself
        if any(link["kind"] == "unknown" for link in event["links"]):
            unknown += 1
        elif not row["call"]:
            right += top is event
            wrong += [event] if top is not event else []
        elif any(is_of(cause, row) for cause in trace.causes(event)):
            right += 1
        else:
            wrong.append(event)
    return right, wrong, unknown


def of_right_part(trace, story):
    """No call has events of two parts, but those that complete several."""
    parts, found = Parts(story), {}
    for event in trace.moves():
        row = parts.at(event["off"])
        if row:
            found.setdefault(trace.top(event)["id"], set()).add(row["low"])
    return [trace.events[top] for top, lows in found.items()
            if len(lows) > 1]


def play(seed, calls, program, flavour, scratch):
    data, log, trace = (scratch / name for name in ("data", "log", "trace"))
    done = subprocess.run(
        [WEIR, "run", "-q", "--strict", "--buffer", "32M", "--include", data,
         "-o", trace, "--", *LAUNCH[flavour], "-n", str(RANKS), program,
         str(seed), str(calls), data, log],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
        env=mpi_environment(), cwd=scratch, timeout=300)
    if done.returncode:
        return f"weir run returned {done.returncode}: {done.stderr}", []
    story = [json.loads(line) for rank in range(RANKS) for line in
             Path(f"{log}.{rank}").read_text().splitlines()]
    return Trace(trace, str(data)), story


def check(tap, seed, calls, program, flavour, shapes):
    title = f"{flavour}, seed {seed}"
    with tempfile.TemporaryDirectory(prefix="weir-corpus-") as name:
        trace, story = play(seed, calls, program, flavour,
                            Path(name).resolve())
        if isinstance(trace, str):
            tap.result(False, title, [trace])
            return
        right, wrong, unknown = judge(trace, story)
        _, spoilt, _ = judge(trace, story, 1)
        mixed = of_right_part(trace, story)
    shapes.update(row["shape"] for row in story if "shape" in row)
    lines = [f"{event['id']} {event['call']} at {event['off']}: below "
             f"{trace.top(event)['call']}" for event in wrong[:10]] + \
        [f"{event['id']} {event['call']} has events of several calls"
         for event in mixed[:10]]
    # Calls without an offset of their own are told by their name alone.
    if len(spoilt) < right / 2:
        lines.append(f"of parts exchanged only {len(spoilt)} were noticed")
    tap.result(right and not lines and not unknown,
               f"{title}: {right} events right, {len(wrong)} wrong, "
               f"{unknown} unknown", lines)


def main(seeds, calls, *programs):
    tap, shapes = Tap(), Counter()
    for program, flavour in zip(programs[::2], programs[1::2]):
        for seed in range(1, int(seeds) + 1):
            check(tap, seed, int(calls), os.path.abspath(program), flavour,
                  shapes)
    print(f"# {shapes.total()} calls on parts of their own by "
          f"{RANKS} ranks each: " + ", ".join(
              f"{count} {shape}" for shape, count in sorted(shapes.items())))
    return tap.done()


sys.exit(main(*sys.argv[1:]))
