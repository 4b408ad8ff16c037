#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Several libraries in one program, and a module of Python that is seen by
nobody else: every layer is recorded, each call below the one that made it.

Environment: TOGETHER, the program, or nothing; PYTHON, the interpreter;
LAYERS, which objects there are.
"""
import os
import subprocess
import sys
from pathlib import Path

import layered
from weirtool import Tap

HERE = Path(__file__).resolve().parent
CELLS = 4096


def result(tap, passed, name, lines):
    tap.result(passed, name, () if passed else lines)


def below(events, layer, data):
    """Calls of the layers below on a file, and the layers above each."""
    return [({a.layer for a in e.ancestors()}, e) for e in events
            if e.layer == layer and e.file.split(":/")[0] == str(data)]


def in_place(events, upper, lower, data):
    found = below(events, lower, data)
    return bool(found) and all(upper in above for above, _ in found)


def check_together(tap, run):
    """NetCDF-4 is HDF5; its calls are where no call of PnetCDF is."""
    classic = f"{run.data}.classic"
    tap.result(run.same, "NetCDF-4 and PnetCDF: the same results", run.differs)
    tap.result(in_place(run.events, "pnetcdf", "mpiio", classic),
               "MPI-IO on the classic file is below PnetCDF")
    if "hdf5" in os.environ["LAYERS"].split():
        tap.result(in_place(run.events, "hdf5", "mpiio", run.data),
                   "MPI-IO on the NetCDF-4 file is below HDF5")
    mixed = [str(e) for e in run.events if e.layer in ("hdf5", "pnetcdf") and
             {"hdf5", "pnetcdf"} & {a.layer for a in e.ancestors()
                                    if a.layer != e.layer}]
    tap.result(not mixed, "neither is below the other", mixed[:10])
    put = [e for e in run.events if e.name == "ncmpi_put_vara_all"]
    result(tap, [(e.file, e.size) for e in put] ==
               [(f"{classic}:/classic", 512)] * 2,
               "PnetCDF's calls are named", put)


def check_python(tap, run):
    calls = [e for e in run.events if e.layer == "mpiio" and
             e.file == str(run.data)]
    wanted = {"MPI_File_write_at_all": CELLS, "MPI_File_iwrite_at": CELLS,
              "MPI_File_read_at": CELLS, "MPI_File_sync": 0}
    tap.result(run.same, "mpi4py: the same results", run.differs)
    for name, size in wanted.items():
        found = [e for e in calls if e.name == name]
        result(tap, [e.size for e in found] == [size] * 2,
                   f"mpi4py: {name} of both ranks", found)
    written = [e for above, e in below(run.events, "posix", run.data)
               if "mpiio" in above and "write" in e.name]
    result(tap, sum(e.size for e in written) >= CELLS * 2,
               "mpi4py: POSIX below MPI-IO", written)


def has_mpi4py(python):
    return not subprocess.run([python, "-c", "import mpi4py"],
                              capture_output=True).returncode


def main():
    tap = Tap()
    python = os.environ.get("PYTHON", "/usr/bin/python3")
    if os.environ.get("TOGETHER"):
        check_together(tap, layered.on_stage(lambda place: layered.both(
            place, [os.environ["TOGETHER"]], ranks=2)))
    else:
        tap.skip("NetCDF-4 and PnetCDF", "no parallel NetCDF")
    if has_mpi4py(python):
        check_python(tap, layered.on_stage(lambda place: layered.both(
            place, [python, HERE / "python_rank.py"], ranks=2)))
    else:
        tap.skip("mpi4py", f"{python} has none")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
