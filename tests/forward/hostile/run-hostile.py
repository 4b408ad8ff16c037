#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lie to a service in every way that a program can, beside an honest one.

usage: run-hostile.py HONEST LIAR [LIE...]     (SEED in the environment)

The honest program must notice nothing; the daemon neither ends nor keeps
descriptors of liars, and counts what it refused.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'lib'))
from weirtool import WEIR  # noqa: E402

REFUSED = {'noise', 'heads', 'texts', 'no-file', 'no-regular-file', 'rights',
           'tokens', 'odd-calls', 'all-slots', 'appends', 'records', 'used',
           'hoard', 'deferred-parents', 'deferred-tokens', 'deferred-others'}
REVIVALS = 4
SEED = os.environ.get('SEED', '0')
SPARE = 8  # descriptors that may be in use for a moment


class Service:
    """The honest program, forwarded, and what serves it."""

    def __init__(self, honest, scratch):
        self.file = scratch / 'honest'
        self.program = subprocess.Popen(
            [WEIR, 'run', '-q', f'--forward={scratch}', '--cache', '16M',
             '--defer', scratch, '-o', scratch / 'trace', '--', honest,
             self.file],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.place = self.program.stdout.readline().partition('|')[0]
        if not self.place.startswith('/'):
            sys.exit(f'FAIL: no service: {self.place!r}')

    def status(self):
        done = subprocess.run(
            [WEIR, 'serve', 'status', '--at', self.place, '--json'],
            capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(f'no status: {done.stderr}')
        return json.loads(done.stdout)

    def abandon(self):
        """However it went: nothing is left running."""
        self.program.kill()
        subprocess.run([WEIR, 'serve', 'stop', '--now', '--at', self.place],
                       stderr=subprocess.DEVNULL, timeout=60)

    def end(self):
        """What the honest program says at its end, and what is wrong."""
        said, _ = self.program.communicate(timeout=60)
        words = said.split()
        print(said.strip())
        if self.program.returncode or words[1:4] != ['rounds,', '0',
                                                     'faults,']:
            yield f'the honest program noticed: {said!r}'
        elif any(zlib.adler32(file.read_bytes()) != int(words[4])
                 for file in (self.file, Path(f'{self.file}.last'))):
            yield 'the file is not what the honest program wrote'
        elif Path(f'{self.file}.later').exists():
            yield 'what the honest program removed is there'
        elif int(words[0]) < 10:
            yield 'the honest program hardly did anything'


def parent(pid):
    stat = Path(f'/proc/{pid}/stat').read_text()
    return int(stat.rpartition(')')[2].split()[1])


def descriptors(status):
    """How many the daemon has open, and the supervisor above it."""
    return {pid: len(os.listdir(f'/proc/{pid}/fd'))
            for pid in (status['daemon'], parent(status['daemon']))}


def settles(service, before):
    """Descriptors of liars are closed soon after they ended."""
    for _ in range(100):
        now = descriptors(service.status())
        if all(now.get(pid, 0) <= before[pid] + SPARE for pid in before):
            return True
        time.sleep(0.1)
    print(f'descriptors before {before}, now {now}')
    return False


def faults_of_lie(service, liar, lie, scratch):
    """One liar; what is wrong after it."""
    before = service.status()
    used = descriptors(before)
    folder = scratch / lie
    folder.mkdir()
    env = {name: value for name, value in os.environ.items()
           if name != 'LD_PRELOAD'}
    done = subprocess.run([liar, service.place, folder, service.file, lie,
                           SEED], capture_output=True, text=True, env=env,
                          timeout=60, stdin=subprocess.DEVNULL)
    if done.returncode:
        yield f'{lie}: liar returned {done.returncode}: {done.stdout}'
    after = service.status()
    if after['restarts'] or after['daemon'] != before['daemon']:
        yield f'{lie}: the daemon had to be started again'
    if lie in REFUSED and after['refused'] <= before['refused']:
        yield f'{lie}: nothing was counted as refused'
    if not settles(service, used):
        yield f'{lie}: descriptors are left'
    if service.program.poll() is not None:
        yield f'{lie}: the honest program has ended'
    print(f'{lie}: refused {after["refused"] - before["refused"]}',
          flush=True)


def successor(service, died):
    """The status of the daemon that comes after one that was killed."""
    for _ in range(300):
        try:
            status = service.status()
            if status['daemon'] != died:
                return status
        except RuntimeError:
            pass
        time.sleep(0.05)
    raise RuntimeError('no other daemon came')


def faults_of_revival(service, liar, scratch):
    """A daemon is killed; the next one finds the nonsense of a liar."""
    folder = scratch / 'revival'
    folder.mkdir()
    with subprocess.Popen([liar, service.place, folder, service.file, 'stay',
                           SEED], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as program:
        for round_ in range(1, REVIVALS + 1):
            print(round_, file=program.stdin, flush=True)
            if program.stdout.readline() != 'ready\n':
                yield 'the liar has ended'
                break
            died = service.status()['daemon']
            os.kill(died, signal.SIGKILL)
            restarts = successor(service, died)['restarts']
            time.sleep(0.5)
            if {restarts, service.status()['restarts']} != {round_}:
                yield f'{restarts} daemons after {round_} were killed'
        program.stdin.close()
    if program.returncode:
        yield f'the liar returned {program.returncode}'
    print(f'{REVIVALS} daemons killed beside a liar', flush=True)


def main(honest, liar, *lies):
    known = subprocess.run([liar, 'list'], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split()
    if set(lies) - set(known) or REFUSED - set(known):
        sys.exit('FAIL: there is no such lie')
    with tempfile.TemporaryDirectory(prefix='weir-hostile-') as scratch:
        scratch = Path(os.path.realpath(scratch))
        service = Service(honest, scratch)
        try:
            found = [fault for lie in lies or known
                     for fault in faults_of_lie(service, liar, lie, scratch)]
            found += faults_of_revival(service, liar, scratch)
            found += service.end()
        finally:
            service.abandon()
    print('\n'.join(f'FAIL: {fault}' for fault in found))
    print(f'{len(lies or known)} lies, {len(found)} faults')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
