# SPDX-License-Identifier: BSD-3-Clause
"""What rules of spec/findings count in a trace, one event at a time.

Savings are left out; so are rules that need more than the sums of a process
on a file. Counts, bytes and times must be those of the report exactly.
"""
import errno
import re
from collections import Counter, defaultdict
from pathlib import Path

from extents import Extents
from hinted import Hinted
from meeting import Meeting
from callview import LOOKS, REMOVES, RENAMES

SMALL, PAGE, MIB, STREAMS = 64 << 10, 4096, 1 << 20, 4
LONGEST = 32  # directories in vain, for each where a name is found
OWN = ("posix", "stdio")  # layers of what a program does by itself
SPEC = Path(__file__).resolve().parents[2] / "spec" / "findings"
FIGURES = ("count", "of", "bytes", "time")


def limits():
    """{rule: (least, share, whether of each file)}"""
    return {name: (int(least), int(share), per == "file")
            for name, least, share, per in re.findall(
                r"^rule (\S+)\n\s+least\s+(\d+)\n\s+share\s+(\d+)\n"
                r"\s+per\s+(\w+)", SPEC.read_text(), re.M)}


def has_share(clues, share):
    count, of = (sum(clue[key] for clue in clues) for key in ("count", "of"))
    return (count * 100 // of if of else 0) >= share


class Clues:
    """Counted by rule, then by file and process."""

    def __init__(self):
        self.rules = defaultdict(lambda: defaultdict(Counter))

    def add(self, rule, who, **figures):
        self.rules[rule][who].update(figures)

    def told(self, rule):
        """What the report must say of a rule, or None."""
        clues = self.rules[rule]
        least, share, per_file = limits()[rule]
        if per_file:
            clues = self.of_files(clues, share)
        told = {key: sum(clue[key] for clue in clues.values())
                for key in FIGURES}
        if told["count"] < max(least, 1) or not has_share(clues.values(),
                                                          share):
            return None
        spoken = [who for who, clue in clues.items() if clue["count"]]
        return told | {"files": len({file for file, _ in spoken})}


    @staticmethod
    def of_files(clues, share):
        """Those of files of which it is as much as the rule asks for."""
        files = defaultdict(dict)
        for who, clue in clues.items():
            files[who[0]][who] = clue
        return {who: clue for own in files.values()
                if sum(one["count"] for one in own.values()) and
                has_share(own.values(), share) for who, clue in own.items()}


class Stream:
    """Where bytes are expected, and what a buffer would hold of them."""

    def __init__(self):
        self.next, self.held, self.run, self.used = None, 0, 0, 0


class Flow:
    """Reads or writes of a process on a file through a layer."""

    def __init__(self):
        self.n = Counter()
        self.touched = Extents()
        self.streams = [Stream() for _ in range(STREAMS)]
        self.appended = Stream()
        self.last_off, self.last_step = 0, 0

    def add(self, view):
        n, size, dur = self.n, view.moved, view.dur
        n.update(calls=1, bytes=size, time=dur)
        if size < SMALL:
            n.update(small=1, small_bytes=size, small_time=dur)
        if size < PAGE:
            n.update(tiny=1, tiny_bytes=size, tiny_time=dur)
        if view.off is None:
            self.gather(self.appended, bool(self.appended.held), size, dur)
        else:
            self.place(view.off, size, dur)

    def gather(self, stream, follows, size, dur):
        if size >= SMALL:
            stream.held = MIB
        elif follows and stream.held + size <= MIB:
            stream.held += size
            self.n.update(joined=1, joined_bytes=size, joined_time=dur)
        else:
            stream.held = size

    def follow(self, stream, size, dur):
        self.last_step = 0
        if PAGE <= size < SMALL and stream.run >= 2 * PAGE:
            self.n.update(paced=1, paced_bytes=size, paced_time=dur)

    def step(self, off, size, dur):
        step, before = off - self.last_off, self.last_step
        self.last_step = step
        if not self.n["placed"] or not step or size >= SMALL:
            return
        if self.n["placed"] > 1 and step == before:
            self.n.update(strided=1, stride_time=dur)
        else:
            self.n["scattered"] += 1

    def place(self, off, size, dur):
        stream = next((s for s in self.streams if s.next == off), None)
        follows = stream is not None
        if follows:
            self.follow(stream, size, dur)
        else:
            self.step(off, size, dur)
            stream = min(self.streams, key=lambda s: s.used)
            stream.held = stream.run = 0
        self.gather(stream, follows, size, dur)
        stream.next, stream.used = off + size, self.n["calls"]
        stream.run += size
        self.last_off = off
        self.n["placed"] += 1
        self.touched.add(off, off + size)


def judge_own(flow, word, who, clues):
    """What a program asks of the system by itself."""
    n = flow.n
    if n["small"] * 2 < n["calls"]:
        return
    few = {"bytes": n["small_bytes"], "of": n["small"]}
    clues.add(f"small-{word}s", who, of=n["small"], bytes=n["joined_bytes"],
              count=n["joined"], time=n["joined_time"])
    clues.add(f"strided-{word}s", who, **few, time=n["stride_time"],
              count=n["strided"])
    clues.add(f"scattered-{word}s", who, **few, time=n["small_time"],
              count=n["scattered"])


def judge_stream(flow, kind, who, clues):
    n = flow.n
    if kind == "stream-flush":
        clues.add("flushed-streams", who, of=n["calls"], time=n["tiny_time"],
                  bytes=n["tiny_bytes"],
                  count=max(n["tiny"] - n["tiny_bytes"] // PAGE - 1, 0))
    clues.add("stream-buffers", who, of=n["calls"], count=n["paced"],
              bytes=n["paced_bytes"], time=n["paced_time"])


class Reading:
    """Flows of a file that read from the system, by process."""

    def __init__(self):
        self.flows, self.own = defaultdict(list), defaultdict(list)
        self.written = 0

    def add(self, key, flow):
        who, layer, kind, top, _ = key
        if layer in OWN and kind in ("write", "stream-flush"):
            self.written += flow.n["bytes"]
        if kind == "stream-fill" or (layer, kind) == ("posix", "read"):
            self.flows[who].append(flow)
            if top in OWN:
                self.own[who].append(flow)


def joined(flows):
    once = Extents()
    for flow in flows:
        for piece in flow.touched.pieces:
            once.add(*piece)
    return once.bytes()


def judge_same(reading, clues):
    """Bytes of a file that several processes read."""
    total = sum(joined(flows) for flows in reading.flows.values())
    twice = total - joined(flow for flows in reading.flows.values()
                           for flow in flows)
    if twice < MIB or twice * 2 < total:
        return
    for who, flows in reading.flows.items():
        clues.add("same-reads", who, count=1, of=1,
                  time=sum(flow.n["time"] for flow in flows),
                  bytes=sum(flow.touched.bytes() * twice // total
                            for flow in flows))


def judge_again(reading, clues):
    """What is read once more, and was not written in between."""
    for who, flows in reading.own.items():
        size = sum(flow.n["bytes"] for flow in flows)
        again = size - joined(reading.flows[who]) - reading.written
        again = again if again >= MIB else 0
        for flow in flows:
            clues.add("repeated-reads", who, of=flow.n["calls"],
                      bytes=flow.n["bytes"] * again // size,
                      count=flow.n["calls"] * again // size,
                      time=flow.n["time"] * again // size)


def judge_files(flows, clues):
    files = defaultdict(Reading)
    for key, flow in flows.items():
        files[key[0][0]].add(key, flow)
    for reading in files.values():
        judge_same(reading, clues)
        judge_again(reading, clues)


class File:
    """What all processes together do to it."""

    def __init__(self):
        self.changes = 0
        self.created = self.removed = self.told = False


class Seek:
    def __init__(self, s):
        self.what, self.dur, self.used, self.size = (
            s.thread, s.handle, s.ret), s.dur, False, 0


class Writing:
    """What a process writes by itself, version by version."""

    def __init__(self):
        self.n, self.once, self.version = Counter(), 0, Extents()

    def add(self, s):
        if s.top in OWN and s.off is not None:
            self.n.update(calls=1, bytes=s.moved, time=s.dur)
            self.version.add(s.off, s.off + s.moved)

    def end_version(self):
        self.once += self.version.bytes()
        self.version = Extents()


class Use:
    """What a process does with a file besides moving bytes."""

    def __init__(self, who, file, clues):
        self.who, self.file, self.clues, self.n = who, file, clues, Counter()
        self.at = None  # (handle, position), as far as known
        self.seek = self.last = self.seen = None
        self.unsynced = self.before = 0
        self.writing = Writing()
        self.synchronous = self.was_synchronous = False
        self.created = self.opened = self.in_memory = False

    def note(self, rule, size, dur):
        self.clues.add(rule, self.who, count=1, bytes=size, time=dur)

    def note_missing(self, s):
        if s.event["err"] == errno.ENOENT:
            self.n.update(missing=1, missing_time=s.dur)

    def open(self, s):
        if s.failed:
            return self.note_missing(s)
        moved = self.n["read"] + self.n["written"] + self.n["carried"]
        self.n.update(opens=1, open_time=s.dur,
                      again=self.opened and moved - self.before < MIB)
        self.before, self.opened, self.at = moved, True, None
        self.synchronous = s.is_synchronous()
        self.was_synchronous |= self.synchronous
        if s.creates():
            self.created = self.file.created = True
            self.file.removed = False
            self.file.changes += 1
        self.writing.end_version()
        self.end_seek()

    def close(self, s):
        self.n["open_time"] += s.dur
        self.at = None
        self.end_seek()

    def look(self, s):
        if s.failed:
            return self.note_missing(s)
        seen = (self.file.changes, s.renames,
                0 if s.is_named(LOOKS) else s.handle)
        self.n["looks"] += 1
        if self.seen == seen:
            self.note("repeated-stats", 0, s.dur)
        self.seen = seen

    def move_to(self, s):
        if s.failed:
            return
        self.n["seeks"] += 1
        if s.layer != "posix":
            return
        self.end_seek()
        idle = s.handle and self.at == (s.handle, s.ret)
        self.at = s.handle, s.ret
        if idle:
            self.note("idle-seeks", 0, s.dur)
        else:
            self.seek = Seek(s)

    def end_seek(self):
        seek, self.seek = self.seek, None
        if seek and seek.used:
            self.note("seek-pairs", seek.size, seek.dur)

    def use_seek(self, s):
        if self.seek and not self.seek.used and (
                self.seek.what == (s.thread, s.handle, s.off)):
            self.seek.used, self.seek.size = True, s.moved
        else:
            self.seek = None

    def sync(self, s):
        if s.failed or not self.n["writes"]:
            return
        size, self.unsynced = self.unsynced, 0
        self.writing.end_version()
        self.n["syncs"] += 1
        if self.n["syncs"] > 1 and size < MIB:
            self.note("frequent-syncs", size, s.dur)

    def transfer(self, s):
        if not s.told_where():
            self.use_seek(s)
            self.at = None if s.off is None else (s.handle, s.off + s.moved)
        if s.kind in ("write", "stream-flush"):
            return self.write(s)
        self.n["read"] += s.moved
        self.last = None
        if s.moved and s.off is not None:
            self.last = s.thread, s.off, s.off + s.moved, s.dur

    def write(self, s):
        self.writing.add(s)
        self.file.changes += 1
        self.unsynced += s.moved
        self.n.update(written=s.moved, writes=1)
        if self.synchronous:
            self.note("synchronous-writes", s.moved, s.dur)
        read, self.last = self.last, None
        if read and s.moved and s.off is not None and (
                read[:2] == (s.thread, s.off) and s.off + s.moved >= read[2]):
            self.note("read-modify-write", s.moved, read[3])

    def copy(self, s):
        self.at = self.seek = self.last = None
        if not s.fills:
            self.n["read"] += s.moved
            return
        self.file.changes += 1
        self.unsynced += s.moved
        self.n.update(written=s.moved, writes=1)

    def submit(self, s):
        self.file.changes += 1
        self.n["carried"] += s.size

    def map(self, s):
        if not s.failed:
            self.n["carried"] += s.size * (s.call.name == "mmap")
            self.file.changes += s.fills

    def other(self, s):
        if s.is_named(LOOKS):
            return self.look(s)
        self.file.changes += 1
        if not s.failed and s.is_named(REMOVES | RENAMES):
            self.opened = False
        if not s.failed and s.is_named(REMOVES):
            self.file.removed = True

    TAKERS = {"open": open, "close": close, "read": transfer,
              "write": transfer, "stream-fill": transfer,
              "stream-flush": transfer, "seek": move_to, "stat": look,
              "sync": sync, "copy": copy, "submit": submit, "map": map,
              "other": other}

    def take(self, s):
        self.in_memory = s.in_memory
        if s.kind not in ("stream-fill", "stream-flush") and not s.echo:
            self.n["time"] += s.dur
        self.TAKERS[s.kind](self, s)

    def judge(self):
        n, add = self.n, self.clues.add
        self.end_seek()
        for rule, of in (("idle-seeks", n["seeks"]),
                         ("seek-pairs", n["seeks"]),
                         ("repeated-stats", n["looks"]),
                         ("frequent-syncs", n["syncs"]),
                         ("synchronous-writes",
                          n["writes"] * self.was_synchronous),
                         ("read-modify-write", n["writes"])):
            add(rule, self.who, of=of)
        if n["opens"]:
            add("repeated-opens", self.who, count=n["again"],
                of=n["opens"], time=n["open_time"])
        self.judge_names()
        self.judge_written()

    def judge_names(self):
        n, add = self.n, self.clues.add
        plain, found = n["read"] + n["written"], n["opens"] + n["looks"]
        moved = plain + n["carried"]
        small = moved < SMALL
        if n["opens"] and (plain or self.created):
            first, self.file.told = not self.file.told, True
            add("many-small-files", self.who, count=first and small, of=first,
                time=n["open_time"] * small, bytes=moved * small)
        if self.file.created and self.file.removed and not self.in_memory:
            add("temporary-files", self.who, count=self.created,
                of=self.created, time=n["time"], bytes=moved)

    def judge_written(self):
        self.writing.end_version()
        w, size = self.writing.n, self.writing.n["bytes"] or 1
        again = w["bytes"] - self.writing.once - self.n["read"]
        again = again if again >= MIB else 0
        self.clues.add("repeated-writes", self.who, of=w["calls"],
                       bytes=again, count=w["calls"] * again // size,
                       time=w["time"] * again // size)


def judge_missing(uses, clues):
    """Found in another directory, and not in vain in too many."""
    alike = defaultdict(lambda: defaultdict(list))
    for (file, proc), use in uses.items():
        folder, _, last = file.rpartition("/")
        stem = last[:1] + last[1:].partition(".")[0]
        alike[proc, stem][folder].append((file, use.n))
    for (proc, _), folders in alike.items():
        there = {folder for folder, all_of in folders.items()
                 if any(n["opens"] + n["looks"] for _, n in all_of)}
        searched = 0 < len(folders) <= (LONGEST + 1) * len(there)
        for folder, all_of in folders.items():
            vain = searched and folder not in there
            for file, n in all_of:
                clues.add("missing-files", (file, proc),
                          of=n["opens"] + n["looks"] + n["missing"],
                          count=n["missing"] * vain,
                          time=n["missing_time"] * vain)


class Judged:
    RULES = [f"{how}-{word}s" for word in ("read", "write")
             for how in ("small", "strided", "scattered", "repeated")] + [
        "flushed-streams", "stream-buffers", "same-reads", "idle-seeks",
        "seek-pairs", "repeated-stats", "frequent-syncs",
        "synchronous-writes", "read-modify-write", "missing-files",
        "repeated-opens", "many-small-files", "temporary-files",
        "ignored-hints", "interleaved-writes", "misaligned-writes",
        "writes-in-turns"]

    def __init__(self, all_views, mpi=""):
        self.clues, self.hints = Clues(), Hinted(mpi)
        self.flows, self.uses = defaultdict(Flow), {}
        self.files = defaultdict(File)
        self.meetings, self.users = defaultdict(Meeting), Counter()
        for view in all_views:
            if view.file and not (view.entered or view.channel or
                                   view.live):
                self.take(view)
        for (who, layer, kind, top, _), flow in self.flows.items():
            if kind in ("stream-fill", "stream-flush"):
                judge_stream(flow, kind, who, self.clues)
            elif layer == top == "posix" and kind in ("read", "write"):
                judge_own(flow, kind, who, self.clues)
        for use in self.uses.values():
            use.judge()
        judge_missing(self.uses, self.clues)
        judge_files(self.flows, self.clues)
        for meeting in self.meetings.values():
            meeting.judge(self.clues)

    def take(self, s):
        who = s.file, s.proc
        self.hints.take(s, self.clues)
        if s.moved and s.kind in (
                "read", "write", "stream-read", "stream-write",
                "stream-fill", "stream-flush"):
            self.flows[who, s.layer, s.kind, s.top,
                       s.is_collective() or s.together].add(s)
        if s.layer in ("posix", "stdio", "async") and s.kind in Use.TAKERS:
            if who not in self.uses:
                self.uses[who] = Use(who, self.files[s.file], self.clues)
                self.users[s.file] += 1
            self.uses[who].take(s)
        if s.layer in OWN and not s.echo and self.users[s.file] > 1:
            self.meetings[s.file].take(s)

    def told(self):
        found = {rule: self.clues.told(rule) for rule in self.RULES}
        return {rule: told for rule, told in found.items() if told}
