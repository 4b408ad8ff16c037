#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Threads open files under numbers that were just closed, while others fork.

usage: test-reopened.py REOPEN"""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from weirtool import WEIR, Tap, run  # noqa: E402

ROUNDS = 2000


def main(reopen):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-reopened-") as scratch:
        place = Path(scratch) / "place"
        place.mkdir()
        done = run(WEIR, "run", "-q", "-o", f"{scratch}/trace",
                   f"--forward={place}", "--", reopen, place, ROUNDS, check=False)
        tap.result(done.returncode == 0,
                   "each opening has its own flags, offset and life",
                   [done.stdout, done.stderr])
    return tap.done()


sys.exit(main(sys.argv[1]))
