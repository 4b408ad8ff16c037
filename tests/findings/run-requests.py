#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""By how many requests would a service store what is written? Programs run
directly, of which the report tells, and with --forward, which tells how many it
made.

usage: run-requests.py WORKLOAD

Environment: KERNELS, the folder of the I/O kernels, where they were built.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE.parent / "mpi")]
import mpirun  # noqa: E402
from weirtool import WEIR, Tap, in_whole, mpi_environment, run  # noqa: E402

KERNELS = Path(os.environ.get("KERNELS", "build/kernels"))
TOLD = re.compile(r"stored .* by (\d+) requests?")
WITHIN = 0.2  # of what is made
ROUNDS = 3  # a busy machine may keep a program from writing for a while

# Children that share a file end together, or each would have its own stored.
WORDS = [
    "open:wc:f 20000{ write:900 } close",
    "open:wc:f 10{ write:8m } close",
    "open:wc:f 2000{ pwrite:64k:0 } close",
    "open:wc:f 2000{ pwrite:100:%4k } close",
    "open:wc:f 300{ pwrite:1000:?9m } close",
    "open:wc:f 4{ 200{ write:1000 } sleep:300 } close",
    "open:wc:f 20{ 20{ write:1000 } fsync } close",
    "open:wca:f 5000{ write:80 } close",
    "100{ open:wc:o@ 20{ write:1000 } close }",
    "fopen:w:f 20000{ fwrite:1000 } fclose",
    "fork:4{ open:wc:f 2500{ pwrite:128:%512+&128 } sleep:400 close }",
    "fork:4{ open:wc:f 2500{ pwrite:1000:%4000+&1000 } sleep:400 close }",
    "fork:4{ open:wc:f 8{ pwrite:1m:%1m+&8m } sleep:400 close }",
    "fork:3{ open:wc:o@ 2000{ write:512 } close }",
]
KERNEL_RUNS = [
    ("mpich", 2, "vpic", "--particles 50000 ./f.h5"),
    ("openmpi", 2, "vectors", "--mode independent --pieces 2048 ./f"),
    ("openmpi", 4, "btio", "--class S --dumps 2 --mode simple ./f"),
    ("openmpi", 4, "s3d", "--nx 20 --ny 20 --nz 20 --checkpoints 2 ./f"),
]


def commands(workload):
    """(name, command) of all."""
    for words in WORDS:
        yield words, [workload, *words.split()]
    for flavour, ranks, name, words in KERNEL_RUNS:
        program = KERNELS / f"{name}-{flavour}"
        yield f"{name} {words} ({flavour})", program.exists() and \
            mpirun.command(flavour, ranks, program, *words.split())


def record(scratch, folder, command, *options):
    folder.mkdir()
    return subprocess.run(
        [WEIR, "run", "-o", scratch / f"{folder.name}.trace", *options, "--",
         *map(str, command)], cwd=folder, text=True, check=True,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        env=mpi_environment()).stderr


def predicted(scratch, command):
    record(scratch, scratch / "direct", command)
    said = json.loads(run(WEIR, "report", "--json",
                          scratch / "direct.trace").stdout)
    return said["forecast"]["requests"]


def made(scratch, command):
    folder = scratch / "forwarded"
    told = record(scratch, folder, command, f"--forward={folder}")
    return int(TOLD.search(told)[1])


def compare(scratch, command):
    """(what is predicted, what is made)"""
    return predicted(scratch, command), made(scratch, command)


def judge(tap, name, command):
    seen = []
    if not command:
        tap.skip(name, "not built")
        return
    for _ in range(ROUNDS):
        seen.append(in_whole(lambda scratch: compare(scratch, command)))
        told, there = seen[-1]
        if abs(told - there) <= max(1, WITHIN * there):
            break
    else:
        told = None
    tap.result(told is not None, f"{name}: {seen[-1][0]} of {seen[-1][1]}",
               [] if told is not None else
               [f"predicted {a}, made {b}" for a, b in seen])


def main(workload):
    tap = Tap()
    for name, command in commands(os.path.abspath(workload)):
        judge(tap, name, command)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
