#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Deferred files are as any other, and those that are removed
in time never reach the file system.

usage: test-deferred.py [NAME...]    (which cases; all)"""
import os
import random
import signal
import subprocess
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from cast import (HELD, UNSTORED, WEIR, daemon_of, expect, is_alive,  # noqa: E402
                  pattern, until)
from deferred import Deferred  # noqa: E402
from weirtool import Tap  # noqa: E402

NEW = 'os.O_RDWR | os.O_CREAT | os.O_EXCL'


def never_created():
    """One that is removed in time is never created."""
    with Deferred(1) as play:
        actor, = play.actors
        path = play.opened('file')
        expect(actor.do('os.write(fd, b"x" * 5000)'), 5000)
        expect(actor.do('os.pread(fd, 9, 4995)'), b'x' * 5)
        actor.do('os.close(fd)')
        expect(play.told('status')['deferred_now'], 1)
        actor.do('os.unlink(path)')
        expect(actor.fails('os.unlink(path)'), 'ENOENT')
        expect(actor.fails('os.open(path, os.O_RDONLY)'), 'ENOENT')
        told = play.told('status')
        expect([told[key] for key in ('deferred_now', 'deferred', 'never_created',
                                      'never_created_bytes')], [0, 1, 1, 5000])
        expect(play.finish(), 0)
        play.is_deferred(path.name)


def many_temporaries():
    """As many as there are, written and read again: no name appears."""
    with Deferred(1) as play:
        actor, = play.actors
        actor.do(f'os.chdir({str(play.data)!r})')
        for number in range(300):
            data = pattern(number * 11 + 1, number)
            actor.do(f'fd = os.open("t{number}", {NEW}, 0o600)')
            actor.do(f'os.write(fd, {data!r}); os.close(fd)')
            actor.do(f'fd = os.open("t{number}", os.O_RDONLY)')
            expect(actor.do('os.read(fd, 5000)'), data)
            actor.do(f'os.close(fd); os.unlink("t{number}")')
        expect(play.finish(), 0)
        expect(play.watch.seen(), [])


def created_by_age():
    """Left alone it is created by itself, as the program wanted it."""
    with Deferred(1) as play:
        actor, = play.actors
        actor.do('os.umask(0o027)')
        path = play.opened('file', mode=0o765)
        data = pattern(70000)
        actor.do(f'os.write(fd, {data!r})')
        actor.do('os.lseek(fd, 1 << 20, 0); os.write(fd, b"end")')
        actor.do('os.lseek(fd, 5, 0)')
        play.is_deferred(path.name)
        play.await_creation(path.name)
        until(lambda: path.stat().st_size == (1 << 20) + 3, 'its bytes')
        until(lambda: path.stat().st_mode & 0o7777 == 0o740, 'its mode')
        expect(path.read_bytes()[:70000], data)
        expect(actor.do('os.read(fd, 5)'), data[5:10])  # and the offset
        actor.do('os.write(fd, b"later"); os.fsync(fd)')
        expect(path.read_bytes()[10:15], b'later')
        expect(play.finish(), 0)


def pass_by(actor, folder):
    """One comes and goes in a directory that was changed long ago."""
    actor.do(f'folder = {str(folder)!r}; path = folder + "/temporary"')
    actor.do('os.makedirs(folder, exist_ok=True); os.utime(folder, (1, 1))')
    actor.do(f'os.close(os.open(path, {NEW})); os.unlink(path)')


ASKED = ('os.stat(folder)', 'os.lstat(folder)', 'os.stat(".")',
         'os.fstat(os.open(folder, os.O_RDONLY))',
         'os.listdir(folder) or os.stat(folder)')


def changed_directory():
    """Its directory was changed by one that was never created."""
    with Deferred(2) as play:
        one, two = play.actors
        folder = play.file('folder')
        for asked in ASKED:
            pass_by(one, folder)
            expect(folder.stat().st_mtime, 1)
            one.do('os.chdir(folder)')
            before = one.do('__import__("time").time()')
            changed = one.do(f'({asked}).st_mtime')
            expect((asked, abs(changed - before) < 5), (asked, True))
            if 'list' not in asked:
                expect(one.do('os.stat(folder).st_atime'), 1)
        pass_by(one, folder)
        two.do(f'folder = {str(folder)!r}')
        expect(two.do('os.stat(folder).st_mtime') > 1, True)
        one.do('os.utime(folder, (1, 1))')
        expect(two.do('os.stat(folder).st_mtime'), 1)
        pass_by(one, folder)
        old = daemon_of(play)
        os.kill(old, signal.SIGKILL)
        until(lambda: not is_alive(old), 'its death')
        expect(one.do('os.stat(folder).st_mtime') > 1, True)
        for number in range(300):  # more than are remembered
            pass_by(one, folder / str(number))
        expect([number for number in range(300) if one.do(
            f'os.stat(f"{folder}/{number}").st_mtime') == 1], [])
        pass_by(one, folder / 'gone')
        one.do('os.rmdir(folder)')
        expect(play.finish(), 0)
        expect(play.watch.seen(), ['folder'])


def several_programs():
    """A second program finds it by its name, and is one more that has it."""
    with Deferred(2) as play:
        one, two = play.actors
        path = play.opened('file', 0)
        one.do('os.write(fd, b"of one")')
        two.do(f'path = {str(path)!r}')
        expect(two.fails(f'os.open(path, {NEW})'), 'EEXIST')
        two.do('fd = os.open(path, os.O_RDWR)')
        expect(two.do('os.read(fd, 99)'), b'of one')
        two.do('os.write(fd, b", of two")')
        expect(one.do('os.pread(fd, 99, 0)'), b'of one, of two')
        two.do('other = os.open(path, os.O_WRONLY | os.O_APPEND)')
        two.do('os.write(other, b".")')
        expect(one.do('os.fstat(fd).st_size'), 15)
        two.do('third = os.open(path, os.O_WRONLY | os.O_TRUNC)')
        expect(one.do('os.fstat(fd).st_size'), 0)
        one.do('os.pwrite(fd, b"after", 0)')
        play.is_deferred(path.name)
        two.do('os.unlink(path)')
        expect(one.do('os.pread(fd, 99, 0)'), b'after')
        expect(one.do('os.fstat(fd).st_nlink'), 0)
        one.do(f'fd2 = os.open(path, {NEW})')  # another of the same name
        expect(one.do('os.fstat(fd2).st_size'), 0)
        one.do('os.write(fd2, b"another")')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'another')


BY_NAME = {
    'stat': 'os.stat(path).st_size',
    'lstat': 'os.lstat(path).st_size',
    'access': 'os.access(path, os.R_OK) and 5',
    'rename': 'os.rename(path, path + "2") or os.rename(path + "2", path) or 5',
    'link': 'os.link(path, path + "2") or os.unlink(path + "2") or 5',
    'symlink': 'os.symlink(path, path + "2") or os.stat(path + "2").st_size',
    'chmod': 'os.chmod(path, 0o600) or 5',
    'utime': 'os.utime(path, (1, 1)) or int(os.stat(path).st_mtime) + 4',
    'truncate': 'os.truncate(path, 7) or os.stat(path).st_size - 2',
    'listdir': 'os.listdir(os.path.dirname(path)).count("file") + 4',
    'scandir': '[e.name for e in os.scandir(os.path.dirname(path))]'
               '.count("file") + 4',
    'relative': 'os.chdir(os.path.dirname(path)) or os.stat("file").st_size',
    'by directory': 'os.stat("file", dir_fd=os.open('
                    'os.path.dirname(path), os.O_RDONLY)).st_size',
    'statvfs': 'os.statvfs(path).f_bsize and 5',
    'mkdir': 'isinstance(attempt(os.mkdir, path), FileExistsError) and 5',
    'getxattr': 'os.listxattr(path) and 5 or 5',
    'rmdir': 'isinstance(attempt(os.rmdir, os.path.dirname(path)), OSError) '
             'and 5',
    'direct': 'os.close(os.open(path, os.O_RDONLY | os.O_SYNC)) or 5',
    'by number': 'os.stat(f"/proc/self/fd/{fd}").st_size',
    'where': 'os.readlink(f"/proc/self/fd/{fd}").endswith("/file") and 5',
    'whole': 'os.path.realpath(path).endswith("/file") and 5',
    'child': 'subprocess.run(["cat", path], capture_output=True).stdout'
             '.count(b"l") + 3',
}

BY_NUMBER = {
    'fsync': 'os.fsync(fd) or 5',
    'fdatasync': 'os.fdatasync(fd) or 5',
    'mmap': 'len(mmap.mmap(fd, 5)[:])',
    'flock': 'fcntl.flock(fd, 2) or 5',
    'lockf': 'fcntl.lockf(fd, 2) or 5',
    'fchmod': 'os.fchmod(fd, 0o600) or 5',
    'futimens': 'os.utime(fd, (1, 1)) or 5',
    'fallocate': 'os.posix_fallocate(fd, 0, 5) or 5',
    'sendfile': 'os.sendfile(os.memfd_create("x"), fd, 0, 5)',
    'copy': 'os.copy_file_range(fd, os.open(path + ".copy", '
            'os.O_CREAT | os.O_WRONLY), 5, 0)',
    'setxattr': 'os.listxattr(fd) and 5 or 5',
    'fstatvfs': 'os.fstatvfs(fd).f_bsize and 5',
    'child': 'subprocess.run(["cat"], stdin=fd, capture_output=True).stdout'
             '.count(b"l") + 3',
    'spawn': 'os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", "printf ABC"]'
             ', os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, fd, 1)]), 0)'
             '[1] or os.pread(fd, 9, 0) == b"heABC" and 5',
}

SIMPLE = {
    'read': 'len(os.pread(fd, 9, 0))',
    'fstat': 'os.fstat(fd).st_size',
    'links': 'os.fstat(fd).st_nlink + 4',
    'mode': 'os.fstat(fd).st_mode % 4096 // 64 - 1',  # 0666 & ~022
    'seek': 'os.lseek(fd, 0, 2)',
    'dup': 'os.lseek(os.dup(fd), 0, 2)',
    'truncate': 'os.ftruncate(fd, 9) or os.fstat(fd).st_size - 4',
    'getfl': 'fcntl.fcntl(fd, fcntl.F_GETFL) % 4 + 3',
    'stream': 'len(os.fdopen(os.dup(fd), "rb").read()) + 2',
    'isatty': 'os.isatty(fd) or 5',
}


def prepare(actor):
    for line in ('import fcntl, subprocess',
                 'exec("def attempt(what, *words):\\n try: what(*words)\\n'
                 ' except OSError as error: return error")'):
        actor.do(line)


def try_each(calls, is_created):
    for name, line in calls.items():
        with Deferred(1) as play:
            actor, = play.actors
            prepare(actor)
            path = play.opened('file')
            actor.do('os.write(fd, b"hello")')
            actor.do('os.lseek(fd, 2, 0)')
            play.is_deferred('file')
            expect((name, actor.do(line)), (name, 5))
            expect((name, 'file' in play.watch.seen()), (name, is_created))
            if is_created and name not in ('truncate', 'spawn'):
                expect((name, path.read_bytes()), (name, b'hello'))
            size = actor.do('os.lseek(fd, 0, 2)')
            actor.do('os.write(fd, b"!"); os.close(fd)')
            expect((name, play.finish()), (name, 0))
            expect((name, path.read_bytes()[size:]), (name, b'!'))


def by_name():
    """Whoever asks for the name meets a file."""
    try_each(BY_NAME, True)


def by_number():
    """So does what only a file can do; the offset stays."""
    try_each(BY_NUMBER, True)


def simple():
    """The usual calls do not need it."""
    try_each(SIMPLE, False)


def unlinked_while_open():
    """Without a name it is used on, however."""
    with Deferred(1) as play:
        actor, = play.actors
        prepare(actor)
        play.opened('file')
        actor.do('os.write(fd, b"hello"); os.unlink(path)')
        expect(actor.do('os.fstat(fd).st_nlink'), 0)
        actor.do('m = mmap.mmap(fd, 5); m[0:1] = b"j"; m.close()')
        actor.do('fcntl.lockf(fd, 2); os.fsync(fd); os.fchmod(fd, 0o600)')
        expect(actor.do('os.pread(fd, 9, 0)'), b'jello')
        expect(actor.do('subprocess.run(["cat", f"/proc/self/fd/{fd}"], '
                        'pass_fds=[fd], capture_output=True).stdout'),
               b'jello')
        expect(play.finish(), 0)
        expect(play.watch.seen(), [])


def long_ones():
    """More than fits into its share of memory is stored as ever."""
    with Deferred(1, options=['--cache', '16M']) as play:
        actor, = play.actors
        path = play.opened('file')
        model = b''
        for step in range(12):
            data = pattern(300_000, step)
            model += data
            actor.do(f'os.write(fd, {data!r})')
        expect('file' in play.watch.seen(), True)
        expect(actor.do('os.fstat(fd).st_size'), len(model))
        actor.do('two = os.open(path + "2", os.O_RDWR | os.O_CREAT)')
        actor.do('os.unlink(path + "2")')
        for step in range(8):
            actor.do(f'os.write(two, {pattern(300_000, step)!r})')
        expect(actor.do('os.fstat(two).st_nlink'), 0)
        expect(actor.do('os.pread(two, 1 << 22, 0)') == model[:2_400_000],
               True)
        expect(play.finish(), 0)
        expect(path.read_bytes() == model, True)
        expect(sorted(os.listdir(play.data)), ['file'])


def shared_by_fork():
    """Parent and child go on at one offset, whoever meets the file first."""
    with Deferred(2) as play:
        actor, other = play.actors
        path = play.opened('file')
        for line in ('os.write(fd, b"1")',
                     'ask = os.pipe(); said = os.pipe()',
                     'exec("pid = os.fork()\\nwhile not pid and '
                     'os.read(ask[0], 1):\\n os.write(fd, b\'c\'); '
                     'os.write(said[1], b\'.\')")'):
            actor.do(line)
        turn = 'os.write(ask[1], b"."), os.read(said[0], 1)'
        actor.do(turn)
        actor.do('os.write(fd, b"2")')
        play.is_deferred('file')
        other.do(f'os.stat({str(path)!r}).st_size')
        actor.do(turn)
        actor.do('os.write(fd, b"3")')
        actor.do(turn)
        expect(actor.do('os.lseek(fd, 0, 1)'), 6)
        expect(actor.do('os.pread(fd, 9, 0)'), b'1c2c3c')
        actor.do('os.kill(pid, 9), os.waitpid(pid, 0)')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'1c2c3c')


def daemon_dies():
    """Another one has what the last one had: to be created, or never."""
    with Deferred(1) as play:
        actor, = play.actors
        kept = play.opened('kept', mode=0o640)
        actor.do('kept = fd; os.write(kept, b"before")')
        actor.do('closed = os.open(path + "3", os.O_WRONLY | os.O_CREAT)')
        actor.do('os.write(closed, b"closed"); os.close(closed)')
        play.opened('gone')
        actor.do('os.write(fd, b"x")')
        old = daemon_of(play)
        os.kill(old, signal.SIGKILL)
        until(lambda: not is_alive(old), 'its death')
        actor.do('os.write(kept, b", after")')
        actor.do('os.unlink(path)')
        play.is_deferred('kept', 'gone', 'kept3')
        expect(play.told('status')['deferred_now'], 2)
        actor.do('os.fsync(kept)')
        expect(kept.read_bytes(), b'before, after')
        expect(kept.stat().st_mode & 0o777, 0o640)
        actor.do('os.write(kept, b"!")')
        expect(play.finish(), 0)
        expect(kept.read_bytes(), b'before, after!')
        expect(play.file('kept3').read_bytes(), b'closed')
        expect('gone' in play.watch.seen(), False)


def program_dies():
    """What a killed program had not removed is there at the end."""
    with Deferred(1) as play:
        actor, = play.actors
        path = play.opened('file')
        actor.do('os.write(fd, b"last words")')
        pid = actor.do('os.getpid()')
        os.kill(pid, signal.SIGKILL)
        actor.close()
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'last words')


def taken_name():
    """Another's file of that name stays as it is; nothing is lost silently."""
    with Deferred(1) as play:
        actor, = play.actors
        path = play.opened('file')
        actor.do('os.write(fd, b"ours")')
        path.write_bytes(b'theirs')
        expect(actor.fails('os.fsync(fd)'), 'EEXIST')
        expect(actor.do('os.pread(fd, 9, 0)'), b'ours')
        expect([entry['error'] for entry in play.told('errors')['entries']],
               ['EEXIST'])
        expect(play.finish(), UNSTORED)
        expect(path.read_bytes(), b'theirs')
        left = list(play.rescue.iterdir())
        expect([name.read_bytes() for name in left], [b'ours'])
    with Deferred(1) as play:  # and when it goes, ours is created
        actor, = play.actors
        path = play.opened('file')
        actor.do('os.write(fd, b"ours")')
        path.write_bytes(b'theirs')
        expect(actor.fails('os.fsync(fd)'), 'EEXIST')
        path.unlink()
        actor.do('os.fsync(fd)')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'ours')
    with Deferred(1) as play:  # or it goes itself: nobody misses it
        actor, = play.actors
        path = play.opened('file')
        path.write_bytes(b'theirs')
        expect(actor.fails('os.fsync(fd)'), 'EEXIST')
        actor.do('os.unlink(path)')
        expect([entry['fate'] for entry in play.told('errors')['entries']],
               ['discarded'])
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'theirs')


