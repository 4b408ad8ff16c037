#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""weir run --verify of datasets of many types, shapes and selections.

Environment: WEIR, H5WRITER, H5FILL, H5LATE.

usage: run-hdf5.py, or run-hdf5.py FILE DATASET to spoil an element
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap  # noqa: E402

WRITER = os.path.abspath(os.environ.get("H5WRITER",
                                        "build/tests/verify/h5writer"))
FILLER = os.path.abspath(os.environ.get("H5FILL",
                                        "build/tests/verify/h5fill"))
LATE = os.path.abspath(os.environ.get("H5LATE", "build/tests/verify/h5late"))
SPOILED = 5000  # an element that is never written
# What is written: datasets plain, converted, compressed, uneven, pairs and
# growing, and an attribute.
OBJECTS = 7


def verify(work, *arguments):
    return subprocess.run(
        [WEIR, "run", "--verify", "-o", work / f"trace{len(arguments)}", "--",
         WRITER, work / "output.h5", *arguments], text=True,
        stdin=subprocess.DEVNULL, capture_output=True)


def check(tap, done, name, status, *texts):
    fine = done.returncode == status and all(
        re.search(text, done.stderr) for text in texts)
    tap.result(fine, name, [] if fine else [
        f"status {done.returncode}", *done.stderr.splitlines()])


def spoil(path, dataset, element=0):
    """Change a byte of a contiguous dataset of doubles behind everybody."""
    told = subprocess.run(["h5dump", "-p", "-H", "-d", dataset, path],
                          check=True, capture_output=True, text=True).stdout
    with open(path, "r+b") as file:
        file.seek(int(re.search(r"OFFSET (\d+)", told)[1]) + 8 * element)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))


def check_again(tap, work):
    """Of what was there before, only what is written counts."""
    verify(work)
    spoil(work / "output.h5", "/plain")
    done = verify(work, "again")
    check(tap, done, "parts of a dataset that was there, and a new one", 0,
          r"verified 1 file \(2 objects\).*: all as written")


def verify_spoiled(program, work, dataset):
    """One element is spoiled, behind everybody, before weir looks."""
    out = work / "output.h5"
    line = f"'{program}' '{out}'"
    if dataset:
        line += (f" && env -u LD_PRELOAD -u WEIR_TRACE '{sys.executable}' "
                 f"'{__file__}' '{out}' '{dataset}'")
    return subprocess.run([WEIR, "run", "--verify", "-o", work / "trace",
                           "--", "sh", "-c", line], text=True,
                          stdin=subprocess.DEVNULL, capture_output=True)


def check_fill(tap):
    wrong = r"DIFFERS: \S*output.h5:{}: elements that nobody wrote are not " \
        rf"the fill value \(1 of them, from element {SPOILED} to {SPOILED};"
    cases = {"": (0, r"verified 1 file \(6 objects\).*: all as written")}
    cases.update({name: (9, wrong.format(name)) for name in
                  ("/usual", "/filled", "/untouched")})
    # HDF5 promises nothing of these
    cases.update({name: (0, "all as written") for name in
                  ("/never", "/undefined")})
    for dataset, (status, text) in cases.items():
        with tempfile.TemporaryDirectory(prefix="weir-h5-") as work:
            check(tap, verify_spoiled(FILLER, Path(work), dataset),
                  f"never written: {dataset or 'all are filled'}", status,
                  text)


def check_late(tap):
    """Datasets that are written first and get their names later."""
    wrong = r"DIFFERS: \S*output.h5:{}: its bytes are not those"
    cases = {"": (0, r"verified 1 file \(2 objects\).*: all as written"),
             "/late": (9, wrong.format("/late")),
             "/later": (9, wrong.format("/later"))}
    for dataset, (status, text) in cases.items():
        with tempfile.TemporaryDirectory(prefix="weir-h5-") as work:
            check(tap, verify_spoiled(LATE, Path(work), dataset),
                  f"named after it was written: {dataset or 'all'}", status,
                  text)


def main():
    tap = Tap()
    check_fill(tap)
    check_late(tap)
    with tempfile.TemporaryDirectory(prefix="weir-h5-") as work:
        check(tap, verify(Path(work)), "types and selections", 0,
              rf"verified 1 file \({OBJECTS} objects\).*: all as written")
    with tempfile.TemporaryDirectory(prefix="weir-h5-") as work:
        check(tap, verify(Path(work), "more"),
              "variable length is unverifiable, what is removed is gone", 0,
              r"unverifiable: .*output.h5:/text: elements of such a type",
              r"0 DIFFER, 1 unverifiable; 1 removed by the program")
    with tempfile.TemporaryDirectory(prefix="weir-h5-") as work:
        check_again(tap, Path(work))
    return tap.done()


if __name__ == "__main__":
    if sys.argv[1:]:
        spoil(*sys.argv[1:], element=SPOILED)
    else:
        sys.exit(main())
