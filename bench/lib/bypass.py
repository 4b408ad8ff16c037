# SPDX-License-Identifier: BSD-3-Clause
"""What `weir run --forward` costs where it leaves files to the kernel."""
import shutil
from functools import partial

from lib.bench import WEIR, median, row, table, taken_in_turn
from lib.contig import KIB, MIB, Cell, command, run
from lib.places import type_of

CELLS = [Cell(1, record, 64 * MIB, phases=1)
         for record in (KIB, 64 * KIB, MIB)]
WAYS = ((), ("-q",), ("-q", "--forward"))  # bare, recorded, and more


def seconds(bench, where, cell, options):
    """Of I/O, as the program says."""
    trace, out = bench.scratch / "trace", where / "contig"
    before = [WEIR, "run", *options, "-o", trace, "--"] if options else []
    said = run([*before, *command(cell, out)], out, cwd=where)
    shutil.rmtree(trace, ignore_errors=True)
    return said["seconds"]


def bypass(bench):
    table(f"ms of I/O on local file systems (medians of {bench.rounds} "
          "turns; --forward leaves them alone, and should take what it takes "
          "without, within 2 %)", "on", "record", "bare", "recorded",
          "with --forward", "ratio to recorded", "to bare")
    for where in (bench.scratch, bench.files):
        for cell in CELLS:
            ways = [partial(seconds, bench, where, cell, way) for way in WAYS]
            turns = [taken_in_turn(ways, i) for i in range(bench.rounds)]
            row(type_of(where), f"{cell.record // KIB} KiB",
                *(f"{1000 * median(way):.1f}" for way in zip(*turns)),
                *(f"{median(one[2] / one[i] for one in turns):.3f}"
                  for i in (1, 0)))
