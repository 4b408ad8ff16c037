#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A program that has HDF5 in its own file: weir run and the doctor say that
its calls are not recorded, and say it of no other.

usage: run-inside.py SOURCE
"""
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, events, run  # noqa: E402

SAID = "has HDF5 in its own file"
# How it is linked, and whether HDF5 is then in its file.
WAYS = {
    "static": ([], True),
    # The program's own functions come before those that are preloaded.
    "exported": (["-Wl,--export-dynamic"], True),
    "shared": (["-shlib"], False),
}


def check(tap, passed, name, lines):
    tap.result(passed, name, () if passed else lines)


def main(source):
    tap = Tap()
    h5cc = shutil.which("h5cc")
    if not h5cc or not list(Path("/usr/lib").glob("*/hdf5/serial/libhdf5.a")):
        tap.skip("HDF5 in a program's own file",
                 "there is no h5cc here that links libhdf5.a")
        return tap.done()
    with tempfile.TemporaryDirectory(prefix="weir-inside-") as place:
        for name, (options, inside) in WAYS.items():
            run(h5cc, *options, "-o", name, source, cwd=place)
            done = run(WEIR, "run", "-o", f"trace-{name}", "--", f"./{name}",
                       cwd=place)
            check(tap, (SAID in done.stderr) == inside,
                       f"{name}: weir run warns: {inside}",
                       done.stderr.splitlines())
            layers = {e["layer"] for e in
                      events(Path(place) / f"trace-{name}")}
            check(tap, ("hdf5" in layers) != inside and "posix" in layers,
                       f"{name}: what is recorded", [layers])
            told = run(WEIR, "doctor", "--", f"./{name}", cwd=place,
                       check=False).stdout
            check(tap, (SAID in told) == inside,
                       f"{name}: the doctor says so: {inside}",
                       told.splitlines())
    return tap.done()


sys.exit(main(*sys.argv[1:]))
