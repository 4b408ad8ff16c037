# SPDX-License-Identifier: BSD-3-Clause
"""Lines of doc/contract.md: who sees what, and in which order."""
import os
import random
import time
from collections import Counter

from cast import HELD, LOGGED, Play, expect, pattern, until

OPEN = 'fd = os.open({!r}, os.O_RDWR | os.O_CREAT, 0o600)'


def opened(play, name):
    for actor in play.actors:
        actor.do(OPEN.format(str(play.file(name))))
    return play.file(name)


def line_1():
    data = pattern(300_000)
    with Play(2, HELD) as play:
        writer, reader = play.actors
        path = opened(play, 'file')
        play.freeze()
        writer.do(f'os.pwrite(fd, {data!r}, 0)')
        expect(reader.do('os.pread(fd, 400_000, 0)'), data)
        writer.do('os.pwrite(fd, b"other", 70_000)')
        expect(reader.do('os.pread(fd, 5, 70_000)'), b'other')
        expect(path.stat().st_size, 0)  # so it was not the kernel
        play.release()


def line_2():
    with Play(2, HELD) as play:
        writer, reader = play.actors
        path = opened(play, 'file')
        play.freeze()
        writer.do('os.pwrite(fd, b"end", 1 << 20)')
        size = (1 << 20) + 3
        expect(reader.do(f'os.stat({str(path)!r}).st_size'), size)
        expect(reader.do('os.fstat(fd).st_size'), size)
        expect(reader.do('os.lseek(fd, 0, os.SEEK_END)'), size)
        expect(reader.do('os.pread(fd, 10, 1 << 20)'), b'end')
        expect(path.stat().st_size, 0)
        play.release()


def line_3():
    data = pattern(100_000)
    with Play(1, HELD, ['--policy', 'half']) as play:
        actor, = play.actors
        path = opened(play, 'file')
        for end in 'os.fsync(fd)', 'os.fdatasync(fd)', 'os.close(fd)':
            actor.do(f'os.pwrite(fd, {data!r}, 0)')
            actor.do(end)
            expect(path.read_bytes(), data)
            data = data[1:] + b'!'


def line_4():
    with Play(1) as play:
        actor, = play.actors
        path = opened(play, 'file')
        actor.do('os.pwrite(fd, b"idle", 0)')
        until(lambda: path.read_bytes() == b'idle', 'the idle file')
        stop = play.place / 'stop'
        actor.do('import time')
        actor.tell('exec("os.pwrite(fd, b\'busy\', 0)\\n'
                   f'while not os.path.exists({str(stop)!r}):\\n'
                   ' os.pwrite(fd, b\'more\', 4096)\\n time.sleep(0.01)")')
        until(lambda: path.read_bytes()[:4] == b'busy', 'the busy file')
        stop.touch()
        expect(actor.hear(), (None, None))


def line_5():
    with Play(2) as play:
        writer, other = play.actors
        opened(play, 'file')
        writer.do('os.write(fd, b"x" * 8192)')
        writer.do('m = mmap.mmap(fd, 8192)')
        expect(writer.do('m[:3]'), b'xxx')
        writer.do('m[4096:4100] = b"maps"')
        expect(other.do('os.pread(fd, 4, 4096)'), b'maps')
        other.do('os.pwrite(fd, b"abc", 0)')
        expect(writer.do('m[:3]'), b'abc')
        inherited(writer, other)
    with Play(2) as play:
        stream(*play.actors, str(opened(play, 'file')))


def inherited(writer, other):
    """A program that gets the descriptor goes on where it stood."""
    writer.do('import subprocess')
    writer.do('os.lseek(fd, 100, os.SEEK_SET)')
    writer.do('os.write(fd, b"mine")')
    writer.do('subprocess.run(["sh", "-c", f"printf yours >&{fd}"],'
              ' pass_fds=[fd]).returncode')
    writer.do('os.write(fd, b"again")')
    expect(other.do('os.pread(fd, 14, 100)'), b'mineyoursagain')


def stream(writer, other, path):
    """Of wide characters, which libc reads and writes by itself."""
    other.do('import ctypes')
    other.do('c = ctypes.CDLL(None); c.fopen.restype = ctypes.c_void_p')
    other.do('os.pwrite(fd, b"before", 200)')
    other.do(f's = ctypes.c_void_p(c.fopen({path.encode()!r}, b"r+"))')
    other.do('c.fseek(s, 203, 0)')
    expect(other.do('c.fgetwc(s)'), ord('o'))
    other.do('c.fseek(s, 206, 0)')
    other.do('c.fputws(" and after", s)')
    expect(other.do('c.fclose(s)'), 0)
    expect(writer.do('os.pread(fd, 16, 200)'), b'before and after')


