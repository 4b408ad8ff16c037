# SPDX-License-Identifier: BSD-3-Clause
"""Sums of a trace by file, process, layer and call, one event at a time."""
from collections import Counter, defaultdict

from callclasses import INNER, MOVES, READS, SIZED, WRITES

SIZES = (100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20,
         100 << 20, 1 << 30)
WAITS = 16


def size_class(size):
    return sum(size > limit for limit in SIZES)


def wait_class(dur):
    bits = max(dur.bit_length(), 1)
    return 0 if bits < 11 else min((bits - 9) // 2, WAITS - 1)


class Cell:
    """Calls of one kind."""

    def __init__(self, call):
        self.call = call
        self.numbers = Counter(calls=0, failed=0, time=0, timed=0, longest=0,
                               bytes=0, top=0, placed=0, follow=0, ahead=0)
        self.sizes, self.waits = [0] * (len(SIZES) + 1), [0] * WAITS

    def add(self, view, before):
        n = self.numbers
        n.update(calls=1, failed=view.failed, time=view.dur, timed=1,
                 bytes=view.moved)
        n["longest"] = max(n["longest"], view.dur)
        self.sizes[size_class(view.size)] += 1
        self.waits[wait_class(view.dur)] += 1
        if view.off is not None and not view.failed:
            n["top"] = max(n["top"], view.off + max(view.ret, 0))
        if before is not None:
            n.update(placed=1, follow=view.off == before,
                     ahead=view.off > before)

    def told(self):
        kind, n = self.call.kind, dict(self.numbers)
        if kind not in MOVES:
            for key in ("bytes", "top", "placed", "follow", "ahead"):
                del n[key]
        if kind in SIZED:
            n["sizes"] = self.sizes
        n["waits"] = self.waits
        return n | {"class": kind, "layer": self.call.layer}


class Row:
    """A file, or a process."""

    def __init__(self):
        self.cells, self.procs = {}, set()
        self.first = self.last = None
        self.own = 0
        self.done = Counter()  # by operations that ended

    def is_object(self, name):
        """What an object holds is moved by its library alone."""
        return ":/" in (name or "") and all(
            cell.call.layer in ("hdf5", "pnetcdf")
            for cell in self.cells.values())

    def add(self, view, before):
        name = view.call.name
        self.cells.setdefault(name, Cell(view.call)).add(view, before)
        end = view.start + view.dur
        self.first = view.start if self.first is None else min(
            self.first, view.start)
        self.last = end if self.last is None else max(self.last, end)
        self.procs.add(view.proc)
        if view.way and view.layer == "async":
            self.done[view.way] += view.moved

    def bytes_of(self, kinds, name):
        layers = ("posix", "stdio", "async", None)
        if self.is_object(name):
            layers = ("hdf5", "pnetcdf")
        return sum(cell.numbers["bytes"] for cell in self.cells.values()
                   if cell.call.kind in kinds and cell.call.layer in layers)

    def told(self, begin, name=None):
        return {"first": self.first - begin, "last": self.last - begin,
                "read": self.bytes_of(READS, name) + self.done["read"],
                "written": self.bytes_of(WRITES, name) + self.done["write"],
                "time": self.own,
                "calls": {name: cell.told()
                          for name, cell in self.cells.items()}}


class Covered:
    """How long at least one of several calls was under way."""

    def __init__(self):
        self.spans = []

    def add(self, view):
        began = view.start if view.began is None else view.began
        self.spans.append((began, view.start + view.dur))

    @property
    def time(self):
        time = until = 0
        for start, end in sorted(self.spans):
            time += max(0, end - max(start, until))
            until = max(until, end)
        return time


class Counted:
    """All of a trace."""

    def __init__(self, all_views):
        self.files, self.processes = defaultdict(Row), defaultdict(Row)
        self.layers = defaultdict(Counter)
        self.in_io, self.busy = defaultdict(Covered), defaultdict(Covered)
        self.times = defaultdict(list)  # by layer and class
        self.entered, self.ends = 0, {}
        for view in all_views:
            if view.entered:
                self.entered += 1
            else:
                self.add(view)
        for number, covered in self.in_io.items():
            self.processes[number].own = covered.time
        self.begin = min(row.first for row in self.processes.values())

    def add(self, view):
        before = None
        if view.off is not None and not view.failed:
            key = view.proc, view.thread, view.call.name, view.handle
            before = self.ends.get(key)
            self.ends[key] = view.off + max(view.ret, 0)
        file, process = self.files[view.file], self.processes[view.proc]
        file.add(view, before)
        process.add(view, before)
        self.times[view.layer, view.kind].append(view.dur)
        if not (view.setup or view.spawns or view.is_part or
                view.event["depth"] and not view.file):
            file.own += view.dur
        if not view.event["depth"] and view.counts:
            self.in_io[view.proc].spans.append(
                (view.start, view.start + view.dur))
        if view.kind not in INNER and view.counts:
            self.add_layer(view)

    def add_layer(self, view):
        dur = 0 if view.kind == "complete" else view.dur
        if view.kind != "complete" or view.began is not None:
            self.busy[view.layer].add(view)
        self.layers[view.layer].update(
            calls=1, self=dur, time=0 if view.above == view.layer else dur,
            read=view.moved if view.kind in READS or
            view.way == "read" else 0,
            written=view.moved if view.kind in WRITES or
            view.way == "write" else 0)
        if view.above:
            self.layers[view.above]["self"] -= dur

    def told_layers(self):
        return {name: {key: max(layer[key], 0) for key in (
                    "calls", "time", "self", "read", "written")} |
                {"busy": self.busy[name].time}
                for name, layer in self.layers.items() if layer["calls"]}

    def spread(self, layer, kind):
        """What 10 % ... of the calls' times do not exceed, exactly."""
        times = sorted(self.times[layer, kind])
        parts = {"least": 0, "p10": 100, "p50": 500, "p90": 900, "p99": 990,
                 "p999": 999, "most": 1000}
        return {key: times[max((len(times) * part + 999) // 1000, 1) - 1]
                for key, part in parts.items()}

    def told_files(self):
        return {name: row.told(self.begin, name) |
                {"processes": len(row.procs) if name else 0}
                for name, row in self.files.items()}

    def told_processes(self):
        return {number: row.told(self.begin)
                for number, row in self.processes.items()}
