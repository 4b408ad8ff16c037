# SPDX-License-Identifier: BSD-3-Clause
"""Writers (writer.c) under `weir run --forward` with a file system that fails,
and whether all that they were told is true."""
import errno
import os
import re
import subprocess
from pathlib import Path

from cast import UNSTORED
from told import Told
from weirtool import WEIR, run

ENTRY = re.compile(r'^(?:weir: )?\s*(\S+): bytes (\d+)-(\d+): ([^;\n]+)', re.M)
KEPT = re.compile(r'kept for `weir serve recover (\S+)`')


class Trial:
    def __init__(self, writer, place, spoil, files, processes, blocks):
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
            self.log, processes, blocks, *self.paths,
            check=False, timeout=60, stdin=subprocess.DEVNULL)
        self.told = Told(self.paths, processes, blocks).follow(
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
        """What the files bring back that are told is all that is missing."""
        if not self.told.unstored():
            return
        for rescued in sorted(set(KEPT.findall(self.done.stderr))):
            run(WEIR, 'serve', 'recover', rescued)
        yield from self.wrong_bytes(lambda block: True)
