#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random operations on forwarded files end as they must (scribble.c).

usage: run-scribble.py brief|short|full [SEED [CASE]...]

Each case runs several processes and threads, bare or with the service in some
setting; they check themselves, and when the service has ended the files are
compared once more, by a program that nobody forwards. A run with wrong writes
must be found out."""
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "lib"))
from forwarded import command, complaints, environment  # noqa: E402
from weirtool import WEIR, Tap  # noqa: E402

SCRIBBLE = os.environ.get("SCRIBBLE", str(
    Path(WEIR).parent / "tests" / "forward" / "model" / "scribble"))
OPERATIONS = {"brief": 8000, "short": 70000, "full": 1050000}
LIMIT = {"brief": 300, "short": 300, "full": 3000}  # seconds


@dataclass
class Case:
    name: str
    processes: int
    threads: int
    options: tuple | None  # of weir run; None: bare
    more: tuple = ()  # of scribble
    share: float = 1.0  # of the operations
    is_wrong: bool = False


def setting(cache, policy, closing):
    return ("--cache", cache, "--policy", policy, "--on-close", closing)


DELAYED = ("--defer", "{place}")

CASES = [
    Case("bare", 2, 2, None),
    Case("bare, wrong writes", 2, 2, None, ("spoil", "500"), 1.0, True),
    Case("idle, 64M", 2, 2, setting("64M", "idle", "store")),
    Case("idle, 4M", 2, 2, setting("4M", "idle", "store")),
    Case("idle, 8M, later", 3, 1, setting("8M", "idle", "later")),
    Case("idle, 256M, one process", 1, 4,
         setting("256M", "idle", "later")),
    Case("half, 64M", 2, 2, setting("64M", "half", "store")),
    Case("half, 4M, later", 4, 1, setting("4M", "half", "later")),
    Case("half, 8M", 2, 3, setting("8M", "half", "store")),
    Case("through", 2, 2, setting("8M", "through", "store"), (), 0.5),
    Case("idle, 16M, rough", 2, 2, setting("16M", "idle", "store"),
         ("rough",)),
    Case("half, 16M, rough, later", 3, 1,
         setting("16M", "half", "later"), ("rough",)),
    Case("idle, 8M, slow storage", 2, 2,
         (*setting("8M", "idle", "store"),
          "--backend", "throttle:latency=300us"), ("rough",), 0.2),
    Case("half, 8M, short writes", 2, 2,
         (*setting("8M", "half", "later"),
          "--backend", "faulty:every=2,op=write,short=1"), ("rough",), 0.5),
    Case("deferred, 4M", 2, 2,
         (*setting("4M", "idle", "store"), *DELAYED), (), 0.5),
    Case("deferred, half, 4M, later", 3, 1,
         (*setting("4M", "half", "later"), *DELAYED,
          "--prefetch", "1M"), (), 0.5),
    Case("deferred, 8M, fsync, slow storage", 2, 2,
         (*setting("8M", "idle", "fsync"), *DELAYED, "--prefetch", "off",
          "--backend", "throttle:latency=300us"), (), 0.2),
    Case("forwarded, wrong writes", 2, 2, setting("8M", "idle", "store"),
         ("spoil", "500"), 1.0, True),
]


def run(words, limit, scratch):
    """Status and output; status None: it took too long."""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, start_new_session=True,
                          env=environment(scratch)) as process:
        try:
            told, _ = process.communicate(timeout=limit)
            return process.returncode, told
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return None, "it hangs\n" + process.communicate()[0]


def play(case, size, seed, scratch):
    """Returns whether it went as it should, and lines to print."""
    place, book = scratch / "place", scratch / "book"
    place.mkdir()
    count = int(OPERATIONS[size] * case.share)
    words = command(place, [SCRIBBLE, "work", place, book, seed,
                            case.processes, case.threads, count, *case.more],
                    case.options and [word.format(place=place) for word in
                                      case.options], scratch)
    began, cpu = time.monotonic(), os.times()
    status, told = run(words, LIMIT[size], scratch)
    now = os.times()
    lines = [f"{time.monotonic() - began:.1f} s, "
             f"{sum(now[2:4]) - sum(cpu[2:4]):.1f} s of CPU", *told.splitlines()]
    if status == 0:
        status, told = run([SCRIBBLE, "check", place, book], LIMIT[size],
                           scratch)
        lines += ["afterwards: " + line for line in told.splitlines()]
    else:
        lines.append(f"status {status} of: {' '.join(words)}")
    said = complaints(scratch)
    lines += said.splitlines()
    return not said and (status == 1 if case.is_wrong else status == 0), lines


def slide(policy, scratch):
    """What is seen of it is little; all memory is full of it."""
    place, writes = scratch / "place", 16000
    place.mkdir()
    status, told = run(command(
        place, [sys.executable, HERE / "slide.py", place, writes],
        setting("4M", policy, "later"), scratch), LIMIT["short"], scratch)
    right = bytes(i % 251 for i in range(writes - 1)) + \
        bytes([(writes - 1) % 251]) * 1000
    if status != 0 or complaints(scratch):
        return f"status {status}: {told}{complaints(scratch)}"
    found = (place / "slide").read_bytes()
    return None if found == right else "the file is not what was written"


def main(size, seed=None, *wanted):
    seed = int(seed) if seed else random.randrange(1 << 32)
    tap = Tap()
    for number, case in enumerate(CASES):
        if wanted and case.name not in wanted:
            continue
        with tempfile.TemporaryDirectory(prefix="weir-scribble-") as scratch:
            passed, lines = play(case, size, seed + number, Path(scratch))
        tap.result(passed, case.name, lines[:60])
    for policy in () if wanted else ("idle", "half"):
        with tempfile.TemporaryDirectory(prefix="weir-slide-") as scratch:
            fault = slide(policy, Path(scratch))
        tap.result(not fault, f"hidden bytes, {policy}", [fault or ""])
    return tap.done()


sys.exit(main(*sys.argv[1:]))
