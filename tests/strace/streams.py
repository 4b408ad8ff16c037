# SPDX-License-Identifier: BSD-3-Clause
"""Streams: what buffers gave to the kernel and took from it.

A write of stdio is no call of the program. The events that weir derives from
buffers must tell the same bytes, for each life of a descriptor in a program,
and at the same places where both know these."""
from collections import defaultdict

OUT, IN = "write", "read"
LINES = {"write": OUT, "writev": OUT, "pwrite64": OUT, "read": IN,
         "readv": IN, "pread64": IN}
EVENTS = {"stream_flush": OUT, "stream_fill": IN}
# Calls after which nobody outside libc knows what the buffer did.
BLIND = ("scanf", "getmntent", "pwent", "grent", "spent", "addmntent", "gets",
         "wc", "ws", "wprintf", "ungetc", "wchar")


class Flow:
    """What went through one stream: bytes, and where."""

    def __init__(self):
        self.bytes = {OUT: 0, IN: 0}
        self.places = {OUT: [], IN: []}
        self.is_blind = self.appends = False

    def add(self, way, count, position):
        self.bytes[way] += count
        self.places[way].append((position, count))

    def ranges(self, way):
        """The parts of the file, joined; None: one is not known."""
        joined = []
        for start, count in self.places[way]:
            if start is None:
                return None
            if joined and joined[-1][1] == start:
                joined[-1][1] = start + count
            else:
                joined.append([start, start + count])
        return joined

    def __repr__(self):
        return (f"{self.bytes[OUT]} bytes out {self.ranges(OUT)}, "
                f"{self.bytes[IN]} bytes in {self.ranges(IN)}")


class Seen:
    """The transfers of stdio that strace shows."""

    def __init__(self):
        self.flows = defaultdict(dict)      # (process, fd): {life: flow}

    def add(self, line, life):
        way = LINES.get(line.name)
        if not way or not line.ret or line.ret < 0:
            return
        lives = self.flows[line.pid, int(line.args[0])]
        flow = lives.setdefault((life.key, line.image), Flow())
        position = life.file.position
        if way == OUT and life.file.appends:
            position, flow.appends = None, True
        flow.add(way, line.ret, position)
        flow.program = line.image.program


def is_blind(event):
    """It may have moved bytes that nobody could count."""
    if event["call"] in EVENTS:
        return False
    return "failed" in event["flags"] or "entered" in event["flags"] or any(
        event["call"].endswith(word) for word in BLIND)


def told_flows(events):
    """(process, fd): {(recorded process, handle): flow}"""
    told, blind = defaultdict(dict), set()
    for event in events:
        if event.get("layer") != "stdio" or event.get("fd", -1) < 0:
            continue
        key = event.get("proc"), event.get("handle")
        if is_blind(event):
            blind.add(key)
        way = EVENTS.get(event["call"])
        if way:
            flow = told[event["pid"], event["fd"]].setdefault(key, Flow())
            flow.add(way, event["size"], event.get("off"))
    for flows in told.values():
        for key, flow in flows.items():
            flow.is_blind = key in blind
    return told, blind


def differ(seen, told):
    """What two flows do not agree in."""
    for way in (OUT, IN):
        if seen.bytes[way] != told.bytes[way]:
            return f"{told.bytes[way]} bytes of {way}, not {seen.bytes[way]}"
        places = seen.ranges(way), told.ranges(way)
        if way == OUT and seen.appends and \
                any(start is not None for start, _ in told.places[OUT]):
            return "a place in a file that is appended to"
        if None not in places and places[0] != places[1]:
            return f"{way} at {places[1]}, not {places[0]}"
    return None


def check(seen, events, verdict):
    """Lives and handles come in the same order for each descriptor."""
    told, blind = told_flows(events)
    places = sorted(set(seen.flows) | set(told))
    blind_fds = {(event["pid"], event.get("fd")) for event in events
                 if (event.get("proc"), event.get("handle")) in blind}
    for place in places:
        lives = list(seen.flows.get(place, {}).values())
        handles = list(told.get(place, {}).values())
        check_place(place, lives, handles, place in blind_fds, verdict)


def check_place(place, lives, handles, may_be_blind, verdict):
    if may_be_blind:
        for flow in lives:
            verdict.counts[flow.program]["untold"] += 1
        return
    if len(lives) != len(handles):
        program = lives[0].program if lives else "?"
        verdict.complain(program, "stream",
                         f"process {place[0]}, descriptor {place[1]}: "
                         f"{len(lives)} files seen, {len(handles)} told",
                         f"seen: {lives[:20]}", f"told: {handles[:20]}")
        return
    for seen, told in zip(lives, handles):
        why = differ(seen, told)
        if why:
            verdict.complain(seen.program, "stream",
                             f"process {place[0]}, descriptor {place[1]}: "
                             f"{why}", f"seen: {seen}", f"told: {told}")
        else:
            verdict.counts[seen.program]["streams"] += 1
