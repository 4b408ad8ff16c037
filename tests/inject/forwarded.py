#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lets every system call of the half of the forwarder inside a program fail.

usage: forwarded.py [short]    (short: some of the calls, each failing once)

Whatever fails, the program does what it does without weir, and its files are
the same when all is stored."""
import subprocess
import sys
from pathlib import Path

from trial import INJECT, PATIENCE, Behaviour, fail_in_turn, on_stage
from weirtool import WEIR

IMAGES = (("the first image", "main", 4), ("a forked child", "fork", 4),
          ("an executed image", "exec", 4))
ENOUGH = 150  # calls; who looks for an answer reads the clock very often
BOOT = Path("/proc/sys/kernel/random/boot_id")


def serve(*words):
    return subprocess.run([WEIR, "serve", *words], check=True, text=True,
                          capture_output=True, timeout=PATIENCE).stdout


class Forwarded:
    """Runs of the program with its files forwarded."""

    def __init__(self, trial):
        self.trial = trial
        self.bare = trial.bare()
        self.place = serve("start", "--at",
                           str(trial.scratch / "place")).strip()

    def run(self, order):
        work = self.trial.scratch / "work"
        where = f"{self.place}|{BOOT.read_text().strip()}|{work}"
        seen = self.trial.run(
            ["env", f"LD_PRELOAD={INJECT}", f"WEIR_FORWARD={where}"],
            WEIR_INJECT=order, WEIR_INJECT_LOG=str(self.trial.log))
        serve("drain", "--at", self.place)
        seen.files = Behaviour.files_of(work)
        return seen

    def attempt(self, order, count):
        if int(order.split(":")[1]) > ENOUGH:
            return [], 0
        seen = self.run(order)
        failed = self.trial.failed()
        if failed:
            count["failures"] += 1
            count[failed[0][0]] += 1
        return ([f"{order} {failed}: {text}"
                 for text in seen.differences(self.bare)],
                failed[0][2] if failed else 0)


def orders(image, short):
    def of(n):
        if short:
            return [(0, f"{image}:{n}:{n % 5}:{n % 2}")]
        return [(k, f"{image}:{n}:{k}:{m}") for k in range(6)
                for m in range(2)]
    return of


def play(tap, trial, short):
    forwarded = Forwarded(trial)
    try:
        for name, image, step in IMAGES:
            fail_in_turn(tap, name, orders(image, short), forwarded.attempt,
                         step if short else 1)
    finally:
        serve("stop", "--now", "--at", forwarded.place)


if __name__ == "__main__":
    sys.exit(on_stage(play))
