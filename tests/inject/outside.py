#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lets every call of the tool itself fail, one by one, or kills it there.

usage: outside.py [short]    (short: some of the calls, each failing once)"""
import re
import shutil
import sys

from inside import Reference
from trial import (MEMORY, SHIM, Account, fail_in_turn, leftovers,
                   on_stage)

ONCE, ALWAYS, KILL = 0, 1, 2
NOT_RUN = (1, 126, 127)
UNRECORDED = "runs without being recorded"
INCOMPLETE = "the trace is not complete"
DIED = "the collector ended before its time"

# name, generation, modes, one in how many in short form
PARTS = [
    ("the launcher", 0, (ONCE, ALWAYS), 6),
    ("processes between", 1, (ONCE, ALWAYS), 6),
    ("the collector", 2, (ONCE, ALWAYS), 40),
    ("the collector, killed", 2, (KILL,), 20),
]


def run_once(trial, order):
    return trial.recorded(["-q"], LD_PRELOAD=SHIM, WEIR_SHIM=order,
                          WEIR_SHIM_LOG=str(trial.log))


def has_word(behaviour):
    return bool(re.search(r"^weir( \w+)?: ", behaviour.stderr, re.M))


def was_not_run(behaviour):
    """It could not even be started, and that was said."""
    return (behaviour.status in NOT_RUN and not behaviour.output
            and not behaviour.files and has_word(behaviour))


def judge_trace(trial, behaviour, reference, count):
    """What the trace does not have must have been told."""
    if not any(trial.trace.glob("*.weir")) and not any(
            trial.trace.glob("*.live")):
        count["no trace"] += 1
        if not has_word(behaviour):
            yield "there is no trace, and not a word about it"
        return
    account = Account(trial.trace)
    missing = reference.total - account.total()
    if account.status and INCOMPLETE not in behaviour.stderr:
        yield f"weir dump returned {account.status}: {account.stderr}"
    if missing < 0:
        yield f"{-missing} calls too many: {account}"
    if missing and not (account.unrecorded or INCOMPLETE in behaviour.stderr):
        yield f"{missing} calls not told: {account} {behaviour.stderr}"
    count["with losses"] += bool(missing or account.lost)


def judge(trial, behaviour, reference, count):
    if was_not_run(behaviour):
        count["not run"] += 1
    else:
        yield from behaviour.differences(reference.bare)
    if UNRECORDED in behaviour.stderr:
        count["not recorded, as told"] += 1
    elif not was_not_run(behaviour):
        yield from judge_trace(trial, behaviour, reference, count)
    count["with a word"] += has_word(behaviour)


def leftover_problems(trial, behaviour, killed=False):
    """Live files may stay when their collector died: they hold the rest."""
    if not leftovers():
        return
    kept = [link.resolve().name for link in trial.trace.glob("*.live")
            if link.exists()]
    left = leftovers()
    for name in left:
        if (MEMORY / name).is_dir():
            shutil.rmtree(MEMORY / name)
        else:
            (MEMORY / name).unlink()
    if killed:  # between putting the control file aside and removing it
        left = [name for name in left if not name.endswith(".control")]
    if kept != left:
        yield f"left over: {left}"
    if kept and DIED not in behaviour.stderr:
        yield f"{kept} is left without a word: {behaviour.stderr}"


def try_one(trial, order, reference, count):
    try:
        behaviour = run_once(trial, order)
    finally:
        trial.await_collector()
    failed = trial.failed()
    if not failed:
        return [], 0
    count["failures"] += 1
    problems = list(judge(trial, behaviour, reference, count))
    count["live files kept"] += bool(leftovers())
    problems += leftover_problems(trial, behaviour,
                                  order.endswith(f":{KILL}"))
    where = f"{order} {failed[0][0]} errno {failed[0][1]}: "
    return [where + problem for problem in problems], failed[0][2]


def orders(part, n, short):
    _, generation, modes, _ = part
    for k in range(1 if short else 100):
        for mode in modes[:1] if short else modes:
            yield k, f"{generation}:{n}:{k}:{mode}"


def play(tap, trial, short):
    reference = Reference(trial)
    for part in PARTS:
        fail_in_turn(
            tap, part[0], lambda n, part=part: orders(part, n, short),
            lambda order, count: try_one(trial, order, reference, count),
            part[3] if short else 1)


if __name__ == "__main__":
    sys.exit(on_stage(play))
