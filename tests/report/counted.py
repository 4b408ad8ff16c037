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

    def add(self, sight, before):
        n = self.numbers
        n.update(calls=1, failed=sight.failed, time=sight.dur, timed=1,
                 bytes=sight.moved)
        n["longest"] = max(n["longest"], sight.dur)
        self.sizes[size_class(sight.size)] += 1
        self.waits[wait_class(sight.dur)] += 1
        if sight.off is not None and not sight.failed:
            n["top"] = max(n["top"], sight.off + max(sight.ret, 0))
        if before is not None:
            n.update(placed=1, follow=sight.off == before,
                     ahead=sight.off > before)

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

    def add(self, sight, before):
        name = sight.call.name
        self.cells.setdefault(name, Cell(sight.call)).add(sight, before)
        end = sight.start + sight.dur
        self.first = sight.start if self.first is None else min(
            self.first, sight.start)
        self.last = end if self.last is None else max(self.last, end)
        self.procs.add(sight.proc)

    def bytes_of(self, kinds):
        return sum(cell.numbers["bytes"] for cell in self.cells.values()
                   if cell.call.kind in kinds and
                   cell.call.layer in ("posix", "stdio", "async", None))

    def told(self, begin):
        return {"first": self.first - begin, "last": self.last - begin,
                "read": self.bytes_of(READS), "written": self.bytes_of(WRITES),
                "time": self.own,
                "calls": {name: cell.told()
                          for name, cell in self.cells.items()}}


class Counted:
    """All of a trace."""

    def __init__(self, all_sights):
        self.files, self.processes = defaultdict(Row), defaultdict(Row)
        self.layers = defaultdict(Counter)
        self.times = defaultdict(list)  # by layer and class
        self.entered, self.ends = 0, {}
        for sight in all_sights:
            if sight.entered:
                self.entered += 1
            else:
                self.add(sight)
        self.begin = min(row.first for row in self.processes.values())

    def add(self, sight):
        before = None
        if sight.off is not None and not sight.failed:
            key = sight.proc, sight.thread, sight.call.name, sight.handle
            before = self.ends.get(key)
            self.ends[key] = sight.off + max(sight.ret, 0)
        file, process = self.files[sight.file], self.processes[sight.proc]
        file.add(sight, before)
        process.add(sight, before)
        self.times[sight.layer, sight.kind].append(sight.dur)
        if not sight.event["depth"] and not sight.setup:
            file.own += sight.dur
            process.own += 0 if sight.channel else sight.dur
        if sight.kind not in INNER and sight.counts:
            self.add_layer(sight)

    def add_layer(self, sight):
        dur = 0 if sight.kind == "complete" else sight.dur
        self.layers[sight.layer].update(
            calls=1, self=dur, time=0 if sight.above == sight.layer else dur,
            read=sight.moved if sight.kind in READS else 0,
            written=sight.moved if sight.kind in WRITES else 0)
        if sight.above:
            self.layers[sight.above]["self"] -= dur

    def told_layers(self):
        return {name: {key: max(layer[key], 0) for key in (
                    "calls", "time", "self", "read", "written")}
                for name, layer in self.layers.items() if layer["calls"]}

    def spread(self, layer, kind):
        """What 10 % ... of the calls' times do not exceed, exactly."""
        times = sorted(self.times[layer, kind])
        parts = {"least": 0, "p10": 100, "p50": 500, "p90": 900, "p99": 990,
                 "p999": 999, "most": 1000}
        return {key: times[max((len(times) * part + 999) // 1000, 1) - 1]
                for key, part in parts.items()}

    def told_files(self):
        return {name: row.told(self.begin) |
                {"processes": len(row.procs) if name else 0}
                for name, row in self.files.items()}

    def told_processes(self):
        return {number: row.told(self.begin)
                for number, row in self.processes.items()}
