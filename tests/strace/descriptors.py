# SPDX-License-Identifier: BSD-3-Clause
"""Follows descriptors and positions by the lines of strace alone, and
compares what the events say of them: handle, file and offset.

A *life* is the time of one descriptor number in one process, from the call
that made it to the one that closed it; an *open file* has the position and
may have several lives."""
import os
import re
from collections import defaultdict

import streams
from lineage import CLONE_FILES, CLONE_THREAD, births, clone_flags, is_exec

O_CLOEXEC, O_APPEND = 0x80000, 0x400
AT_FDCWD = -100
F_DUPFD, F_SETFD, F_SETFL, F_DUPFD_CLOEXEC = 0, 2, 4, 1030
CLOSE_RANGE_CLOEXEC = 4
STREAM = re.compile(r"^(pipe|socket|anon_inode|\w+):")
# Which argument of a call that makes a descriptor has O_CLOEXEC in it.
FLAGS = {"open": 1, "openat": 2, "pipe2": 1, "dup3": 2, "memfd_create": 1}
READS = ("read", "readv", "preadv2")
WRITES = ("write", "writev", "pwritev2")
MAPPED = ("munmap", "msync", "mprotect", "madvise", "posix_madvise", "mremap",
          "remap_file_pages")
MOVES = READS + WRITES
COPIES = {"sendfile": ((1, 2), (0, None)), "splice": ((0, 1), (2, 3)),
          "copy_file_range": ((0, 1), (2, 3))}


class OpenFile:
    """position: None when only the kernel knows it."""

    def __init__(self, position, appends=False):
        self.position, self.appends = position, appends
        self.busy_until = 0         # the end of the last call that moved it

    def move(self, by):
        if self.position is not None:
            self.position += by


class Life:
    def __init__(self, file, cloexec=False, base=None, maker=None):
        self.file, self.cloexec, self.base = file, cloexec, base
        self.maker = maker          # the line, when its event names the file
        self.is_pipe = False        # made where it could be seen
        self.key = object()
        self.handles = {}           # recorded process: handle

    def copy(self):
        """As fork does."""
        twin = Life(self.file, self.cloexec, self.base, self.maker)
        twin.key, twin.handles = self.key, dict(self.handles)
        return twin


def flags_of(line):
    place = FLAGS.get(line.name)
    if place is None or place >= len(line.args):
        return 0
    return line.args[place] if isinstance(line.args[place], int) else 0


class World:
    """All descriptor tables, moved on by one line after the other."""

    def __init__(self, threads):
        self.threads = threads
        self.tables = defaultdict(dict)         # thread: its table
        self.begun = {line: child for line, child in births(threads)}

    def moments(self):
        """Both ends of every line, in order of time."""
        all_lines = [line for lines in self.threads.values()
                     for line in lines]
        ends = [(line.time, 0, line) for line in all_lines]
        ends += [(line.time + line.took, 1, line) for line in all_lines
                 if line.took is not None]
        return sorted(ends, key=lambda end: (end[0], end[1]))

    def get(self, tid, fd):
        """The life of a descriptor; found open when never seen before."""
        table = self.tables[tid]
        if fd not in table:
            table[fd] = Life(OpenFile(None))
        return table[fd]

    def begin(self, line):
        """What holds from the moment the call is entered."""
        if line in self.begun:
            self.give_birth(line, self.begun[line])
        elif line.name == "close":
            self.tables[line.tid].pop(line.args[0], None)
        elif line.name == "close_range":
            self.sweep(line)

    def give_birth(self, line, child):
        table = self.tables[line.tid]
        if clone_flags(line) & (CLONE_FILES | CLONE_THREAD):
            self.tables[child] = table
        else:
            self.tables[child] = {fd: life.copy()
                                  for fd, life in table.items()}

    def sweep(self, line):
        first, last, flags = line.args
        table = self.tables[line.tid]
        for fd in [fd for fd in table if first <= fd <= last]:
            if flags & CLOSE_RANGE_CLOEXEC:
                table[fd].cloexec = True
            else:
                del table[fd]

    def end(self, line):
        """What holds from the moment the call has returned."""
        if line.error:
            return
        if is_exec(line):
            table = self.tables[line.tid]
            self.tables[line.tid] = {fd: life for fd, life in table.items()
                                     if not life.cloexec}
        elif line.name in ("dup", "dup2", "dup3"):
            self.duplicate(line, bool(flags_of(line) & O_CLOEXEC))
        elif line.name == "fcntl":
            self.control(line)
        elif line.name in ("pipe", "pipe2", "socketpair"):
            self.make_pair(line)
        elif line.ret_path and line.ret >= 0:
            self.make(line)
        else:
            self.transfer(line)

    def duplicate(self, line, cloexec):
        fd, base = line.ret, self.get(line.tid, line.args[0])
        if fd != line.args[0]:
            self.tables[line.tid][fd] = Life(base.file, cloexec, base)

    def control(self, line):
        life = self.get(line.tid, line.args[0])
        command = line.args[1]
        if command in (F_DUPFD, F_DUPFD_CLOEXEC):
            self.duplicate(line, command == F_DUPFD_CLOEXEC)
        elif command == F_SETFD:
            life.cloexec = bool(line.args[2] & 1)
        elif command == F_SETFL:
            life.file.appends = bool(line.args[2] & O_APPEND)

    def make_pair(self, line):
        pair = next(part for part in line.args if isinstance(part, list))
        for fd in pair:
            life = Life(OpenFile(None), bool(flags_of(line) & O_CLOEXEC))
            life.is_pipe = line.name != "socketpair"
            self.tables[line.tid][int(fd)] = life

    def make(self, line):
        flags = flags_of(line)
        self.tables[line.tid][line.ret] = Life(
            OpenFile(0, bool(flags & O_APPEND)), bool(flags & O_CLOEXEC),
            None, line)

    def transfer(self, line):
        if line.name == "lseek":
            self.get(line.tid, line.args[0]).file.position = line.ret
        elif line.name in ("getdents", "getdents64"):
            self.get(line.tid, line.args[0]).file.position = None
        elif line.name in COPIES:
            for fd, offset in COPIES[line.name]:
                if offset is None or line.args[offset] is None:
                    self.get(line.tid, line.args[fd]).file.move(line.ret)
        elif line.name in MOVES and not has_offset(line):
            self.move(line)

    def move(self, line):
        file = self.get(line.tid, line.args[0]).file
        if line.name in WRITES and file.appends:
            file.position = None
        else:
            file.move(line.ret)
        file.busy_until = max(file.busy_until, line.time + line.took)


