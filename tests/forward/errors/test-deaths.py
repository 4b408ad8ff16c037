#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The file system fails, and the daemon is killed meanwhile: still each failure
is told, and what was acknowledged is stored or rescued.

usage: test-deaths.py WRITER [RUNS [SEED]]"""
import os
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent), str(HERE.parent.parent / 'lib')]
from trial import Trial  # noqa: E402
from weirtool import Tap  # noqa: E402

BLOCKS = 6
KILLS = 2  # three in a second are too many


def daemon_that_logs(log):
    """The process that has the log open to write, and is no writer."""
    for folder in Path('/proc').glob('[0-9]*'):
        try:
            if (folder / 'comm').read_text() != 'weir-serve\n':
                continue
            if any(os.readlink(fd) == str(log)
                   for fd in (folder / 'fd').iterdir()):
                return int(folder.name)
        except OSError:
            continue
    return None


def kill_daemons(log, is_over, killed):
    while len(killed) < KILLS and not is_over.is_set():
        pid = log.exists() and log.stat().st_size and daemon_that_logs(log)
        if pid and pid not in killed:
            time.sleep(random.uniform(0, 0.005))
            try:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            except OSError:
                pass
        time.sleep(0.001)


def attempt(tap, writer, spoil):
    is_over, killed = threading.Event(), []
    files, processes = random.randint(1, 3), random.randint(1, 3)
    with tempfile.TemporaryDirectory(prefix='weir-errors-') as place:
        killer = threading.Thread(target=kill_daemons, args=(
            Path(place) / 'log', is_over, killed))
        killer.start()
        try:
            trial = Trial(writer, place, spoil, files, processes, BLOCKS)
        finally:
            is_over.set()
            killer.join()
        faults = [*trial.faults(), *trial.recovers()]
        tap.result(not faults, f'{spoil}, {files} files, {processes} '
                   f'processes, {len(killed)} kills: '
                   f'{len(trial.told.unstored())} blocks not stored',
                   faults + [trial.done.stderr, trial.log.read_text()]
                   if faults else [])
        return len(killed)


def main(writer, runs=24, seed=None):
    tap, kills = Tap(), 0
    seed = int(seed or random.randrange(1 << 30))
    random.seed(seed)
    print(f'# seed {seed}')
    for _ in range(int(runs)):
        every, error = random.choice((0, 1, 2, 3, 5, 7)), random.choice(
            ('ENOSPC', 'EIO', 'EDQUOT'))
        kills += attempt(tap, writer, f'every={every},errno={error}')
    tap.result(kills > 2, f'{kills} kills')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
