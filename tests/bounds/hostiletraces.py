# SPDX-License-Identifier: BSD-3-Clause
"""Traces and plans made to cost their readers as much as can be.

Each is small; what its numbers promise is not. Written from doc/format.md.
"""
import ctypes
import random
import struct

from tiny_reader import (CHUNK, DICT, END, EVENTS, HEAD, NAMES, PROC, RING,
                         ZSTD, xxh3)

MOST_RAW = 32 << 20
MOST_EVENTS = 1 << 16
DICTIONARY = b"""layer posix
kind int s detail dec
kind fd s handle fd
kind path p detail path
kind iov v detail iov
kind size u size size
kind off s off off
call 1 open fd open path:path flags:int
call 2 pwrite size write fd:fd count:size offset:off
call 3 writev size write fd:fd iov:iov
call 4 close close fd:fd
"""


def squeezed(payload):
    """One zstd frame."""
    room = len(payload) + (len(payload) >> 7) + 1024
    to = ctypes.create_string_buffer(room)
    ZSTD.ZSTD_compress.restype = ctypes.c_size_t
    size = ZSTD.ZSTD_compress(to, ctypes.c_size_t(room), payload,
                              ctypes.c_size_t(len(payload)), 3)
    return to.raw[:size]


def block(kind, payload, raw=0, proc=0, thread=0, count=0, first=0, last=0,
          flags=0):
    """One block, its checks right whatever else is wrong."""
    front = struct.pack("<8s6I2QI", b"WEIRblk1", kind, len(payload), raw, proc,
                        thread, count, first, last, flags)
    return front + struct.pack("<IQ", xxh3(front) & 0xffffffff,
                               xxh3(payload)) + payload + \
        bytes(-len(payload) % 8)


