#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files that are open and not handed over to the service yet: nobody can tell.

usage: test-late.py [CASE]...

Two programs use a file; what is done before it is handed over, and what makes
it so, differs from case to case. Lazy: nothing is stored before the file is
closed, so what an outsider finds in it came straight from a program."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from cast import Play, expect, play_cases  # noqa: E402

LAZY = ['--policy', 'half']
OPEN = 'fd = os.open({!r}, {})'
READ, BOTH, NEW = 'os.O_RDONLY', 'os.O_RDWR', 'os.O_RDWR | os.O_CREAT'


def begin(play, text=b'0123456789', ways=(READ, BOTH)):
    """Both have it open; nothing has been done to it."""
    path = play.file('file')
    path.write_bytes(text)
    for actor, way in zip(play.actors, ways):
        actor.do(OPEN.format(str(path), way))
    return path


def seen():
    """One that has it open sees what another writes, and where it ends."""
    with Play(2, options=LAZY) as play:
        reader, writer = play.actors
        begin(play)
        writer.do('os.pwrite(fd, b"ABCDEF", 7)')
        expect(reader.do('os.read(fd, 99)'), b'0123456ABCDEF')
        expect(reader.do('os.lseek(fd, 0, os.SEEK_END)'), 13)
        expect(play.finish(), 0)


def offset():
    """It goes on where the kernel was, and so does each duplicate."""
    with Play(2) as play:
        reader, writer = play.actors
        begin(play)
        reader.do('twin = os.dup(fd)')
        reader.do('other = os.open(f"/proc/self/fd/{fd}", os.O_RDONLY)')
        expect(reader.do('os.read(fd, 2)'), b'01')
        expect(reader.do('os.read(twin, 2)'), b'23')
        writer.do('os.pwrite(fd, b"x", 9)')
        expect(reader.do('os.read(twin, 2)'), b'45')
        expect(reader.do('os.read(fd, 2)'), b'67')
        expect(reader.do('os.read(other, 99)'), b'012345678x')
        reader.do('os.close(fd)')
        expect(reader.do('os.read(twin, 9)'), b'8x')
        expect(play.finish(), 0)


def many_reads():
    """Who reads for long is handed over in the midst of it."""
    with Play(2) as play:
        reader, _ = play.actors
        begin(play)
        for at in range(10):
            expect(reader.do('os.read(fd, 1)'), b'%d' % at)
        expect(reader.do('os.read(fd, 1)'), b'')
        expect(play.finish(), 0)


def moved_output():
    """Moved to another number before it is written, it is forwarded."""
    with Play(1, options=LAZY) as play:
        actor, = play.actors
        path = begin(play, b'', (BOTH,))
        actor.do('os.dup2(fd, 90)')
        actor.do('os.close(fd)')
        actor.do('os.write(90, b"later")')
        expect(path.read_bytes(), b'')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'later')


def mapped():
    """A mapping stays when its descriptor is closed: others write to it."""
    with Play(2, options=LAZY) as play:
        reader, writer = play.actors
        path = begin(play)
        reader.do('map = mmap.mmap(fd, 10, prot=mmap.PROT_READ)')
        reader.do('os.close(fd)')
        writer.do(f'fd = os.open({str(path)!r}, os.O_RDWR)')
        writer.do('os.pwrite(fd, b"ABC", 0)')
        expect(reader.do('map[:5]'), b'ABC34')
        expect(play.finish(), 0)


def mapped_after():
    """The same of what another has written already."""
    with Play(2) as play:
        reader, writer = play.actors
        begin(play)
        writer.do('os.pwrite(fd, b"ABC", 0)')
        reader.do('map = mmap.mmap(fd, 10, prot=mmap.PROT_READ)')
        expect(reader.do('map[:5]'), b'ABC34')
        writer.do('os.pwrite(fd, b"X", 1)')
        expect(reader.do('map[:5]'), b'AXC34')
        expect(play.finish(), 0)


def inherited():
    """Programs that inherit it and its opener write one after the other."""
    with Play(2) as play:
        actor, other = play.actors
        path = begin(play, b'', (BOTH, BOTH))
        actor.do('os.set_inheritable(fd, True)')
        actor.do('import subprocess')
        for text in 'one', 'two':
            actor.do('subprocess.run(["sh", "-c", '
                     f'f"echo {text} >&{{fd}}"], pass_fds=[fd]).returncode')
            actor.do('os.write(fd, b"and\\n")')
        expect(other.do('os.read(fd, 99)'), b'one\nand\ntwo\nand\n')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'one\nand\ntwo\nand\n')


