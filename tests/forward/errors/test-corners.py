#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Failures of the file system where they are awkward.

usage: test-corners.py [WORD]     (only cases that have WORD in their name)"""
import errno
import os
import signal
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from cast import (HELD, UNSTORED, Missing, Play, daemon_of,  # noqa: E402
                  expect, is_alive, pattern, small_disk, supervisor_of, until)
from weirtool import WEIR, Tap, run  # noqa: E402

SICK = 'faulty:errno=EIO,file=bad,heal={heal},hold={hold},log={log}'
BLOCK = 65536


def opened(actor, path, more=''):
    actor.do(f'fd = os.open({str(path)!r}, os.O_RDWR | os.O_CREAT{more}, '
             '0o600)')
    return path


def others_eat_the_room():
    """A write that fitted when it returned, and does not when it is stored."""
    with small_disk(8 << 20) as disk, \
            Play(1, 'posix', ['--policy', 'half'], data=disk) as play:
        actor, = play.actors
        path, crumbs = opened(actor, disk / 'file'), disk / 'crumbs'
        data = pattern(3 << 20)
        actor.do(f'os.write(fd, {data[:1 << 20]!r} * 3)')
        run('dd', 'if=/dev/zero', f'of={crumbs}', 'bs=64k', check=False)
        expect(actor.fails('os.fsync(fd)'), 'ENOSPC')
        expect(actor.fails('os.fsync(fd)'), 'ENOSPC')
        expect(actor.do('os.pread(fd, 1 << 20, 1 << 20)'), data[:1 << 20])
        expect(actor.fails('os.pwrite(fd, b"x" * 70000, 5 << 20)'), 'ENOSPC')
        crumbs.unlink()
        expect(actor.fails('os.fsync(fd)'), None)
        expect(actor.fails('os.close(fd)'), None)
        expect(play.finish(), 0)
        expect(path.read_bytes(), data[:1 << 20] * 3)


def several_fill_the_disk():
    """Each is told by write, and what was acknowledged is there."""
    step = ('def fill(seed):\\n done = 0\\n try:\\n  while done < 9 << 20:\\n'
            '   done += os.write(fd, bytes([seed]) * 50_000)\\n'
            ' except OSError as error:\\n  return done, error.errno\\n'
            ' return done, 0')
    with small_disk(8 << 20) as disk, Play(3, data=disk) as play:
        for number, actor in enumerate(play.actors):
            opened(actor, disk / str(number))
            actor.do(f'exec("{step}", globals())')
        for number, actor in enumerate(play.actors):
            actor.tell(f'fill({number + 1})')
        done = [actor.hear()[1] for actor in play.actors]
        expect({error for _, error in done}, {errno.ENOSPC})
        for actor in play.actors:
            expect(actor.fails('os.fsync(fd)'), None)
        expect(play.finish(), 0)
        for number, (length, _) in enumerate(done):
            expect((disk / str(number)).read_bytes() ==
                   bytes([number + 1]) * length, True)
        expect(sum(length for length, _ in done) > 7 << 20, True)


def the_disk_stays_full():
    """What does not fit is told, rescued, and fits elsewhere later."""
    with small_disk(8 << 20) as disk, \
            Play(1, 'posix', ['--policy', 'half'], data=disk) as play:
        actor, = play.actors
        path, crumbs = opened(actor, disk / 'file'), disk / 'crumbs'
        actor.do('os.write(fd, b"abcd" * 500_000)')
        run('dd', 'if=/dev/zero', f'of={crumbs}', 'bs=64k', check=False)
        expect(play.finish(), UNSTORED)
        expect('No space left' in play.said(), True)
        crumbs.unlink()
        for rescued in play.rescue.iterdir():
            run(WEIR, 'serve', 'recover', rescued)
        expect(path.read_bytes(), b'abcd' * 500_000)


def one_file_of_two_processes():
    with Play(2, SICK) as play:
        first, second = play.actors
        for actor in play.actors:
            opened(actor, play.file('bad'))
        play.freeze()
        first.do('os.pwrite(fd, b"first", 0)')
        second.do('os.pwrite(fd, b"second", 100)')
        play.release()
        for actor in play.actors:
            expect(actor.fails('os.fsync(fd)'), 'EIO')
        expect(first.fails('os.close(fd)'), 'EIO')
        expect(second.do('os.pread(fd, 5, 0)'), b'first')
        play.heal.touch()
        expect(second.fails('os.fsync(fd)'), None)
        expect(second.fails('os.close(fd)'), None)
        expect(play.finish(), 0)
        expect(play.file('bad').read_bytes(),
               b'first' + bytes(95) + b'second')


def files_of_two_processes():
    with Play(2, SICK) as play:
        first, second = play.actors
        opened(first, play.file('bad'))
        opened(second, play.file('good'))
        for actor in play.actors:
            actor.do('os.pwrite(fd, b"data", 0)')
        expect(first.fails('os.fsync(fd)'), 'EIO')
        expect(second.fails('os.fsync(fd)'), None)
        expect(second.fails('os.close(fd)'), None)
        expect(play.file('good').read_bytes(), b'data')
        expect(play.finish(), UNSTORED)


def writes_after_a_failure():
    """They wait for the file system, and are told by write itself."""
    with Play(1, SICK) as play:
        actor, = play.actors
        path = opened(actor, play.file('bad'))
        actor.do('os.pwrite(fd, b"one", 0)')
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        expect(actor.fails('os.pwrite(fd, b"two", 10)'), 'EIO')
        play.heal.touch()
        expect(actor.do('os.pwrite(fd, b"three", 20)'), 5)
        expect(actor.fails('os.fsync(fd)'), None)
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'one' + bytes(17) + b'three')


def a_stream_is_closed():
    """fclose tells what close is told, and fflush when the write itself fails;
    libc does not keep what it could not write."""
    with Play(1, SICK) as play:
        actor, = play.actors
        path = str(play.file('bad')).encode()
        actor.do('import ctypes')
        actor.do('c = ctypes.CDLL(None, use_errno=True); '
                 'c.fopen.restype = ctypes.c_void_p')
        actor.do(f's = ctypes.c_void_p(c.fopen({path!r}, b"w"))')
        expect(actor.do('c.fputs(b"one", s) >= 0'), True)
        expect(actor.do('(c.fclose(s), ctypes.get_errno())'),
               (-1, errno.EIO))
        actor.do(f's = ctypes.c_void_p(c.fopen({path!r}, b"r+"))')
        actor.do('(c.fputs(b"two", s), ctypes.set_errno(0))')
        expect(actor.do('(c.fflush(s), ctypes.get_errno())'),
               (-1, errno.EIO))
        expect(actor.do('c.ferror(s) != 0'), True)
        play.heal.touch()
        expect(actor.do('c.fclose(s)'), 0)
        expect(play.finish(), 0)
        expect(play.file('bad').read_bytes(), b'one')


def overwritten_after_a_failure():
    """What is written later over what failed is what stays."""
    with Play(1, SICK) as play:
        actor, = play.actors
        path = opened(actor, play.file('bad'))
        actor.do('os.pwrite(fd, b"a" * 1000, 0)')
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        play.heal.touch()
        actor.do('os.pwrite(fd, b"b" * 500, 250)')
        expect(actor.do('os.pread(fd, 1000, 0)'),
               b'a' * 250 + b'b' * 500 + b'a' * 250)
        expect(actor.fails('os.fsync(fd)'), None)
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'a' * 250 + b'b' * 500 + b'a' * 250)


def syncing_fails():
    """The kernel tells it once; a second fsync proves nothing."""
    with Play(2, 'faulty:op=sync,errno=EIO,count=1,log={log}') as play:
        for actor in play.actors:
            path = opened(actor, play.file('file'))
        first, second = play.actors
        first.do('os.pwrite(fd, b"data", 0)')
        expect(first.fails('os.fsync(fd)'), 'EIO')
        expect(first.fails('os.fsync(fd)'), 'EIO')
        expect(second.fails('os.fsync(fd)'), 'EIO')
        for actor in play.actors:
            actor.fails('os.close(fd)')
        play.finish()
        expect(path.read_bytes(), b'data')


def a_synced_write_fails():
    """And what comes after it is not called kept."""
    with Play(1, 'faulty:op=sync,errno=EIO,count=1') as play:
        actor, = play.actors
        opened(actor, play.file('file'), ' | os.O_SYNC')
        expect(actor.fails('os.write(fd, b"data")'), 'EIO')
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        actor.fails('os.close(fd)')
        play.finish()


def syncing_failed_before_the_daemon():
    """The next daemon's fsync succeeds, and proves as little."""
    with Play(1, 'faulty:op=sync,errno=EIO,heal={heal}') as play:
        actor, = play.actors
        path = opened(actor, play.file('file'))
        actor.do('os.pwrite(fd, b"data", 0)')
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        play.heal.touch()
        os.kill(daemon_of(play), signal.SIGKILL)
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        actor.fails('os.close(fd)')
        play.finish()
        expect(path.read_bytes(), b'data')


