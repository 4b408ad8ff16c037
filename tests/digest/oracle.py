# SPDX-License-Identifier: BSD-3-Clause
"""The digest of doc/verify.md, computed from the bytes of a file, and the sums
that the events of a trace tell of it."""
import struct

WORDS = 128  # of a block
MASK = (1 << 64) - 1
WHOLE = (1 << 128) - 1
UNTOLD, EXISTED = 1, 2


def number(n):
    """The n-th number of the stream."""
    z = (n + 1) * 0x9e3779b97f4a7c15 & MASK
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
    z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
    return z ^ z >> 31


KEYS = [number(i) | 1 for i in range(WORDS)]


def block_key(block):
    first = WORDS + 2 * block
    return number(first + 1) << 64 | number(first) | 1


def digest(data):
    total = 0
    for at in range(0, len(data), 8 * WORDS):
        block = data[at:at + 8 * WORDS]
        if not any(block):
            continue
        block += bytes(-len(block) % 8)
        words = struct.unpack(f"<{len(block) // 8}Q", block)
        part = sum(word * key for word, key in zip(words, KEYS))
        total += part * block_key(at // (8 * WORDS))
    return total & WHOLE


def only(data, extents):
    """The bytes of these extents, and zeros between them."""
    kept = bytearray(len(data))
    for first, last in extents:
        kept[first:last] = data[first:last]
    return bytes(kept)


def pieces(text):
    """[(from, to)] of what an event tells of extents."""
    found = []
    for part in filter(None, text.split(",")):
        part, _, run = part.partition("*")
        first, last = map(int, part.split("-"))
        count, stride = map(int, run.split("/")) if run else (1, 0)
        found += [(first + n * stride, last + n * stride)
                  for n in range(count)]
    return found


def ones(size):
    return digest(b"\1" * size)


class Told:
    """What the events say of one file."""

    def __init__(self):
        self.sum = self.cover = self.bytes = self.writes = self.doubts = 0
        self.fresh = False
        self.open = {}  # handles that have begun and not told the sum
        self.extents = {}  # of each process, as it told them last

    def add(self, event):
        args = event["args"]
        self.sum += args["high"] << 64 | args["low"]
        self.cover += args["cover_high"] << 64 | args["cover_low"]
        self.sum &= WHOLE
        self.cover &= WHOLE
        self.bytes = (self.bytes + args["bytes"]) & MASK
        self.writes += args["writes"]
        self.fresh |= not args["doubts"] & EXISTED
        self.doubts |= args["doubts"] & ~(UNTOLD | EXISTED)
        key = event["host"], event["proc"], event["handle"]
        self.open[key] = bool(args["doubts"] & UNTOLD)
        if not self.open[key]:
            self.extents[key[:2]] = pieces(args["extents"])

    def written(self, data):
        """Those of a file's bytes that are said to be written."""
        return only(data, [e for own in self.extents.values() for e in own])

    @property
    def vanished(self):
        return sum(self.open.values())


def told(events):
    """{file: Told}, without what a file that was emptied again had."""
    found = {}
    for event in events:
        if event["call"] == "proof":
            found.setdefault(event["file"], Told()).add(event)
    return found
