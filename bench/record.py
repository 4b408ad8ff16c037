#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What recording costs: each run bare, switched off and recorded, in turns.

usage: bench/run record [--rounds N] [--calls N] [--quick]
"""
import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUILD = Path(os.environ.get("WEIR_BUILD", "build")).resolve()
WEIR, LIBRARY = BUILD / "weir", BUILD / "libweir.so"
LOAD, READ_ALL = BUILD / "load", BUILD / "read_all"


class Run:
    """One run of the load: what it said, and when things happened."""

    def __init__(self, command, env=None):
        self.launched = time.monotonic_ns()
        out = subprocess.run([str(word) for word in command], env=env,
                             check=True, capture_output=True, text=True)
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


class Bench:
    def __init__(self, options, scratch):
        self.rounds, self.calls = options.rounds, options.calls
        self.files = Path(tempfile.mkdtemp(prefix="weir-bench-",
                                           dir="/dev/shm"))
        self.scratch = Path(scratch)
        self.preloads = options.peer

    def load(self, mode, threads=1, calls=None, *more):
        return [LOAD, mode, calls or self.calls, threads, self.files, *more]

    def bare(self, command):
        return Run(command)

    def off(self, command):
        return Run(command, dict(os.environ, LD_PRELOAD=str(LIBRARY)))

    def recorded(self, command, keep=None):
        trace = keep or self.scratch / "trace"
        shutil.rmtree(trace, ignore_errors=True)
        return Run([WEIR, "run", "-q", "-o", trace, "--", *command])

    def alone(self, command):
        """Without the launcher: the collector works behind our back."""
        trace = Path(tempfile.mkdtemp(dir=self.scratch))
        run = Run(command, dict(os.environ, LD_PRELOAD=str(LIBRARY),
                                WEIR_TRACE=str(trace)))
        time.sleep(0.5)
        return run

    def turns(self, command):
        """Bare, off and recorded runs of a command, interleaved."""
        rounds = []
        for _ in range(self.rounds):
            rounds.append((self.bare(command), self.off(command),
                           self.recorded(command)))
        return rounds


def median(values):
    return statistics.median(list(values))


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def costs(bench):
    print("\nExtra ns per call and thread (median of the rounds' differences;"
          " lowest in brackets)\n")
    row("load", "threads", "bare ns", "off", "recorded")
    row(*["---"] * 5)
    for mode, threads in (("regular", 1), ("regular", 2), ("random", 1),
                          ("write4k", 1), ("writev", 1), ("openclose", 1),
                          ("fstat", 1), ("fwrite", 1), ("fread", 1)):
        rounds = bench.turns(bench.load(mode, threads))
        off = [o.ns - b.ns for b, o, _ in rounds]
        rec = [r.ns - b.ns for b, _, r in rounds]
        row(mode, threads, f"{median(b.ns for b, _, _ in rounds):.0f}",
            f"{median(off):.1f} ({min(off):.1f})",
            f"{median(rec):.1f} ({min(rec):.1f})")


def tails(bench):
    print("\nOne call timed alone, ns\n")
    row("load", "bare p50", "bare p99.9", "recorded p50", "recorded p99.9")
    row(*["---"] * 5)
    for mode in ("regular", "write4k"):
        command = bench.load(mode, 1, bench.calls // 2, "tail")
        rounds = [(bench.bare(command), bench.recorded(command))
                  for _ in range(bench.rounds)]
        row(mode, *(f"{median(pair[i][key] for pair in rounds):.0f}"
                    for i in (0, 1) for key in ("p50", "p999")))


def sizes(bench):
    print("\nAt rest, and back (the trace checked against what the load did)\n")
    row("load", "threads", "events", "bytes/event", "memory MB",
        "weir run after the load's end, ms", "read M events/s",
        "csv M events/s")
    row(*["---"] * 8)
    for mode, threads in (("regular", 1), ("regular", 2), ("random", 1)):
        trace = bench.scratch / f"kept-{mode}-{threads}"
        run = bench.recorded(bench.load(mode, threads), trace)
        seen = Run([READ_ALL, trace])
        check(run, seen, bench.calls * threads)
        size = sum(f.stat().st_size for f in trace.iterdir())
        row(mode, threads, int(seen["events"]),
            f"{size / seen['events']:.2f}",
            f"{(run['hwm'] + run['mapped']) / 1e6:.1f}",
            f"{run.end_ms:.0f}", f"{reading_rate(trace):.1f}",
            f"{csv_rate(trace, seen['events']):.2f}")


def check(run, seen, calls):
    """The same run's trace against what the load itself counted."""
    if seen["transfers"] != calls or seen["offsets"] != run["offsets"] \
            or seen["lost"] != 0:
        sys.exit(f"bench: the trace is wrong: {seen.said} for {run.said}")