def truncating_fails():
    with Play(1, 'faulty:op=truncate,errno=EIO,count=1') as play:
        actor, = play.actors
        path = opened(actor, play.file('file'))
        actor.do('os.pwrite(fd, b"0123456789", 0)')
        expect(actor.fails('os.ftruncate(fd, 4)'), 'EIO')
        expect(actor.do('os.pread(fd, 100, 0)'), b'0123456789')
        actor.do('os.ftruncate(fd, 3)')
        expect(actor.do('os.pread(fd, 100, 0)'), b'012')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'012')


def reading_fails():
    """Bytes that only the file system has cannot be made up."""
    with Play(1, 'faulty:op=read,errno=EIO', ['--policy', 'half']) as play:
        path = play.file('file')
        path.write_bytes(b'x' * 8192)
        actor, = play.actors
        opened(actor, path)
        actor.do('os.pwrite(fd, b"new", 0)')
        expect(actor.do('os.pread(fd, 3, 0)'), b'new')
        if not actor.fails('os.pread(fd, 100, 0)'):
            expect(actor.value, b'new' + b'x' * 97)
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'new' + b'x' * 8189)


def the_cache_is_full_of_what_fails():
    """Nobody waits for ever; what could be stored is."""
    with Play(3, SICK, ['--cache', '4M']) as play:
        for number, actor in enumerate(play.actors):
            opened(actor, play.file('good' if number == 2 else f'bad{number}'))
            actor.tell(f'[os.write(fd, b"%02x" % i * {BLOCK // 2}) '
                       'for i in range(128)]')
        heard = [actor.hear() for actor in play.actors]
        expect([answer and answer[0] for answer in heard],
               ['EIO', 'EIO', None])
        expect(play.actors[2].fails('os.fsync(fd)'), None)
        play.heal.touch()
        for actor in play.actors:
            expect(actor.fails('os.fsync(fd)'), None)
        expect(play.finish(), 0)
        expect(play.file('good').read_bytes(),
               b''.join(b'%02x' % i * (BLOCK // 2) for i in range(128)))


def the_cache_is_full_of_what_is_slow():
    """Writers wait for room, and nothing fails."""
    with Play(2, HELD, ['--cache', '4M']) as play:
        play.freeze()
        for number, actor in enumerate(play.actors):
            opened(actor, play.file(str(number)))
            actor.tell(f'[os.write(fd, b"%02x" % i * {BLOCK // 2}) '
                       'for i in range(128)]')
        expect(play.actors[0].hear(0.3), None)
        play.release()
        for actor in play.actors:
            expect(actor.hear(), (None, [BLOCK] * 128))
        expect(play.finish(), 0)
        for number in range(2):
            expect(play.file(str(number)).read_bytes(),
                   b''.join(b'%02x' % i * (BLOCK // 2) for i in range(128)))


def the_program_fails_too():
    """Its own status is worth more than ours."""
    with Play(1, SICK, tail='exit 3') as play:
        actor, = play.actors
        opened(actor, play.file('bad'))
        actor.do('os.pwrite(fd, b"data", 0)')
        expect(play.finish(), 3)
        expect('bytes 0-3' in play.said(), True)


def removed_while_others_have_it():
    """A file without a name is still theirs; nothing of it is left over."""
    with Play(2, SICK) as play:
        first, second = play.actors
        for actor in play.actors:
            opened(actor, play.file('bad'))
        first.do('os.pwrite(fd, b"data", 0)')
        expect(first.fails('os.fsync(fd)'), 'EIO')
        first.fails('os.close(fd)')
        first.do(f'os.unlink({str(play.file("bad"))!r})')
        expect(second.do('os.pread(fd, 4, 0)'), b'data')
        second.fails('os.close(fd)')
        until(lambda: not play.told('status')['unstored'], 'its end')
        expect(play.finish(), 0)


def recovered(play, path, wanted):
    for rescued in play.rescue.iterdir():
        run(WEIR, 'serve', 'recover', rescued)
    expect(path.read_bytes(), wanted)


def sick_file(play):
    actor = play.actors[0]
    path = opened(actor, play.file('bad'))
    actor.do('os.pwrite(fd, b"kept", 5)')
    return actor, path, bytes(5) + b'kept'


def the_writer_dies():
    with Play(1, SICK) as play:
        actor, path, wanted = sick_file(play)
        os.kill(actor.do('os.getpid()'), signal.SIGKILL)
        expect(play.finish(), UNSTORED)
        recovered(play, path, wanted)


def the_daemon_dies():
    """The next one knows what could not be stored."""
    with Play(1, SICK) as play:
        actor, path, wanted = sick_file(play)
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        before = play.told('errors')['entries']
        old = daemon_of(play)
        os.kill(old, signal.SIGKILL)
        until(lambda: daemon_of(play) != old, 'the next daemon')
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        after = play.told('errors')['entries']
        for entry in before + after:
            del entry['tries'], entry['when']
        expect(after, before)
        play.heal.touch()
        expect(actor.fails('os.fsync(fd)'), None)
        expect(play.finish(), 0)
        expect(path.read_bytes(), wanted)


def the_daemon_dies_and_it_stays():
    with Play(1, SICK) as play:
        actor, path, wanted = sick_file(play)
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        os.kill(daemon_of(play), signal.SIGKILL)
        expect(play.finish(), UNSTORED)
        recovered(play, path, wanted)


def the_supervisor_dies():
    with Play(1, SICK) as play:
        actor, path, wanted = sick_file(play)
        supervisor, daemon = supervisor_of(play), daemon_of(play)
        os.kill(supervisor, signal.SIGKILL)
        until(lambda: not is_alive(supervisor), 'its death')
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        expect(play.finish() != 0, True)
        until(lambda: not is_alive(daemon), 'the end of the daemon')
        recovered(play, path, wanted)


CASES = [several_fill_the_disk, the_writer_dies, the_daemon_dies, the_daemon_dies_and_it_stays,
         the_supervisor_dies,
         others_eat_the_room, the_disk_stays_full, one_file_of_two_processes,
         files_of_two_processes, writes_after_a_failure, a_stream_is_closed,
         overwritten_after_a_failure, syncing_fails,
         a_synced_write_fails, syncing_failed_before_the_daemon,
         truncating_fails,
         reading_fails, the_cache_is_full_of_what_fails,
         the_cache_is_full_of_what_is_slow, the_program_fails_too,
         removed_while_others_have_it]


def main(word=''):
    tap = Tap()
    for case in CASES:
        name = case.__name__.replace('_', ' ')
        if word not in name:
            continue
        try:
            case()
            tap.result(True, name)
        except Missing as missing:
            tap.skip(name, missing)
        except Exception:
            tap.result(False, name, traceback.format_exc().splitlines())
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
