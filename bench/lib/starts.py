# SPDX-License-Identifier: BSD-3-Clause
"""What short processes and the ends of a run cost, bare and recorded."""
import os
import shutil
import subprocess
import time

from lib.bench import WEIR, median, row, table, taken_in_turn

PROCESSES = 200
LONG = 1000000  # calls of one run, after which `weir run` returns
SHORT_RUNS = 31


class Took:
    """A whole command: ms of processor time, of it and of all that it waited
    for, and ms on the clock. The collector, which nobody waits for, works
    beside it and is not in the first."""

    def __init__(self, command):
        words = [str(word) for word in command]
        began = time.monotonic()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        self.clock = (time.monotonic() - began) * 1e3
        self.cpu = (used.ru_utime + used.ru_stime) * 1e3
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, words)


def recorded(bench, *options):
    """What stands before a command to have it recorded, in a new trace."""
    trace = bench.scratch / "trace"
    shutil.rmtree(trace, ignore_errors=True)
    return [WEIR, "run", "-q", *options, "-o", trace, "--"]


def many(count):
    """A shell that starts so many short processes."""
    return ["sh", "-c", f"for i in $(seq {count}); do /bin/true; done"]


def of_one(prefix, kind):
    """ms of one short process: what the shell itself takes is left out."""
    all_of_them = getattr(Took(prefix() + many(PROCESSES)), kind)
    return (all_of_them - getattr(Took(prefix() + many(0)), kind)) / PROCESSES


def told(name, columns, digits):
    """Each column's median and least value; beyond the bare one's."""
    bare, *others = columns
    cells = [f"{median(bare):.{digits}f} / {min(bare):.{digits}f}"]
    for other in others:
        extra = median(b - a for a, b in zip(bare, other))
        cells.append(f"{extra:.{digits}f} / {min(other) - min(bare):.{digits}f}")
    row(name, *cells)


def processes(bench):
    prefixes = {
        "bare": lambda: [],
        "layers none": lambda: recorded(bench, "--layers", "none"),
        "all layers": lambda: recorded(bench, "--layers", "all"),
    }
    table(f"{PROCESSES} x /bin/true from a shell, ms for each, and how much "
          "more recorded (median of the rounds / least of all)",
          "", *prefixes)
    for name, kind in (("processor time", "cpu"), ("on the clock", "clock")):
        rounds = [taken_in_turn([
            lambda prefix=prefix: of_one(prefix, kind)
            for prefix in prefixes.values()], i) for i in range(bench.rounds)]
        told(name, list(zip(*rounds)), 3)


def returns(bench):
    table("`weir run` itself, ms, and how much more recorded (median of the "
          "rounds / least of all)", "", "bare", "recorded")
    rounds = [taken_in_turn([
        lambda: Took(["/bin/true"]).clock,
        lambda: Took(recorded(bench) + ["/bin/true"]).clock], i)
        for i in range(max(bench.rounds, SHORT_RUNS))]
    told("true, from start to end", list(zip(*rounds)), 1)
    command = bench.load("regular", 1, LONG)
    rounds = [taken_in_turn([
        lambda: bench.bare(command).end_ms,
        lambda: bench.recorded(command).end_ms], i)
        for i in range(bench.rounds)]
    told(f"from the program's end to the return, {LONG} calls",
         list(zip(*rounds)), 1)
