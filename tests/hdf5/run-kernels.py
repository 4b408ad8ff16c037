#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that write by HDF5: every transfer of their files is below a call
of HDF5, and with ranks below one of MPI-IO that is below it; deferred writes
are of datasets that are told, or of metadata.

Environment: KERNELS, the folder of the programs."""
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "lib"), str(TESTS / "kernels")]
import hdf5tree  # noqa: E402
import ranks  # noqa: E402
from verify import SMALL  # noqa: E402
from weirtool import WEIR, Tap, events, mpi_environment  # noqa: E402

KERNELS = ("vpic", "bdcats", "vorpal", "gcrm", "tiny", "flash", "columns")


def record(program, kernel, out, trace):
    arguments, count, before = SMALL[kernel]
    if before:
        first = program.replace(kernel, before)
        done = ranks.start(first, count, [*SMALL[before][0], out])
        if done.returncode:
            return done
    return subprocess.run(
        [WEIR, "run", "-q", "--layers", "mpi,hdf5", "-o", trace, "--",
         *ranks.launcher(program, count), str(ranks.KERNELS / program),
         *arguments, str(out)], env=mpi_environment(), text=True,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=300)


def check(tap, program, kernel, folder):
    out, trace = folder / "data.h5", folder / "trace"
    done = record(program, kernel, out, trace)
    tap.result(done.returncode == 0, f"{program} runs", [done.stderr])
    if done.returncode:
        return
    layers = ["hdf5"] if program.endswith("-serial") else ["hdf5", "mpiio"]
    hdf5tree.check_nesting(tap, events(trace), program, ".h5", layers)


def main():
    tap = Tap()
    for kernel in KERNELS:
        for program in ranks.flavours(kernel):
            if "pnetcdf" in program:
                continue
            with tempfile.TemporaryDirectory(prefix="weir-h5-") as folder:
                check(tap, program, kernel, Path(folder))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
