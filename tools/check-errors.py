#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare the names of other libraries' errors with the libraries' headers.

usage: check-errors.py SPEC

Every error of a header is in SPEC/errors with its number. What the table has
beyond that may be of another version. A library that is not here is passed
over, and that is said.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

# Layer: compiler, header, how an error is defined; its number is positive.
HEADERS = {
    "mpiio": ("mpicc.mpich", "mpi.h", r"(MPI_ERR_\w+) (\d+)"),
    "pnetcdf": ("mpicc.openmpi", "pnetcdf.h", r"(NC_E\w+) \(-(\d+)\)"),
}


def defined(compiler, header, pattern):
    """{name: number}; None: the header is not here."""
    if not shutil.which(compiler):
        return None
    done = subprocess.run([compiler, "-E", "-dM", "-include", header, "-xc",
                           "/dev/null"], capture_output=True, text=True)
    if done.returncode:
        return None
    return {name: int(number) for name, number in
            re.findall(rf"^#define {pattern}$", done.stdout, re.M)}


def faults(layer, rows):
    compiler, header, pattern = HEADERS[layer]
    there = defined(compiler, header, pattern)
    if there is None:
        print(f"passed over: {header} by {compiler} is not here")
        return
    if not there:
        yield f"{header}: no error was found in it"
    for name, number in sorted(there.items()):
        if rows.get(number) != name:
            yield (f"{name}: {number} in {header}, but spec/errors calls that"
                   f" {rows.get(number, 'nothing')}")


def main(spec):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent
                           / "spec" / "gen"))
    from errors import read
    tables = read(Path(spec) / "errors")
    found = [fault for layer in HEADERS
             for fault in faults(layer, tables.get(layer, {}))]
    print("\n".join(found) or "ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