def odd_ones():
    """What cannot be created is rescued, with any name and any holes."""
    with Deferred(1) as play:
        actor, = play.actors
        path = play.opened('n' * 255)
        actor.do('os.write(fd, b"ours"); os.pwrite(fd, b"end", 300000)')
        path.write_bytes(b'theirs')
        expect(actor.fails('os.fsync(fd)'), 'EEXIST')
        expect(play.finish(), UNSTORED)
        left, = play.rescue.iterdir()
        expect(left.read_bytes(), b'ours' + bytes(299996) + b'end')


def many_opens():
    """Who has no place for one more creates it as ever, and only once."""
    with Deferred(1) as play:
        actor, = play.actors
        play.opened('file')
        actor.do('os.fsync(fd)')
        actor.do('others = [os.open(path, os.O_RDWR) for _ in range(4200)]')
        actor.do(f'fd = os.open(path + "2", {NEW}); os.write(fd, b"two")')
        expect(play.finish(), 0)
        expect(play.file('file2').read_bytes(), b'two')


def no_room():
    """What the file system refuses is told, kept, and tried again."""
    with Deferred(1, backend='faulty:errno=ENOSPC,op=write,heal={heal}') as play:
        actor, = play.actors
        path = play.opened('file')
        actor.do('os.write(fd, b"hello")')
        expect(actor.fails('os.fsync(fd)'), 'ENOSPC')
        play_is_clean = not os.path.lexists(path)
        expect(play_is_clean, True)
        expect(actor.do('os.pread(fd, 9, 0)'), b'hello')
        expect(actor.fails('os.write(fd, b"more")'), 'ENOSPC')
        play.heal.touch()
        actor.do('os.write(fd, b" more"); os.fsync(fd)')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'hello more')


