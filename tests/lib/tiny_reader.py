#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a .weir file, raw or packed, as JSON lines.

Written from doc/format.md alone.
"""
import ctypes
import struct
import sys

import tiny_chunks
import tiny_rings

XXHASH = ctypes.CDLL("libxxhash.so.0")
XXHASH.XXH3_64bits.restype = ctypes.c_uint64
XXHASH.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
ZSTD = ctypes.CDLL("libzstd.so.1")
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
ZSTD.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t] * 2

HEAD, DICT, PROC, CHUNK, NAMES, EVENTS, END, NODE, RING = range(1, 10)
PART = 1  # flag of a HEAD
HANDLES = 1  # flag of a RING
FAILED, NOOFF, VFORK, ENTERED, CUT, SITE = 1, 2, 4, 8, 16, 0x80
LOSS = 0xff00
ORDERS = {b"WEIRblk1": "<", b"WEIRBLK1": ">"}  # of the bytes in a number
M64 = 2**64 - 1
STAT = ("dev ino mode nlink uid gid rdev size atime mtime ctime blksize "
        "blocks").split()


def xxh3(data):
    return XXHASH.XXH3_64bits(data, len(data))


def unzstd(data, size):
    to = ctypes.create_string_buffer(size + 1)
    assert ZSTD.ZSTD_decompress(to, size, data, len(data)) == size
    return to.raw[:size]


def unzigzag(n):
    return (n >> 1) ^ -(n & 1)


def signed(n):
    return n - 2**64 if n & 2**63 else n


class Source:
    """Bytes that are read from the front."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if self.at + n > len(self.data):
            raise EOFError
        self.at += n
        return self.data[self.at - n:self.at]

    def leb(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7f) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def plane(self, rows):
        form = self.take(1)[0]
        if form == 0:
            return self.take(1) * rows
        return self.take(rows) if form == 1 else \
            unzstd(self.take(self.leb()), rows)

    def column(self, rows):
        values = [0] * rows
        for p in range(self.take(1)[0]):
            for i, byte in enumerate(self.plane(rows)):
                values[i] |= byte << 8 * p
        return values


def blocks(data):
    """Sound blocks with a good payload; damage is stepped over."""
    at = 0
    while at + 64 <= len(data):
        order = ORDERS.get(data[at:at + 8])
        if not order:
            at += 8
            continue
        head = struct.unpack_from(order + "8s6I2Q2IQ", data, at)
        (_, kind, stored, raw, proc, thread, count, first, last, flags,
         head_check, check) = head
        end = at + 64 + stored
        if end > len(data) or \
                xxh3(data[at:at + 52]) & 0xffffffff != head_check:
            at += 8
            continue
        payload = data[at + 64:end]
        at = (end + 7) & ~7
        if xxh3(payload) == check:
            yield (kind, unzstd(payload, raw) if raw else payload, order,
                   proc, thread, count, first, last, flags)


def parts(data):
    """The blocks of each part; most files are one."""
    part = []
    for block in blocks(data):
        if block[0] == HEAD and block[-1] & PART and part:
            yield part
            part = []
        part.append(block)
    yield part


def props(payload):
    lines = {}
    for line in payload.split(b"\n"):
        key, equals, value = line.partition(b"=")
        if equals:
            parts = value.split(b"%")
            text = parts[0] + b"".join(
                bytes([int(p[:2], 16)]) + p[2:] for p in parts[1:])
            lines.setdefault(key.decode(), []).append(text)
    return lines


