#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of all sorts of traces are as doc/report.schema.json says.

usage: run-schema.py WORKLOAD

Environment: KERNELS, the folder of the I/O kernels, where they were built."""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kernels"))
import ranks  # noqa: E402
from described import (DAMAGED, DOC, SCHEMA, Draft202012Validator,  # noqa: E402
                       checked, keys)
from weirtool import WEIR, Tap, in_whole, mpi_environment  # noqa: E402

WORKLOAD = os.path.abspath(sys.argv[1])
SPAWN = "sleep 60 & cat /dev/zero | head -c 100000 > out; kill $!"


def record(scratch, command, options):
    data = scratch / "data"
    data.mkdir()
    subprocess.run([WEIR, "run", "-q", *options, "-o", scratch / "trace",
                    "--", *map(str, command)], cwd=data, check=True,
                   stdin=subprocess.DEVNULL, capture_output=True,
                   env=mpi_environment())
    return scratch / "trace"


def check_run(tap, name, command, expected, *options):
    """`expected`: what must hold for the report."""
    def play(scratch):
        _, told, wrong = checked(record(scratch, command, options))
        if not wrong and not expected(told):
            wrong = [f"not what was expected: {str(told)[:2000]}"]
        tap.result(not wrong, name, wrong[:20])
    in_whole(play)


def damage(trace):
    """Turns bytes of the blocks in the middle."""
    for path in trace.glob("*.weir"):
        data = bytearray(path.read_bytes())
        for at in range(len(data) // 3, len(data) * 2 // 3, 97):
            data[at] ^= 0x55
        path.write_bytes(data)


def check_damaged(tap):
    def play(scratch):
        trace = record(scratch, [WORKLOAD, 5, 300], [])
        damage(trace)
        _, told, wrong = checked(trace, [DAMAGED])
        if not wrong and not told["unseen"]["damaged_blocks"]:
            wrong = ["no damaged blocks are told"]
        tap.result(not wrong, "a damaged trace is told in part, and so called",
                   wrong[:20])
    in_whole(play)


def check_page(tap):
    Draft202012Validator.check_schema(SCHEMA)
    words = set(re.findall(r"`([^`]+)`", (DOC / "report.md").read_text()))
    missing = sorted(set(keys()) - words)
    tap.result(not missing, "doc/report.md explains every key", missing)


def main():
    tap = Tap()
    check_page(tap)
    check_run(tap, "calls", [WORKLOAD, 4, 1500],
              lambda told: told["manner"] == "calls" and told["findings"])
    check_run(tap, "sums", [WORKLOAD, 4, 300],
              lambda told: told["manner"] == "profile" and told["files"],
              "--profile")
    check_run(tap, "the last calls", [WORKLOAD, 4, 300],
              lambda told: told["processes"], "--ring", "64K")
    check_run(tap, "nothing", ["true"], lambda told: not told["files"],
              "--exclude", "*")
    check_run(tap, "a process that is killed", ["sh", "-c", SPAWN],
              lambda told: told["files"], "--all")
    for program in ranks.flavours("tiny") or [None]:
        if program:
            check_run(tap, program,
                      [*ranks.launcher(program, 2), ranks.KERNELS / program,
                       "--datasets", 40, "out"],
                      lambda told: {"hdf5", "mpiio"} <= set(told["layers"]) and
                      {row.get("rank") for row in told["processes"]} >= {0, 1})
        else:
            tap.skip("tiny", "not built")
    check_damaged(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
