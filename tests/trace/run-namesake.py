#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Names of other libraries: found by their users alone, and found again.

usage: run-namesake.py PROGRAM PLUGIN"""
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import Tap, events, record  # noqa: E402

EXPECTED = {"io_setup": 2, "io_submit": 2, "iocb_op": 2, "io_getevents": 2,
            "iocb_done": 2, "io_destroy": 2}


def main(*paths):
    program, plugin = map(os.path.abspath, paths)
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-namesake-") as scratch:
        trace = Path(scratch) / "trace"
        done = record(trace, [program, plugin], ["--strict"], cwd=scratch,
                      timeout=300)
        tap.result(done.returncode == 0, "the program finds what it would "
                   "find without us", [f"it returned {done.returncode}"])
        seen = Counter(event["call"] for event in events(trace)
                       if event["layer"] == "async")
        tap.result(seen == EXPECTED, "a plugin's calls are recorded, also "
                   "when it comes back elsewhere", [str(seen)])
    return tap.done()


sys.exit(main(*sys.argv[1:]))
