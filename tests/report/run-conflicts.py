#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: run-conflicts.py

What `weir report` says of processes that share bytes of a file."""
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
from weirtool import WEIR, Tap, in_whole, must_be_whole, run  # noqa: E402

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


def found(case):
    def play(scratch):
        must_be_whole(run(WEIR, "run", "-q", "--strict", "-o", "trace", "--",
                          sys.executable, HERE / "sharers.py", case,
                          check=False, cwd=scratch))
        return json.loads(run(WEIR, "report", "--json", "trace",
                              cwd=scratch).stdout)["findings"]

    return {row["id"]: row for row in in_whole(play) if row["id"] in RULES}


def main():
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
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
