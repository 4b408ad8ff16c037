#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir run --ring` costs: bare, in a ring and recorded, in turns.

usage: bench/run ring [--rounds N] [--calls N] [--quick]

The second table is the test by which the I/O Counter of 2009 was measured: 100
times open, write 8 bytes, read 8 bytes, close, with and without it.
"""
import argparse
import os
import platform
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from record import (BUILD, LIBRARY, WEIR, Bench, Run, median,  # noqa: E402
                    row)

NOTHING = BUILD / "nothing.so"


def in_ring(bench, command):
    trace = bench.scratch / "ring"
    shutil.rmtree(trace, ignore_errors=True)
    return Run([WEIR, "run", "-q", "--ring", "1M", "-o", trace, "--",
                *command])


def costs(bench):
    print("\nExtra ns per call and thread (median of the rounds' differences;"
          " lowest in brackets)\n")
    row("load", "threads", "bare ns", "ring of 1M", "recorded whole")
    row(*["---"] * 5)
    for mode, threads in (("regular", 1), ("regular", 2), ("write4k", 1),
                          ("openclose", 1), ("fstat", 1)):
        command = bench.load(mode, threads)
        rounds = [(bench.bare(command), in_ring(bench, command),
                   bench.recorded(command)) for _ in range(bench.rounds)]
        ring = [r.ns - b.ns for b, r, _ in rounds]
        whole = [w.ns - b.ns for b, _, w in rounds]
        row(mode, threads, f"{median(b.ns for b, _, _ in rounds):.0f}",
            f"{median(ring):.1f} ({min(ring):.1f})",
            f"{median(whole):.1f} ({min(whole):.1f})")


def without_kernel(bench, runs):
    """Short runs, the lowest counts: so it can be told on a busy machine."""
    print("\nns per 8-byte pread/pwrite that does nothing itself (lowest of "
          f"{runs} runs of 400000)\n")
    row("bare", "ring of 1M, more", "recorded whole, more")
    row(*["---"] * 3)
    command, lowest = bench.load("regular", 1, 400000), {}
    for _ in range(runs):
        for name, words in (("bare", None), ("ring", ",ring=1M"),
                            ("whole", ",16M")):
            trace = tempfile.mkdtemp(dir=bench.scratch)
            env = dict(os.environ, LD_PRELOAD=str(NOTHING))
            if words:
                env.update(LD_PRELOAD=f"{LIBRARY}:{NOTHING}",
                           WEIR_TRACE=trace + words)
            ns = Run(command, env).ns
            lowest[name] = min(ns, lowest.get(name, ns))
    time.sleep(1)  # the collectors' last
    row(f"{lowest['bare']:.1f}", f"{lowest['ring'] - lowest['bare']:.1f}",
        f"{lowest['whole'] - lowest['bare']:.1f}")


def requests(bench, repetitions):
    print("\n100 times open, write 8 B, read 8 B, close, ms (medians of "
          f"{repetitions} pairs)\n")
    row("", "without", "with", "a request more, ms")
    row(*["---"] * 4)
    for name, count in (("as they did", 400), ("100 times as often", 40000)):
        command = bench.load("request", 1, count)
        pairs = [(bench.bare(command).ns, in_ring(bench, command).ns)
                 for _ in range(repetitions)]
        more = median(r - b for b, r in pairs)
        row(name, *(f"{median(p[i] for p in pairs) * count / 1e6:.3f}"
                    for i in (0, 1)), f"{more / 1e6:.6f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--calls", type=int, default=2000000)
    parser.add_argument("--repetitions", type=int, default=101)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.peer = []
    if options.quick:
        options.rounds, options.calls, options.repetitions = 3, 400000, 11
    print(f"bench/run ring, {time.strftime('%Y-%m-%d')}, "
          f"{os.cpu_count()} cores, {platform.release()}, "
          f"{options.rounds} rounds of {options.calls} calls")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch:
        bench = Bench(options, scratch)
        try:
            without_kernel(bench, options.repetitions)
            costs(bench)
            requests(bench, options.repetitions)
        finally:
            shutil.rmtree(bench.files)


if __name__ == "__main__":
    main()