class Trace:
    def __init__(self, part, before=None):
        self.head, self.kinds, self.calls = {}, {}, {}
        self.procs, self.names, self.events = {}, {}, []
        self.base = before.base + before.highest if before else 0
        self.highest = 0  # number of a process
        chunks, rings, told = {}, [], {}
        for (kind, payload, order, proc, thread, count, first, last,
             flags) in part:
            self.highest = max(self.highest, proc)
            if kind == HEAD:
                self.head = props(payload)
            elif kind == DICT and not self.calls:
                self.read_dictionary(payload.decode())
            elif kind == PROC:
                self.procs[proc] = props(payload)
            elif kind == NAMES:
                source = Source(payload)
                for i in range(count):
                    self.names[first + i] = source.take(source.leb())
            elif kind == EVENTS:
                self.read_events(Source(payload), order, proc, thread, count)
            elif kind == RING and flags & HANDLES:
                rings.append((Source(payload), order, proc))
            elif kind == RING:
                self.events += tiny_rings.events(self, Source(payload), order,
                                                 proc)
            elif kind == CHUNK:
                chunks.setdefault((proc, thread), {})[first] = (
                    last, payload, order)
        self.events += tiny_chunks.events(self, Source, chunks, told)
        for ring in rings:
            self.events += tiny_rings.events(self, *ring, told[ring[-1]])
        if before and not self.calls:
            self.kinds, self.calls = before.kinds, before.calls

    def number_of(self, name):
        """A name that raw chunks tell gets a number of ours."""
        if name is None:
            return 0
        numbers = {known: number for number, known in self.names.items()}
        return numbers.get(name) or self.names.setdefault(
            len(self.names) + 1, name) and len(self.names)

    def read_dictionary(self, text):
        layer = None
        for words in map(str.split, text.splitlines()):
            if words[:1] == ["kind"]:
                self.kinds[words[1]] = words[2:5]
            elif words[:1] == ["call"]:
                self.calls[int(words[1])] = (
                    words[2], [a.split(":") for a in words[5:]], layer)
            elif words[:1] == ["layer"]:
                layer = words[1]

    def read_events(self, source, order, proc, thread, count):
        index, clock, nsites, ndetail = struct.unpack(
            order + "2Q2I", source.take(24))
        table = [source.column(nsites) for _ in range(7)]
        before, sites = [-1, 0, 0], []
        for row in zip(*table):
            before = [b + unzigzag(d) for b, d in zip(before, row[3:6])]
            sites.append(dict(call=row[0], flags=row[1], depth=row[2],
                              who=tuple(before), modes=row[6],
                              off=0, step=0, size=0, ret=0))
        columns = [source.column(count) for _ in range(7)]
        details = Source(source.plane(ndetail))
        unused = iter(sites)
        for code, gap, dur, size, off, ret, length in zip(*columns):
            site = sites[code - 1] if code else next(unused)
            start = (clock + unzigzag(gap)) & M64
            clock = (start + dur) & M64
            size = (site["size"] + unzigzag(size)) & M64
            ret = unzigzag(ret) + (size if site["modes"] & 4 else site["ret"])
            if site["flags"] & NOOFF:
                off = 0
            else:
                expected = (0, site["off"] + site["size"],
                            site["off"] + site["step"])[site["modes"] & 3]
                off = (unzigzag(off) + expected) & M64
                site["step"], site["off"] = off - site["off"], off
            site["size"], site["ret"] = size, ret & M64
            self.events.append(dict(
                start=start, dur=dur, proc=proc, thread=thread, index=index,
                call=site["call"], flags=site["flags"], depth=site["depth"],
                fd=site["who"][0], file=site["who"][1], handle=site["who"][2],
                off=signed(off), size=size, ret=signed(ret & M64),
                detail=details.take(length)))
            index += 1

    def mono(self, tick):
        tick0, mono0, mult = (int(self.head[k][-1])
                              for k in ("tick0", "mono0", "mult"))
        return mono0 + ((signed((tick - tick0) & M64) * mult) >> 32)

    def real(self, tick):
        mono = self.mono(tick)
        return mono - int(self.head["mono0"][-1]) + \
            int(self.head["real0"][-1]) + self.ahead(mono)

    def ahead(self, mono):
        """What other hosts' clocks say; of traces that are sound."""
        points = [list(map(int, self.head[key][-1].split()))
                  for key in ("clock_begin", "clock_end") if key in self.head]
        if not points or mono <= points[0][0] or len(points) == 1:
            return points[0][1] if points else 0
        (begin, first, _), (end, last, _) = points
        if mono >= end:
            return last
        drift = abs(last - first) * (mono - begin) // (end - begin)
        return first + (drift if last > first else -drift)


def is_shown(char):
    c = ord(char)
    return 0x20 <= c != 0x7f and not (
        0x7f < c < 0xa0 or c in (0x61c, 0xfeff) or 0x200b <= c <= 0x200f or
        0x2028 <= c <= 0x202e or 0x2060 <= c <= 0x206f)


def safe(data):
    """Any bytes as text: backslashes doubled, what is not shown as \\xNN."""
    out = ""
    for char in data.decode("utf-8", "surrogateescape"):
        if char == "\\":
            out += "\\\\"
        elif is_shown(char) and not 0xdc80 <= ord(char) <= 0xdcff:
            out += char
        else:
            raw = char.encode("utf-8", "surrogateescape")
            out += "".join(f"\\x{byte:02x}" for byte in raw)
    return out


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def text(source):
    length = source.leb()
    return quote(safe(source.take(min(length, len(source.data) - source.at))))


