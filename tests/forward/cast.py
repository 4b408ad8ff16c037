# SPDX-License-Identifier: BSD-3-Clause
"""Programs under `weir run --forward` that do what a test tells them, step by
step: each is an actor (actor.py) with a pipe in and a pipe out."""
import ast
import contextlib
import ctypes
import json
import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'lib'))
from weirtool import WEIR, Failure, Tap, run  # noqa: E402

PATIENCE = 60  # seconds; nothing is measured by it
UNSTORED = 8   # what `weir run` returns

LOGGED = 'faulty:every=0,log={log}'  # nothing fails, all is logged
HELD = LOGGED + ',hold={hold}'       # and waits while the play is frozen


class Missing(Exception):
    """Something that the test needs is not here."""


def expect(value, wanted):
    if value != wanted:
        raise Failure(f'{str(value)[:300]} instead of {str(wanted)[:300]}')


def pattern(length, seed=0):
    """Bytes that differ from their neighbours, and from seed to seed."""
    period = bytes((seed * 37 + i * 7 + i // 251) & 255 for i in range(7919))
    return (period * (length // len(period) + 1))[:length]


def is_there(path):
    return os.path.lexists(path)


def is_alive(pid):
    try:
        stat = Path(f'/proc/{pid}/stat').read_text()
    except OSError:
        return False
    return stat.rpartition(')')[2].split()[0] not in 'ZX'


def enter_namespace():
    """Mount as one's own root, where one is not everybody's."""
    new_user, new_mounts = 0x10000000, 0x20000
    uid, gid = os.getuid(), os.getgid()
    if ctypes.CDLL(None).unshare(new_user | new_mounts):
        raise Missing('neither root nor user namespaces')
    Path('/proc/self/setgroups').write_text('deny')
    Path('/proc/self/uid_map').write_text(f'0 {uid} 1')
    Path('/proc/self/gid_map').write_text(f'0 {gid} 1')


def mount_small(place, size):
    return subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={size}',
                           'tmpfs', place], capture_output=True).returncode


@contextlib.contextmanager
def small_disk(size):
    """A file system with this much room."""
    with tempfile.TemporaryDirectory(prefix='weir-disk-') as place:
        if mount_small(place, size):
            enter_namespace()
            if mount_small(place, size):
                raise Missing('tmpfs cannot be mounted')
        try:
            yield Path(place)
        finally:
            subprocess.run(['umount', '-l', place], check=True)


def until(true, what):
    """Wait until true() is; its value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = true()
        if value:
            return value
        time.sleep(0.005)
    raise Failure(f'waited for long: {what}')


class Actor:
    """One program. What it is told to do returns, or raises OSError's name."""

    def __init__(self, place, number):
        self.pipes = [place / f'{number}.in', place / f'{number}.out']
        for pipe in self.pipes:
            os.mkfifo(pipe)
        self.into = self.out = None

    @property
    def command(self):
        return shlex.join(map(str, [sys.executable, HERE / 'actor.py',
                                    *self.pipes]))

    def meet(self):
        """Opening a pipe waits for the other end."""
        self.into = os.open(self.pipes[0], os.O_RDWR)
        self.out = os.open(self.pipes[1], os.O_RDWR)
        self.rest = b''

    def tell(self, line):
        """Asks without waiting for the answer."""
        os.write(self.into, line.encode() + b'\n')

    def hear(self, patience=PATIENCE):
        """The answer, (errno name or None, value); None: not yet."""
        end = time.monotonic() + patience
        while b'\n' not in self.rest:
            left = end - time.monotonic()
            if not select.select([self.out], [], [], max(left, 0))[0]:
                return None
            self.rest += os.read(self.out, 1 << 20)
        line, _, self.rest = self.rest.partition(b'\n')
        return ast.literal_eval(line.decode())

    def fails(self, line):
        """The errno's name by which it fails, or None."""
        self.tell(line)
        heard = self.hear()
        if heard is None:
            raise Failure(f'no answer: {line[:200]}')
        self.value = heard[1]
        return heard[0]

    def do(self, line):
        """The value of what must not fail."""
        fault = self.fails(line)
        if fault:
            raise Failure(f'{line[:200]}: {fault}')
        return self.value

    def close(self):
        if self.into is not None:
            # the reader sees the end when the last writer is gone
            os.close(self.into)
            os.close(self.out)
            self.into = None


class Play:
    """A service, and actors that go through it. Leave `with` to end it."""

    def __init__(self, actors=1, backend='posix', options=(), data=None,
                 tail='wait'):
        self.scratch = tempfile.TemporaryDirectory(prefix='weir-play-')
        self.place = Path(self.scratch.name)
        self.data = data or self.place / 'data'
        self.data.mkdir(exist_ok=True)
        for name in ('heal', 'hold', 'log'):
            setattr(self, name, self.place / name)
        self.actors = [Actor(self.place, i) for i in range(actors)]
        self.rescue = self.place / 'rescue'
        self.rescue.mkdir()
        self.errors = self.place / 'stderr'
        script = ' & '.join(actor.command for actor in self.actors)
        script += f'; {tail}'
        with open(self.errors, 'w') as errors:
            self.run = subprocess.Popen(
                [WEIR, 'run', '-q', '-o', self.place / 'trace',
                 f'--forward={self.data}', *self.stored_by(backend), *options,
                 '--', 'sh', '-c', script],
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
                cwd=self.place)
        self.status = None

    def stored_by(self, backend):
        if not backend:
            return []
        return ['--rescue', self.rescue, '--backend',
                backend.format(heal=self.heal, hold=self.hold, log=self.log)]

    def __enter__(self):
        for actor in self.actors:
            actor.meet()
        for actor in self.actors:
            actor.do('None')
        self.service = self.actors[0].do(
            'os.environ["WEIR_FORWARD"]').partition('|')[0]
        return self

    def __exit__(self, *_):
        self.release()
        for actor in self.actors:
            actor.close()
        try:
            self.finish()
        finally:
            if self.status is None:
                self.run.send_signal(signal.SIGKILL)
                self.run.wait()
            self.scratch.cleanup()

    def finish(self):
        """End all actors; what `weir run` returns."""
        for actor in self.actors:
            actor.close()
        if self.status is None:
            self.status = self.run.wait(timeout=PATIENCE)
        return self.status

    def freeze(self):
        self.hold.touch()

    def release(self):
        self.hold.unlink(missing_ok=True)

    def said(self):
        return self.errors.read_text()

    def file(self, name):
        return self.data / name

    def serve(self, *words):
        """`weir serve` to this service: the finished process."""
        return subprocess.run(
            [WEIR, 'serve', words[0], '--at', self.service, *words[1:]],
            capture_output=True, text=True, timeout=PATIENCE)

    def told(self, verb):
        """What `status` or `errors` tells as JSON."""
        done = self.serve(verb, '--json')
        if done.returncode not in (0, UNSTORED):
            raise Failure(f'weir serve {verb}: {done.stderr}')
        return json.loads(done.stdout)

    def operations(self):
        """The log of the plug-in `faulty`: (op, offset, length, result, path);
        a result is bytes, or an errno's name."""
        rows = []
        for line in self.log.read_text().splitlines():
            op, _, offset, length, result, path = line.split(' ', 5)
            rows.append((op, int(offset), int(length),
                         result if result[0] == 'E' else int(result), path))
        return rows


def daemon_of(play):
    """The process id of the daemon that serves now."""
    return play.told('status')['daemon']


def supervisor_of(play):
    """The daemon's parent, as long as it lives."""
    stat = Path(f'/proc/{daemon_of(play)}/stat').read_text()
    return int(stat.rpartition(')')[2].split()[1])


class Serving(Play):
    """Actors of a service that was started before, and outlives them."""

    def __init__(self, actors=1, backend='posix', options=(), data=None):
        self.started = tempfile.TemporaryDirectory(prefix='weir-serving-')
        self.at = Path(self.started.name) / 'service'
        self.log = self.hold = None
        run(WEIR, 'serve', 'start', '--at', self.at, '--backend', backend,
            *options)
        super().__init__(actors, None, ['--server', self.at], data)
        self.daemon = None

    def __enter__(self):
        super().__enter__()
        self.daemon, self.supervisor = daemon_of(self), supervisor_of(self)
        return self

    def __exit__(self, *_):
        try:
            super().__exit__(*_)
            run(WEIR, 'serve', 'stop', '--at', self.at, check=False)
        finally:
            self.started.cleanup()

    def stop(self, how):
        """Ends it when its actors have ended."""
        self.finish()
        if how == 'stop':
            return self.serve('stop').returncode
        os.kill(self.supervisor, how)
        until(lambda: not is_alive(self.supervisor), 'its end')
        return 0


def play_cases(cases, wanted):
    """A program's main: each case, or those of these names, is a test."""
    tap = Tap()
    for case in cases:
        if wanted and case.__name__ not in wanted:
            continue
        fault = ''
        try:
            case()
        except (Failure, subprocess.SubprocessError, OSError,
                ValueError) as failure:
            fault = str(failure)
        tap.result(not fault, f'{case.__name__}: {case.__doc__}', [fault])
    return tap.done()
