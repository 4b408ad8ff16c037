# SPDX-License-Identifier: BSD-3-Clause
"""The paper's experiment as tables: what was measured on each file system,
what the model says, and whether what was asked for is kept."""
import itertools
from contextlib import contextmanager
from typing import NamedTuple

from lib.bench import row, table
from lib.contig import KIB, MIB, Cell, Oracle, Outcome, Place, in_turns
from lib.places import gluster, gluster_options, type_of

THROTTLE = "throttle:rate=200M,latency=200us"
# What a phase moves: some 50 ms of a slow file system's time.
VOLUMES = {KIB: 512 * KIB, 64 * KIB: 4 * MIB, MIB: 16 * MIB}
BRIEF, LONG = 200, 2000  # ms of computing
# The whole grid: ranks, records, ms of computing, caches.
GRID = ((1, 2, 4, 8), (1, 4, 16, 64, 128, 256, 1024), (0, BRIEF, LONG),
        (512, 128, 64))


class Task(NamedTuple):
    """A cell, and how it is measured."""
    cell: Cell
    cases: list
    rounds: int


class Seen(NamedTuple):
    """A cell: {case: medians}, what they are compared with, and what the
    model says of the cached one."""
    place: Place
    cell: Cell
    found: dict
    base: Outcome
    forecast: tuple


def ordinary(place, rounds):
    """All without computing, less of the others: these take 4 s and 40 s."""
    ends = [place.cases[0], "cached"]
    for ranks, (record, volume) in itertools.product((1, 4),
                                                     VOLUMES.items()):
        yield Task(Cell(ranks, record, volume), place.cases, rounds)
    for ranks, (record, volume) in itertools.product(
            (1,) if place.is_local else (1, 4), VOLUMES.items()):
        yield Task(Cell(ranks, record, volume, BRIEF), ends,
                   (rounds + 1) // 2)
    yield Task(Cell(1, MIB, VOLUMES[MIB], LONG), ends, 1)


def brief(place, rounds):
    """For a look."""
    for record, volume in VOLUMES.items():
        yield Task(Cell(1, record, volume), place.cases, rounds)
    yield Task(Cell(1, MIB, VOLUMES[MIB], BRIEF), [place.cases[0], "cached"],
               rounds)


def grid(place, rounds):
    """Only the cached runs know of the cache."""
    for ranks, kib, compute, cache in itertools.product(*GRID):
        record = kib * KIB
        cases = place.cases if cache == GRID[-1][0] else ["cached"]
        yield Task(Cell(ranks, record, max(16 * MIB, ranks * record), compute,
                        cache * MIB), cases, rounds)


def size(count):
    return f"{count // MIB} MiB" if count >= MIB else f"{count // KIB} KiB"


def mib(rate):
    return f"{rate / MIB:.{0 if rate >= 10 * MIB else 2}f}"


def beside(measured, told):
    """What the model tells, and how far from that it was."""
    return f"{mib(told)} ({100 * (measured / told - 1):+.0f} %)"


def model_of(seen, case):
    one, cell = seen.found[case], seen.cell
    if case != "cached":
        return "", ""
    return (beside(one.rate, cell.bytes / seen.forecast.write),
            beside(one.whole_rate, cell.bytes / seen.forecast.both))


def show(seen):
    cell, base = seen.cell, seen.base
    for case, one in seen.found.items():
        row(cell.ranks, size(cell.record), f"{cell.compute / 1000:g}",
            size(cell.cache), case,
            f"{mib(one.rate)} ({one.rate / base.rate:.1f})",
            f"{1000 * one.close:.1f}",
            f"{mib(one.whole_rate)} ({one.whole_rate / base.whole_rate:.1f})",
            f"{one.wall:.2f}", f"{one.requests:.0f}", *model_of(seen, case))


def explore(place, fillings, tasks, rounds):
    oracle, bases = Oracle(place, fillings), {}
    table(f"{place.name}: phases of writing by all ranks, one file; large "
          f"requests are taken at {mib(oracle.store)} MiB/s", "ranks",
          "record", "computing, s", "cache", "case", "MiB/s seen (× direct)",
          "close, ms", "MiB/s with close (× direct)", "wall, s",
          "requests stored", "model: seen", "model: with close")
    for task in tasks(place, rounds):
        key = task.cell._replace(cache=0)
        found = in_turns(place, task.cell, task.cases, task.rounds)
        bases.setdefault(key, found[task.cases[0]])
        seen = Seen(place, task.cell, found, bases[key],
                    oracle.forecast(task.cell))
        show(seen)
        yield seen


@contextmanager
def places(bench, names):
    """Those of the names that this machine has."""
    with gluster(bench.scratch) as mount:
        here = {"disk": Place(type_of(bench.scratch), bench.scratch,
                              is_local=True),
                "tmpfs": Place("tmpfs", bench.files, is_local=True),
                "gluster": Place("GlusterFS", mount),
                "throttle": Place(THROTTLE, bench.files, THROTTLE)}
        yield [here[name] for name in names if here[name].path]


def tell(place):
    """What it is set to."""
    if place.name == "GlusterFS":
        print("\nGlusterFS, one brick, its own defaults:", "; ".join(
            f"{name} {value.split()[0]}" for name, value in
            sorted(gluster_options(place.path).items())))


# What is asked for.

def verdict(what, measured, asked, is_kept):
    row(what, measured, asked, "yes" if is_kept else "NO")


def judge_small(seen):
    """Small records of one process on a file system whose calls are dear."""
    one, base = seen.found["cached"], seen.base
    fewer = 100 * (1 - one.requests / base.requests)
    what = f"{seen.place.name}, {size(seen.cell.record)}"
    verdict(f"{what}: seen", f"{one.rate / base.rate:.0f} × direct",
            "≥ 100 ×", one.rate >= 100 * base.rate)
    verdict(f"{what}: with close",
            f"{one.whole_rate / base.whole_rate:.1f} × direct", "≥ 5 ×",
            one.whole_rate >= 5 * base.whole_rate)
    verdict(f"{what}: requests", f"{fewer:.2f} % fewer", "≥ 95 %",
            fewer >= 95)


def judge_hidden(seen):
    """Computing that is longer than storing hides it."""
    cell, one = seen.cell, seen.found["cached"]
    least = max(seen.base.busy, seen.base.seconds)
    verdict(f"{seen.place.name}, {cell.ranks} × {size(cell.record)}, "
            f"{cell.compute / 1000:g} s of computing: wall time",
            f"{one.wall:.2f} s, direct {seen.base.wall:.2f} s",
            f"≤ 1.05 × {least:.2f} s", one.wall <= 1.05 * least)


def judge(all_seen):
    table("What was asked for", "what", "measured", "asked for", "kept")
    for seen in all_seen:
        if seen.place.name == "GlusterFS" and not seen.cell.compute and \
                (seen.cell.ranks, seen.cell.record) == (1, KIB):
            judge_small(seen)
    for seen in all_seen:
        if seen.cell.compute and seen.forecast.close < \
                seen.cell.compute / 1000:
            judge_hidden(seen)
