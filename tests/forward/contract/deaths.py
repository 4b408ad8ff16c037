# SPDX-License-Identifier: BSD-3-Clause
"""Lines of doc/contract.md: deaths of programs, daemon and supervisor."""
import os
import random
import signal
import time
from pathlib import Path

from cast import (HELD, Failure, Play, daemon_of, expect, is_alive, pattern,
                  supervisor_of, until)
from seen import opened

LARGE = 24 << 20


def killed_in_a_write(play):
    actor, = play.actors
    pid = actor.do('os.getpid()')
    path = opened(play, 'file')
    actor.do(f'data = (b"%07d\\n" * 512 % tuple(range(512))) * {LARGE >> 12}')
    actor.tell('os.pwrite(fd, data, 0)')
    time.sleep(random.uniform(0, 0.02))
    os.kill(pid, signal.SIGKILL)
    actor.close()
    expect(play.finish(), 0)
    return path.read_bytes()


def line_29():
    page = b''.join(b'%07d\n' % i for i in range(512))
    for _ in range(3):
        with Play(1) as play:
            stored = killed_in_a_write(play)
            pages = len(stored) // 4096 + 1
            expect(stored == (page * pages)[:len(stored)], True)


def line_30():
    model = bytearray(64 * 5000)
    with Play(2) as play:
        path = opened(play, 'file')
        for step in range(64):
            actor = play.actors[step % 2]
            data = pattern(5000, step)
            model[step * 5000:step * 5000 + 5000] = data
            actor.do(f'os.pwrite(fd, {data!r}, {step * 5000})')
            if step in (10, 40):
                os.kill(daemon_of(play), signal.SIGKILL)
            if step % 8 == 7:
                actor.do('os.fsync(fd)')
                expect(path.read_bytes(), bytes(model[:step * 5000 + 5000]))
        expect(play.finish(), 0)
        expect(path.read_bytes(), bytes(model))
    with Play(1) as play:
        actor, = play.actors
        opened(play, 'file')
        actor.do('[os.pread(fd, 1, 0) for _ in range(9)]')  # handed over
        kill_all_daemons(play)
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        expect(play.finish(), 0)


def daemons_below(pid):
    """Not the process that rescues what they left."""
    try:
        words = Path(f'/proc/{pid}/task/{pid}/children').read_text().split()
        return [int(word) for word in words if is_alive(int(word)) and
                Path(f'/proc/{word}/comm').read_text() == 'weir-serve\n']
    except OSError:
        return []


def kill_all_daemons(play):
    """As soon as they are there, until no other begins."""
    supervisor = supervisor_of(play)
    for _ in range(40):
        daemons = until(lambda: daemons_below(supervisor) or
                        not is_alive(supervisor), 'another daemon')
        if daemons is True:
            return
        for pid in daemons:
            os.kill(pid, signal.SIGKILL)
            until(lambda: not is_alive(pid), 'its death')
    raise Failure('there is always another daemon')


def replaced(play):
    """Stop the daemon; what took so long until a call was answered."""
    actor, = play.actors
    path = opened(play, 'file')
    actor.do('os.pwrite(fd, b"kept", 0)')
    old = daemon_of(play)
    os.kill(old, signal.SIGSTOP)
    start = time.monotonic()
    actor.do('os.fsync(fd)')
    print(f'# answered {time.monotonic() - start:.1f} s after it was stopped')
    expect(path.read_bytes(), b'kept')
    return old


def line_31():
    with Play(1) as play:
        old = replaced(play)
        expect(daemon_of(play) != old, True)
        expect(play.finish(), 0)


def line_32():
    with Play(1) as play:
        expect(is_alive(replaced(play)), False)
    with Play(1, HELD) as play:
        actor, = play.actors
        opened(play, 'file')
        play.freeze()
        actor.do('os.pwrite(fd, b"old", 0)')
        actor.tell('os.fsync(fd)')
        old = daemon_of(play)
        os.kill(old, signal.SIGKILL)
        new = until(lambda: daemon_of(play) != old and daemon_of(play),
                    'the next daemon')
        expect((is_alive(old), is_alive(new)), (False, True))
        play.release()
        expect(actor.hear(), (None, None))


def line_33():
    with Play(2) as play:
        path = opened(play, 'file')
        first, second = play.actors
        first.do('os.pwrite(fd, b"before", 0)')
        supervisor, daemon = supervisor_of(play), daemon_of(play)
        os.kill(daemon, signal.SIGSTOP)
        os.kill(supervisor, signal.SIGKILL)
        until(lambda: not is_alive(supervisor), 'its death')
        second.do('os.pwrite(fd, b"after", 6)')
        expect(first.do('os.pread(fd, 20, 0)'), b'beforeafter')
        second.do('os.fsync(fd)')
        first.do('os.pwrite(fd, b"the end", 11)')
        expect(play.finish(), 0)
        until(lambda: not is_alive(daemon), 'the end of the daemon')
        expect(path.read_bytes(), b'beforeafterthe end')
        expect(os.path.exists(play.service), False)


def line_34():
    with Play(1) as play:
        actor, = play.actors
        opened(play, 'file')
        actor.do('os.pwrite(fd, b"before", 0)')
        for victim in supervisor_of(play), daemon_of(play):
            os.kill(victim, signal.SIGKILL)
            until(lambda: not is_alive(victim), 'a death')
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        expect(actor.fails('os.pwrite(fd, b"after", 0)'), 'EIO')
        path = opened(play, 'new')
        actor.do('os.pwrite(fd, b"new", 0)')
        expect(path.read_bytes(), b'new')
