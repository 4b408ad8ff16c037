# SPDX-License-Identifier: BSD-3-Clause
"""The events of a trace with what analysis asks of each, from its dump."""
import copy
import mmap
import os
from collections import defaultdict

from callclasses import MOVES, calls_of
from operations import Operations, way_of
from weirtool import events, has_flag

NUMBERED = ("posix", "stdio", "async", "mpiio", "hdf5", "pnetcdf", "mark",
            "client", "comm", "server", "disk")
SETUP = {"MPI_Init", "MPI_Init_thread", "MPI_Finalize"}
SPAWNS = {"posix_spawn", "posix_spawnp", "system", "vfork", "chroot",
          "MPI_Abort"}
LOOKS = {"access", "faccessat", "eaccess", "readlink", "readlinkat", "stat",
         "lstat", "fstatat", "statx"}
REMOVES = {"unlink", "unlinkat", "remove"}
CREATES = {"creat", "mkstemp", "mkostemp", "mkstemps", "mkostemps"}
CHANNELS = ("pipe", "socket:[", "anon_inode:", "/dev/tty", "/dev/pts/")
RENAMES = {"rename", "renameat", "renameat2"}
LIVE = ("/dev/", "/proc/", "/sys/")
MEMORY = "/dev/shm/"
DEEPEST = 8


class CallView:
    """One event."""

    def __init__(self, event, call):
        self.event, self.call = event, call
        self.kind = call.kind
        self.layer = call.layer if call.layer in NUMBERED else "other"
        self.file = event.get("file")
        self.proc, self.thread = event["proc"], event["thread"]
        self.start, self.dur = event["start"], event["dur"]
        self.size, self.off = event["size"], event.get("off")
        self.handle = event.get("handle", 0)
        self.failed = has_flag(event, "failed")
        self.entered = has_flag(event, "entered")
        self.ret = event.get("ret", 0)
        self.moved = self.count_moved()
        self.began = self.way = None  # of what it ends
        self.channel = (self.file or "").startswith(CHANNELS)
        self.in_memory = (self.file or "").startswith(MEMORY)
        self.live = not self.in_memory and (self.file or "").startswith(LIVE)
        self.renames = 0
        self.setup = call.name in SETUP
        self.spawns = call.name in SPAWNS
        # Operations are handed over to rings: that waits for nobody.
        self.waits = self.channel and self.layer != "async"
        self.counts = not (self.setup or self.waits or self.spawns)
        self.is_part = False  # of another call on the same file
        self.witness = (-self.dur, self.proc, self.thread, event["index"])
        self.above = self.top = None
        self.together = False  # below a collective call
        self.echo = False  # of a copy, told of its other file
        self.fills = self.call.name == "sendfile" or (
            self.call.name == "mmap" and
            event["args"].get("prot", 0) & mmap.PROT_WRITE != 0 and
            event["args"].get("flags", 0) & mmap.MAP_SHARED != 0)

    def count_moved(self):
        if self.failed or self.kind not in MOVES:
            return 0
        if self.layer in ("hdf5", "pnetcdf"):
            return self.size
        return max(self.ret, 0)

    def ends(self, began):
        """What an operation moved, and on which file, its end tells."""
        if not began:
            self.moved = 0
            return
        self.began, self.way = began["start"], way_of(began)
        self.file = self.file or began.get("file")

    def is_named(self, names):
        return self.call.name in names

    def is_collective(self):
        return "_all" in self.call.name or "_ordered" in self.call.name

    def opens_with(self, flags):
        return self.event["args"].get("flags", 0) & flags

    def creates(self):
        return self.is_named(CREATES) or bool(self.opens_with(os.O_CREAT))

    def is_synchronous(self):
        return bool(self.opens_with(os.O_SYNC | os.O_DSYNC))

    def told_where(self):
        """Names that say something else are not asked for arguments."""
        return (self.call.told_where and not self.is_collective() and
                not self.is_named(LOOKS | REMOVES | CREATES | SETUP |
                                  RENAMES))


def note_together(view, above):
    """`above` has, for each depth, whether the call was collective or below
    such."""
    depth = view.event["depth"]
    view.together = bool(depth) and above[min(depth, DEEPEST) - 1]
    if depth < DEEPEST:
        above[depth] = view.together or view.is_collective()


def note_part(view, files):
    """`files` has, for each depth, that of the last call."""
    depth = view.event["depth"]
    view.is_part = bool(depth and view.file and
                        files[min(depth, DEEPEST) - 1] == view.file)
    if depth < DEEPEST:
        files[depth] = view.file


def place(view, layers, above):
    """Which layer made the call, and which the application had called."""
    depth = view.event["depth"]
    view.top = view.layer
    if depth:
        view.above = layers[min(depth, DEEPEST) - 1]
        view.top = layers[0] or view.layer
    if depth < DEEPEST:
        layers[depth] = None if view.setup else view.layer
    note_together(view, above)


def echo_of(view, opened):
    """A copy as its other file sees it, or None."""
    other = "in" if view.call.name == "sendfile" else "out"
    fd = view.event["args"].get(other)
    if view.kind != "copy" or not view.moved or fd is None:
        return None
    echo = copy.copy(view)
    echo.file = opened.get((view.proc, fd))
    echo.echo, echo.handle, echo.fills = True, 0, not view.fills
    echo.live = (echo.file or "").startswith(LIVE) and \
        not echo.file.startswith(MEMORY)
    echo.in_memory = (echo.file or "").startswith(MEMORY)
    echo.channel = (echo.file or "").startswith(CHANNELS)
    return echo if echo.file else None


def views(trace):
    calls, renames, opened, known = calls_of(trace), 0, {}, set()
    operations = Operations()
    threads = defaultdict(lambda: ([None] * DEEPEST, [False] * DEEPEST))
    files = defaultdict(lambda: [None] * DEEPEST)
    for event in events(trace):
        if event["call"] == "weir:loss":
            continue
        view = CallView(event, calls[event["call"]])
        began = operations.take(event, view.kind)
        if view.kind == "complete":
            view.ends(began)
        renames += view.is_named(RENAMES)
        view.renames = renames
        place(view, *threads[view.proc, view.thread])
        note_part(view, files[view.proc, view.thread])
        if view.layer == "mark":
            continue  # no call
        yield view
        known.add((view.file, view.proc))
        if view.kind == "open" and view.layer == "posix" and \
                not view.failed:
            opened[view.proc, view.ret] = view.file
        echo = echo_of(view, opened)
        if echo and (echo.file, echo.proc) in known:
            yield echo
