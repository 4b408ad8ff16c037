# SPDX-License-Identifier: BSD-3-Clause
"""RING blocks as events. Written from doc/format.md alone."""
import struct

READ, WRITE, OPEN, CREAT, LSEEK, FTRUNCATE, MAP, FILLER = 0, 1, 2, 4, 5, 7, 10, 15
FAILED, NOOFF = 1, 2
FIRST_CALL = 1000


def signed(n, bits):
    return n - (1 << bits) if n >> (bits - 1) else n


def leb(n):
    out = b""
    while n >= 0x80:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def unzigzag(n):
    return (n >> 1) ^ -(n & 1)


def read_names(source, sequence):
    """(position, fd, handle, name), in their order."""
    position = sequence
    while source.at < len(source.data):
        position += source.leb()
        fd, handle = unzigzag(source.leb()), source.leb()
        yield position, fd, handle, source.take(source.leb())


def fill(event, kind, data, place):
    """What the data of a kind mean."""
    if kind <= WRITE and data > 0 and data >> 62:
        place, data = data >> 25 & 2**37 - 1, data & 2**25 - 1
    if kind <= WRITE and place is not None:
        event.update(off=place, flags=0)
    if -4095 <= data < 0:
        event.update(flags=event["flags"] | FAILED, ret=-data)
        return
    if kind in (OPEN, CREAT):
        event.update(ret=event["fd"], detail=leb(data))
    elif kind not in (FTRUNCATE, MAP, 14):
        event["ret"] = data
    if kind in (READ, WRITE, MAP):
        event["size"] = data
    if kind in (LSEEK, FTRUNCATE):
        event.update(off=data, flags=0)


def who_of(handles, word):
    """(fd, handle, name) of a record in a raw file."""
    low = word & 0x3fffffff
    if word >> 31:
        return signed(low, 30), 0, None
    fd = handles.told.get(low, (-1,))[0] if low else -1
    return fd, low, handles.path_of(low) if low else None


def events(trace, source, order, proc, handles=None):
    sequence, base, mult, count = struct.unpack(order + "4Q", source.take(32))
    words = struct.unpack(f"{order}{2 * count}Q", source.take(16 * count))
    names, known, us = list(read_names(source, sequence)), {}, 0
    nobody = (-1, 0xbfffffff) if handles else (-1,)
    place = None  # that the record before tells, and of whom
    for i in range(count):
        what, data = words[2 * i], words[2 * i + 1]
        kind, fd = what & 15, signed(what >> 32, 32)
        is_gap = kind == FILLER and (fd in nobody or what >> 32 in nobody)
        us += data if is_gap else what >> 4 & 0xfffffff
        while names and names[0][0] <= sequence + i:
            _, of, handle, name = names.pop(0)
            trace.names[name] = name  # NAMES blocks have the numbers
            known[of] = handle, name or None
        told, place = place, None
        if kind == FILLER:
            place = None if is_gap else (what >> 32, data)
            continue
        handle, file = known.get(fd, (0, None))
        if handles:  # raw
            fd, handle, file = who_of(handles, what >> 32)
            if file is not None:
                trace.names[file] = file
        event = dict(
            start=(base + (us * 1000 << 32) // mult) & 2**64 - 1, dur=0,
            proc=proc, thread=0, index=sequence + i, call=FIRST_CALL + kind,
            flags=NOOFF, depth=0, fd=fd, file=file, handle=handle, off=0,
            size=0, ret=0, detail=b"")
        fill(event, kind, signed(data, 64),
             told[1] if told and told[0] == what >> 32 else None)
        yield event
