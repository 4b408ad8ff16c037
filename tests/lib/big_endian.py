#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a .weir file as a big-endian machine would have written it.

usage: big_endian.py FROM TO [--mixed]

With --mixed every other block stays as it is. Written from doc/format.md.
"""
import struct
import sys

from tiny_reader import CHUNK, EVENTS, RING, xxh3

LITTLE, BIG = b"WEIRblk1", b"WEIRBLK1"
HEADER = "8s6I2Q2IQ"
DETAIL = 0x20
# bit of word 0: how many words it adds
FOLLOWS = {0x01: 2, 0x02: 1, 0x04: 1, 0x08: 1, 0x10: 2, DETAIL: 1}


def turn_chunk(payload):
    """Every word is a number, but for those of a detail's bytes."""
    out, at = b"", 0

    def numbers(count):
        nonlocal out, at
        words = struct.unpack_from(f"<{count}Q", payload, at)
        out += struct.pack(f">{count}Q", *words)
        at += 8 * count
        return words

    while at + 8 <= len(payload):
        word, = numbers(1)
        rest = numbers(sum(n for bit, n in FOLLOWS.items() if word & bit))
        if word & DETAIL:
            padded = (rest[-1] + 7) & ~7
            out += payload[at:at + padded]
            at += padded
    return out + payload[at:]


def turn_events(payload):
    head = struct.unpack_from("<2Q2I", payload)
    return struct.pack(">2Q2I", *head) + payload[24:]


def turn_ring(payload):
    """Four words, then two a record; behind them are names."""
    count = 4 + 2 * struct.unpack_from("<4Q", payload)[3]
    return struct.pack(f">{count}Q", *struct.unpack_from(
        f"<{count}Q", payload)) + payload[8 * count:]


def turn_block(head, payload):
    (_, kind, stored, raw, proc, thread, count, first, last, flags, _,
     _) = head
    turn = {CHUNK: turn_chunk, EVENTS: turn_events, RING: turn_ring}.get(kind)
    if turn:
        assert not raw
        payload = turn(payload)
    front = struct.pack(">8s6I2QI", BIG, kind, stored, raw, proc, thread,
                        count, first, last, flags)
    return front + struct.pack(">IQ", xxh3(front) & 0xffffffff,
                               xxh3(payload)) + payload


def turn_file(data, mixed):
    out, at, number = b"", 0, 0
    while at < len(data):
        head = struct.unpack_from("<" + HEADER, data, at)
        assert head[0] == LITTLE
        end = at + 64 + head[2]
        block = data[at:end] if mixed and number % 2 else \
            turn_block(head, data[at + 64:end])
        out += block + b"\0" * (-len(block) % 8)
        at = (end + 7) & ~7
        number += 1
    return out


def main():
    with open(sys.argv[1], "rb") as source:
        data = source.read()
    with open(sys.argv[2], "wb") as to:
        to.write(turn_file(data, sys.argv[3:] == ["--mixed"]))


if __name__ == "__main__":
    main()
