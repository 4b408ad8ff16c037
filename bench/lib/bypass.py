# SPDX-License-Identifier: BSD-3-Clause
"""What `weir run --forward` costs where it leaves files to the kernel."""
import shutil

from lib.bench import WEIR, median, row, table
from lib.contig import KIB, MIB, Cell, command, run
from lib.places import type_of

CELLS = (Cell(1, KIB, 4 * MIB), Cell(1, 64 * KIB, 16 * MIB),
         Cell(1, MIB, 16 * MIB))
WAYS = ((), ("-q",), ("-q", "--forward"))  # bare, recorded, and more


def seconds(bench, where, cell, options):
    """Of I/O, as the program says."""
    trace, out = bench.scratch / "trace", where / "contig"
    before = [WEIR, "run", *options, "-o", trace, "--"] if options else []
    said = run([*before, *command(cell, out)], out, cwd=where)
    shutil.rmtree(trace, ignore_errors=True)
    return said["seconds"]


def bypass(bench):
    table(f"seconds of I/O on local file systems (medians of {bench.rounds} "
          "turns; --forward should take within 2 % of what it takes without)",
          "on", "record", "bare", "recorded", "with --forward",
          "ratio of the last two")
    for where in (bench.scratch, bench.files):
        for cell in CELLS:
            turns = [[seconds(bench, where, cell, way) for way in WAYS]
                     for _ in range(bench.rounds)]
            row(type_of(where), f"{cell.record // KIB} KiB",
                *(f"{median(column):.4f}" for column in zip(*turns)),
                f"{median(turn[2] / turn[1] for turn in turns):.3f}")
