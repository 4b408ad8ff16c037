#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each failure of the file system is told: to the right file, once, and never
as success.

usage: test-errors.py WRITER

For each errno, every n-th write of the daemon that fails, 1 to 3 files and 1 to 3
processes: what fsync and close returned, the exit code, what
`weir run` says, and the bytes in the files are held against the log of the
plug-in that let them fail; then all is recovered from the rescue file."""
import sys
import tempfile
from itertools import product
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cast  # noqa: E402, F401
from trial import Trial  # noqa: E402
from weirtool import Tap  # noqa: E402

BLOCKS = 5
EVERY = 1, 2, 3, 5, 7
ERRORS = 'ENOSPC', 'EIO', 'EDQUOT', 'EROFS', 'ESTALE'


def attempt(tap, writer, spoil, files, processes):
    with tempfile.TemporaryDirectory(prefix='weir-errors-') as place:
        trial = Trial(writer, place, spoil, files, processes, BLOCKS)
        faults = [*trial.faults(), *trial.recovers()]
        unstored = len(trial.told.unstored())
        tap.result(not faults, f'{spoil}, {files} files, {processes} '
                   f'processes: {unstored} blocks not stored',
                   faults + [trial.done.stderr] if faults else [])
        return unstored


def main(writer):
    tap, unstored = Tap(), 0
    for error, every, files, processes in product(ERRORS, EVERY, (1, 2, 3),
                                                  (1, 2, 3)):
        spoil = f'every={every},errno={error}'
        unstored += attempt(tap, writer, spoil, files, processes)
    for spoil in 'short=1,every=1', 'short=1,every=3', 'every=0':
        attempt(tap, writer, spoil, 2, 2)
    for spoil in 'file=file1', 'count=3', 'from=4,count=5,every=2':
        unstored += attempt(tap, writer, spoil + ',errno=EIO', 3, 2)
    tap.result(unstored > 50, 'enough could not be stored')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
