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
from sight import LOOKS, REMOVES

SMALL, PAGE, MIB, STREAMS = 64 << 10, 4096, 1 << 20, 4
SPEC = Path(__file__).resolve().parents[2] / "spec" / "findings"
FIGURES = ("count", "of", "bytes", "time")


def limits():
    """{rule: (least, share)}"""
    return {name: (int(least), int(share)) for name, least, share in re.findall(
        r"^rule (\S+)\n\s+least\s+(\d+)\n\s+share\s+(\d+)",
        SPEC.read_text(), re.M)}


class Clues:
    """Counted by rule, then by file and process."""

    def __init__(self):
        self.rules = defaultdict(lambda: defaultdict(Counter))

    def add(self, rule, who, **figures):
        self.rules[rule][who].update(figures)

    def told(self, rule):
        """What the report must say of a rule, or None."""
        clues = self.rules[rule]
        told = {key: sum(clue[key] for clue in clues.values())
                for key in FIGURES}
        least, share = limits()[rule]
        if not clues or told["count"] < least or (
                told["count"] < told["of"] * share // 100):
            return None
        spoken = [who for who, clue in clues.items() if clue["count"]]
        return told | {"files": len({file for file, _ in spoken})}


class Flow:
    """Reads or writes of a process on a file through a layer."""

    def __init__(self):
        self.n = Counter()
        self.touched = Extents()
        self.streams = []  # [next, held], the oldest first
        self.last_off, self.last_step = 0, 0

    def add(self, sight):
        n, size, dur = self.n, sight.moved, sight.dur
        n.update(calls=1, bytes=size, time=dur)
        if size < SMALL:
            n.update(small=1, small_bytes=size, small_time=dur)
        if size < PAGE:
            n.update(tiny=1, tiny_bytes=size, tiny_time=dur)
        if not size:
            n["gathered"] += 1  # no buffer would spare it
            return
        if sight.off is None:
            n["gathered"] += size < SMALL
            return
        self.place(sight.off, size, dur)

    def place(self, off, size, dur):
        n = self.n
        stream = next((s for s in self.streams if s[0] == off), None)
        follows = stream is not None
        if follows:
            n["follow"] += 1
            self.last_step = 0
        else:
            step = off - self.last_off
            if n["placed"] > 1 and step == self.last_step:
                n.update(strided=1, stride_time=dur)
            self.last_step = step
            self.streams = self.streams[-(STREAMS - 1):] + [[0, 0]]
            stream = self.streams[-1]
        if size >= SMALL:
            stream[1] = MIB
        elif follows and stream[1] + size <= MIB:
            stream[1] += size
        else:
            n["gathered"] += 1
            stream[1] = size
        stream[0] = off + size
        self.last_off = off
        n["placed"] += 1
        self.touched.add(off, off + size)


def judge_own(flow, word, who, clues):
    """What a program asks of the system by itself."""
    n = flow.n
    again = max(n["bytes"] - flow.touched.bytes(), 0)
    again = again if again >= MIB else 0
    if n["small"] * 2 >= n["calls"] and n["small"]:
        few = {"bytes": n["small_bytes"], "of": n["small"]}
        clues.add(f"small-{word}s", who, **few, time=n["small_time"],
                  count=max(n["small"] - n["gathered"], 0))
        clues.add(f"strided-{word}s", who, **few, time=n["stride_time"],
                  count=n["strided"])
        clues.add(f"scattered-{word}s", who, **few, time=n["small_time"],
                  count=max(n["placed"] - n["follow"] - n["strided"], 0))
    if n["calls"]:
        part = n["bytes"] or 1
        clues.add(f"repeated-{word}s", who, of=n["calls"], bytes=again,
                  count=n["calls"] * again // part,
                  time=n["time"] * again // part)


def judge_stream(flow, kind, who, clues):
    n = flow.n
    if kind == "stream-flush":
        clues.add("flushed-streams", who, of=n["calls"], time=n["tiny_time"],
                  bytes=n["tiny_bytes"],
                  count=max(n["tiny"] - n["tiny_bytes"] // PAGE - 1, 0))
    clues.add("stream-buffers", who, of=n["calls"],
              count=n["small"] - n["tiny"],
              bytes=n["small_bytes"] - n["tiny_bytes"],
              time=n["small_time"] - n["tiny_time"])


def judge_same(flows, clues):
    """Bytes of a file that several processes read."""
    files = defaultdict(list)
    for (who, layer, kind, _, _), flow in flows.items():
        files[who[0]].append((who, flow, kind == "stream-fill" or
                              (layer, kind) == ("posix", "read")))
    for members in files.values():
        reads = [(who, flow) for who, flow, is_read in members if is_read]
        if len({who for who, _, _ in members}) < 2:
            continue
        once = Extents()
        for _, flow in reads:
            for piece in flow.touched.pieces:
                once.add(*piece)
        total = sum(flow.touched.bytes() for _, flow in reads)
        twice = total - once.bytes()
        if twice < MIB or twice * 2 < total:
            continue
        for who, flow in reads:
            clues.add("same-reads", who, count=1, of=1, time=flow.n["time"],
                      bytes=flow.touched.bytes() * twice // total)


class Use:
    """What a process does with a file besides moving bytes."""

    def __init__(self, who, clues):
        self.who, self.clues, self.n = who, clues, Counter()
        self.at = None  # (handle, position), as far as known
        self.seek = self.last = None
        self.unsynced = 0
        self.unchanged = self.synchronous = False
        self.created = self.removed = False

    def note(self, rule, size, dur):
        self.clues.add(rule, self.who, count=1, bytes=size, time=dur)

    def note_missing(self, s):
        if s.event["err"] == errno.ENOENT:
            self.note("missing-files", 0, s.dur)

    def open(self, s):
        if s.failed:
            return self.note_missing(s)
        self.n.update(opens=1, open_time=s.dur)
        self.created |= s.creates()
        self.synchronous = s.is_synchronous()
        self.at = None

    def close(self, s):
        self.n["open_time"] += s.dur
        self.at = None

    def look(self, s):
        if s.failed:
            return self.note_missing(s)
        self.n["looks"] += 1
        if self.unchanged:
            self.note("repeated-stats", 0, s.dur)
        self.unchanged = True

    def move_to(self, s):
        if s.failed:
            return
        self.n["seeks"] += 1
        if s.layer != "posix":
            return
        idle = s.handle and self.at == (s.handle, s.ret)
        self.at = s.handle, s.ret
        self.seek = None if idle else (s.thread, s.handle, s.ret, s.dur)
        if idle:
            self.note("idle-seeks", 0, s.dur)

    def sync(self, s):
        if s.failed:
            return
        size, self.unsynced = self.unsynced, 0
        self.n["syncs"] += 1
        if self.n["syncs"] > 1 and size < MIB:
            self.note("frequent-syncs", size, s.dur)

    def end_seek(self, s):
        seek, self.seek = self.seek, None
        if seek and seek[:3] == (s.thread, s.handle, s.off):
            self.note("seek-pairs", s.size, seek[3])

    def transfer(self, s):
        if not s.told_where():
            self.end_seek(s)
            self.at = None if s.off is None else (s.handle, s.off + s.moved)
        if s.kind in ("write", "stream-flush"):
            return self.write(s)
        self.n["moved"] += s.moved
        self.last = None
        if s.moved and s.off is not None:
            self.last = s.thread, s.off, s.off + s.moved, s.dur

    def write(self, s):
        self.unchanged = False
        self.unsynced += s.moved
        self.n.update(moved=s.moved, writes=1)
        if self.synchronous:
            self.note("synchronous-writes", s.moved, s.dur)
        read, self.last = self.last, None
        if read and s.moved and s.off is not None and (
                read[:2] == (s.thread, s.off) and s.off + s.moved >= read[2]):
            self.note("read-modify-write", s.moved, read[3])

    def other(self, s):
        self.removed |= s.is_named(REMOVES) and not s.failed
        if s.is_named(LOOKS):
            return self.look(s)
        self.unchanged = False

    TAKERS = {"open": open, "close": close, "read": transfer,
              "write": transfer, "stream-fill": transfer,
              "stream-flush": transfer, "seek": move_to, "stat": look,
              "sync": sync, "other": other}

    def take(self, s):
        if s.kind not in ("stream-fill", "stream-flush"):
            self.n["time"] += s.dur
        self.TAKERS[s.kind](self, s)

    def judge(self):
        n, add = self.n, self.clues.add
        for rule, key in (("idle-seeks", "seeks"), ("seek-pairs", "seeks"),
                          ("repeated-stats", "looks"),
                          ("frequent-syncs", "syncs"),
                          ("synchronous-writes", "writes"),
                          ("read-modify-write", "writes")):
            add(rule, self.who, of=n[key])
        add("missing-files", self.who, of=n["opens"] + n["looks"])
        if n["opens"]:
            add("repeated-opens", self.who, count=n["opens"] - 1,
                of=n["opens"], time=n["open_time"])
            add("many-small-files", self.who, count=n["moved"] < SMALL, of=1,
                time=n["open_time"], bytes=n["moved"])
        if self.created and self.removed:
            add("temporary-files", self.who, count=1, of=1, time=n["time"],
                bytes=n["moved"])


class Judged:
    RULES = [f"{how}-{word}s" for word in ("read", "write")
             for how in ("small", "strided", "scattered", "repeated")] + [
        "flushed-streams", "stream-buffers", "same-reads", "idle-seeks",
        "seek-pairs", "repeated-stats", "frequent-syncs",
        "synchronous-writes", "read-modify-write", "missing-files",
        "repeated-opens", "many-small-files", "temporary-files"]

    def __init__(self, all_sights):
        self.clues = Clues()
        self.flows, self.uses = defaultdict(Flow), {}
        for sight in all_sights:
            if sight.file and not sight.entered and not sight.channel:
                self.take(sight)
        for (who, layer, kind, top, _), flow in self.flows.items():
            if kind in ("stream-fill", "stream-flush"):
                judge_stream(flow, kind, who, self.clues)
            elif layer == top == "posix" and kind in ("read", "write"):
                judge_own(flow, kind, who, self.clues)
        for use in self.uses.values():
            use.judge()
        judge_same(self.flows, self.clues)

    def take(self, s):
        who = s.file, s.proc
        if s.kind in ("read", "write", "stream-read", "stream-write",
                      "stream-fill", "stream-flush"):
            self.flows[who, s.layer, s.kind, s.top, s.is_collective()].add(s)
        if s.layer in ("posix", "stdio", "async") and s.kind in Use.TAKERS:
            if who not in self.uses:
                self.uses[who] = Use(who, self.clues)
            self.uses[who].take(s)

    def told(self):
        found = {rule: self.clues.told(rule) for rule in self.RULES}
        return {rule: told for rule, told in found.items() if told}
