# SPDX-License-Identifier: BSD-3-Clause
"""Lays the events of a run beside its strace lines, thread by thread."""
from collections import Counter, defaultdict

import memory
from lineage import in_order, join_vforks, name_images

LOOKAHEAD = 60


class Verdict:
    """Counts by program, and whatever is wrong, with reasons."""

    def __init__(self):
        self.counts = defaultdict(Counter)     # program: class: number
        self.inside = Counter()                # (class, entry): number
        self.wrong = []
        self.pairs = []                        # (event, line)
        self.stdio = set()                     # lines inside stdio

    def count(self, line, kind, entry=None):
        if kind == "stdio":
            self.stdio.add(line)
        self.counts[line.image.program][kind] += 1
        if entry:
            self.inside[kind, entry] += 1

    def complain(self, program, kind, *lines):
        self.counts[program][kind] += 1
        self.wrong.append((kind, lines))

    def is_good(self):
        return not self.wrong

    def total(self, kind):
        return sum(row[kind] for row in self.counts.values())


class Table:
    """The rows of `calls`, and the tables of weir that they must cover."""

    def __init__(self, rows, calls, layers, numbers=()):
        """calls: symbol to call; layers: recorded call to layer; numbers:
        system call to call, of those made through syscall()."""
        self.rows, self.calls, self.layers = rows, calls, layers
        self.numbers = dict(numbers)

    def call_of(self, line, origin):
        """The call that a line through a wrapper must be."""
        if origin.symbol == "syscall":
            return self.numbers.get(line.name)
        return self.calls[origin.symbol]

    def is_posix(self, call):
        return self.layers.get(call) == "posix"

    def system_calls(self):
        return sorted({name for forms in self.rows.values()
                       for name in forms.names} - {"*"})

    def missing(self):
        return sorted({call for call in self.calls.values()
                       if self.is_posix(call) and call not in self.rows})


# --- alignment -----------------------------------------------------------

class Aligner:
    """Walks the events and the wrapped lines of one thread together."""

    def __init__(self, table, events, lines, verdict):
        """lines: (line, call) of everything that came through a wrapper."""
        self.table, self.verdict = table, verdict
        self.events, self.lines = events, lines
        self.i = self.j = 0
        self.waiting = []       # events whose system call is restarted

    def run(self):
        while self.i < len(self.events) and self.j < len(self.lines):
            if not (self.resumes() or self.surrounds() or self.pairs() or
                    self.is_silent() or self.is_apart()):
                self.mismatch()
        while self.j < len(self.lines):
            if not (self.resumes() or self.surrounds()):
                self.lose(self.lines[self.j])
        while self.i < len(self.events):
            if not self.is_silent():
                self.invent(self.events[self.i])
        for event, line in self.waiting:
            if "entered" in event["flags"]:
                self.accept(event, line)
            else:
                self.verdict.complain(line.image.program, "wrong",
                                      "never restarted", event, line)

    def differ(self, event, entry):
        line, call = entry
        if call != event["call"]:
            return [f"call {call}"]
        return self.table.rows[call].differences(event, line)

    def accept(self, event, line):
        self.verdict.count(line, "events")
        self.verdict.pairs.append((event, line))

    def resumes(self):
        """The line goes on with a call that a signal had interrupted."""
        if not self.waiting:
            return False
        line, call = self.lines[self.j]
        event, first = self.waiting[-1]
        if line.name != first.name or line.places() != first.places():
            return False
        if line.is_restarted():
            self.verdict.count(line, "restarted")
        elif self.differ(event, (line, call)):
            return False
        else:
            self.waiting.pop()
            self.accept(event, line)
        self.j += 1
        return True

    def surrounds(self):
        """A further system call of the same call."""
        line, call = self.lines[self.j]
        forms = self.table.rows[call]
        further = line.name in forms.around() and line.name not in forms.names
        if further or forms.goes_on(line):
            self.verdict.count(line, "libc", call)
            self.j += 1
            return True
        return False

    def pairs(self):
        event, entry = self.events[self.i], self.lines[self.j]
        line = entry[0]
        if line.is_restarted() and entry[1] == event["call"] and \
                "err" not in event:
            self.verdict.count(line, "restarted")
            self.waiting.append((event, line))
        elif self.differ(event, entry):
            return False
        else:
            self.accept(event, line)
        self.i += 1
        self.j += 1
        return True

    def is_silent(self):
        """The event is answered by no system call, or by several."""
        event = self.events[self.i]
        forms = self.table.rows[event["call"]]
        if not forms.may_be_silent(event):
            return False
        kind = "several" if forms.around() else "no call"
        self.verdict.counts[event["program"]][kind] += 1
        self.verdict.inside[kind, event["call"]] += 1
        self.i += 1
        return True

    def is_apart(self):
        """Find the nearest place where both agree again."""
        for skipped in range(1, LOOKAHEAD):
            for a in range(skipped + 1):
                if self.agree_at(self.i + a, self.j + skipped - a):
                    self.skip(a, skipped - a)
                    return True
        return False

    def agree_at(self, i, j):
        """Two pairs in a row, so that chance does not decide."""
        for k in range(2):
            ends = (i + k == len(self.events), j + k == len(self.lines))
            if any(ends):
                return k > 0 and all(ends)
            if i + k > len(self.events) or j + k > len(self.lines) or \
                    self.differ(self.events[i + k], self.lines[j + k]):
                return False
        return True

    def skip(self, events, lines):
        if events == lines == 1:
            self.mismatch()
            return
        for _ in range(events):
            self.invent(self.events[self.i])
        for _ in range(lines):
            self.lose(self.lines[self.j])

    def mismatch(self):
        event, entry = self.events[self.i], self.lines[self.j]
        why = ", ".join(self.differ(event, entry))
        self.verdict.complain(event["program"], "wrong", why, event, entry[0])
        self.i += 1
        self.j += 1

    def invent(self, event):
        self.verdict.complain(event["program"], "invented", event)
        self.i += 1

    def lose(self, entry):
        self.verdict.complain(entry[0].image.program, "missing", entry[0])
        self.j += 1


