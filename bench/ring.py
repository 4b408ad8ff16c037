#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir run --ring` costs: bare, in a ring and recorded, in turns.

usage: bench/run ring [--rounds N] [--calls N] [--quick]

The second table is the test by which the I/O Counter of 2009 was measured: 100
times open, write 8 bytes, read 8 bytes, close, with and without it.
"""
from lib.bench import (CALLS, Bench, Options, conduct, extra_costs,
                       lowest_beside_nothing, median, record, row, table)

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
    bare, ring, whole = lowest_beside_nothing(
        bench, bench.load("regular", 1, 400000),
        (None, (",ring=1M", {}), (",16M", {})), runs)
    row(f"{bare:.1f}", f"{ring - bare:.1f}", f"{whole - bare:.1f}")


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
