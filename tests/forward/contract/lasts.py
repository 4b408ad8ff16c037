# SPDX-License-Identifier: BSD-3-Clause
"""Lines of doc/contract.md: what lasts, and closing."""
import os
import signal

from cast import (HELD, LOGGED, Play, Serving, daemon_of, expect, is_alive,
                  pattern, until)
from seen import opened

DATA = pattern(300_000)
WRITE = f'os.pwrite(fd, {DATA!r}, 10)'
STORED = bytes(10) + DATA


def lost(play, *victims):
    """Kill actors and daemon after a write that is not stored; then let go."""
    path = opened(play, 'file')
    play.freeze()
    play.actors[0].do(WRITE)
    expect(path.stat().st_size, 0)
    for victim in victims:
        os.kill(victim, signal.SIGKILL)
    for victim in victims:
        until(lambda: not is_alive(victim), 'a death')
    play.release()
    for actor in play.actors:
        actor.close()
    expect(play.finish(), 0)
    expect(path.read_bytes(), STORED)


def line_10():
    with Play(1, HELD) as play:
        lost(play, play.actors[0].do('os.getpid()'))
    with Play(1, HELD) as play:
        lost(play)


def line_11():
    with Play(1, HELD) as play:
        lost(play, daemon_of(play))


def line_12():
    with Play(1, HELD) as play:
        lost(play, play.actors[0].do('os.getpid()'), daemon_of(play))
    with Play(1, HELD) as play:
        lost(play, daemon_of(play), play.actors[0].do('os.getpid()'))


def synced(play, path):
    """Whether the last of the log on a file is that it was synced, behind
    all that was to be written."""
    rows = [row for row in play.operations() if row[4] == str(path)]
    return rows and rows[-1][0] == 'sync' and rows[-1][3] == 0


def line_13():
    for call in 'fsync', 'fdatasync':
        with Play(1, HELD) as play:
            actor, = play.actors
            path = opened(play, 'file')
            play.freeze()
            actor.do(WRITE)
            actor.tell(f'os.{call}(fd)')
            expect(actor.hear(0.2), None)
            expect(path.stat().st_size, 0)
            play.release()
            expect(actor.hear(), (None, None))
            expect(path.read_bytes(), STORED)
            expect(synced(play, path), True)


def line_14():
    """What others wrote before is stored first."""
    for flag in 'O_SYNC', 'O_DSYNC':
        with Play(2, HELD) as play:
            actor, other = play.actors
            path = play.file('file')
            actor.do('import fcntl')
            actor.do(f'fd = os.open({str(path)!r}, os.O_RDWR | os.O_CREAT | '
                     f'os.{flag}, 0o600)')
            expect(actor.do(f'fcntl.fcntl(fd, fcntl.F_GETFL) & os.{flag}'),
                   getattr(os, flag))
            opened_too(other, path)
            actor.do('os.pwrite(fd, b"at once", 0)')
            expect(path.read_bytes(), b'at once')
            expect(synced(play, path), True)
            expect(other.do('os.pread(fd, 100, 0)'), b'at once')
            play.freeze()
            other.do('os.pwrite(fd, b"later", 3)')
            actor.tell('os.pwrite(fd, b"1", 4)')
            expect(actor.hear(0.2), None)
            play.release()
            expect(actor.hear(), (None, 1))
            expect(path.read_bytes(), b'at l1ter')
            expect(synced(play, path), True)


def opened_too(actor, path):
    actor.do(f'fd = os.open({str(path)!r}, os.O_RDWR)')


def line_15():
    with Play(3) as play:
        for number, actor in enumerate(play.actors):
            path = play.file(str(number))
            actor.do(f'fd = os.open({str(path)!r}, os.O_WRONLY | os.O_CREAT)')
            actor.do(WRITE)
        expect(play.finish(), 0)
        for number in range(3):
            expect(play.file(str(number)).read_bytes(), STORED)
    for stop in 'stop', signal.SIGTERM:
        with Serving(options=['--policy', 'half']) as play:
            opened(play, 'file')
            play.actors[0].do(WRITE)
            expect(play.stop(stop), 0)
            expect(play.file('file').read_bytes(), STORED)


def closes_late(options, is_synced):
    with Play(1, HELD, options) as play:
        actor, = play.actors
        path = opened(play, 'file')
        play.freeze()
        actor.do(WRITE)
        actor.tell('os.close(fd)')
        expect(actor.hear(0.2), None)
        play.release()
        expect(actor.hear(), (None, None))
        expect(path.read_bytes(), STORED)
        expect(bool(synced(play, path)), is_synced)
        expect(play.finish(), 0)


def close_fails(options):
    """Told by close, or else at the end; in either case 8."""
    with Play(1, 'faulty:errno=EDQUOT', options) as play:
        actor, = play.actors
        opened(play, 'file')
        actor.do(WRITE)
        fault = actor.fails('os.close(fd)')
        expect(play.finish(), 8)
        return fault


def line_16():
    closes_late([], False)
    closes_late(['--on-close', 'store'], False)
    expect(close_fails([]), 'EDQUOT')


def line_17():
    options = ['--on-close', 'later']
    with Play(1, HELD, options) as play:
        actor, = play.actors
        path = opened(play, 'file')
        play.freeze()
        actor.do(WRITE)
        actor.do('os.close(fd)')
        expect(path.stat().st_size, 0)
        play.release()
        expect(play.finish(), 0)
        expect(path.read_bytes(), STORED)
    with Play(1, HELD + ',errno=EDQUOT,every=1', options) as play:
        actor, = play.actors
        opened(play, 'file')
        play.freeze()
        actor.do(WRITE)
        actor.do('os.close(fd)')
        play.release()
        expect(play.finish(), 8)


def line_18():
    closes_late(['--on-close', 'fsync'], True)
    expect(close_fails(['--on-close', 'fsync']), 'EDQUOT')


def line_19():
    with Play(1, LOGGED, ['--on-close', 'fsync']) as play:
        path = opened(play, 'file')
        play.actors[0].do(WRITE)
        expect(play.finish(), 0)
        expect(path.read_bytes(), STORED)
        expect(synced(play, path), True)
