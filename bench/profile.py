#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What sums cost: each run bare, with --profile and recorded, in turns.

usage: bench/run profile [--rounds N] [--calls N] [--quick] [--only NAMES]
"""
import shutil

from record import WEIR, Bench, Run, conduct, median, options, row


class Turns(Bench):
    def summed(self, command, keep=None):
        trace = keep or self.scratch / "profile"
        shutil.rmtree(trace, ignore_errors=True)
        return Run([WEIR, "run", "-q", "--profile", "-o", trace, "--",
                    *command])


def costs(bench):
    print("\nExtra ns per call and thread (median of the rounds' differences;"
          " lowest in brackets)\n")
    row("load", "threads", "bare ns", "profile", "recorded")
    row(*["---"] * 5)
    for mode, threads in (("regular", 1), ("regular", 2), ("random", 1),
                          ("write4k", 1), ("writev", 1), ("openclose", 1),
                          ("fstat", 1), ("fwrite", 1), ("fread", 1)):
        command = bench.load(mode, threads)
        rounds = [(bench.bare(command), bench.summed(command),
                   bench.recorded(command)) for _ in range(bench.rounds)]
        extra = [[run.ns - turn[0].ns for turn in rounds for run in [turn[i]]]
                 for i in (1, 2)]
        row(mode, threads, f"{median(turn[0].ns for turn in rounds):.0f}",
            *(f"{median(e):.1f} ({min(e):.1f})" for e in extra))


def fastest(bench):
    print("\nThe fastest 500 turns of a run, ns per call (lowest of the rounds):"
          " what little depends on other work\n")
    row("load", "bare", "profile", "recorded")
    row(*["---"] * 4)
    for mode in ("regular", "random", "write4k", "fstat", "openclose",
                 "fwrite", "fread"):
        command = bench.load(mode, 1, bench.calls, "fastest")
        rounds = [(bench.bare(command), bench.summed(command),
                   bench.recorded(command)) for _ in range(bench.rounds)]
        best = [min(turn[i]["fastest"] for turn in rounds) for i in range(3)]
        row(mode, f"{best[0]:.1f}",
            *(f"{b:.1f} (+{b - best[0]:.1f})" for b in best[1:]))


def sizes(bench):
    print("\nAt rest\n")
    row("load", "threads", "calls", "profile bytes", "recorded bytes")
    row(*["---"] * 5)
    for mode, threads in (("regular", 1), ("regular", 2), ("openclose", 1)):
        places = [bench.scratch / name for name in ("sums", "calls")]
        bench.summed(bench.load(mode, threads), places[0])
        bench.recorded(bench.load(mode, threads), places[1])
        row(mode, threads, bench.calls * threads,
            *(sum(f.stat().st_size for f in place.iterdir())
              for place in places))


def main():
    chosen = options(__doc__, "costs,fastest,sizes").parse_args()
    chosen.peer = []
    conduct("profile", chosen, Turns, globals())


if __name__ == "__main__":
    main()
