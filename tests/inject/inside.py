#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lets every system call of the recorder inside a program fail, one by one.

usage: inside.py [short]    (short: some of the calls, each failing once)"""
import sys

from trial import INJECT, Account, fail_in_turn, leftovers, on_stage
from weirtool import Failure

ALONE = {"without": "the launcher"}

# name, image whose calls fail, environment, part of the runs in short form
MODES = [
    ("the first image", "main", {}, 2),
    ("a forked child", "fork", {}, 2),
    ("an executed image", "exec", {}, 2),
    ("a clock read at every call", "main", {"WEIR_INJECT_NS": "1"}, 30),
    ("the first image without the launcher", "main", ALONE, 8),
    ("an executed image without the launcher", "exec", ALONE, 8),
]


class Reference:
    """The program bare, and recorded without any failure."""

    def __init__(self, trial):
        self.bare = trial.bare()
        made = trial.made()
        trial.recorded()
        self.account = Account(trial.trace)
        self.total = self.account.events
        self.extra = self.total - made  # calls that it does not count
        if self.account.total() != self.total or self.extra < 0:
            raise Failure(f"{made} calls made, but: {self.account}")


def judge(behaviour, account, reference, silent):
    """What is wrong with a run; nothing, when all is told."""
    yield from behaviour.differences(reference.bare)
    if account.status:
        yield f"weir dump returned {account.status}: {account.stderr}"
    missing = reference.total - account.total()
    if missing < 0 or (missing and not (account.unrecorded or silent)):
        yield f"{missing} of {reference.total} calls not told: {account}"
    yield from (f"{name} is left over" for name in leftovers())


def run_once(trial, settings, order):
    environment = {"WEIR_INJECT": order, "WEIR_INJECT_LOG": str(trial.log)}
    if settings is ALONE:
        behaviour = trial.alone(INJECT, **environment)
        trial.await_collector()
        return behaviour
    return trial.recorded(["-q"], WEIR_LIBRARY=INJECT, **environment,
                          **settings)


def may_be_silent(failed, order):
    """Who cannot even leave a mark can tell nobody."""
    return failed[0] == "mkdirat" and order.endswith(":1")


def try_one(trial, mode, order, reference, count):
    """One failure: problems, and the errnos that the call may have."""
    behaviour = run_once(trial, mode[2], order)
    failed = trial.failed()
    if not failed:
        return [], 0
    count["failures"] += 1
    count[failed[0][0]] += 1
    silent = may_be_silent(failed[0], order)
    if any(trial.trace.glob("*")):
        account = Account(trial.trace)
        problems = list(judge(behaviour, account, reference, silent))
        count["runs with unrecorded processes"] += bool(account.unrecorded)
        count["of these, calls not known"] += (
            account.total() < reference.total)
        count["runs with drops"] += bool(account.dropped)
    else:
        problems = list(behaviour.differences(reference.bare))
        problems += [f"{name} is left over" for name in leftovers()]
        if not silent:
            problems.append("there is no trace")
        count["runs without a trace"] += 1
    where = f"{order} {failed[0][0]} errno {failed[0][1]}: "
    return [where + problem for problem in problems], failed[0][2]


def orders(image, n, short):
    """Failures of the n-th call: once, and from then on."""
    for k in range(1 if short else 100):
        yield k, f"{image}:{n}:{k}:0"
        if not short:
            yield k, f"{image}:{n}:{k}:1"


def play(tap, trial, short):
    reference = Reference(trial)
    for mode in MODES:
        name, image, _, part = mode
        fail_in_turn(
            tap, name, lambda n, image=image: orders(image, n, short),
            lambda order, count, mode=mode: try_one(trial, mode, order,
                                                    reference, count),
            part if short else 1)


if __name__ == "__main__":
    sys.exit(on_stage(play))
