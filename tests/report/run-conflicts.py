#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: run-conflicts.py [PROGRAM FLAVOUR]…

What `weir report` says of processes that share bytes of a file."""
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
from weirtool import (WEIR, Tap, in_whole, mpi_environment,  # noqa: E402
                      must_be_whole, run)

RULES = {"unsynced-reads", "unsynced-writes", "stale-reads", "stale-writes"}

#        what the two do (sharers.py)   what is found
CASES = {
    "early read": {"unsynced-reads"},
    "read": {"unsynced-reads"},
    "early sync read": {"stale-reads"},
    "sync read": {"stale-reads"},
    "early close read": {"stale-reads"},
    "close read": set(),
    "early exit read": {"stale-reads"},
    "exit read": set(),
    "lock read": set(),
    "early lock read": set(),
    "early write": {"unsynced-writes"},
    "write": {"unsynced-writes"},
    "early sync write": {"stale-writes"},
    "sync write": {"stale-writes"},
    "close write": set(),
    "exit write": set(),
    "lock write": set(),
    "elsewhere read": set(),
    "elsewhere write": set(),
    "own close read": set(),
    "own elsewhere write": set(),
}


# The same of what another process has in memory: nothing can be found, and
# whether that means something has to be said.
MAPPED = {
    "stores read": 1,
    "stores early read": 1,
    "looks early write": 1,
    "looks read": 0,
    "stores exit read": 0,
}

#        two ranks (sharing_ranks.c)
RANKED = {
    "plain read": {"unsynced-reads"},
    "later read": {"unsynced-reads"},
    "later write": {"unsynced-writes"},
    "atomic read": set(),
    "atomic later write": set(),
}

LAUNCH = {"mpich": ["mpirun.mpich", "-n", "2"],
          "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n", "2"]}


def report(*command):
    def play(scratch):
        must_be_whole(run(WEIR, "run", "-q", "--strict", "-o", "trace", "--",
                          *command, check=False, cwd=scratch,
                          env=mpi_environment()))
        return json.loads(run(WEIR, "report", "--json", "trace",
                              cwd=scratch).stdout)

    return in_whole(play)


def rules_of(told):
    return {row["id"]: row for row in told["findings"] if row["id"] in RULES}


def found(case):
    return rules_of(report(sys.executable, HERE / "sharers.py", case))


def check_mapped(tap):
    for case, unchecked in MAPPED.items():
        told = report(sys.executable, HERE / "sharers.py", case)
        tap.result(told["unchecked"] == unchecked and not rules_of(told),
                   f"{case}: {unchecked or 'no'} file not searched",
                   [f"unchecked: {told['unchecked']}, "
                    f"found: {set(rules_of(told))}"])


def check_ranks(tap, program, flavour):
    for case, expected in RANKED.items():
        rows = rules_of(report(*LAUNCH[flavour], program, case, "shared"))
        tap.result(set(rows) == expected,
                   f"{flavour}, {case}: {expected or 'nothing'}",
                   [f"found: {set(rows)}"])


def main(*programs):
    tap = Tap()
    for case, expected in CASES.items():
        rows = found(case)
        tap.result(set(rows) == expected, f"{case}: {expected or 'nothing'}",
                   [f"found: {set(rows)}"])
        if rows and expected:
            row = next(iter(rows.values()))
            tap.result((row["count"], row["bytes"], row["files"]) ==
                       (1, 100, 1) and len(row["evidence"]) == 1,
                       f"{case}: one call on 100 bytes", [str(row)])
    check_mapped(tap)
    for program, flavour in zip(programs[::2], programs[1::2]):
        check_ranks(tap, os.path.abspath(program), flavour)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
