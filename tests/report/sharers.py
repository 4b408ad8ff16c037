# SPDX-License-Identifier: BSD-3-Clause
"""usage: sharers.py CASE

Two processes use one file, the second after the first has told it to.
A case is words: what the first does after it has written 1000 bytes (sync,
close, exit, lock), and what the second does (early: opens before; write,
read, elsewhere, own). Instead of writing, the first may map the file: stores
into it, or only looks."""
import fcntl
import mmap
import os
import sys

FILE = "shared"
KEPT = []


def lock(file):
    fcntl.lockf(file, fcntl.LOCK_EX)
    fcntl.lockf(file, fcntl.LOCK_UN)


def second(words, told, ready):
    file = os.open(FILE, os.O_RDWR) if "early" in words else None
    os.write(ready, b"x")
    os.read(told, 1)
    if file is None:
        file = os.open(FILE, os.O_RDWR)
    if "lock" in words:
        lock(file)
    place = 5000 if "elsewhere" in words else 500
    if "write" in words:
        os.pwrite(file, b"b" * 100, place)
    else:
        os.pread(file, 100, place)
    os._exit(0)


def in_memory(file, words):
    stores = "stores" in words
    held = mmap.mmap(file, 4096, prot=mmap.PROT_READ |
                     (mmap.PROT_WRITE if stores else 0))
    if stores:
        held[500:600] = b"a" * 100
    KEPT.append(held)


def first(words, tell):
    file = os.open(FILE, os.O_RDWR)
    if "stores" in words or "looks" in words:
        in_memory(file, words)
    else:
        os.pwrite(file, b"a" * 1000, 0)
    if "own" in words:
        os.pread(file, 100, 0)
        os.pwrite(file, b"c" * 100, 0)
    if "sync" in words:
        os.fsync(file)
    if "lock" in words:
        lock(file)
    if "close" in words:
        os.close(file)
    if "exit" not in words:
        os.write(tell, b"x")
        os.wait()


def main(case):
    words = case.split()
    with open(FILE, "wb") as new:
        new.truncate(8192)
    told, tell = os.pipe()
    waits, ready = os.pipe()
    if not os.fork():
        second(words, told, ready)
    os.read(waits, 1)
    if "exit" not in words:
        first(words, tell)
        return
    writer = os.fork()  # the second is told when this one has ended
    if not writer:
        first(words, tell)
        os._exit(0)
    os.waitpid(writer, 0)
    os.write(tell, b"x")
    os.wait()


main(sys.argv[1])
