#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What recording costs: each run bare, switched off and recorded, in turns.

usage: bench/run record [--rounds N] [--calls N] [--quick]
                        [--only PART,...] [--peer NAME=WHAT]...
"""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lib.bench import (BUILD, CALLS, LIBRARY, LOAD, LOADS, WEIR, Bench,
                       Options, Run, conduct, extra_costs,
                       lowest_beside_nothing, median, row, table)
from lib import starts
from lib.peers import compare

READ_ALL = BUILD / "read_all"


class Turns(Bench):
    def off(self, command):
        return Run(command, dict(os.environ, LD_PRELOAD=str(LIBRARY)))

    def alone(self, command):
        """Without the launcher: the collector works behind our back."""
        trace = Path(tempfile.mkdtemp(dir=self.scratch))
        run = Run(command, dict(os.environ, LD_PRELOAD=str(LIBRARY),
                                WEIR_TRACE=str(trace)))
        time.sleep(0.5)
        return run


def costs(bench):
    extra_costs(bench, LOADS, {"off": bench.off, "recorded": bench.recorded})


def tails(bench):
    table("One call timed alone, ns", "load", "bare p50", "bare p99.9",
          "recorded p50", "recorded p99.9")
    for mode in ("regular", "write4k"):
        command = bench.load(mode, 1, bench.calls // 2, "tail")
        rounds = bench.turns(command, bench.recorded)
        row(mode, *(f"{median(pair[i][key] for pair in rounds):.0f}"
                    for i in (0, 1) for key in ("p50", "p999")))


def sizes(bench):
    table("At rest, and back (the trace checked against what the load did)",
          "load", "threads", "events", "bytes/event", "memory MB",
          "weir run after the load's end, ms", "read M events/s",
          "csv M events/s")
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
    table("Start and end, ms (medians)", "", "bare", "recorded")
    short = bench.load("fstat", 1, 10)
    pairs = [(bench.bare(short), bench.recorded(short)) for _ in range(31)]
    row("from exec to main", *(f"{median(p[i].start_ms for p in pairs):.2f}"
                               for i in (0, 1)))
    long = bench.load("regular", 1)
    pairs = bench.turns(long, bench.recorded)
    row("from the load's last line to the end of the command",
        *(f"{median(p[i].end_ms for p in pairs):.1f}" for i in (0, 1)))
    row("the same, of the recorded process itself (plain LD_PRELOAD)",
        f"{median(p[0].end_ms for p in pairs):.1f}",
        f"{median(bench.alone(long).end_ms for _ in range(5)):.1f}")


def opens(bench):
    """By the length of the path, since rules look at it."""
    table("ns that an open and a close cost together where they do nothing "
          f"themselves (fastest batches of {bench.rounds} runs of 400000)",
          "path", "bare", "recorded, more", "recorded --all, more")
    for where in ("/dev/shm", "/tmp"):
        for depth in ("", "a/project/with/data/of/some/length/run.0001/out"):
            with tempfile.TemporaryDirectory(dir=where) as top:
                place = Path(top, depth)
                place.mkdir(parents=True, exist_ok=True)
                bare, told, whole = (2 * ns for ns in lowest_beside_nothing(
                    bench, [LOAD, "openclose", 400000, 1, place, "fastest"],
                    (None, (",16M", {}), (",16M", {"WEIR_FILES": "all"})),
                    bench.rounds, "fastest"))
            row(f"{where}, {len(str(place)) + 7} bytes", f"{bare:.0f}",
                f"{told - bare:.0f}", f"{whole - bare:.0f}")


def peers(bench):
    compare(bench)


def processes(bench):
    starts.processes(bench)


def returns(bench):
    starts.returns(bench)


def main():
    options = Options(__doc__,
                      "costs,opens,tails,sizes,ends,processes,returns,peers",
                      calls=CALLS)
    options.add_argument("--peer", action="append", default=[],
                         metavar="NAME=WHAT", help="another recorder: an "
                         "object to preload, or words before a command")
    conduct("record", options.chosen(), Turns, globals())


if __name__ == "__main__":
    main()
