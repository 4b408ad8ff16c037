# SPDX-License-Identifier: BSD-3-Clause
"""Lines of doc/contract.md: what cannot be stored."""
from cast import (UNSTORED, WEIR, Play, expect, is_there, pattern, small_disk,
                  until)
from seen import opened
from weirtool import run

BAD = 'faulty:errno=ENOSPC,file=bad,heal={heal},hold={hold},log={log}'
RANGES = [(0, 5000), (100_000, 300_000), (1_000_000, 1)]


def write_ranges(play):
    """All of them before the first is tried."""
    play.freeze()
    for offset, length in RANGES:
        data = pattern(length, offset)
        play.actors[0].do(f'os.pwrite(fd, {data!r}, {offset})')
    play.release()


def content():
    whole = bytearray(1_000_001)
    for offset, length in RANGES:
        whole[offset:offset + length] = pattern(length, offset)
    return bytes(whole)


def joined(ranges):
    """Ranges in order; neighbours are one."""
    out = []
    for offset, length in sorted(ranges):
        if out and sum(out[-1]) == offset:
            out[-1] = (out[-1][0], out[-1][1] + length)
        else:
            out.append((offset, length))
    return out


def entries(play, path, fate='open'):
    return [(entry['offset'], entry['length'])
            for entry in play.told('errors')['entries']
            if entry['path'] == str(path) and entry['fate'] == fate]


def line_20():
    with Play(1, BAD) as play:
        actor, = play.actors
        path = opened(play, 'bad')
        write_ranges(play)
        for _ in range(3):
            expect(actor.fails('os.fsync(fd)'), 'ENOSPC')
            expect(joined(entries(play, path)), RANGES)
            expect(len(entries(play, path)), len(RANGES))
        reasons = {entry['error'] for entry in play.told('errors')['entries']}
        expect(reasons, {'ENOSPC'})
        expect(play.finish(), UNSTORED)


def line_21():
    with Play(1, BAD) as play:
        actor, = play.actors
        opened(play, 'bad')
        write_ranges(play)
        for call in ['fsync', 'fdatasync', 'fsync', 'close']:
            expect(actor.fails(f'os.{call}(fd)'), 'ENOSPC')
        opened(play, 'bad')
        expect(actor.fails('os.fsync(fd)'), 'ENOSPC')
        play.heal.touch()
        expect(actor.fails('os.fsync(fd)'), None)
        expect(actor.fails('os.close(fd)'), None)
        expect(play.finish(), 0)


def line_22():
    with Play(2, BAD) as play:
        writer, reader = play.actors
        path = opened(play, 'bad')
        write_ranges(play)
        expect(writer.fails('os.fsync(fd)'), 'ENOSPC')
        for actor in play.actors:
            for offset, length in RANGES:
                expect(actor.do(f'os.pread(fd, {length}, {offset})'),
                       pattern(length, offset))
        play.heal.touch()
        until(lambda: not entries(play, path), 'the next try')
        expect(joined(entries(play, path, 'resolved')), RANGES)
        expect(path.read_bytes(), content())
        expect(writer.fails('os.fsync(fd)'), None)
        expect(play.finish(), 0)


def line_23():
    with Play(1, BAD + ',errno=EIO,from=2,count=1',
              ['--policy', 'half']) as play:
        actor, = play.actors
        good = opened(play, 'good')
        actor.do('os.pwrite(fd, b"good", 0)')
        bad = opened(play, 'bad')
        write_ranges(play)
        expect(actor.fails('os.fsync(fd)'), 'EIO')
        (offset, length), = entries(play, bad)
        whole, now = content(), bad.read_bytes()
        now += bytes(len(whole) - len(now))
        expect(now[:offset], whole[:offset])
        expect(now[offset + length:], whole[offset + length:])
        expect(now == whole, False)
        play.heal.touch()
        expect(play.finish(), 0)
        expect(bad.read_bytes(), whole)
        expect(good.read_bytes(), b'good')


def line_24():
    with Play(1, BAD) as play:
        path = opened(play, 'bad')
        write_ranges(play)
        expect(play.finish(), UNSTORED)
        for offset, length in RANGES:
            expect(f'{path}: bytes {offset}-{offset + length - 1}: '
                   in play.said(), True)


def line_25():
    for how in ('os.ftruncate(fd, 0)', 'os.open({!r}, os.O_RDWR | os.O_TRUNC)',
                '(os.close(fd), os.unlink({!r}))', 'discard'):
        with Play(1, BAD) as play:
            actor, = play.actors
            path = opened(play, 'bad')
            write_ranges(play)
            expect(actor.fails('os.fsync(fd)'), 'ENOSPC')
            if how == 'discard':
                expect(play.serve('errors', '--discard', path).returncode, 0)
            elif 'close' in how:
                expect(actor.fails('os.close(fd)'), 'ENOSPC')
                actor.do(f'os.unlink({str(path)!r})')
            else:
                actor.do(how.format(str(path)))
            expect(entries(play, path), [])
            expect(play.finish(), 0)


def line_26():
    with Play(1, BAD) as play:
        path = opened(play, 'bad')
        write_ranges(play)
        expect(play.finish(), UNSTORED)
        expect(path.stat().st_size, 0)
        rescued = list(play.rescue.iterdir())
        expect(len(rescued), 1)
        run(WEIR, 'serve', 'recover', rescued[0])
        expect(path.read_bytes(), content())
        expect(is_there(rescued[0]), False)


def fill(actor):
    """Bytes that could be written in steps, and how the next failed."""
    for step in range(200):
        fault = actor.fails(f'os.write(fd, b"%02x" % {step} * 32768)')
        if fault:
            return step * 65536, fault
        if actor.value < 65536:  # why is told by the next
            return (step * 65536 + actor.value,
                    actor.fails('os.write(fd, b"more" * 100)'))
    return 200 * 65536, None


def line_27():
    with small_disk(8 << 20) as disk, Play(1, data=disk) as play:
        actor, = play.actors
        path = opened(play, 'file')
        written, fault = fill(actor)
        expect(fault, 'ENOSPC')
        expect(written > 4 << 20, True)
        expect(actor.fails('os.fsync(fd)'), None)
        expect(actor.fails('os.close(fd)'), None)
        expect(play.finish(), 0)
        data = b''.join(b'%02x' % step * 32768 for step in range(200))
        expect(path.read_bytes(), data[:written])


def line_28():
    with Play(1, 'faulty:errno=EDQUOT', ['--cache', '4M']) as play:
        actor, = play.actors
        opened(play, 'file')
        expect(fill(actor)[1], 'EDQUOT')
        expect(play.finish(), UNSTORED)
