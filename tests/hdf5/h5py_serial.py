# SPDX-License-Identifier: BSD-3-Clause
"""h5py without MPI: usage: h5py_serial.py LIST"""
import json
import sys

import h5py
import numpy

told = []


def tell(call, file, size=0, **args):
    told.append({"call": call, "file": file, "size": size, "failed": False,
                 "args": args})


with h5py.File("y.h5", "w") as file:
    tell("H5Fcreate", "y.h5")
    group = file.create_group("deep/er")
    data = group.create_dataset("sines", data=numpy.sin(numpy.arange(600.0)
                                                         .reshape(20, 30)))
    tell("H5Dwrite", "y.h5:/deep/er/sines", 4800, shape="20x30")
    data[5:10, 3:7] = numpy.ones((5, 4))
    tell("H5Dwrite", "y.h5:/deep/er/sines", 160, extent="5+5,3+4", runs=5)
    print(float(data[2:4].sum()))
    tell("H5Dread", "y.h5:/deep/er/sines", 480, extent="2+2,0+30")
    data.attrs["unit"] = 7
    tell("H5Awrite", "y.h5:/deep/er/sines@unit", 8)
tell("H5Idec_ref", "y.h5")
with open(sys.argv[1], "w") as out:
    out.writelines(json.dumps(line) + "\n" for line in told)
