#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A trace of hundreds of processes is read whole with little of everything.

usage: run-crowd.py BUILD"""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from crowd import MIB, Crowd  # noqa: E402
from weirtool import Tap  # noqa: E402

PROCESSES, HOSTS, CALLS = 729, 27, 300
DESCRIPTORS = 64

# All their events take 19 MiB. Given two, the reader must do with them and
# what it has besides: names, processes, libraries, one block (5 to 6 MiB).
MEMORY, BESIDES = 2 * MIB, 10 * MIB

FORMS = (("a file of each process", "packed", PROCESSES),
         ("a file of each host", "packed", HOSTS),
         ("raw files of hosts", "raw", HOSTS),
         ("a raw file of each process", "raw", PROCESSES))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-crowd-") as scratch:
        for i, (name, form, hosts) in enumerate(FORMS):
            crowd = Crowd(sys.argv[1], Path(scratch) / str(i), form,
                          PROCESSES, hosts, CALLS)
            done = crowd.read(MEMORY, descriptors=DESCRIPTORS)
            tap.result(not done.wrong, f"{name}: nothing is missing",
                       done.wrong)
            tap.result(0 < done.memory <= MEMORY + BESIDES,
                       f"{name}: {done.memory / MIB:.1f} MiB are enough")
            wrong = crowd.dump(DESCRIPTORS)
            tap.result(not wrong, f"{name}: dumped in order", wrong)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