APPENDER = '''
import os, sys
place, who, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
for step in range(rounds):
    fd = os.open(f"{place}/all", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(fd, f"{who}-{step}\\n".encode())
    if step % 7 == 0:
        os.stat(place), os.listdir(place)
    os.close(fd)
    fd = os.open(f"{place}/{who}", os.O_RDWR | os.O_CREAT | os.O_EXCL)
    os.write(fd, b"x" * step)
    if step % 5 == 0:
        os.listdir(place)
    assert os.pread(fd, 9999, 0) == b"x" * step
    os.unlink(f"{place}/{who}")
    os.write(fd, b"y")
    assert os.pread(fd, 9999, 0) == b"x" * step + b"y"
    os.close(fd)
    if step % 11 == 10:
        fd = os.open(place + "/swap", os.O_WRONLY | os.O_CREAT)
        os.close(fd)
        try:
            os.rename(place + "/swap", f"{place}/kept-{who}-{step}")
        except FileNotFoundError:
            pass
'''


def gather(play, kills):
    """All that they append to one file is there, once."""
    rounds, people = 40, 3
    script = play.place / 'appender.py'
    script.write_text(APPENDER)
    actor, = play.actors
    actor.do('import subprocess')
    actor.do('crowd = [subprocess.Popen([sys.executable, '
             f'{str(script)!r}, {str(play.data)!r}, str(i), "{rounds}"]) '
             f'for i in range({people})]')
    for _ in range(kills):
        until(lambda: play.told('status')['deferred'] > 0, 'the first')
        os.kill(daemon_of(play), signal.SIGKILL)
        actor.fails(f'crowd[0].wait({random.uniform(0.3, 0.8)})')
    expect(actor.do('[one.wait() for one in crowd]'), [0] * people)
    expect(play.finish(), 0)
    expect([name for name in os.listdir(play.data)
            if name in '012' or name.startswith('.weir')], [])
    lines = (play.data / 'all').read_text().split()
    wanted = [f'{who}-{step}' for who in range(people)
              for step in range(rounds)]
    expect((set(wanted) - set(lines), len(lines)), (set(), len(wanted)))


