#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every function of PnetCDF is in the table, or ignored with a reason.

Environment: SYMBOLS, what the table intercepts; IGNORED, what it does not.
"""
import os
import subprocess
import sys
from pathlib import Path

import layered  # noqa: F401 (finds weirtool)
from weirtool import Tap


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def functions(prefix):
    """What the library exports under its C names."""
    path = output("gcc", "-print-file-name=libpnetcdf.so").strip()
    lines = output("nm", "-D", "-f", "posix", "--defined-only", path)
    return {line.split()[0] for line in lines.splitlines()
            if line.startswith(prefix) and line.split()[1] in "TWi"}


def ignored(path):
    for line in Path(path).read_text().splitlines():
        names, _, reason = line.partition("#")[0].strip().partition(" ")
        for name in filter(None, names.split(",")):
            yield name, reason.strip()


def main():
    tap = Tap()
    there = functions("ncmpi_")
    table = {line.split()[0] for line in
             Path(os.environ["SYMBOLS"]).read_text().splitlines()}
    reasons = dict(ignored(os.environ["IGNORED"]))
    tap.result(table <= there, "what the table has is in the library",
               sorted(table - there))
    tap.result(set(reasons) <= there - table,
               "what is ignored is in the library, and in no table",
               sorted(set(reasons) - (there - table)))
    tap.result(all(reasons.values()), "for a reason")
    tap.result(there == table | set(reasons),
               f"all {len(there)} functions are in one or the other",
               sorted(there - table - set(reasons)))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
