#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""weir run --verify of datasets of many types, shapes and selections.

Environment: WEIR, H5WRITER.
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


def spoil(path, dataset):
    """Change the first byte of a contiguous dataset behind everybody."""
    told = subprocess.run(["h5dump", "-p", "-H", "-d", dataset, path],
                          check=True, capture_output=True, text=True).stdout
    with open(path, "r+b") as file:
        file.seek(int(re.search(r"OFFSET (\d+)", told)[1]))
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


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-h5-") as work:
        check(tap, verify(Path(work)), "types and selections", 0,
              rf"verified 1 file \({OBJECTS} objects\).*: all as written")
    with tempfile.TemporaryDirectory(prefix="weir-h5-") as work:
        check(tap, verify(Path(work), "more"),
              "variable length is not provable, what is removed is gone", 0,
              r"not provable: .*output.h5:/text: elements of such a type",
              r"0 DIFFER, 1 not provable; 1 removed by the program")
    with tempfile.TemporaryDirectory(prefix="weir-h5-") as work:
        check_again(tap, Path(work))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
