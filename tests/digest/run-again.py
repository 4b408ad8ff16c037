#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What weir run --verify says of ranges that are written again, and in how many
pieces they are told: runs, not elements.

usage: run-again.py WAY PROGRAM; WAY is one of WAYS
"""
import re
import sys
from pathlib import Path

import oracle

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "mpi"))
import mpirun  # noqa: E402
import weirtool  # noqa: E402
from weirtool import Tap  # noqa: E402

PROVEN = ""
OVERLAP = "several processes wrote the same bytes"
UNCLEAR = "several processes wrote too many pieces to say"
BETWEEN = "MPI may write between the pieces"
CRUMBS = "it was written in too many small pieces"
BOUND = (1 << 20) + 8  # pieces of a process, and a few

POSIX = {
    "rewritten": (PROVEN, 3), "in_other_pieces": (PROVEN, 200),
    "shifted": (PROVEN, 20), "within": (PROVEN, 51),
    "scattered": (PROVEN, 1200), "read_back": (PROVEN, 2),
    "by_vectors": (PROVEN, 3), "by_stream": (PROVEN, 603),
    "cut_and_again": (PROVEN, 6), "children": (PROVEN, 9),
    "overlapping": (OVERLAP, 9), "overlapping_unevenly": (UNCLEAR, 3000),
}
MPI = {  # of two ranks
    "placed": (PROVEN, 6), "pointed": (PROVEN, 6), "collective": (PROVEN, 6),
    "posted": (PROVEN, 6), "shared": (PROVEN, 6), "shifted": (PROVEN, 40),
    "within": (PROVEN, 102), "read_back": (PROVEN, 4),
    "through_strides": (PROVEN, 10000), "through_subarray": (PROVEN, 210),
    "through_darray": (PROVEN, 2100), "in_crumbs": (CRUMBS, BOUND),
    "overlapping": (OVERLAP, 6), "atomic": (OVERLAP, 6),
    "atomic_strides": (OVERLAP, 10000),
    "overlapping_unevenly": (BETWEEN, 3000), "atomic_apart": (PROVEN, 6),
    "overlapping_in_turn": (OVERLAP, 2),
}
HDF5 = {
    "rewritten": (PROVEN, 3), "strided": (PROVEN, 3 * 128 * 60),
    "points": (PROVEN, 300), "shifted": (PROVEN, 400),
    "columns": (PROVEN, 641), "read_back": (PROVEN, 51),
    "gathered": (PROVEN, 42),
}
PARALLEL = {
    "rewritten": (PROVEN, 6), "strided": (PROVEN, 3 * 128 * 60),
    "points": (PROVEN, 600), "common": (OVERLAP, 6),
}
PNETCDF = {name: (PROVEN, 3000) for name in
           ("vara", "vars", "varn", "iput", "filled")}


def in_file(cases):
    """Datasets, contiguous and in chunks."""
    return {f"again.h5:/{name}{more}": expected
            for name, expected in cases.items() for more in ("", "_chunked")}


WAYS = {  # its launcher, and what is expected
    "posix": (None, POSIX),
    "mpich": ("mpich", MPI),
    "openmpi": ("openmpi", MPI),
    "hdf5": (None, dict(in_file(HDF5), **{"again.h5:/crumbs":
                                          (CRUMBS, BOUND)})),
    "hdf5-mpich": ("mpich", in_file(PARALLEL)),
    "pnetcdf": ("openmpi", PNETCDF),
}


def command(launcher, program, scratch):
    if not launcher:
        return [program, str(scratch)]
    line = mpirun.command(launcher, 2, program, scratch)
    if launcher == "openmpi":  # OMPIO's own writes may fail on busy machines
        line[1:1] = ["--mca", "io", "romio321"]
    return line


def play(scratch, launcher, program):
    out = scratch / "out"
    out.mkdir()
    done = weirtool.record(scratch / "trace", command(launcher, program, out),
                           options=["--verify", "--strict"],
                           env=weirtool.mpi_environment(),
                           capture_output=True, text=True)
    weirtool.must_be_whole(done)
    told = oracle.told(weirtool.events(scratch / "trace"))
    return done.stderr, {name[len(f"{out}/"):]: about.writes
                         for name, about in told.items()
                         if name.startswith(f"{out}/")}


def faults(said, pieces, name, expected):
    why, most = expected
    found = re.search(rf"(DIFFERS|unverifiable): \S*/out/{re.escape(name)}: "
                      r"([^(]*)", said)
    verdict = found[2] if found and found[1] == "unverifiable" else PROVEN
    if found and found[1] == "DIFFERS":
        yield found[0]
    elif not verdict.startswith(why) or bool(verdict) != bool(why):
        yield f"'{verdict}' instead of '{why}'"
    if not 0 < pieces.get(name, 0) <= most:
        yield f"{pieces.get(name)} pieces, of {most}"


def main(way, program):
    tap = Tap()
    launcher, cases = WAYS[way]
    said, pieces = weirtool.in_whole(
        lambda scratch: play(scratch, launcher, program))
    for name, expected in cases.items():
        found = list(faults(said, pieces, name, expected))
        tap.result(not found, f"{name}: {pieces.get(name)} pieces, "
                   f"{expected[0] or 'as written'}", found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
