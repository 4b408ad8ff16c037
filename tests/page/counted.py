# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the page, counted anew from what `weir dump` prints."""
from collections import defaultdict

from callclasses import INNER, MOVES, READS, SIZED, WRITES
from operations import Operations, way_of

SPAWNS = {"posix_spawn", "posix_spawnp", "system", "vfork", "chroot",
          "MPI_Abort"}
SETUP = {"MPI_Init", "MPI_Init_thread", "MPI_Finalize"}
CHANNELS = ("pipe", "socket:[", "anon_inode:", "/dev/tty", "/dev/pts/")
SYSTEM = ("posix", "stdio", "async")
OTHERS = "others", False


class Call:
    """An event, and what the page has to know of it."""

    def __init__(self, event, calls, by_id):
        self.event = event
        known = calls.get(event["call"])
        self.name, self.layer = event["call"], event.get("layer")
        self.kind = known.kind if known else "other"
        self.file = event.get("file")
        self.waits = (self.name not in SETUP | SPAWNS and
                      self.layer != "async" and
                      (self.file or "").startswith(CHANNELS))
        self.class_ = "wait" if self.waits else self.kind
        self.inner = self.kind in INNER
        self.entered = "entered" in event.get("flags", "").split("|")
        self.failed = "failed" in event.get("flags", "").split("|")
        self.dur = 0 if self.kind == "complete" else event["dur"]
        self.way, self.is_end = None, self.kind != "complete"
        self.above = by_id.get(event["parent"] or self.known_above())
        self.step = None
        self.path = (self.above.path if self.above else ()) + (
            (self.name, self.waits),)

    def joins(self, began):
        """Its end tells what an operation moved, and on which file."""
        if self.kind == "submit":
            self.way = way_of(self.event)
        if not began:
            return
        self.way, self.is_end = way_of(began), True
        self.file = self.file or began.get("file")

    def known_above(self):
        for link in self.event["links"]:
            if link["kind"] == "unknown" and link.get("above"):
                return link["above"]
        return None

    def moved(self):
        if self.failed or self.kind not in MOVES or not self.is_end:
            return 0
        if self.layer in ("hdf5", "pnetcdf"):
            return self.event["size"]
        return max(self.event["ret"], 0)

    def is_outermost(self):
        """No call of the same layer made it; libraries' starts are none."""
        above = self.above
        return (not above or above.name in SETUP or
                above.layer != self.layer)


def all_calls(events, calls):
    """In the order of the dump: callers come first. And each with the (phase,
    step) that its process is in; marks themselves are no calls."""
    by_id, where, operations = {}, {}, Operations()
    for event in events:
        if event.get("layer") == "mark":
            move(where, event)
        elif "call" in event and "layer" in event:
            call = by_id[event["id"]] = Call(event, calls, by_id)
            call.joins(operations.take(event, call.kind))
            call.step = where.get(event["proc"], (None, None))
    return list(by_id.values())


def move(where, mark):
    """A process to its next step: a phase ends the step before it."""
    phase, _ = where.get(mark["proc"], (None, None))
    if mark["call"] == "mark_phase":
        where[mark["proc"]] = mark["args"]["name"], None
    elif mark["call"] == "mark_step":
        where[mark["proc"]] = phase, mark["args"]["number"]


