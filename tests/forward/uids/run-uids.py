#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Three users, each with a service and a program; each tries the others'.

usage: run-uids.py HONEST

Wants root, to be others. Then once more with directories and sockets open for
all, as a user with another umask or a bad file system might have them.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'lib'))
from weirtool import WEIR  # noqa: E402
import intrude  # noqa: E402
from public import is_public, run_in_public  # noqa: E402

UIDS = (64101, 64102, 64103)


def run(uid, *command, **more):
    env = {'PATH': os.environ['PATH'], 'LANG': 'C'}
    return subprocess.Popen([str(word) for word in command], user=uid,
                            group=uid, extra_groups=[], env=env, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            **more)


def finish(process):
    out, err = process.communicate(timeout=120)
    if process.returncode:
        raise RuntimeError(f'{process.args} returned {process.returncode}:'
                           f' {out}{err}')
    return out


class User:
    """A service of one's own, and an honest program that uses it."""

    def __init__(self, uid, honest, scratch):
        self.uid, home = uid, scratch / str(uid)
        home.mkdir(mode=0o700)
        os.chown(home, uid, uid)
        self.file = home / 'honest'
        self.place = finish(run(uid, WEIR, 'serve', 'start', '--cache',
                                '16M')).strip()
        self.program = run(
            uid, WEIR, 'run', '-q', f'--forward={home}', '--server',
            self.place, '-o', home / 'trace', '--', honest, self.file,
            stdin=subprocess.PIPE)
        said = self.program.stdout.readline()
        if not said.startswith(self.place + '|'):
            raise RuntimeError(f'no program: {said!r}')
        self.first = self.status()

    def status(self):
        return json.loads(finish(run(self.uid, WEIR, 'serve', 'status',
                                     '--json', '--at', self.place)))

    def faults(self):
        """At the end: whether anybody has noticed anything."""
        now = self.status()
        if now['restarts'] or now['daemon'] != self.first['daemon']:
            yield f'{self.uid}: the daemon had to be started again'
        said = self.program.communicate(timeout=60)[0]
        words = said.split()
        print(self.uid, said.strip())
        if self.program.returncode or words[2:4] != ['0', 'faults,']:
            yield f'{self.uid}: the program noticed: {said!r}'
        elif zlib.adler32(self.file.read_bytes()) != int(words[4]):
            yield f'{self.uid}: the file is another'
        finish(run(self.uid, WEIR, 'serve', 'stop', '--wait', '--at',
                   self.place))

    def end(self):
        """However it went: nothing is left running."""
        self.program.kill()
        run(self.uid, WEIR, 'serve', 'stop', '--now', '--at',
            self.place).communicate(timeout=60)


def said_as(uid, work, *words):
    """The lines that a function returns to a process of this user."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            os.write(theirs, '\n'.join(work(*words)).encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as answer:
        lines = answer.read().splitlines()
    os.waitpid(child, 0)
    return lines


def faults_of(intruder, other, allowed):
    """What one user can do to another's service and should not."""
    said = said_as(intruder.uid, intrude.try_all, Path(other.place),
                   other.first['daemon'], other.file, WEIR)
    if not said or int(said[-1].split()[0]) < 15:
        yield f'only {said} was tried'
    for line in said[:-1]:
        if line.removeprefix('could ') not in allowed:
            yield f'{intruder.uid} {line} of {other.uid}'


def open_for_all(user):
    """Sockets can be reached; who connects is seen by the kernel's word."""
    os.chmod(user.place, 0o755)
    for name in ('door', 'above'):
        os.chmod(os.path.join(user.place, name), 0o777)


def each_tries_each(users, allowed):
    return [fault for intruder in users for other in users
            if intruder is not other
            for fault in faults_of(intruder, other, allowed)]


def play(users):
    found = each_tries_each(users, set())
    for user in users:
        open_for_all(user)
    found += each_tries_each(users, {'list the runtime directory'})
    return found + [fault for user in users for fault in user.faults()]


def reason_to_skip():
    return 'not root: nobody else can be tried' if os.getuid() else ''


def main(honest):
    why = reason_to_skip()
    if why:
        print('skipped:', why)
        return 77
    with tempfile.TemporaryDirectory(prefix='weir-uids-') as scratch:
        os.chmod(scratch, 0o755)
        honest = shutil.copy(honest, scratch)
        users = [User(uid, honest, Path(scratch)) for uid in UIDS]
        try:
            found = play(users)
        finally:
            for user in users:
                user.end()
    print('\n'.join(f'FAIL: {fault}' for fault in found))
    print(f'{len(users)} users, {len(found)} faults')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]) if is_public(Path(WEIR)) else
             run_in_public())
