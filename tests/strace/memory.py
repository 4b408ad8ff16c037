# SPDX-License-Identifier: BSD-3-Clause
"""Which calls on memory are about a file that a recorded call mapped.

Memory without a file is passed on unrecorded, so its lines need no event."""
from lineage import CLONE_THREAD, births, clone_flags, is_exec

MAP_FIXED, MAP_ANONYMOUS = 0x10, 0x20
CALLS = ("mmap", "munmap", "msync", "mprotect", "madvise", "mremap",
         "remap_file_pages")
OTHER_NAMES = ("mmap64", "posix_madvise")


def number(value):
    return value if isinstance(value, int) else 0


def range_of(line):
    start = number(line.args[0])
    return start, start + max(1, number(line.args[1]))


class Memory:
    """The files in the memory of one process."""

    def __init__(self, ranges=()):
        self.ranges = list(ranges)

    def touches(self, start, end):
        return any(a < end and start < b for a, b in self.ranges)

    def cut(self, start, end):
        kept = []
        for a, b in self.ranges:
            if a < start:
                kept.append((a, min(b, start)))
            if b > end:
                kept.append((max(a, end), b))
        self.ranges = [(a, b) for a, b in kept if a < b]


class Follower:
    def __init__(self, threads, is_wrapped):
        self.is_wrapped = is_wrapped
        self.memories = {}
        self.children = {line: child for line, child in births(threads)}
        self.silent = set()

    def of(self, line):
        return self.memories.setdefault(line.pid, Memory())

    def begin(self, line):
        memory = self.of(line)
        if line in self.children and not clone_flags(line) & CLONE_THREAD:
            self.memories[self.children[line]] = Memory(memory.ranges)
        if line.name not in CALLS:
            return
        if not self.is_about_file(line, memory):
            self.silent.add(line)
        if line.name in ("munmap", "mremap"):
            memory.cut(*range_of(line))

    def is_about_file(self, line, memory):
        if line.name == "mmap":
            return not line.args[3] & MAP_ANONYMOUS
        return memory.touches(*range_of(line))

    def end(self, line):
        memory = self.of(line)
        if is_exec(line):
            memory.ranges = []
        if line.name not in ("mmap", "mremap") or line.error:
            return
        length = number(line.args[1 if line.name == "mmap" else 2])
        memory.cut(line.ret, line.ret + length)
        if self.is_wrapped(line) and line not in self.silent:
            memory.ranges.append((line.ret, line.ret + length))


def silent_lines(threads, is_wrapped):
    """Lines of wrapped calls on memory that need no event."""
    lines = [line for own in threads.values() for line in own
             if line.name in CALLS or is_exec(line) or
             line.name in ("clone", "clone3", "fork", "vfork")]
    ends = [(line.time, 0, line) for line in lines]
    ends += [(line.time + (line.took or 0), 1, line) for line in lines]
    follower = Follower(threads, is_wrapped)
    for _, is_end, line in sorted(ends, key=lambda end: end[:2]):
        (follower.end if is_end else follower.begin)(line)
    return follower.silent