def crowd():
    """Many at once append to one file: each write is there, once."""
    with Deferred(1) as play:
        gather(play, 0)


def crowd_and_deaths():
    """The same while daemons die; each also finds what it wrote itself."""
    with Deferred(1) as play:
        gather(play, 3)


def half_created():
    """Who names it while it is created waits until it is whole."""
    for call, size in (('os.truncate(path, 0)', 0),
                       ('os.stat(path).st_size', 7)):
        with Deferred(2, HELD) as play:
            first, second = play.actors
            path = play.opened('file')
            second.do(f'path = {str(path)!r}')
            second.do(f'os.open({str(play.file("other"))!r}, os.O_CREAT)')
            first.do('os.write(fd, b"content")')
            play.freeze()
            first.tell('os.fsync(fd)')
            until(lambda: os.path.lexists(path), 'the file')
            second.tell(call)
            expect(second.hear(0.3), None)
            play.release()
            expect(first.hear()[0], None)
            expect(second.hear(), (None, size or None))
            expect(len(first.do('os.pread(fd, 99, 0)')), size)
            expect(play.finish(), 0)
            expect(path.stat().st_size, size)


def refused():
    """The option says what it needs."""
    for words in (['--defer', '.'], ['--forward=/tmp', '--defer', '/']):
        done = subprocess.run([WEIR, 'run', *words, '--', 'true'],
                              capture_output=True, text=True)
        expect((done.returncode, '--defer' in done.stderr), (2, True))


CASES = (never_created, many_temporaries, created_by_age, changed_directory,
         several_programs, by_name, by_number, simple, unlinked_while_open,
         long_ones, shared_by_fork,
         daemon_dies, program_dies, taken_name, odd_ones, many_opens, no_room,
         crowd, crowd_and_deaths, half_created, refused)


def main(*names):
    tap = Tap()
    for case in CASES:
        if names and case.__name__ not in names:
            continue
        try:
            case()
            tap.result(True, case.__doc__)
        except Exception:
            tap.result(False, case.__doc__,
                       traceback.format_exc().splitlines())
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
