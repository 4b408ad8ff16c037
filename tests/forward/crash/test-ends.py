#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How runs end whose daemons died or hung: the status is the program's when all
is stored, else it is 8 and what is not stored is listed.

usage: test-ends.py [CASE]..."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
for folder in (HERE.parent, HERE.parent / 'contract'):
    sys.path.insert(0, str(folder))
from cast import (HELD, UNSTORED, WEIR, Play, Serving,  # noqa: E402
                  daemon_of, expect, is_alive, play_cases,
                  supervisor_of, until)
from deaths import kill_all_daemons  # noqa: E402
from seen import OPEN, opened  # noqa: E402

HEADING = 'could not all be stored'
DRAINS = 20
LATE = 36  # seconds: nothing is given up by then


def busy():
    """A drain stores what was written before it, whoever writes on."""
    with Serving(1, 'throttle:latency=20ms', ['--policy', 'half']) as play:
        actor, = play.actors
        pid = actor.do('os.getpid()')
        opened(play, 'file')
        actor.tell('[os.pwrite(fd, b"x" * 9000, i % 999 * 9000) '
                   'for i in range(120000)] and None')
        for _ in range(DRAINS):
            done = play.serve('drain')
            expect((done.returncode, done.stdout + done.stderr), (0, ''))
        os.kill(pid, signal.SIGKILL)


def killed_drain():
    """The next daemon is asked when one dies meanwhile."""
    with Play(1, HELD) as play:
        actor, = play.actors
        path = opened(play, 'file')
        actor.do('os.pwrite(fd, b"kept", 0)')
        play.freeze()
        drain = subprocess.Popen([WEIR, 'serve', 'drain', '--at',
                                  play.service], stderr=subprocess.PIPE)
        time.sleep(0.3)  # a drain that is not heard by now is not cut off
        os.kill(daemon_of(play), signal.SIGKILL)
        play.release()
        _, said = drain.communicate(timeout=60)
        expect((drain.returncode, said), (0, b''))
        expect(path.read_bytes(), b'kept')
        expect(play.finish(), 0)


def stopped_drain():
    """A daemon that hangs is replaced, though no program waits for it."""
    with Play(1) as play:
        actor, = play.actors
        path = opened(play, 'file')
        actor.do('os.pwrite(fd, b"kept", 0)')
        os.kill(daemon_of(play), signal.SIGSTOP)
        expect(play.serve('drain').returncode, 0)
        expect(path.read_bytes(), b'kept')
        expect(play.finish(), 0)


def all_stored():
    """The service gave up when all was stored: the status is the program's."""
    with Play(1, options=['--policy', 'half']) as play:
        actor, = play.actors
        path = opened(play, 'file')
        actor.do('os.pwrite(fd, b"kept", 0)')
        actor.do('os.fsync(fd)')
        kill_all_daemons(play)
        expect((play.finish(), HEADING in play.said()), (0, False))
        expect(path.read_bytes(), b'kept')


def not_stored():
    """It gave up before: what is not stored is listed, and can be."""
    with Play(1, HELD, options=['--policy', 'half']) as play:
        actor, = play.actors
        path = opened(play, 'file')
        play.freeze()
        actor.do('os.pwrite(fd, b"rescued", 0)')
        kill_all_daemons(play)
        expect(play.finish(), UNSTORED)
        expect(f'{path}: bytes 0-6: ' in play.said(), True)
        rescued, = play.rescue.iterdir()
        subprocess.run([WEIR, 'serve', 'recover', rescued], check=True)
        expect(path.read_bytes(), b'rescued')


def not_created():
    """A file that was to be created later is created then, and whole."""
    with Play(1, options=['--defer', 'data']) as play:
        actor, = play.actors
        path = opened(play, 'file')
        actor.do('os.pwrite(fd, b"kept", 0)')
        kill_all_daemons(play)
        expect((play.finish(), HEADING in play.said()), (0, False))
        expect(path.read_bytes(), b'kept')


def late():
    """Who comes while the service ends waits, and goes straight then."""
    with Play(2, HELD, ['--on-close', 'later', '--policy', 'half']) as play:
        first, second = play.actors
        path, daemon = play.file('file'), daemon_of(play)
        first.do(OPEN.format(str(path)))
        play.freeze()
        first.do('os.pwrite(fd, b"one", 0)')
        os.kill(daemon, signal.SIGTERM)
        until(lambda: first.fails('os.pread(fd, 3, 0)'), 'the end')
        second.tell(OPEN.format(str(path)))
        expect(second.hear(0.3), None)
        play.release()
        expect(second.hear(), (None, None))
        until(lambda: not is_alive(daemon), 'the end of the daemon')
        second.do('os.pwrite(fd, b"two", 3)')
        expect((play.finish(), play.said()), (0, ''))
        expect(path.read_bytes(), b'onetwo')


def slow():
    """A service that answers late is waited for: nobody reads beside it."""
    with Play(2, options=['--policy', 'half']) as play:
        first, second = play.actors
        path, daemon = play.file('file'), daemon_of(play)
        first.do(OPEN.format(str(path)))
        first.do('os.pwrite(fd, b"one", 0)')
        both = [supervisor_of(play), daemon]
        for pid in both:
            os.kill(pid, signal.SIGSTOP)
        second.do(OPEN.format(str(path)))
        second.tell('os.pread(fd, 9, 0)')
        early = second.hear(LATE)
        for pid in reversed(both):  # it answers before it is asked for
            os.kill(pid, signal.SIGCONT)
        expect(early, None)
        expect(second.hear(), (None, b'one'))
        second.do('os.pwrite(fd, b"two", 3)')
        expect(first.do('os.pread(fd, 9, 0)'), b'onetwo')
        expect(play.finish(), 0)


CASES = (busy, killed_drain, stopped_drain, all_stored, not_stored,
         not_created, late, slow)


if __name__ == '__main__':
    sys.exit(play_cases(CASES, sys.argv[1:]))