# --- the whole run -------------------------------------------------------

class Comparison:
    def __init__(self, table, words, origin_of):
        self.table, self.words, self.origin_of = table, words, origin_of
        self.verdict = Verdict()

    def run(self, threads, events):
        name_images(threads)
        origins = {line: self.origin_of(line)
                   for lines in threads.values() for line in lines}
        self.silent = memory.silent_lines(
            threads, lambda line: origins[line].kind == "wrapper")
        join_vforks(threads, origins)
        by_thread = self.events_by_thread(threads, events)
        for tid, lines in threads.items():
            wrapped = [(line, self.table.call_of(line, origins[line]))
                       for line in in_order(lines)
                       if self.sort(line, origins[line])]
            Aligner(self.table, by_thread.pop(tid, []), wrapped,
                    self.verdict).run()
        for rows in by_thread.values():
            for event in rows:
                self.verdict.complain(event["program"], "invented", event)
        self.threads = threads
        return self.verdict

    def sort(self, line, origin):
        """Count a line's class; true: an event must answer for it."""
        self.verdict.counts[line.image.program]["lines"] += 1
        if line in self.silent and self.is_of_memory(origin):
            self.verdict.count(line, "memory", line.name)
        elif origin.kind == "wrapper":
            call = self.table.call_of(line, origin)
            if self.table.is_posix(call):
                return True
            self.verdict.count(line, self.table.layers.get(call, "other"),
                               call)
        elif self.words.has("other", line.name):
            self.verdict.count(line, "other", line.name)
        elif not line.image.loaded:     # nothing can be preloaded
            self.verdict.count(line, "unrecorded", line.image.path)
        elif line.image.preloaded and origin.kind:
            self.verdict.count(line, origin.kind, origin.entry)
        else:
            self.verdict.complain(line.image.program, "unclassified", line,
                                  f"entry: {origin.entry}")
        return False

    def is_of_memory(self, origin):
        """Through a wrapper, which may have stepped out of the way."""
        names = memory.CALLS + memory.OTHER_NAMES
        return origin.symbol in names + ("syscall",) if origin.kind == "wrapper" else \
            not origin.kind and origin.entry in names

    def events_by_thread(self, threads, events):
        programs = {tid: lines[-1].image.program if lines else "?"
                    for tid, lines in threads.items()}
        rows = defaultdict(list)
        for event in events:
            event["program"] = programs.get(event.get("tid"), "?")
            if event["call"].startswith("weir:"):
                self.verdict.complain(event["program"], "lost", event)
            elif event.get("layer", "posix") == "posix":
                rows[event["tid"]].append(event)
            else:
                self.verdict.counts[event["program"]][event["layer"]] += 0
        return rows
