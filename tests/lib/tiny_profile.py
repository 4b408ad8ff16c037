# SPDX-License-Identifier: BSD-3-Clause
"""Reads the PROFILE blocks of a .weir file. Written from doc/format.md alone."""
import collections
import struct

from tiny_reader import DICT, ORDERS, Source, unzstd, xxh3

PROFILE = 11
NUMBERS = 36
FILE, NONE, OTHERS = range(3)
CURRENT = 1


def blocks(data):
    """Type, process, flags and payload of the blocks of a whole file."""
    at = 0
    while at < len(data):
        order = ORDERS[data[at:at + 8]]
        (_, kind, stored, raw, proc, _, _, _, _, flags, _, check) = \
            struct.unpack_from(order + "8s6I2Q2IQ", data, at)
        payload = data[at + 64:at + 64 + stored]
        assert xxh3(payload) == check
        yield kind, proc, flags, unzstd(payload, raw) if raw else payload
        at = (at + 64 + stored + 7) & ~7


def rows(payload):
    """Kind, name or number of files, and the numbers of each call."""
    source = Source(payload)
    while source.at < len(payload):
        kind, name = source.leb(), None
        if kind == FILE:
            name = source.take(source.leb())
        if kind == OTHERS:
            name = source.leb()
        source.leb(), source.leb()  # times
        cells = {}
        for _ in range(source.leb()):
            call = source.leb()
            numbers = [source.leb() for _ in range(source.leb())]
            numbers += [0] * (NUMBERS - len(numbers))
            cells[call] = numbers[:NUMBERS]
        yield kind, name, cells


def read(data):
    """{(name, call): numbers} of all processes, and how many files folded."""
    last, current, folded = {}, {}, 0
    for kind, proc, flags, payload in blocks(data):
        if kind == PROFILE and flags & CURRENT:
            current[proc] = payload
        elif kind == PROFILE:
            last[proc] = payload
            current.pop(proc, None)
    calls = {number: call[0] for number, call in
             dictionary(data).items()}
    sums = collections.defaultdict(lambda: [0] * NUMBERS)
    for payload in [*last.values(), *current.values()]:
        for kind, name, cells in rows(payload):
            folded += name if kind == OTHERS else 0
            for call, numbers in cells.items():
                add(sums[name if kind == FILE else kind, calls[call]],
                    numbers)
    return sums, folded


def dictionary(data):
    """Names of calls by id."""
    out = {}
    for kind, _, _, payload in blocks(data):
        for line in payload.decode().split("\n") if kind == DICT else ():
            words = line.split()
            if words and words[0] == "call":
                out[int(words[1])] = (words[2],)
    return out


def add(to, numbers):
    for i, number in enumerate(numbers):
        to[i] = max(to[i], number) if i in (5, 6) else to[i] + number
