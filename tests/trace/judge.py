# SPDX-License-Identifier: BSD-3-Clause
"""Compares what a program told with what was recorded, event by event."""
import difflib
import json
from collections import defaultdict
from pathlib import Path

STAT_FIELDS = ("dev", "ino", "mode", "nlink", "uid", "gid", "rdev", "size",
               "atime", "mtime", "ctime", "blksize", "blocks")


def read_table(path):
    for line in Path(path).read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            yield words


def read_symbols(path):
    """The call that each symbol stands for."""
    return {words[0]: words[1] for words in read_table(path)}


def read_log(path, calls):
    """Told lines with the call that each symbol stands for."""
    told = [json.loads(line) for line in path.read_text().splitlines()]
    for row in told:
        row["call"] = calls.get(row["symbol"], row["symbol"])
    return told


def argument_differs(told, event, name):
    """An argument told as null or -1 (mode) was not given."""
    want, got = told["args"][name], event.get("args", {}).get(name)
    if name == "mode" and want == -1:
        want = None
    if name == "st" and isinstance(want, list) and got is not None:
        got = [got[field] for field in STAT_FIELDS]
    return want != got


def field_differs(told, event, name):
    want = told[name]
    if name == "fd":
        return event.get("fd", -1) != max(want, -1)
    if name == "path":
        return event.get("file") != want
    if name == "off":
        return event.get("off") != want
    if name == "may_off":
        return event.get("off") not in (None, want)
    if name == "errno":
        return event.get("err", 0) != want
    return event.get(name) != want


OPENS = ("open", "openat", "creat", "fopen")
COMPARED = ("fd", "path", "off", "may_off", "size", "ret", "errno", "depth")


def differences(told, event):
    """The names of all fields in which an event is not what was told."""
    wrong = [name for name in COMPARED
             if name in told and field_differs(told, event, name)]
    wrong += [f"args.{name}" for name in told.get("args", ())
              if argument_differs(told, event, name)]
    flags = event.get("flags", "").split("|")
    wrong += [flag for flag in ("entered", "vfork")
              if told.get(flag, False) != (flag in flags)]
    return wrong


class Verdict:
    def __init__(self):
        self.matched = 0
        self.missing, self.extra, self.wrong = [], [], []

    def is_good(self):
        return not (self.missing or self.extra or self.wrong)

    def summary(self):
        return (f"{self.matched} events right, {len(self.missing)} missing, "
                f"{len(self.extra)} extra, {len(self.wrong)} wrong")

    def lines(self, most=12):
        yield self.summary()
        for told in self.missing[:most]:
            yield f"missing: {told}"
        for event in self.extra[:most]:
            yield f"extra:   {event}"
        for told, event, names in self.wrong[:most]:
            yield f"wrong in {', '.join(names)}:"
            yield f"    told:     {told}"
            yield f"    recorded: {event}"


def compare_pair(told, event, verdict):
    names = differences(told, event)
    if names:
        verdict.wrong.append((told, event, names))
    else:
        verdict.matched += 1


def compare_rows(told, events, verdict):
    """Two rows in order; when they differ in calls, align them first."""
    names = [row["call"] for row in told], [row["call"] for row in events]
    matcher = difflib.SequenceMatcher(None, *names, autojunk=False)
    blocks = ([("equal", 0, len(told), 0, len(events))]
              if names[0] == names[1] else matcher.get_opcodes())
    for what, a, b, c, d in blocks:
        if what == "equal":
            for pair in zip(told[a:b], events[c:d]):
                compare_pair(*pair, verdict)
        else:
            verdict.missing += told[a:b]
            verdict.extra += events[c:d]


def outer_first(told):
    """Calls are told as they end; put each before those it encloses."""
    trees = []
    for row in told:
        inside = []
        while trees and trees[-1][0].get("depth", 0) > row.get("depth", 0):
            inside = trees.pop() + inside
        trees.append([row] + inside)
    return [row for tree in trees for row in tree]


def judge(told, events, order):
    """told: with 'call' filled in; order: 'thread', 'file' or 'nested'."""
    told = outer_first(told) if order == "nested" else told
    rows = defaultdict(lambda: ([], []))

    def key(row):
        thread = row["pid"], row.get("tid")
        return thread + (row.get("fd", -1),) if order == "file" else thread

    # Told lines of open have no fd: it is their result.
    for row in told:
        if order == "file" and row["call"] in OPENS:
            row = {"fd": row["ret"], **row}
        rows[key(row)][0].append(row)
    for row in events:
        rows[key(row)][1].append(row)
    verdict = Verdict()
    for pair in rows.values():
        compare_rows(*pair, verdict)
    return verdict
