# SPDX-License-Identifier: BSD-3-Clause
"""Where writes of several processes meet in a file, from lists of all calls.

Pages are the only units: nothing here lies on stripes.
"""
from collections import Counter, defaultdict

SMALL, PAGE, MIB, RANKS = 64 << 10, 4096, 1 << 20, 4


class Turn:
    """What one process writes until another does."""

    def __init__(self, s, before, ended):
        self.who, self.rank = (s.file, s.proc), s.event.get("rank", -1)
        self.begin, self.end, self.n = s.start, 0, Counter()
        self.before = before
        self.gap = s.start - ended if ended else -1

    def add(self, s):
        self.end = max(self.end, s.start + s.dur)
        self.n.update(bytes=s.moved, time=s.dur)

    def length(self):
        return self.end - self.begin

    def follows(self):
        return 0 <= self.gap <= max(self.length(), self.before)


class Meeting:
    """All writes to a file, but those for collective calls."""

    def __init__(self):
        self.opened = self.age = self.ended = 0
        self.turns = []
        # Places to who was there, and what is told of them if others were.
        self.places = defaultdict(lambda: defaultdict(Counter))
        self.of = defaultdict(Counter)

    def take(self, s):
        writes = s.kind in ("write", "stream-flush")
        if self.turns and s.kind == "open" and not s.failed:
            self.age += not self.opened
            self.opened += 1
        elif s.kind == "close" and not s.failed:
            self.opened = max(self.opened - 1, 0)
        elif writes and s.moved and not s.together:
            self.write(s)

    def write(self, s):
        who = s.file, s.proc
        if not self.turns or self.turns[-1].who != who:
            before = self.turns[-1].length() if self.turns else 0
            self.turns.append(Turn(s, before, self.ended))
        self.turns[-1].add(s)
        self.ended = max(self.ended, s.start + s.dur)
        if s.off is not None:
            self.place(s, who)

    def place(self, s, who):
        figures = {"count": 1, "bytes": s.moved, "time": s.dur}
        if s.moved < SMALL:
            self.of["interleaved-writes"][who] += 1
            self.places["interleaved-writes", self.age, s.off // SMALL][
                who].update(figures)
            return
        self.of["misaligned-writes"][who] += 1
        for at, told in ((s.off, figures), (s.off + s.moved, {})):
            if at % PAGE:
                self.places["misaligned-writes", self.age, at // PAGE][
                    who].update(told)

    def judge(self, clues):
        for (rule, *_), there in self.places.items():
            for who, figures in there.items():
                if len(there) > 1:
                    clues.add(rule, who, **figures)
        for rule, whose in self.of.items():
            for who, of in whose.items():
                clues.add(rule, who, of=of)
        self.judge_turns(clues)

    def judge_turns(self, clues):
        turns = [turn for turn in self.turns
                 if turn.n["bytes"] >= MIB and turn.rank >= 0]
        if len({turn.who for turn in turns}) < RANKS:
            return
        for turn in turns:
            clues.add("writes-in-turns", turn.who, of=1)
            if turn.follows():
                clues.add("writes-in-turns", turn.who, count=1, **turn.n)
