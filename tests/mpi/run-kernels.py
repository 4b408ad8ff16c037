#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that write through MPI-IO: each transfer has an MPI call above it,
and ranks agree on the keys of their collective calls.

usage: run-kernels.py KERNELS FLAVOUR
"""
import sys
from pathlib import Path

import mpirun
import weirtool
from weirtool import Tap

# kernel: (arguments, ranks)
KERNELS = {
    "vpic": (["--particles", "3000", "--spread", "5"], 2),
    "vorpal": (["--bx", "8", "--by", "6", "--bz", "5", "--steps", "2"], 2),
    "gcrm": (["--resolution", "4", "--subdomain", "2", "--steps", "1"], 2),
    "tiny": (["--datasets", "10"], 2),
    "flash": (["--blocks", "5", "--cells", "4"], 2),
    "btio": (["--dumps", "2"], 1),
    "vectors": (["--pieces", "200", "--steps", "2"], 2),
    "contig": (["--record", "4K", "--phases", "4", "--api", "mpiio"], 2),
    "s3d": (["--nx", "6", "--ny", "5", "--nz", "4", "--checkpoints", "1"], 2),
}


def play(scratch, program, flavour, arguments, ranks):
    folder = scratch / "out"
    folder.mkdir()
    line = mpirun.command(flavour, ranks, program, *arguments,
                          folder / "data")
    mpirun.recorded(scratch / "trace", line)
    processes = mpirun.by_process(weirtool.events(scratch / "trace"))
    return folder, [events for events in processes.values()
                    if any(e["call"] == "MPI_File_open" for e in events)]


def keys(events):
    return [(e["args"]["coll"], e["args"]["seq"]) for e in events
            if e["args"].get("coll")]


def main(kernels, flavour):
    tap = Tap()
    programs = sorted(path for path in Path(kernels).glob(f"*-{flavour}")
                      if path.name.split("-")[0] in KERNELS)
    for program in programs:
        arguments, count = KERNELS[program.name.split("-")[0]]
        folder, ranks = weirtool.in_whole(
            lambda scratch: play(scratch, program, flavour, arguments,
                                 count))
        moved = [e for events in ranks
                 for e in mpirun.transfers(events, folder)]
        wrong = mpirun.lonely(moved)
        mpirun.check(tap, moved and not wrong and len(ranks) == count,
                     f"{program.name}: {len(moved)} transfers below MPI",
                     wrong[:3])
        mpirun.check(tap, all(keys(r) == keys(ranks[0]) for r in ranks),
                     f"{program.name}: the ranks' keys agree")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
