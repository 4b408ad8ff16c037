# SPDX-License-Identifier: BSD-3-Clause
"""Lines of doc/contract.md: files that are created later."""
import os

from cast import UNSTORED, expect, until
from deferred import Deferred


def line_36():
    with Deferred(2) as play:
        one, two = play.actors
        path = play.opened('file')
        one.do('os.write(fd, b"hello")')
        two.do(f'fd = os.open({str(path)!r}, os.O_RDWR)')
        expect(two.do('os.read(fd, 9)'), b'hello')
        play.is_deferred('file')
        two.do('os.write(fd, b" there"); os.close(fd)')
        play.is_deferred('file')
        written = one.do('os.fstat(fd).st_mtime_ns')
        expect(one.do('os.stat(path).st_size'), 11)
        expect(path.stat().st_mtime_ns, written)
        expect(path.read_bytes(), b'hello there')
        other = play.opened('other')
        one.do('os.write(fd, b"by itself"); os.close(fd)')
        until(lambda: other.exists() and other.read_bytes() == b'by itself',
              'a file that nobody asks for')
        if not os.getuid():
            before = play.opened('before')
            one.do('os.seteuid(65534)')
            expect(before.exists(), True)
            expect(one.do('os.fstat(fd).st_uid'), 0)
            one.do('os.close(fd); os.seteuid(0)')
        last = play.opened('last')
        one.do('os.write(fd, b"at the end")')
        expect(play.finish(), 0)
        expect(last.read_bytes(), b'at the end')


def line_37():
    with Deferred(1) as play:
        actor, = play.actors
        play.opened('file')
        actor.do('os.write(fd, b"hello"); os.unlink(path)')
        expect(actor.do('os.pread(fd, 9, 0)'), b'hello')
        expect(actor.do('os.fstat(fd).st_nlink'), 0)
        actor.do('os.write(fd, b" there"); os.fsync(fd); os.close(fd)')
        expect(play.told('status')['never_created_bytes'], 11)
        expect(play.finish(), 0)
        expect(play.watch.seen(), [])


def line_38():
    with Deferred(1) as play:
        actor, = play.actors
        path = play.opened('file')
        actor.do('os.write(fd, b"ours")')
        path.write_bytes(b'theirs')
        expect(actor.fails('os.fsync(fd)'), 'EEXIST')
        expect(actor.do('os.pread(fd, 9, 0)'), b'ours')
        actor.do('os.close(fd)')
        expect([entry['error'] for entry in play.told('errors')['entries']],
               ['EEXIST'])
        expect(play.finish(), UNSTORED)
        expect(path.read_bytes(), b'theirs')
        expect([left.read_bytes() for left in play.rescue.iterdir()],
               [b'ours'])
