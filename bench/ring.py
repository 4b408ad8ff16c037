#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir run --ring` costs: bare, in a ring and recorded, in turns.

usage: bench/run ring [--rounds N] [--calls N] [--quick]

The second table is the test by which the I/O Counter of 2009 was measured: 100
times open, write 8 bytes, read 8 bytes, close, with and without it.
"""
import os
import tempfile
import time

from lib.bench import (BUILD, CALLS, LIBRARY, Bench, Options, Run, conduct,
                       extra_costs, median, record, row, table)

NOTHING = BUILD / "nothing.so"
LOADS = (("regular", 1), ("regular", 2), ("write4k", 1), ("openclose", 1),
         ("fstat", 1))


class Turns(Bench):
    def in_ring(self, command):
        return record(self.scratch / "ring", command, "--ring", "1M")


def costs(bench):
    extra_costs(bench, LOADS, {"ring of 1M": bench.in_ring,
                               "recorded whole": bench.recorded})


def without_kernel(bench):
    """Short runs, the lowest counts: so it can be told on a busy machine."""
    runs = bench.options.repetitions
    table("ns per 8-byte pread/pwrite that does nothing itself (lowest of "
          f"{runs} runs of 400000)",
          "bare", "ring of 1M, more", "recorded whole, more")
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


def requests(bench):
    repetitions = bench.options.repetitions
    table("100 times open, write 8 B, read 8 B, close, ms (medians of "
          f"{repetitions} pairs)",
          "", "without", "with", "a request more, ms")
    for name, count in (("as they did", 400), ("100 times as often", 40000)):
        command = bench.load("request", 1, count)
        pairs = [(bench.bare(command).ns, bench.in_ring(command).ns)
                 for _ in range(repetitions)]
        more = median(r - b for b, r in pairs)
        row(name, *(f"{median(p[i] for p in pairs) * count / 1e6:.3f}"
                    for i in (0, 1)), f"{more / 1e6:.6f}")


def main():
    options = Options(__doc__, "without_kernel,costs,requests", calls=CALLS,
                      repetitions=(101, 11))
    conduct("ring", options.chosen(), Turns, globals())


if __name__ == "__main__":
    main()
