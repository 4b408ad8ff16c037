# SPDX-License-Identifier: BSD-3-Clause
"""What forwarding costs where many short processes start, and where files are
opened and closed."""
import shutil
import subprocess
import time
from functools import partial
from pathlib import Path

from lib.bench import BUILD, WEIR, median, row, table, taken_in_turn
from lib.places import type_of
from lib.service import Service

SCRIPT = Path(__file__).resolve().parent.parent / "processes.sh"
# name, times, what it is
LOADS = (("tests", 60, "12 processes on a few files"),
         ("configure", 60, "5 processes and a log that all inherit"),
         ("outputs", 200, "one process, its output to a file"))
WAYS = ("bare", "recorded", "forwarded", "both")
FILE_LOAD = BUILD / "forward_load"
OPENS = (("open", "that another descriptor has open"),
         ("openread", "read (1 KiB)"), ("create", "created"),
         ("openwrite", "written (1 KiB)"))


def seconds(command, where, env=None):
    begun = time.monotonic()
    subprocess.run([str(word) for word in command], cwd=where, env=env,
                   check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def recorded(bench, command, where, *options):
    trace = bench.scratch / "trace"
    shutil.rmtree(trace, ignore_errors=True)
    return seconds([WEIR, "run", "-q", *options, "-o", trace, "--", *command],
                   where)


def turns(bench, command, where, env):
    ways = [partial(seconds, command, where),
            partial(recorded, bench, command, where),
            partial(seconds, command, where, env),
            partial(recorded, bench, command, where, f"--forward={where}")]
    return list(zip(*(taken_in_turn(ways, i) for i in range(bench.rounds))))


def processes(bench):
    table(f"ms a time, medians of {bench.rounds} turns, and ratios to bare by "
          "medians (by the fastest); forwarded without recording, and both, "
          "should be within 1.5", "on", "load", *WAYS,
          *(f"{way}, ratio" for way in WAYS[1:]))
    for where in (bench.scratch / "work", bench.files):
        where.mkdir(exist_ok=True)
        with Service("posix", where) as service:
            for name, times, what in LOADS:
                took = turns(bench, [SCRIPT, name, times], where, service.env)
                row(type_of(where), f"{name}: {what}",
                    *(f"{1000 * median(way) / times:.2f}" for way in took),
                    *(f"{median(way) / median(took[0]):.2f} "
                      f"({min(way) / min(took[0]):.2f})"
                      for way in took[1:]))


def opens(bench):
    table("µs of an open and a close, median (least), medians of the rounds; "
          "two looks at the clock are in each", "on", "file", "direct",
          "forwarded")
    for where in (bench.scratch / "work", bench.files):
        where.mkdir(exist_ok=True)
        for mode, what in OPENS:
            command = [FILE_LOAD, mode, bench.calls // 50, where / mode]
            rounds = bench.in_turns(command, where=where)
            row(type_of(where), what,
                *(f"{figure(rounds, way, 'median')} "
                  f"({figure(rounds, way, 'least')})" for way in (0, 2)))


def figure(rounds, way, key):
    return f"{median(turn[way][key] for turn in rounds) / 1000:.1f}"
