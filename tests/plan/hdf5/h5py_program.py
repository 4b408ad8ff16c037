# SPDX-License-Identifier: BSD-3-Clause
"""usage: h5py_program.py SCENE FILE: the same as netcdf.c, by h5py."""
import sys

import h5py
import numpy

numbers = numpy.arange(128 * 128, dtype="i4").reshape(128, 128)
with h5py.File(sys.argv[2], "w") as made:
    made.create_dataset("field", data=numbers)
with h5py.File(sys.argv[2], "r") as found:
    field = found["field"]
    print("good", int((field[:] == numbers).all()))
    print("chunk_rows", (field.chunks or (0,))[0])
