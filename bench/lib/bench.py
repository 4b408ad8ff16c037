# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmarks share: their options, runs in turns, and tables."""
import argparse
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

BUILD = Path(os.environ.get("WEIR_BUILD", "build")).resolve()
WEIR, LIBRARY = BUILD / "weir", BUILD / "libweir.so"
LOAD = BUILD / "load"
NOTHING = BUILD / "nothing.so"
# What is measured of it: modes with threads; calls, and fewer for --quick.
LOADS = (("regular", 1), ("regular", 2), ("random", 1), ("write4k", 1),
         ("writev", 1), ("openclose", 1), ("fstat", 1), ("fwrite", 1),
         ("fread", 1))
CALLS = (2000000, 400000)


class Options(argparse.ArgumentParser):
    """`parts` are those of its tables that --only may choose from, `counts`
    its numbers, each with that of --quick."""

    def __init__(self, text, parts=None, **counts):
        super().__init__(description=text)
        self.counts = {"rounds": (11, 3), **counts}
        self.add_argument("--quick", action="store_true")
        if parts:
            self.add_argument("--only", default=parts)
        for name in self.counts:
            self.add_argument(f"--{name}", type=int)

    def chosen(self):
        found = self.parse_args()
        for name, (usual, quick) in self.counts.items():
            if getattr(found, name) is None:
                setattr(found, name, quick if found.quick else usual)
        return found


class Run:
    """One run of a load: what it said, and when things happened."""

    def __init__(self, command, env=None):
        self.launched = time.monotonic_ns()
        out = subprocess.run([str(word) for word in command], env=env,
                             check=True, capture_output=True, text=True,
                             stdin=subprocess.DEVNULL)
        self.returned = time.monotonic_ns()
        self.said = {}
        for line in out.stdout.splitlines():
            key, value = line.split()
            self.said.setdefault(key, []).append(float(value))

    def __getitem__(self, key):
        return self.said[key][0]

    @property
    def ns(self):
        return statistics.mean(self.said["ns"])

    @property
    def start_ms(self):
        return (self["began"] - self.launched) / 1e6

    @property
    def end_ms(self):
        return (self.returned - self["ended"]) / 1e6


def record(trace, command, *options):
    """A recorded run; of an earlier one nothing stays."""
    shutil.rmtree(trace, ignore_errors=True)
    return Run([WEIR, "run", "-q", *options, "-o", trace, "--", *command])


class Bench:
    """Runs of bench/load.c, on files in memory."""

    def __init__(self, options, scratch):
        self.options = options
        self.rounds, self.calls = options.rounds, options.calls
        self.files = Path(tempfile.mkdtemp(prefix="weir-bench-",
                                           dir="/dev/shm"))
        self.scratch = Path(scratch)

    def load(self, mode, threads=1, calls=None, *more):
        return [LOAD, mode, calls or self.calls, threads, self.files, *more]

    def bare(self, command):
        return Run(command)

    def recorded(self, command, keep=None):
        return record(keep or self.scratch / "trace", command)

    def turns(self, command, *ways):
        """Rounds of a bare run and one of each way, interleaved."""
        return [[way(command) for way in (self.bare, *ways)]
                for _ in range(self.rounds)]


def taken_in_turn(ways, first):
    """What each of the ways (calls without arguments) says, in their order.
    Each turn begins with another: what one leaves behind hits all alike."""
    order = [(first + i) % len(ways) for i in range(len(ways))]
    said = {i: ways[i]() for i in order}
    return [said[i] for i in range(len(ways))]


def median(values):
    return statistics.median(list(values))


def spread(values, digits=1):
    return f"{median(values):.{digits}f} ({min(values):.{digits}f})"


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def table(title, *columns):
    print(f"\n{title}\n")
    row(*columns)
    row(*["---"] * len(columns))


def heading(name, what):
    print(f"bench/run {name}, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} "
          f"cores, load {os.getloadavg()[0]:.1f}, {platform.release()}, "
          f"{what}")


def extra_costs(bench, loads, ways):
    """What the ways of running, by their names, cost beyond a bare run."""
    table("Extra ns per call and thread (median of the rounds' differences;"
          " lowest in brackets)", "load", "threads", "bare ns", *ways)
    for mode, threads in loads:
        rounds = bench.turns(bench.load(mode, threads), *ways.values())
        row(mode, threads, f"{median(bare.ns for bare, *_ in rounds):.0f}",
            *(spread([turn[i].ns - turn[0].ns for turn in rounds])
              for i in range(1, len(ways) + 1)))


def lowest_beside_nothing(bench, command, ways, runs, key="ns"):
    """ns of a call that does nothing itself, the lowest of short runs, for
    each of the ways: None, or (what follows the trace in WEIR_TRACE,
    variables)."""
    lowest = [float("inf")] * len(ways)
    for _ in range(runs):
        for i, way in enumerate(ways):
            env = dict(os.environ, LD_PRELOAD=str(NOTHING))
            if way:
                trace = tempfile.mkdtemp(dir=bench.scratch)
                env.update(way[1], LD_PRELOAD=f"{LIBRARY}:{NOTHING}",
                           WEIR_TRACE=trace + way[0])
            lowest[i] = min(lowest[i], Run(command, env)[key])
    time.sleep(1)  # the collectors' last
    return lowest


def conduct(name, chosen, make, parts):
    """Run the parts that were chosen, by their names in `parts`."""
    heading(name, f"{chosen.rounds} rounds of {chosen.calls} calls")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch:
        bench = make(chosen, scratch)
        try:
            for part in chosen.only.split(","):
                parts[part](bench)
        finally:
            shutil.rmtree(bench.files)