def forked():
    """A child that its opener leaves behind has the kernel's file."""
    with Play(2, options=LAZY) as play:
        actor, other = play.actors
        path = begin(play, b'', (BOTH, BOTH))
        actor.do('go, stay = os.pipe()')
        actor.do('pid = os.fork() or (os.read(go, 1), '
                 'os.write(fd, b"child"), os._exit(0))')
        actor.do('os.close(fd)')
        other.do('os.pwrite(fd, b"PARENT", 5)')
        expect(path.read_bytes(), b'\0' * 5 + b'PARENT')
        actor.do('os.write(stay, b"x")')
        actor.do('os.waitpid(pid, 0)')
        expect(other.do('os.read(fd, 99)'), b'childPARENT')
        expect(play.finish(), 0)


def killed():
    """Whoever has died has it open no more: others are forwarded again."""
    with Play(2, options=LAZY) as play:
        actor, other = play.actors
        path = begin(play, b'', (BOTH, READ))
        actor.do('pid = os.fork() or (os.pause() if hasattr(os, "pause") '
                 'else __import__("signal").pause())')
        actor.do('os.close(fd)')
        actor.do('os.kill(pid, 9)')
        actor.do('os.waitpid(pid, 0)')
        other.do(f'fd = os.open({str(path)!r}, os.O_RDWR)')
        other.do('os.pwrite(fd, b"later", 0)')
        expect(path.read_bytes(), b'')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'later')


def unlinked():
    """What was written to a removed file is there for who has it open."""
    with Play(2) as play:
        reader, writer = play.actors
        path = begin(play)
        writer.do('os.pwrite(fd, b"ABC", 0)')
        writer.do(f'os.unlink({str(path)!r})')
        writer.do('os.close(fd)')
        expect(reader.do('os.read(fd, 99)'), b'ABC3456789')
        expect(play.finish(), 0)


def nameless():
    """Removed before it is written: all the same, and it leaves nothing."""
    with Play(1) as play:
        actor, = play.actors
        path = begin(play, b'', (BOTH,))
        actor.do(f'os.unlink({str(path)!r})')
        actor.do('os.write(fd, b"hidden")')
        expect(actor.do('os.pread(fd, 9, 0)'), b'hidden')
        expect(actor.do('os.fstat(fd).st_size'), 6)
        expect(play.finish(), 0)
        expect(path.exists(), False)


def cut():
    """Opened to be cut, cut while open, and cut by name."""
    with Play(2) as play:
        reader, writer = play.actors
        path = begin(play)
        writer.do('os.ftruncate(fd, 4)')
        expect(reader.do('os.read(fd, 99)'), b'0123')
        reader.do(f'new = os.open({str(path)!r}, os.O_RDWR | os.O_TRUNC)')
        expect(writer.do('os.fstat(fd).st_size'), 0)
        reader.do('os.write(new, b"abc")')
        expect(writer.do('os.pread(fd, 9, 0)'), b'abc')
        writer.do(f'os.truncate({str(path)!r}, 1)')
        expect(reader.do('os.pread(fd, 9, 0)'), b'a')
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'a')


def copied():
    """copy_file_range to and from files that nobody has used yet."""
    with Play(2) as play:
        actor, other = play.actors
        path = begin(play, b'0123456789', (BOTH, BOTH))
        copy = str(path) + '.copy'
        actor.do(f'to = os.open({copy!r}, {NEW})')
        expect(actor.do('os.copy_file_range(fd, to, 10)'), 10)
        actor.do('os.write(to, b"+")')
        other.do(OPEN.format(copy, BOTH))
        expect(other.do('os.read(fd, 99)'), b'0123456789+')
        expect(play.finish(), 0)


def crowded():
    """More processes than there is room to note for one file."""
    with Play(1) as play:
        actor, = play.actors
        path = begin(play, b'', (BOTH,))
        actor.do('go, stay = os.pipe()')
        actor.do('pids = [os.fork() or (os.close(stay), os.read(go, 1), '
                 'os.write(fd, b"x"), os._exit(0)) for _ in range(80)]')
        actor.do('os.write(fd, b"first")')
        actor.do('os.close(stay)')
        actor.do('[os.waitpid(pid, 0) for pid in pids]')
        expect(actor.do('os.pread(fd, 999, 0)'), b'first' + b'x' * 80)
        expect(play.finish(), 0)
        expect(path.read_bytes(), b'first' + b'x' * 80)


def threads():
    """Of many threads that read one file, each byte is one's."""
    with Play(1) as play:
        actor, = play.actors
        begin(play, bytes(range(256)), (READ,))
        actor.do('from concurrent.futures import ThreadPoolExecutor as Pool')
        actor.do('pool = Pool(8)')
        got = actor.do('b"".join(sorted(pool.map('
                       'lambda _: os.read(fd, 1), range(256))))')
        expect(got, bytes(range(256)))
        expect(play.finish(), 0)


CASES = (seen, offset, many_reads, moved_output, mapped, mapped_after,
         inherited, forked, killed, unlinked, nameless, cut, copied, crowded,
         threads)


if __name__ == '__main__':
    sys.exit(play_cases(CASES, sys.argv[1:]))
