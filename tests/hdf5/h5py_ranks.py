# SPDX-License-Identifier: BSD-3-Clause
"""h5py with MPI: usage: h5py_ranks.py LIST; each rank writes LIST.RANK."""
import json
import os
import sys

os.environ["H5PY_ALWAYS_USE_MPI"] = "1"
from mpi4py import MPI  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402

told = []
world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size


def tell(call, file, size=0, **args):
    told.append({"call": call, "file": file, "size": size, "failed": False,
                 "args": args})


with h5py.File("z.h5", "w", driver="mpio", comm=world) as file:
    tell("H5Fcreate", "z.h5")
    data = file.create_dataset("rows", (ranks, 50), dtype="f8")
    tell("H5Dcreate2", "z.h5:/rows")
    data[rank] = numpy.full(50, float(rank))
    tell("H5Dwrite", "z.h5:/rows", 400, extent=f"{rank}+1,0+50", asked=0)
    with data.collective:
        data[rank] = numpy.full(50, rank + 1.0)
    tell("H5Dwrite", "z.h5:/rows", 400, extent=f"{rank}+1,0+50", asked=1,
         got=4)
tell("H5Idec_ref", "z.h5")
with open(f"{sys.argv[1]}.{rank}", "w") as out:
    out.writelines(json.dumps(line) + "\n" for line in told)
