#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What sums cost: each run bare, with --profile and recorded, in turns.

usage: bench/run profile [--rounds N] [--calls N] [--quick] [--only NAMES]
"""
from lib.bench import (CALLS, LOADS, Bench, Options, conduct, extra_costs,
                       record, row, table)


class Turns(Bench):
    def summed(self, command, keep=None):
        return record(keep or self.scratch / "profile", command, "--profile")


def costs(bench):
    extra_costs(bench, LOADS, {"profile": bench.summed,
                               "recorded": bench.recorded})


def fastest(bench):
    table("The fastest 500 turns of a run, ns per call (lowest of the rounds):"
          " what little depends on other work",
          "load", "bare", "profile", "recorded")
    for mode in ("regular", "random", "write4k", "fstat", "openclose",
                 "fwrite", "fread"):
        rounds = bench.turns(bench.load(mode, 1, bench.calls, "fastest"),
                             bench.summed, bench.recorded)
        best = [min(turn[i]["fastest"] for turn in rounds) for i in range(3)]
        row(mode, f"{best[0]:.1f}",
            *(f"{b:.1f} (+{b - best[0]:.1f})" for b in best[1:]))


def sizes(bench):
    table("At rest", "load", "threads", "calls", "profile bytes",
          "recorded bytes")
    for mode, threads in (("regular", 1), ("regular", 2), ("openclose", 1)):
        places = [bench.scratch / name for name in ("sums", "calls")]
        bench.summed(bench.load(mode, threads), places[0])
        bench.recorded(bench.load(mode, threads), places[1])
        row(mode, threads, bench.calls * threads,
            *(sum(f.stat().st_size for f in place.iterdir())
              for place in places))


def main():
    options = Options(__doc__, "costs,fastest,sizes", calls=CALLS)
    conduct("profile", options.chosen(), Turns, globals())


if __name__ == "__main__":
    main()
