#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long `weir report --browse` takes to answer about a large trace.

usage: bench/run pageserver [--events N] [--rounds N]

Each question is asked at other places of the trace each round; the median and
the longest are told, and how many events were looked at.
"""
import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("WEIR_BUILD", ROOT / "build")).resolve()
os.environ["WEIR"] = str(BUILD / "weir")
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "pageserver"))
from server import Server  # noqa: E402

WINDOW = 100_000  # ns
#          name                 processes threads files
SHAPES = (("64 ranks of 2 threads", 64, 2, 1000), ("1 process", 1, 1, 1))


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


class Questions:
    """What a page asks, at a place that chance chooses."""

    def __init__(self, server, end, processes):
        self.server, self.end, self.processes = server, end, processes
        self.chance = random.Random(1)

    def window(self):
        begin = self.chance.randrange(self.end)
        return {"from": begin, "to": begin + WINDOW}

    def who(self):
        return self.chance.randrange(self.processes) + 1

    def timed(self, what, **keys):
        begin = time.monotonic()
        told = self.server.ask(what, **keys)
        return 1000 * (time.monotonic() - begin), told

    def events(self, **keys):
        took, told = self.timed("events", **keys)
        return took, told["looked_at"]

    def all_processes(self):
        return self.events(**self.window())

    def next_page(self):
        keys = {"from": self.window()["from"]}
        after = self.server.ask("events", **keys)["next"]
        return self.events(after=after, **keys) if after else (0, 0)

    def one_process(self):
        return self.events(who=self.who(), **self.window())

    def one_call(self):
        return self.events(who=self.who(), call="MPI_File_write_at",
                           **{"from": self.window()["from"]})

    def nothing(self):
        return self.events(call="nonesuch")

    def one_event(self):
        found = []
        while not found:
            found = self.server.ask("events", who=self.who(), limit=50,
                                    **self.window())["events"]
        event = found[-1]
        took, told = self.timed("event", id="{proc}.{thread}.{index}".format(
            **event))
        return took, 1 + len(told["above"]) + len(told["below"])


QUESTIONS = (("0.1 ms of all processes", Questions.all_processes),
             ("the next 200 events", Questions.next_page),
             ("0.1 ms of one process", Questions.one_process),
             ("one kind of call of a process", Questions.one_call),
             ("one event and its kin", Questions.one_event),
             ("what is not there, a first part", Questions.nothing))


def end_of(server):
    """Where the last event begins, about; ns."""
    low, high = 0, 1 << 50
    while high - low > WINDOW:
        middle = (low + high) // 2
        some = server.ask("events", limit=1, **{"from": middle})
        low, high = (middle, high) if some["events"] else (low, middle)
    return low


def measure(shape, events, rounds, scratch):
    name, processes, threads, files = shape
    trace = Path(scratch) / name.replace(" ", "-")
    subprocess.run([BUILD / "make_events", "-e", str(events), "-n", "1",
                    "-p", str(processes), "-t", str(threads), "-f",
                    str(files), trace], check=True, capture_output=True)
    begin = time.monotonic()
    with Server(trace) as server:
        ready = time.monotonic() - begin
        server.enter()
        asked = Questions(server, end_of(server), processes)
        for what, ask in QUESTIONS:
            took, looked_at = zip(*(ask(asked) for _ in range(rounds)))
            row(name, what, f"{statistics.median(took):.0f}",
                f"{max(took):.0f}", f"{statistics.median(looked_at):.0f}")
    print(f"\n{name}: the page was ready after {ready:.1f} s\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    print(f"bench/run pageserver, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} "
          f"cores, load {os.getloadavg()[0]:.1f}; {options.events} events, "
          f"{options.rounds} rounds\n")
    row("trace", "question", "median ms", "most ms", "events looked at")
    row(*["---"] * 5)
    with tempfile.TemporaryDirectory(prefix="weir-serve-") as scratch:
        for shape in SHAPES:
            measure(shape, options.events, options.rounds, scratch)


if __name__ == "__main__":
    main()
