#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every scenario of the oracle with --profile and without: the same sums.

usage: run-oracle.py ORACLE CASES
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import rings  # noqa: E402
from sums import differences, report, rows  # noqa: E402
from weirtool import Failure, Tap, record  # noqa: E402

ENVIRONMENT = rings.environment()
# How much these do depends on time, or on how many threads find room.
OTHER_EACH_TIME = {"busy-fork", "timer", "storm", "crowd",
                   "race"}


def play(oracle, case, options):
    """What is counted of all files; their names may have a pid in them."""
    scenario, count, _, _ = case
    with tempfile.TemporaryDirectory(prefix="weir-oracle-") as scratch:
        top = Path(scratch)
        (top / "work").mkdir()
        done = record(top / "trace", [oracle, top / "log", scenario, count],
                      ["--strict", "--buffer", "64M", *options],
                      cwd=top / "work", timeout=120, env=ENVIRONMENT,
                      stderr=subprocess.PIPE)
        if done.returncode:
            raise Failure(f"weir run returned {done.returncode}")
        found = rows(report(top / "trace"))
    return {key: value for key, value in found.items()
            if key[0] in ("total", "class")}


def main(oracle, cases):
    tap, oracle = Tap(), os.path.abspath(oracle)
    for line in Path(cases).read_text().splitlines():
        case = line.partition("#")[0].split()
        if not case or case[0] in OTHER_EACH_TIME:
            continue
        try:
            full, profile = (play(oracle, case, options)
                             for options in ([], ["--profile"]))
            lines = differences(full, profile)
        except Failure as failure:
            full, lines = {}, [str(failure)]
        tap.result(full and not lines, f"{case[0]}: {len(full)} sums", lines)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