def has_offset(line):
    """Positioned, unless the offset is -1."""
    return line.name.endswith("v2") and line.args[3] != -1


class Checker:
    """Compares pairs of events and lines with the world as it is then."""

    def __init__(self, world, verdict):
        self.world, self.verdict = world, verdict
        self.lives = {}         # (process, handle): key of the life
        self.files = {}         # (process, handle): file
        self.before = {}        # line: the life at its beginning
        self.mappings = []      # (process, start, end, handle)
        self.streams = streams.Seen()

    def run(self):
        events = {line: event for event, line in self.verdict.pairs}
        for _, is_end, line in self.world.moments():
            event = events.get(line)
            if not is_end:
                if event and event.get("fd", -1) >= 0:
                    self.look(event, line)
                self.world.begin(line)
                continue
            if event and line.name in MOVES:
                self.check_offset(event, line)
            if line in self.verdict.stdio and line.name in streams.LINES:
                self.streams.add(line, self.world.get(line.tid, line.args[0]))
            self.world.end(line)
            if event:
                self.check_handle(event, line)

    def look(self, event, line):
        self.before[line] = self.world.get(line.tid, event["fd"])

    def complain(self, line, what, event):
        self.verdict.complain(line.image.program, "wrong", what, event, line)

    def check_offset(self, event, line):
        """An offset may be unknown, but never wrong."""
        life = self.before.get(line)
        if life is None or line.error or "off" not in event or \
                has_offset(line) or line.ret is None:
            return
        name = getattr(line.args[0], "path", None) or ""
        if STREAM.match(name):
            self.complain(line, f"an offset in {name}", event)
        elif line.name in WRITES and life.file.appends:
            self.complain(line, "an offset of appended bytes", event)
        elif line.time < life.file.busy_until:
            self.verdict.counts[line.image.program]["unsure"] += 1
        elif life.file.position is None:
            self.verdict.counts[line.image.program]["unsure"] += 1
        elif life.file.position != event["off"]:
            self.complain(line, f"offset, not {life.file.position}", event)
        else:
            self.verdict.counts[line.image.program]["offsets"] += 1

    def check_handle(self, event, line):
        if not event.get("handle") or event.get("fd", -1) < 0 or line.error:
            return
        if event["call"] in MAPPED:
            self.check_mapping(event, line)
            return
        made = line.ret_path is not None and line.ret == event["fd"]
        life = (self.world.get(line.tid, event["fd"]) if made
                else self.before.get(line))
        process, handle = event["proc"], event["handle"]
        key = self.lives.setdefault((process, handle), life.key)
        if key is not life.key or \
                life.handles.setdefault(process, handle) != handle:
            self.complain(line, f"handle {handle}, which is of another life "
                          f"(this has {life.handles.get(process)})", event)
            return
        self.verdict.counts[line.image.program]["handles"] += 1
        if line.name == "mmap":
            self.mappings.append((process, line.ret, line.ret + line.args[1],
                                  handle))
        self.check_file(event, line, life)

    def check_mapping(self, event, line):
        """Memory is of the file it was mapped from, open or not."""
        address = event["args"]["addr"]
        handles = [handle for process, start, end, handle in self.mappings
                   if process == event["proc"] and start <= address < end]
        if handles and handles[-1] != event["handle"]:
            self.complain(line, f"handle, not {handles[-1]}", event)
        if line.name == "mremap":
            self.mappings.append((event["proc"], line.ret,
                                  line.ret + line.args[2], event["handle"]))

    def check_file(self, event, line, life):
        """The same for each handle, and at first what the kernel says."""
        key = event["proc"], event["handle"]
        want = self.files.get(key)
        if want is None:
            want = self.first_name(event, line, life)
            self.files[key] = event.get("file")
        if want != event.get("file"):
            self.complain(line, f"file, not {want}", event)

    def first_name(self, event, line, life):
        if life.maker is line:
            return named_file(line, event)
        if life.base is not None:
            base = life.base.handles.get(event["proc"])
            if (event["proc"], base) in self.files:
                return self.files[event["proc"], base]
        name = kernel_name(line, event["fd"])
        if life.maker is None and not life.is_pipe:
            return name
        return "pipe" if life.is_pipe else event.get("file")


def named_file(line, event):
    """The path as it was given, after the directory it is relative to."""
    path = event.get("args", {}).get("path")
    if path is None:
        return event.get("file")
    place = getattr(line.args[0], "path", None)
    if place is None and not path.startswith("/"):
        return line.ret_path        # of creat
    return os.path.normpath(os.path.join(place or "", path))


def kernel_name(line, fd):
    for argument in line.args:
        if getattr(argument, "path", None) and argument == fd:
            return argument.path
    return None