def reading_rate(trace):
    return max(Run([READ_ALL, trace])["rate"] for _ in range(5)) / 1e6


def csv_rate(trace, events):
    best = 0.0
    for _ in range(3):
        began = time.monotonic()
        subprocess.run([WEIR, "dump", "--format", "csv", trace], check=True,
                       stdout=subprocess.DEVNULL)
        best = max(best, events / (time.monotonic() - began) / 1e6)
    return best


def ends(bench):
    print("\nStart and end, ms (medians)\n")
    row("", "bare", "recorded")
    row(*["---"] * 3)
    short = bench.load("fstat", 1, 10)
    pairs = [(bench.bare(short), bench.recorded(short)) for _ in range(31)]
    row("from exec to main", *(f"{median(p[i].start_ms for p in pairs):.2f}"
                               for i in (0, 1)))
    long = bench.load("regular", 1)
    pairs = [(bench.bare(long), bench.recorded(long))
             for _ in range(bench.rounds)]
    row("from the load's last line to the end of the command",
        *(f"{median(p[i].end_ms for p in pairs):.1f}" for i in (0, 1)))
    row("the same, of the recorded process itself (plain LD_PRELOAD)",
        f"{median(p[0].end_ms for p in pairs):.1f}",
        f"{median(bench.alone(long).end_ms for _ in range(5)):.1f}")


def peers(bench):
    """Tools that do part of the same, where they are installed."""
    print("\nPeers, extra ns per call (regular, one thread)\n")
    row("tool", "calls", "extra ns")
    row(*["---"] * 3)
    fast, slow = bench.calls // 4, bench.calls // 40
    out = str(bench.scratch / "peer.out")
    preloads = dict(word.split("=", 1) for word in bench.preloads)
    peer(bench, "weir", fast, bench.recorded)
    for name, library in preloads.items():
        env = dict(os.environ, LD_PRELOAD=library)
        peer(bench, name, fast, lambda command: Run(command, env))
    for name, prefix in (("strace", ["strace", "-f", "-o", out]),
                         ("perf trace", ["perf", "trace", "-o", out, "--"])):
        if shutil.which(prefix[0]):
            peer(bench, name, slow, lambda command: Run(prefix + command))
        else:
            row(name, "", "not installed")


def peer(bench, name, calls, run):
    command = bench.load("regular", 1, calls)
    extra = [-bench.bare(command).ns + run(command).ns
             for _ in range(bench.rounds)]
    row(name, calls, f"{median(extra):.0f}")


def options(text, only):
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--calls", type=int, default=2000000)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default=only)
    return parser


def conduct(name, chosen, make, parts):
    """Run the parts that were chosen, by their names in `parts`."""
    if chosen.quick:
        chosen.rounds, chosen.calls = 3, 400000
    print(f"bench/run {name}, {time.strftime('%Y-%m-%d')}, "
          f"{os.cpu_count()} cores, {platform.release()}, "
          f"{chosen.rounds} rounds of {chosen.calls} calls")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch:
        bench = make(chosen, scratch)
        try:
            for part in chosen.only.split(","):
                parts[part](bench)
        finally:
            shutil.rmtree(bench.files)


def main():
    parser = options(__doc__, "costs,tails,sizes,ends,peers")
    parser.add_argument("--peer", action="append", default=[],
                        metavar="NAME=LIBRARY", help="another preload")
    conduct("record", parser.parse_args(), Bench, globals())


if __name__ == "__main__":
    main()
