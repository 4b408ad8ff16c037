#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of newer versions of HDF5 get what a plan says, too.

usage: run-async.py PROGRAM

The program (async.c) uses a stand-in of HDF5 that prints the lists it gets,
and fails with an alignment of 13."""
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "lib"))
from weirtool import WEIR, Tap, events  # noqa: E402

PLAN = """<plan>
<alignment>1,{}</alignment>
<chunk dataset="/one">10</chunk>
<chunk_cache>1009,1M</chunk_cache>
<buffer>2M</buffer>
</plan>
"""
GIVEN, REFUSED, INERT, TOOK = 6, 5, 4, 0


def play(program, alignment):
    with tempfile.TemporaryDirectory(prefix="weir-async-") as scratch:
        folder = Path(scratch)
        plan = []
        if alignment:
            (folder / "plan.xml").write_text(PLAN.format(alignment))
            plan = ["--plan", "plan.xml"]
        done = subprocess.run(
            [WEIR, "run", "-q", *plan, "--layers", "hdf5", "-o", "trace",
             "--", program, "x.h5"], cwd=folder, timeout=60, text=True,
            stdin=subprocess.DEVNULL, capture_output=True)
        told = {}
        for e in events(folder / "trace"):
            if e["call"] == "plan_effect":
                told.setdefault(e["args"]["setting"], set()).add(
                    e["args"]["verdict"])
        return done, done.stdout.splitlines(), told


def own_lines(lines):
    """What the program prints, not the stand-in."""
    return [line for line in lines if not line.startswith("H5")]


def main():
    program = str(Path(sys.argv[1]).resolve())
    tap = Tap()
    bare, plain, _ = play(program, None)
    done, lines, told = play(program, 4096)
    tap.result(not bare.returncode and not done.returncode and
               own_lines(lines) == plain and "lists 0" in plain,
               "async: the program sees nothing of it", [bare, done])
    wanted = [
        "H5Fcreate_async: alignment 4096, chunk 0, slots 521, buffer 1048576",
        "H5Dcreate_async: alignment 1, chunk 10, slots 521, buffer 1048576",
        "H5Dcreate_async: alignment 1, chunk 0, slots 1009, buffer 1048576",
        "H5Dwrite_async: alignment 1, chunk 0, slots 521, buffer 2097152",
        "H5Dread_async: alignment 1, chunk 0, slots 521, buffer 2097152",
        "H5Dwrite_multi: alignment 1, chunk 0, slots 521, buffer 2097152",
    ]
    tap.result(all(line in lines for line in wanted),
               "async: each call gets its lists",
               [line for line in wanted if line not in lines])
    tap.result(told.get("alignment") == {GIVEN} and
               told.get("buffer", set()) <= {GIVEN, TOOK} and
               GIVEN in told.get("buffer", ()),
               "async: what is handed over is not asked for", [told])
    done, lines, told = play(program, 13)
    tap.result(own_lines(lines) == plain and
               told.get("alignment") == {REFUSED} and
               GIVEN in told.get("buffer", ()),
               "async: what fails is made again without", [done, told])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
