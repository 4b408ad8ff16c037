#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is prefetched is what would have been read, and stops where it is of no
use. The plug-in's log is the judge of who has read what.

usage: test-prefetch.py [NAME...]"""
import hashlib
import os
import random
import signal
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from cast import LOGGED, Play, daemon_of, expect, is_alive, pattern  # noqa: E402
from cast import until  # noqa: E402
from weirtool import Failure, Tap  # noqa: E402

RECORD = 4096
MIB = 1 << 20
OPEN = 'fd = os.open({!r}, os.O_RDONLY)'


def sum_of(data):
    return hashlib.sha256(data).hexdigest()


def more(value, least, what):
    if value < least:
        raise Failure(f'{what}: {value}, less than {least}')


def fewer(value, most, what):
    if value > most:
        raise Failure(f'{what}: {value}, more than {most}')


class Reading(Play):
    """One file that is there before, and actors that have it open."""

    def __init__(self, size, actors=1, options=()):
        super().__init__(actors, LOGGED, options)
        self.bytes = pattern(size)
        self.path = self.file('file')
        self.path.write_bytes(self.bytes)

    def __enter__(self):
        super().__enter__()
        for actor in self.actors:
            actor.do('import hashlib')
            actor.do(OPEN.format(str(self.path)))
        return self

    def read(self, values, actor=0):
        """What the actor reads, by expressions: a sum of it all."""
        return self.actors[actor].do(
            f'hashlib.sha256(b"".join({values})).hexdigest()')

    def compare(self, offsets, size=RECORD):
        """The actor reads there; what it gets is in the file."""
        offsets = list(offsets)
        wanted = b''.join(self.bytes[at:at + size] for at in offsets)
        expect(self.read(f'os.pread(fd, {size}, at) for at in {offsets}'),
               sum_of(wanted))

    def reads(self):
        return [row for row in self.operations() if row[0] == 'read']

    def sums(self):
        """What was prefetched, after the file was closed."""
        self.actors[0].do('os.close(fd)')
        return self.told('status')


def sequential():
    size = 3 * MIB + 123
    with Reading(size) as play:
        play.compare(range(0, size + 3 * RECORD, RECORD))
        fewer(len(play.reads()), size // RECORD // 4, 'requests')
        told = play.sums()
        more(told['prefetched_used'], size // 2, 'bytes used')
        more(told['prefetched_bytes'], told['prefetched_used'], 'bytes read')
        more(told['prefetch_hits'], size // RECORD // 2, 'hits')


def odd_sizes():
    size = 2 * MIB + 1
    for record in 1, 777, 70_001, MIB + 5:
        with Reading(size) as play:
            start = max(0, size - 400 * record)
            play.compare(range(start, size + record, record), record)


def strides():
    size = 16 * MIB
    cases = [(range(0, size, 65536), RECORD),
             (range(size - 65536, -1, -65536), RECORD),
             (range(100, size // 4, 3 * 1000), 1000),
             (range(size // 4, 0, -3 * 1000), 1000),
             (range(0, size, 262144), 65536)]
    for offsets, record in cases:
        with Reading(size) as play:
            play.compare(offsets, record)
            told = play.sums()
            more(told['prefetch_hits'], len(offsets) // 2,
                 f'hits of {offsets}')


def shared_offset():
    """One offset, that two descriptors and a child move; several parts."""
    size = 2 * MIB
    step = ('os.readv((fd, two)[i & 1], parts) and b"".join(parts) '
            'for i in range({})')
    with Reading(size) as play:
        actor, = play.actors
        actor.do('two = os.dup(fd)')
        actor.do('parts = [bytearray(100), bytearray(5000), bytearray(3092)]')
        expect(play.read(step.format(128)), sum_of(play.bytes[:MIB]))
        actor.do('os.fork() or (os.lseek(fd, 8192, 1), os._exit(0))')
        actor.do('os.wait() and None')
        expect(actor.do('os.lseek(two, 0, 1)'), MIB + 8192)
        actor.do('os.lseek(two, -8192, 1)')
        expect(play.read(step.format(128)), sum_of(play.bytes[MIB:]))
        expect(actor.do('os.read(fd, 10)'), b'')


def random_reads():
    dice = random.Random(5)
    size = 32 * MIB
    with Reading(size) as play:
        offsets = [dice.randrange(size // RECORD) * RECORD
                   for _ in range(1500)]
        play.compare(offsets)
        fewer(play.sums()['prefetched_bytes'], MIB, 'bytes prefetched')


def short_runs():
    """Looks like a pattern, and is none: what is wasted is bounded."""
    size = 64 * MIB
    dice = random.Random(6)
    with Reading(size) as play:
        offsets = [at * MIB // 2 + i * RECORD
                   for at in dice.choices(range(120), k=400)
                   for i in range(3)]
        play.compare(offsets)
        fewer(play.sums()['prefetched_bytes'], 12 * MIB, 'bytes prefetched')


def writers():
    """Who writes is seen at once, and what was read before does not count."""
    with Reading(4 * MIB, actors=2) as play:
        reader, writer = play.actors
        play.compare(range(0, MIB, RECORD))
        writer.do(f'out = os.open({str(play.path)!r}, os.O_WRONLY)')
        for step in range(1, 6):
            at = MIB + step * RECORD
            writer.do(f'os.pwrite(out, b"{step}" * {RECORD}, {at})')
            expect(reader.do(f'os.pread(fd, {RECORD}, {at})'),
                   b'%d' % step * RECORD)
        writer.do('os.close(out)')
        data = bytearray(play.bytes)
        for step in range(1, 6):
            at = MIB + step * RECORD
            data[at:at + RECORD] = b'%d' % step * RECORD
        play.bytes = bytes(data)
        play.compare(range(MIB, 2 * MIB, RECORD))
        writer.do(f'os.truncate({str(play.path)!r}, {2 * MIB + 10})')
        play.bytes = play.bytes[:2 * MIB + 10]
        play.compare(range(2 * MIB, 3 * MIB, RECORD))


def advice():
    with Reading(8 * MIB) as play:
        actor, = play.actors
        actor.do('os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_SEQUENTIAL)')
        play.compare([0])
        until(lambda: max(row[1] + row[2] for row in play.reads()) >= MIB // 2,
              'what was announced')
        actor.do('os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)')
        before = play.told('status')['prefetched_bytes']
        play.compare(range(4 * MIB, 5 * MIB, RECORD))
        until(lambda: len(play.reads()) >= 256, 'single reads')
        fewer(play.told('status')['prefetched_bytes'], before + MIB,
              'prefetched, announced as random')
        actor.do(f'os.posix_fadvise(fd, {6 * MIB}, {MIB}, '
                 'os.POSIX_FADV_WILLNEED)')
        until(lambda: max(row[1] + row[2] for row in play.reads()) >= 7 * MIB,
              'what is needed')
        count = len(play.reads())
        play.compare([6 * MIB + 300_000, 6 * MIB + 8, 7 * MIB - RECORD])
        expect(len(play.reads()), count)
        actor.do('os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)')
        play.compare([6 * MIB + 300_000])
        expect(len(play.reads()), count + 1)


def death():
    with Reading(8 * MIB) as play:
        for step in range(4):
            daemon = daemon_of(play)
            play.compare(range(step * MIB, (step + 1) * MIB, RECORD))
            os.kill(daemon, signal.SIGKILL)
            until(lambda: not is_alive(daemon), 'its death')
        play.compare(range(4 * MIB, 8 * MIB, RECORD))


def off():
    with Reading(MIB, options=['--prefetch', 'off']) as play:
        play.compare(range(0, MIB, RECORD))
        expect(len(play.reads()), MIB // RECORD)
        expect(play.sums()['prefetched_bytes'], 0)


def bounded():
    """As much memory as was said, for several files at once."""
    with Reading(8 * MIB, options=['--prefetch', '1M']) as play:
        actor, = play.actors
        name = str(play.path)
        actor.do(f'all = [os.open({name!r}, os.O_RDONLY) for _ in range(12)]')
        got = actor.do(f'[os.pread(f, {RECORD}, at) for at in '
                       f'range(0, {MIB}, {RECORD}) for f in all]')
        for i, part in enumerate(got):
            at = i // 12 * RECORD
            expect(part, play.bytes[at:at + RECORD])


CASES = [sequential, odd_sizes, strides, shared_offset, random_reads, short_runs,
         writers, advice, death, off, bounded]


def attempt(case):
    try:
        case()
        return []
    except Failure as failure:
        return [str(failure)]
    except Exception:
        return traceback.format_exc().splitlines()


def main(names):
    tap = Tap()
    for case in CASES:
        if names and case.__name__ not in names:
            continue
        faults = attempt(case)
        tap.result(not faults, case.__name__.replace('_', ' '), faults)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