def spread(start, dur, sums, width):
    """(bin, sums) of a call: the first counts where it begins."""
    if not dur:
        yield start // width, list(sums)
        return
    at, come = start, [0] * len(sums)
    while at < start + dur:
        to = min((at // width + 1) * width, start + dur)
        now = [sums[0] if at == start else 0]
        for i, whole in enumerate(sums[1:], 1):
            until = abs(whole) * (to - start) // dur * (1 if whole > 0 else -1)
            now.append(until - come[i])
            come[i] = until
        yield at // width, now
        at = to


class Sums(defaultdict):
    def __init__(self, count):
        super().__init__(lambda: [0] * count)

    def put(self, key, sums):
        row = self[key]
        for i, figure in enumerate(sums):
            row[i] += figure

    def spread(self, rest, call, sums, width):
        for number, part in spread(call.event["start"], call.dur, sums, width):
            self.put((number, *rest), part)

    def some(self):
        return {key: row for key, row in self.items() if any(row)}


class Numbers:
    """What the names of a page's head are in its tables."""

    def __init__(self, head, rows):
        self.layers = {row["id"]: i for i, row in enumerate(head["layers"])}
        self.classes = {row["name"]: i
                        for i, row in enumerate(head["classes"])}
        self.who = {row["number"]: row["who"] for row in rows}
        self.files = {row["name"]: i for i, row in enumerate(head["files"])
                      if row["name"] is not None}
        self.kinds = [row["kind"] for row in head["files"]]
        self.others = self.kinds.index("others")
        self.none = self.kinds.index("none")
        self.width = head["bins"]["width_ns"]
        self.coarse = self.width * head["bins"]["coarse"]
        self.nodes = nodes_of(head)
        self.calls = {named(head, row): i
                      for i, row in enumerate(head["calls"])}

    def call(self, call):
        return self.calls[call.name, call.waits]

    def layer(self, call):
        return self.layers["posix" if call.layer == "recent" else call.layer]

    def file(self, call):
        if call.file is None:
            return self.none
        return self.files.get(call.file, self.others)

    def node(self, path):
        """Its own, or the one of others that it is joined to."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.nodes and length == len(path):
                return self.nodes[path]
            if path[:length - 1] + (OTHERS,) in self.nodes:
                return self.nodes[path[:length - 1] + (OTHERS,)]
        raise KeyError(path)


def named(head, row):
    """Calls that waited stand apart from others of their name."""
    return row["name"], head["classes"][row["class"]]["name"] == "wait"


def nodes_of(head):
    paths, found = [], {}
    for number, node in enumerate(head["nodes"]):
        above = paths[node["parent"]] if node["parent"] >= 0 else ()
        name = (named(head, head["calls"][node["call"]])
                if node["call"] >= 0 else OTHERS)
        paths.append(above + (name,))
        found[paths[-1]] = number
    return found


def in_system(call):
    """(class, calls) as the operating system has it; None: it has not."""
    if call.layer == "async":
        if call.kind in ("submit", "complete"):
            return call.way or "other", int(call.kind == "submit")
        return None
    if call.inner:
        way = "read" if call.kind == "stream-fill" else "write"
        return ("wait" if call.waits else way), 1
    return (call.class_, 1) if call.layer in ("posix", "recent") else None


def seen(calls, numbers):
    """(call, layer, class, calls, bytes, time, own, sized)"""
    for call in calls:
        time = call.dur if call.is_outermost() else 0
        if not call.inner:
            yield (call, numbers.layer(call), numbers.classes[call.class_], 1,
                   call.moved(), time, call.dur, call.kind in SIZED)
        system = in_system(call)
        if system:
            class_, count = system
            took = call.dur if call.inner else time
            yield (call, numbers.layers["os"], numbers.classes[class_], count,
                   call.moved(), took, took,
                   count and (call.kind in SIZED))


def cells(calls, numbers):
    found = Sums(4)
    for call, layer, class_, count, moved, time, own, _ in seen(calls,
                                                               numbers):
        found.spread((numbers.who[call.event["proc"]], layer, class_), call,
                     [count, moved, time, own], numbers.width)
    for call in calls:
        above = call.above
        if above and not call.inner and not above.inner:
            found.spread((numbers.who[call.event["proc"]],
                          numbers.layer(above),
                          numbers.classes[above.class_]), call,
                         [0, 0, 0, -call.dur], numbers.width)
    return found.some()


def paths(calls, numbers):
    found = Sums(4)
    for call in calls:
        who = numbers.who[call.event["proc"]]
        found.spread((numbers.node(call.path), who), call,
                     [1, call.moved(), call.dur, call.dur], numbers.coarse)
        if call.above:
            found.spread((numbers.node(call.above.path), who), call,
                         [0, 0, 0, -call.dur], numbers.coarse)
    return found.some()


def power(size):
    return size.bit_length() - 1 if size else 255


def sizes(calls, numbers):
    found = Sums(2)
    for call, layer, class_, count, moved, _, _, sized in seen(calls, numbers):
        if sized:
            found.put((call.event["start"] // numbers.coarse, layer, class_,
                       power(call.event["size"])), [count, moved])
    return found.some()


def quarter(dur):
    """Of a power of two, four to each; 255: no time at all."""
    power_of = dur.bit_length() - 1
    return 4 * power_of + (4 * dur >> power_of) % 4 if dur else 255


def latency(calls, numbers):
    found = Sums(2)
    for call in calls:
        if call.kind != "complete":
            found.put((call.event["start"] // numbers.coarse,
                       numbers.call(call), quarter(call.dur)), [1, call.dur])
    return found.some()


def share(calls, numbers):
    found = Sums(4)
    for call in calls:
        if call.inner:
            continue
        file = numbers.file(call)
        counts = call.layer in (*SYSTEM, "recent") or \
            numbers.kinds[file] == "object"
        moved = call.moved() if counts else 0
        done = call.way if call.kind == "complete" else None
        own = call.name not in SETUP | SPAWNS and (
            call.above is None or call.file not in (None, call.above.file)
            if call.event["depth"] else True)
        found.spread((file, numbers.who[call.event["proc"]]), call,
                     [1, moved if call.kind in READS or done == "read" else 0,
                      moved if call.kind in WRITES or done == "write"
                      else 0,
                      call.event["dur"] if own else 0], numbers.coarse)
    return found.some()


def stepsum(calls, numbers, head):
    number_of = {(row["phase"], row["step"]): i
                 for i, row in enumerate(head["steps"])}
    found = Sums(3)
    if not number_of:
        return {}
    for call, layer, class_, count, moved, time, _, _ in seen(calls, numbers):
        found.put((number_of[call.step],
                   numbers.who[call.event["proc"]], layer, class_),
                  [count, moved, time])
    return found.some()


def access(calls, numbers, head):
    width = (head["bins"]["count"] * numbers.width // head["access_bins"])
    files = {row["file"]: (i, row["offset_unit"])
             for i, row in enumerate(head["access_files"])}
    found = Sums(2)
    for call in calls:
        way = {"stream-fill": "read", "stream-flush": "write"}.get(
            call.kind, call.kind if call.layer in ("posix", "recent") else "")
        off = call.event.get("off", -1)
        if (way not in ("read", "write") or numbers.file(call) not in files or
                call.failed or call.waits or off < 0):
            continue
        row, unit = files[numbers.file(call)]
        at, end, count = off, off + call.moved(), 1
        while count or at < end:
            part = min(at // unit, 127)
            to = end if part == 127 else min((part + 1) * unit, end)
            found.put((call.event["start"] // width, row, part,
                       int(way == "write")), [count, to - at])
            at, count = to, 0
    return found.some()
