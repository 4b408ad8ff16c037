#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a forwarded call takes, beside the same call on the file itself.

usage: bench/run forward [--only PART,...] [--rounds N] [--calls N] [--quick]
                         [--repeats N] [--places NAME,...] [--plots DIR] [--grid]

Parts: latency (single calls), stream (1 MiB at a time), idle (what the service
takes while nobody asks). The service stores nowhere (null), or in files in
memory (posix), where the direct calls go too; nothing is recorded.

contig is the contiguous experiment of the forwarding paper (kernels/contig):
20 phases of computing and of writing, direct, forwarded without a cache, and
with one, on places disk, tmpfs, gluster and throttle, each so many times in
turns, beside what the cost model says (doc/forward.md). --grid is all of it,
which takes hours.

prefetch reads cold files on GlusterFS and throttle, in a row, in strides and
at random, with and without computing in between, direct and forwarded.

temporary creates, writes, reads and removes files on GlusterFS: direct,
forwarded, and deferred (weir run --defer).

processes starts many short processes that work on forwarded files, as suites
of tests and configure scripts do; opens opens and closes files.

bypass is a recorded program on local file systems, with --forward, which
leaves these alone, and without.
"""
import os
import subprocess
import time

from lib.bench import (BUILD, Bench, Options, Run, conduct, median, row,
                       table)
from lib.bypass import bypass
from lib.contig import Fillings
from lib.paper import brief, explore, grid, judge, ordinary, places, tell
from lib.plots import draw
from lib.processes import opens, processes  # noqa: F401, parts by their names
from lib.reading import prefetch  # noqa: F401, a part by its name
from lib.service import Service, stat
from lib.temporary import temporary  # noqa: F401, likewise

LOAD = BUILD / "forward_load"
# mode, policy, part of the calls that are made, what it is
CALLS = (("write", "idle", 1, "write of 1 KiB, acknowledged"),
         ("write", "through", 10, "write of 1 KiB, without a cache"),
         ("seek", "idle", 10, "end of the file (lseek)"),
         ("read", "idle", 10, "read of a byte that is not stored"),
         ("append", "idle", 10, "write of 1 KiB to the end (O_APPEND)"),
         ("through", "idle", 10, "write of 1 KiB, and sync (O_DSYNC)"),
         ("open", "idle", 50, "open and close"))
STREAMS = (("write", "64 MiB over and over"), ("stream", "ever new places"))
BACKENDS = ("null", "posix")
MIB = 1 << 20
IDLE = 10  # seconds


class Forward(Bench):
    def file(self, mode):
        return self.files / mode

    def load(self, mode, calls, size):
        return [LOAD, mode, calls, self.file(mode), size]

    def in_turns(self, command, policy="idle", where=None):
        """Rounds of a direct run and one by each backend."""
        where = where or self.files
        with Service("null", where, "--policy", policy) as null, \
                Service("posix", where, "--policy", policy) as posix:
            envs = (None, null.env, posix.env)
            return [[Run(command, env) for env in envs]
                    for _ in range(self.rounds)]


def us(rounds, which, key):
    return f"{median(turn[which][key] for turn in rounds) / 1000:.2f}"


def latency(bench):
    table("µs a call, median (99th percentile); medians of the rounds; two "
          "looks at the clock are in each",
          "call", "direct", *(f"forwarded, {b}" for b in BACKENDS))
    for mode, policy, part, what in CALLS:
        rounds = bench.in_turns(bench.load(mode, bench.calls // part, 1024),
                                policy)
        row(what, *(f"{us(rounds, i, 'median')} ({us(rounds, i, 'p99')})"
                    for i in range(3)))


def rate(runs, count, with_close):
    return median(count * MIB / (run["ns"] * count +
                                 with_close * run["close"]) for run in runs)


def stream(bench):
    count = bench.options.mib
    table(f"GB/s of {count} writes of 1 MiB (with close)", "where", "direct",
          *(f"forwarded, {b}" for b in BACKENDS))
    for mode, what in STREAMS:
        rounds = bench.in_turns(bench.load(mode, count, MIB))
        row(what, *(f"{rate(runs, count, 0):.2f} ({rate(runs, count, 1):.2f})"
                    for runs in zip(*rounds)))


def ticks(pid):
    return sum(int(word) for word in stat(pid)[11:13])


def idle(bench):
    """A program has written, and does nothing now."""
    table(f"CPU time in {IDLE} s without calls, ms", "daemon", "supervisor")
    with Service("null", bench.files) as service, subprocess.Popen(
            [str(word) for word in bench.load("idle", 1, 1024)],
            env=service.env, stdout=subprocess.PIPE) as program:
        program.stdout.readline()
        time.sleep(1)
        pids = service.pids()
        before = [ticks(pid) for pid in pids]
        time.sleep(IDLE)
        ms = 1000 / os.sysconf("SC_CLK_TCK")
        row(*(f"{(ticks(pid) - was) * ms:.0f}"
              for pid, was in zip(pids, before)))
        program.kill()


def contig(bench):
    options, seen = bench.options, []
    tasks = grid if options.grid else brief if options.quick else ordinary
    fillings = Fillings(bench.files, options.repeats)
    with places(bench, options.places.split(",")) as here:
        for place in here:
            tell(place)
            seen += explore(place, fillings, tasks, options.repeats)
            if options.plots:
                print("\ndrawn:", draw(place, seen, options.plots))
    judge(seen)


def main():
    options = Options(__doc__, "latency,stream,idle,contig,prefetch,"
                      "temporary,bypass,processes,opens", calls=(200000, 20000),
                      mib=(2048, 256), repeats=(5, 1))
    options.add_argument("--places", default="disk,tmpfs,gluster,throttle")
    options.add_argument("--plots")
    options.add_argument("--grid", action="store_true")
    conduct("forward", options.chosen(), Forward, globals())


if __name__ == "__main__":
    main()
