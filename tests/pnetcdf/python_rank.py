# SPDX-License-Identifier: BSD-3-Clause
"""Writes with MPI-IO from Python: usage: python_rank.py FILE TOLD"""
import sys

from mpi4py import MPI

CELLS = 4096

comm = MPI.COMM_WORLD
with open(f"{sys.argv[2]}.{comm.rank}", "w") as out:
    out.write(f"rank {comm.rank}\n")
data = bytearray([comm.rank + 1]) * CELLS
file = MPI.File.Open(comm, sys.argv[1], MPI.MODE_CREATE | MPI.MODE_RDWR)
file.Write_at_all(comm.rank * CELLS, data)
file.Iwrite_at((comm.size + comm.rank) * CELLS, data).Wait()
file.Sync()
file.Read_at(comm.rank * CELLS, data)
file.Close()