def argument(trace, event, kind, source):
    """The value as JSON, or None when it is not given."""
    wire, place, show = trace.kinds[kind]
    if place in ("handle", "size", "off"):
        field = "fd" if place == "handle" else place
        known = place != "off" or not event["flags"] & NOOFF
        return str(event[field]) if known else None
    if place != "detail":
        return None
    if wire in "us":
        return str((unzigzag if wire == "s" else int)(source.leb()))
    if wire == "o":
        value = source.leb()
        return str(value - 1) if value else None
    if wire in "tp":
        if wire == "p":
            source.leb()
        return text(source)
    if wire == "v":
        source.leb()
        pairs = [(source.leb(), source.leb()) for _ in range(source.leb())]
        return "[" + ",".join(f"[{b},{n}]" for b, n in pairs) + "]"
    if wire == "x":
        if not source.leb():
            return None
        fields = [(unzigzag if "time" in name else int)(source.leb())
                  for name in STAT]
        return "{" + ",".join(f'"{n}":{v}' for n, v in zip(STAT, fields)) + "}"
    if wire == "h":
        value = unzigzag(source.leb())
        source.leb()
        return str(value)
    if wire == "f":
        if not source.leb():
            return None
        return f"[{unzigzag(source.leb())},{unzigzag(source.leb())}]"
    if wire == "r":
        return record(show, source) if source.leb() else None
    raise EOFError


def record(show, source):
    """The fields that SHOW names; those that were cut off are left out."""
    given = []
    for name in show.split("/"):
        try:
            value = text(source) if name[0] == "$" else \
                str(unzigzag(source.leb()))
        except EOFError:
            source.at = len(source.data)
            break
        given.append(f'"{name.lstrip("$").split(":")[0]}":{value}')
    return "{" + ",".join(given) + "}"


def arguments(trace, event, call):
    detail = event["detail"]
    if event["flags"] & SITE and detail and detail[-1] < len(detail):
        detail = detail[:-1 - detail[-1]]
    source, given = Source(detail), []
    for name, kind in call[1]:
        try:
            value = argument(trace, event, kind, source)
        except EOFError:
            source = Source(b"")
            continue
        if value is not None:
            given.append(f'"{name}":{value}')
    return "{" + ",".join(given) + "}"


def line(trace, event, begin):
    flags, proc = event["flags"], trace.procs.get(event["proc"])
    call = trace.calls.get(event["call"])
    start, end = trace.real(event["start"]), \
        trace.real(event["start"] + event["dur"])
    out = [f'"start":{start - begin}', f'"dur":{end - start}']
    if proc:
        out.append(f'"host":{quote(safe(trace.head["host"][-1]))}')
        out.append(f'"pid":{int(proc["pid"][-1])}')
    out += [f'"proc":{trace.base + event["proc"]}', f'"thread":{event["thread"]}']
    for thread in proc.get("thread", []) if proc else []:
        number, tid = thread.split()[:2]
        if int(number) == event["thread"]:
            out.append(f'"tid":{int(tid)}')
    name = "weir:loss" if event["call"] == LOSS else \
        call[0] if call else f'call#{event["call"]}'
    out += [f'"index":{event["index"]}', f'"depth":{event["depth"]}',
            f'"call":"{name}"']
    if call and call[2]:
        out.append(f'"layer":"{call[2]}"')
    if event["fd"] >= 0:
        out.append(f'"fd":{event["fd"]}')
    if event["file"] in trace.names:
        out.append(f'"file":{quote(safe(trace.names[event["file"]]))}')
    if event["handle"]:
        out.append(f'"handle":{event["handle"]}')
    out.append(f'"size":{event["size"]}')
    if not flags & NOOFF:
        out.append(f'"off":{event["off"]}')
    if not flags & ENTERED:
        out.append(f'"ret":{-1 if flags & FAILED else event["ret"]}')
    if flags & FAILED:
        out.append(f'"err":{event["ret"]}')
    words = [word for bit, word in ((FAILED, "failed"), (VFORK, "vfork"),
                                    (ENTERED, "entered"), (CUT, "cut"))
             if flags & bit]
    out.append(f'"flags":"{"|".join(words)}"')
    if call:
        out.append(f'"args":{arguments(trace, event, call)}')
    return "{" + ",".join(out) + "}"


def main():
    traces, trace = [], None
    for part in parts(open(sys.argv[1], "rb").read()):
        trace = Trace(part, trace)
        traces.append(trace)
    events = sorted(((t, e) for t in traces for e in t.events), key=lambda p: (
        p[0].real(p[1]["start"]), p[0].base + p[1]["proc"], p[1]["thread"],
        p[1]["depth"], p[1]["index"]))
    begin = events[0][0].real(events[0][1]["start"]) if events else 0
    for trace, event in events:
        print(line(trace, event, begin))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    main()
