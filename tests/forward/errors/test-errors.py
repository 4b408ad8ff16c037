#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each failure of the file system is told: to the right file, once, and never
as success.

usage: test-errors.py WRITER

For each errno, every n-th write of the daemon that fails, 1 to 3 files and 1 to 3
processes: what fsync and close returned, the exit code, what
`weir run` says, and the bytes in the files are held against the log of the
plug-in that let them fail; then all is recovered from the rescue file."""
import errno
import os
import re
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from cast import UNSTORED  # noqa: E402
from told import Told  # noqa: E402
from weirtool import WEIR, Tap, run  # noqa: E402

BLOCKS = 5
EVERY = 1, 2, 3, 5, 7
ERRORS = 'ENOSPC', 'EIO', 'EDQUOT', 'EROFS', 'ESTALE'
ENTRY = re.compile(r'^(?:weir: )?\s*(\S+): bytes (\d+)-(\d+): ([^;\n]+)', re.M)


class Trial:
    def __init__(self, writer, place, spoil, files, processes):
        self.place, self.processes = Path(place), processes
        self.data = self.place / 'data'
        self.data.mkdir()
        self.paths = [self.data / f'file{i}' for i in range(files)]
        self.log, self.rescue = self.place / 'log', self.place / 'rescue'
        self.rescue.mkdir()
        self.done = run(
            WEIR, 'run', '-q', '-o', self.place / 'trace',
            f'--forward={self.data}', '--rescue', self.rescue,
            '--backend', f'faulty:{spoil},log={self.log}', '--', writer,
            self.log, processes, BLOCKS, *self.paths,
            check=False, timeout=60, stdin=subprocess.DEVNULL)
        self.told = Told(self.paths, processes, BLOCKS).follow(
            self.log.read_text(), re.findall('errno=(E[A-Z]+)', spoil))

    def faults(self):
        yield from self.told.faults
        unstored = self.told.unstored()
        status = self.done.returncode
        if status != (UNSTORED if unstored else 0):
            yield f'returned {status}, {len(unstored)} blocks not stored'
        if self.told.answers != 3 * len(self.paths) * self.processes:
            yield f'only {self.told.answers} answers'
        said = sorted((path, int(first), int(last) - int(first) + 1, why)
                      for path, first, last, why
                      in ENTRY.findall(self.done.stderr))
        wanted = [(path, offset, length,
                   os.strerror(getattr(errno, error)))
                  for path, offset, length, error in unstored]
        if said != wanted:
            yield f'told {said} instead of {wanted}'
        yield from self.wrong_bytes(lambda block: not block.is_bad)

    def wrong_bytes(self, is_wanted):
        for path in self.paths:
            data = path.read_bytes()
            for block in self.told.files[str(path)]:
                got = data[block.offset:block.offset + block.length]
                if block.is_refused:
                    continue
                if is_wanted(block) and got != block.bytes:
                    yield f'{path.name}: wrong bytes at {block.offset}'
                elif not is_wanted(block) and not block.stored and any(got):
                    yield f'{path.name}: bytes at {block.offset} after all'

    def recovers(self):
        """What the rescue file brings back is all that is missing."""
        if not self.told.unstored():
            return
        for rescued in sorted(self.rescue.iterdir()):
            run(WEIR, 'serve', 'recover', rescued)
        yield from self.wrong_bytes(lambda block: True)


def attempt(tap, writer, spoil, files, processes):
    with tempfile.TemporaryDirectory(prefix='weir-errors-') as place:
        trial = Trial(writer, place, spoil, files, processes)
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
