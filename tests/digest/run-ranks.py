#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the events of all ranks say was written is what is in the file, for
each call of MPI-IO and each kind of view and buffer.

usage: run-ranks.py PROGRAM FLAVOUR
"""
import sys
from pathlib import Path

import oracle

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "mpi"))
import mpirun  # noqa: E402
import weirtool  # noqa: E402
from weirtool import Tap  # noqa: E402

CASES = """placed pointed shared overwritten resized_file through_vector
through_tiles by_rows by_columns through_indexed through_hindexed
through_blocks through_struct through_darray from_pieces""".split()
DIFFERS = 9  # what `weir run` returns; here the sums are judged by us
COARSE = 16384
# Every byte is written once by these.
WHOLE = {"placed", "pointed", "shared", "through_tiles"}


def play(scratch, program, flavour):
    line = mpirun.command(flavour, 2, program, scratch)
    if flavour == "openmpi":  # OMPIO's own writes may fail on busy machines
        line[1:1] = ["--mca", "io", "romio321"]
        line.append("old")
    done = weirtool.record(scratch / "trace", line,
                           options=["--verify", "--strict"],
                           env=weirtool.mpi_environment(),
                           capture_output=True, text=True)
    if done.returncode not in (0, DIFFERS):
        weirtool.must_be_whole(done)
    told = oracle.told(weirtool.events(scratch / "trace"))
    return {case: ((scratch / case).read_bytes(),
                   told.get(str(scratch / case))) for case in CASES}


def faults(case, data, told):
    if told is None:
        return ["nothing was told"]
    # MPICH's ROMIO puts what it likes into the holes between pieces
    equal = oracle.digest(told.written(data)) == told.sum
    found = []
    if told.vanished or not told.fresh:
        found.append("ranks did not tell all, or found an old file")
    if not equal:
        found.append("the sum is not that of the file")
    if told.doubts & ~COARSE:
        found.append(f"doubts are {told.doubts:#x}")
    if case in WHOLE and told.cover != oracle.ones(len(data)):
        found.append("not each byte was written once")
    return found


def main(program, flavour):
    tap = Tap()
    played = weirtool.in_whole(
        lambda scratch: play(scratch, program, flavour))
    for case, (data, told) in played.items():
        found = faults(case, data, told)
        tap.result(not found, f"{case}: {len(data)} bytes", found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
