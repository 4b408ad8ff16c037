#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What kernels write by libc, MPI-IO and PnetCDF is what their processes say.

usage: run-kernels.py KERNELS FLAVOUR
"""
import sys
from pathlib import Path

import oracle

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "mpi"))
import mpirun  # noqa: E402
import weirtool  # noqa: E402
from weirtool import Tap  # noqa: E402

# name: (kernel, ranks, arguments)
RUNS = {
    "contig by posix": ("contig", 2, "--record 4K --phases 4 --api posix"),
    "contig by mpiio": ("contig", 2, "--record 4K --phases 4 --api mpiio"),
    "vectors": ("vectors", 2, "--pieces 200 --steps 2"),
    "btio": ("btio", 4, "--dumps 2"),
    "s3d": ("s3d", 2, "--nx 6 --ny 5 --nz 4 --checkpoints 1"),
    "flash by pnetcdf": ("flash-pnetcdf", 2,
                         "--blocks 3 --cells 4 --mode posted"),
    "s3d by pnetcdf": ("s3d-pnetcdf", 2,
                       "--nx 6 --ny 5 --nz 4 --mode collective"),
}


def play(scratch, program, flavour, ranks, arguments):
    out = scratch / "out"
    out.mkdir()
    line = mpirun.command(flavour, ranks, program, *arguments.split(),
                          out / "data")
    if flavour == "openmpi":  # OMPIO's own writes may fail on busy machines
        line[1:1] = ["--mca", "io", "romio321"]
    done = weirtool.record(scratch / "trace", line,
                           options=["--verify", "--strict"],
                           env=weirtool.mpi_environment(),
                           capture_output=True, text=True)
    weirtool.must_be_whole(done)
    told = oracle.told(weirtool.events(scratch / "trace"))
    return {file.name: (file.read_bytes(), told.get(str(file)))
            for file in sorted(out.iterdir())}


def faults(files):
    if not files:
        yield "nothing was written"
    for name, (data, told) in files.items():
        if told is None:
            yield f"{name}: nothing was told"
        elif oracle.digest(told.written(data)) != told.sum:
            yield f"{name}: the sum is not that of the file"
        elif told.bytes < len(data) // 2 or told.vanished:
            yield f"{name}: {told.bytes} of {len(data)} bytes told"


def main(kernels, flavour):
    tap = Tap()
    for name, (kernel, ranks, arguments) in RUNS.items():
        if kernel.endswith("-pnetcdf") and flavour != "openmpi":
            continue  # Debian has PnetCDF for Open MPI alone
        program = Path(kernels) / f"{kernel}-{flavour}"
        if not program.exists():
            tap.skip(name, f"there is no {program.name}")
            continue
        files = weirtool.in_whole(
            lambda scratch: play(scratch, program, flavour, ranks, arguments))
        found = list(faults(files))
        tap.result(not found, f"{name}: {len(files)} files", found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