def line_6():
    model = bytearray()
    with Play(3) as play:
        path = opened(play, 'file')
        for step in range(90):
            actor = play.actors[step % 3]
            at, length = random.randrange(5000), random.randrange(1, 3000)
            data = pattern(length, step)
            actor.do(f'os.pwrite(fd, {data!r}, {at})')
            model.extend(bytes(max(0, at + length - len(model))))
            model[at:at + length] = data
            if step % 10 == 9:
                reader = play.actors[step // 10 % 3]
                expect(reader.do('os.pread(fd, 9000, 0)'), bytes(model))
        expect(play.finish(), 0)
        expect(path.read_bytes(), bytes(model))


def line_7():
    with Play(3) as play:
        path = play.file('file')
        for number, actor in enumerate(play.actors):
            actor.do(f'fd = os.open({str(path)!r}, os.O_WRONLY | os.O_CREAT | '
                     'os.O_APPEND, 0o600)')
            actor.tell(f'[os.write(fd, b"{number}:%03d%s\\n" % (i, b"." * i)) '
                       'for i in range(200)]')
        for actor in play.actors:
            expect(actor.hear()[0], None)
        expect(play.finish(), 0)
        lines = path.read_bytes().splitlines()
        wanted = [b'%d:%03d%s' % (n, i, b'.' * i)
                  for n in range(3) for i in range(200)]
        expect(Counter(lines), Counter(wanted))
        for n in range(3):
            own = [line for line in lines if line[:2] == b'%d:' % n]
            expect(own, sorted(own))


def line_8():
    with Play(1, HELD) as play:
        actor, = play.actors
        path = opened(play, 'file')
        play.freeze()
        actor.do('os.pwrite(fd, b"a" * 1000, 0)')
        actor.tell('os.ftruncate(fd, 400)')
        actor.tell('os.pwrite(fd, b"b" * 10, 600)')
        actor.tell('os.fstat(fd).st_size')
        time.sleep(0.1)
        play.release()
        expect([actor.hear() for _ in range(3)],
               [(None, None), (None, 10), (None, 610)])
        expect(actor.do('os.pread(fd, 700, 0)'),
               b'a' * 400 + bytes(200) + b'b' * 10)
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'a' * 400 + bytes(200) + b'b' * 10)


EXCHANGE = ('__import__("ctypes").CDLL(None).renameat2('
            '-100, {1!r}.encode(), -100, {0!r}.encode(), 2)')


def line_9():
    data = pattern(50_000)
    for call in 'rename', 'link':
        with Play(1, HELD) as play:
            actor, = play.actors
            path, new = opened(play, 'file'), play.file('new')
            play.freeze()
            actor.do(f'os.pwrite(fd, {data!r}, 0)')
            actor.tell(f'os.{call}({str(path)!r}, {str(new)!r})')
            expect(actor.hear(0.2), None)
            expect(os.path.exists(new), False)
            play.release()
            expect(actor.hear(), (None, None))
            expect(new.read_bytes(), data)
    with Play(1, HELD) as play:
        actor, = play.actors
        path, new = opened(play, 'file'), play.file('new')
        new.write_bytes(b'other')
        play.freeze()
        actor.do(f'os.pwrite(fd, {data!r}, 0)')
        actor.tell(EXCHANGE.format(str(path), str(new)))
        expect(actor.hear(0.2), None)
        expect(new.read_bytes(), b'other')
        play.release()
        expect(actor.hear(), (None, 0))
        expect((new.read_bytes(), path.read_bytes()), (data, b'other'))


def line_35():
    record = 4096
    with Play(1, LOGGED) as play:
        actor, = play.actors
        path = play.file('file')
        path.write_bytes(b'a' * (1 << 20))
        opening = f'os.open({str(path)!r}, os.O_RDONLY)'
        actor.do(f'fd = {opening}')
        for at in range(0, 8 * record, record):
            expect(actor.do(f'os.pread(fd, {record}, {at})'), b'a' * record)
        # it was prefetched: 128 KiB at least
        until(lambda: any(op == 'read' and offset + length >= 1 << 17
                          for op, offset, length, *_ in play.operations()),
              'what is prefetched')
        with open(path, 'r+b') as outside:
            outside.write(b'b' * (1 << 20))
        actor.do(f'new = {opening}')
        expect(actor.do(f'os.pread(new, {record}, {9 * record})'),
               b'b' * record)
        time.sleep(1)
        expect(actor.do(f'os.pread(fd, {record}, {9 * record})'),
               b'b' * record)