def leb(number):
    """LEB128."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def begin(dictionary=DICTIONARY, more=b""):
    """What every trace has first."""
    return block(HEAD, b"format=1\nhost=h\nweir=0\ncreated=1\ntick0=0\n"
                 b"mono0=0\nreal0=0\nmult=4294967296\n" + more) + \
        block(DICT, dictionary)


def process(number=1, more=b""):
    """One that has ended."""
    return block(PROC, b"pid=%d\nppid=1\nuid=0\nstart=1\nimage=0\ntick0=0\n"
                 b"exe=/bin/x\ncwd=/\narg=x\nthread=1 1 0 0\nstop=none\n"
                 b"state=exited\n" % number + more, proc=number)


def constant(values):
    """Columns whose rows are all the same."""
    out = b""
    for value in values:
        planes = []
        while value:
            planes.append(bytes([0, value & 255]))
            value >>= 8
        out += bytes([len(planes)]) + b"".join(planes)
    return out


def events(proc=1, thread=1, count=MOST_EVENTS, index=0, site=None, row=None,
           detail=b""):
    """One block of as many events as it may have, in some 60 bytes."""
    site = site or [2, 0, 0, 10, 2, 2, 5]  # call, flags, depth, fd, file ...
    row = row or [0, 2, 1, 0, 0, 0, 0]     # site, gap, duration, size ...
    payload = struct.pack("<QQII", index, index * 2 % 2**64, 1, len(detail)) + \
        constant(site)
    # the first event names the site, the others use it
    payload += b"\1\1" + bytes([0]) + b"\1" * (count - 1) \
        if count < 64 else b"\1\2" + (lambda frame: leb(len(frame)) + frame)(
            squeezed(b"\0" + b"\1" * (count - 1)))
    payload += constant(row[1:])
    payload += b"\1" + detail if detail else b"\0\0"
    return block(EVENTS, payload, proc=proc, thread=thread, count=count,
                 first=index * 2 % 2**64, last=(index + count) * 2 % 2**64)


def files(first, count=MOST_EVENTS):
    """One block of events, each on another file: as many sites as events."""
    def plane(values):
        frame = squeezed(bytes(values))
        return b"\2" + leb(len(frame)) + frame
    numbers = [2 * (first + 1)] + [2] * (count - 1)  # differences, zigzag
    payload = struct.pack("<QQII", first, first * 2, count, 0)
    for value in (2, 0, 0, 10, None, 2, 5):
        if value is None:
            payload += b"\4" + b"".join(
                plane([number >> shift & 255 for number in numbers])
                for shift in (0, 8, 16, 24))
        else:
            payload += constant([value])
    payload += b"\0" + constant([2, 1, 0, 0, 0, 0]) + b"\0\0"
    return block(EVENTS, payload, proc=1, thread=1, count=count,
                 first=first * 2, last=(first + count) * 2)


def uses(first, count=MOST_EVENTS // 4):
    """One block: each file opened, twice written and closed, 8 KiB a call."""
    def plane(values):
        frame = squeezed(values)
        return b"\2" + leb(len(frame)) + frame
    number = 2 * (first + 1)  # differences, zigzag
    rest = (b"\0\0\0\2" * count)[:-1]
    column = b"\4" + plane(bytes([number & 255]) + b"\0\0\0" + rest[3:]) + \
        b"".join(plane(bytes([number >> shift & 255]) + bytes(len(rest)))
                 for shift in (8, 16, 24))
    index, events = first * 4, count * 4
    payload = struct.pack("<QQII", index, index * 1001, events, 0) + \
        b"\1" + plane(b"\1\2\2\4" * count) + constant([0, 0, 10]) + \
        column + column + constant([5])
    payload += b"\0" + constant([2, 1000, 2 << 13, 0, 0, 0]) + b"\0\0"
    return block(EVENTS, payload, proc=1, thread=1, count=events,
                 first=index * 1001, last=(index + events) * 1001)


def names(texts, first=1, raw=True):
    """File names, squeezed as a whole."""
    payload = b"".join(leb(len(text)) + text for text in texts)
    stored = squeezed(payload) if raw else payload
    return block(NAMES, stored, raw=len(payload) if raw else 0,
                 count=len(texts), first=first)


def end():
    """Nothing is missing."""
    return block(END, b"state=complete\n")


def many_events():
    """2^16 events in 200 bytes, again and again."""
    out, index = begin() + process() + names([b"/a"]), 0
    while len(out) < 2 << 10:
        out += events(index=index)
        index += MOST_EVENTS
    return out + end()


def long_texts(part=0):
    """Names that fill a block. Hardly squeezed in their first bytes, as a block
    that grows too much when it is expanded is taken for damaged."""
    some = random.Random(part)
    return [b"/%02d%05d%s" % (part, i, some.randbytes(24).hex().encode()) +
            b"/long" * 770 for i in range(MOST_RAW // 3912)]


def bombs():
    """Payloads that unpack to the most that a block may have, 24 times."""
    out = begin() + process() + names(long_texts()) * 24
    return out + block(HEAD, squeezed(bytes(MOST_RAW)), raw=MOST_RAW) + end()


def long_names():
    """768 MB of names, each another one, in some megabytes."""
    out, first = begin(more=b"mount=ext4 / /dev/x\n") + process(), 1
    for part in range(24):
        texts = long_texts(part)
        out += names(texts, first)
        first += len(texts)
    return out + events(count=8) + end()


def many_files():
    """262144 files that are all used, one event each."""
    texts = [b"/%x" % i for i in range(MOST_EVENTS)]
    out = begin() + process()
    for part in range(4):
        out += names([b"/%x" % part + text for text in texts],
                     part * MOST_EVENTS + 1)
        out += files(part * MOST_EVENTS)
    return out + end()


def million_files():
    """2^20 files with long paths, used as programs use them."""
    out, some = begin() + process(), MOST_EVENTS // 4
    for part in range(64):
        out += names([b"/scratch/project_0123456789/simulation/run-000017/"
                      b"output/fields/step-%06d/rank-%07d" % (part, i)
                      for i in range(some)], part * some + 1)
        out += uses(part * some)
    return out + end()


def many_names():
    """10^7 short names in one file."""
    out, first = begin() + process(), 1
    texts = [b"/%x" % i for i in range(1 << 20)]
    for _ in range(10):
        out += names(texts, first)
        first += len(texts)
    return out + events(count=8) + end()


def many_processes():
    """Each with a thread, some events and a long list of everything."""
    out = begin() + names([b"/a"])
    lists = b"".join(b"arg=%d\nthread=%d %d 0 0\ntrait.k%d=v\n" %
                     (i, i, i, i) for i in range(2, 2000))
    for number in range(1, 1500):
        out += process(number, lists if number < 40 else b"")
        out += events(proc=number, count=8)
    return out + end()


def wild_numbers():
    """Lengths, counts, times and numbers near 2^63 and 2^64."""
    out = begin(more=b"clock_of=1\nclock_begin=%d -%d 1\n" %
                (2**64 - 1, 2**63)) + process(2**32 - 1) + process()
    out += names([b"/a"], first=2**64 - 1) + names([b"/b"], first=2**63)
    out += block(NAMES, leb(2**63) + b"/x", count=2**32 - 1, first=1)
    for big in (2**63 - 1, 2**63, 2**64 - 1):
        out += events(count=8, row=[0, big, big, big, big, big, 0])
        out += events(count=8, index=big, site=[2, 255, 255, big, big, big, 6])
        out += block(EVENTS, bytes(64), proc=1, thread=1, count=2**32 - 1,
                     first=big, last=0)
        out += block(CHUNK, struct.pack("<6Q", 0x3f, 2, big, big, big, big),
                     proc=1, thread=1, count=2**32 - 1, first=1, last=big)
        out += block(RING, struct.pack("<4Q", big, big, 2**48, big), proc=1,
                     count=2**32 - 1)
    detail = leb(2**62) + leb(2**62) + leb(2**64 - 1)
    out += events(count=1, site=[3, 0, 0, 10, 2, 2, 5],
                  row=[0, 2, 1, 0, 0, 0, len(detail)], detail=detail)
    return out + end()


def far_names():
    """Paths of many steps up and down, and many mounts they may lie on."""
    mounts = b"".join(b"mount=ext4 %s /dev/x\n" % (b"/a" * i)
                      for i in range(1, 600))
    texts = [b"/a" * 300 + b"/.." * 299 + b"/%d" % i for i in range(2000)]
    out = begin(more=mounts) + process() + names(texts)
    for i in range(400):
        out += events(count=8, site=[2, 0, 0, 10, 2 * (i * 5 + 1), 2, 5],
                      index=i * 8)
    return out + end()


def wide_dictionary():
    """As many kinds, calls and arguments as it takes."""
    text = b"".join(b"kind k%d u detail %s\n" % (i, b"a:dec;" * 40)
                    for i in range(500))
    text += b"".join(b"call %d c%d k%d role %s\n" % (
        i, i, i % 500, b" ".join(b"a%d:k%d" % (j, 499 - j)
                                 for j in range(16))) for i in range(3000))
    return begin(text) + process() + names([b"/a"]) + events() + end()


TRACES = (many_events, bombs, long_names, many_names, many_files,
          million_files, many_processes, wild_numbers, far_names,
          wide_dictionary)
LARGE = (many_events, bombs, long_names, many_names, many_files,
         million_files, many_processes)
LARGEST = (many_names, million_files)


def deep_plan():
    """Elements in elements."""
    return b"<plan>" + b"<hdf5>" * 500000


def wide_plan():
    """More settings than there may be, and more attributes."""
    return b"<plan>" + b"<cb_nodes file='a*'>4</cb_nodes>" * 30000 + \
        b"<for " + b"".join(b"a%d='x' " % i for i in range(20000)) + \
        b"/></plan>"


def entities():
    """Entities that would grow to 10^9 bytes."""
    out = b"<!DOCTYPE p [<!ENTITY a0 'xxxxxxxxxx'>"
    for i in range(9):
        out += b"<!ENTITY a%d '%s'>" % (i + 1, b"&a%d;" % i * 10)
    return out + b"]><plan><cb_nodes>&a9;</cb_nodes></plan>"


def long_text():
    """One value, and one comment, of some megabytes."""
    return b"<plan><!--" + b"-" * (4 << 20) + b"--><chunk>" + \
        b"8," * (2 << 20) + b"</chunk></plan>"


def many_stars():
    """A pattern that a simple matcher would try for ever."""
    return b"<plan>" + b"".join(
        b"<cb_nodes file='%s'>4</cb_nodes>" % (b"*a" * 2000)
        for _ in range(100)) + b"</plan>"


def wide_space():
    """As many points as can be counted, and more."""
    values = b" ".join(b"%d" % i for i in range(1, 20000))
    return b"<space>" + b"".join(
        b"<platform name='p%d'>%s</platform>" %
        (p, b"".join(b"<%s values='%s'/>" % (name, values) for name in
                     (b"cb_nodes", b"striping_factor", b"cb_buffer_size")))
        for p in range(20)) + b"</space>"


PLANS = (deep_plan, wide_plan, entities, long_text, many_stars, wide_space)
