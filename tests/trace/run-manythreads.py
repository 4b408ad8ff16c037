#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Memory for records grows with the threads: each has a chunk in reserve.

Some hundred threads, all alive at once, fill a chunk and a part of another
while the collector stands still: nothing is lost.

usage: run-crowd.py MANYTHREADS"""
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from victims import await_collector  # noqa: E402
from weirtool import WEIR, Tap, run  # noqa: E402

THREADS, CALLS = 400, 600
BUFFER = "64K"  # eight chunks, which are nothing for so many


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-many-") as name:
        trace = Path(name).resolve() / "trace"
        (trace.parent / "files").mkdir()
        process = subprocess.Popen(
            [WEIR, "run", "-q", "--strict", "--buffer", BUFFER, "-o", trace,
             "--", os.path.abspath(sys.argv[1]), trace.parent / "files",
             str(THREADS), str(CALLS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        collector = await_collector(trace)
        os.kill(collector, signal.SIGSTOP)
        process.stdin.close()
        done = process.stdout.readline()
        os.kill(collector, signal.SIGCONT)
        tap.result(done == "done\n", "all calls were made")
        tap.result(process.wait() == 0, "none of them was lost",
                   [f"weir run --strict returned {process.returncode}"])
        rows = run(WEIR, "query", "--format", "csv", trace,
                   "count by call where call=pwrite").stdout
        tap.result(f"pwrite,{THREADS * CALLS // 2}" in rows,
                   "all of them are in the trace", rows.splitlines())
    return tap.done()


sys.exit(main())
