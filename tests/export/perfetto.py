# SPDX-License-Identifier: BSD-3-Clause
"""Reads back what `weir export --to perfetto` wrote, by protoc."""
import codecs
import subprocess
from collections import Counter
from pathlib import Path

import truth as truths

ROOT = Path(__file__).resolve().parents[2]
EXPORT_TRACK = 1
NO_CALL = {"weir:loss"}


def plain(word):
    """A value of the text form."""
    if word.startswith('"'):
        return codecs.escape_decode(word[1:-1].encode())[0].decode()
    try:
        return int(word)
    except ValueError:
        return word


def parse(lines):
    """Messages as {field: [value or message]}."""
    message = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith("{"):
            message.setdefault(line[:-1].strip(), []).append(parse(lines))
        else:
            name, _, word = line.partition(": ")
            message.setdefault(name, []).append(plain(word))
    return message


def decode(path):
    """The packets of a trace."""
    with open(path, "rb") as file:
        done = subprocess.run(
            ["protoc", "--decode", "weir_perfetto.Trace", "-I",
             ROOT / "spec", "perfetto.proto"], stdin=file,
            capture_output=True, check=True)
    text = done.stdout.decode()
    return parse(iter(text.split("\n")[:-1])).get("packet", [])


def one(message, name, default=None):
    return message.get(name, [default])[0]


class Names:
    """What numbers stand for, as it was told so far."""

    KINDS = ("event_names", "event_categories", "debug_annotation_names",
             "debug_annotation_string_values")

    def __init__(self):
        self.known = {kind: {} for kind in self.KINDS}

    def learn(self, data):
        for kind in self.KINDS:
            for row in data.get(kind, []):
                if one(row, "iid") in self.known[kind]:
                    raise RuntimeError(f"told twice: {row}")
                self.known[kind][one(row, "iid")] = one(
                    row, "name", one(row, "str"))

    def notes(self, event):
        """{name: value} of an event's annotations."""
        found = {}
        for note in event.get("debug_annotations", []):
            name = self.known["debug_annotation_names"][one(note, "name_iid")]
            found[name] = next(
                (one(note, kind) for kind in ("uint_value", "int_value",
                                              "string_value")
                 if kind in note), None)
            if "string_value_iid" in note:
                found[name] = self.known["debug_annotation_string_values"][
                    one(note, "string_value_iid")]
        return found


class Call:
    def __init__(self, start, name, layer, notes, event):
        self.start, self.name, self.layer = start, name, layer
        self.notes, self.event, self.end = notes, event, None
        self.id = notes.get("id")


class Seen:
    """The same as Truth, out of packets."""

    def __init__(self, path, kinds):
        packets = decode(path)
        self.names, self.begin = Names(), None
        self.tracks, self.stacks = {}, {}
        self.found, self.pairs, self.marks = [], set(), 0
        self.gaps = 0
        for packet in packets:
            self.take(packet)
        self.state = one(self.summary, "name")
        open_ones = [stack for stack in self.stacks.values() if stack]
        if open_ones:
            raise RuntimeError("slices without an end")
        self.sum_up(kinds)

    def take(self, packet):
        if "clock_snapshot" in packet:
            clocks = one(packet, "clock_snapshot")["clocks"]
            self.begin = one(clocks[0], "timestamp")
        for data in packet.get("interned_data", []):
            self.names.learn(data)
        for track in packet.get("track_descriptor", []):
            self.tracks[one(track, "uuid")] = track
        for event in packet.get("track_event", []):
            self.take_event(one(packet, "timestamp") - self.begin, event)

    def take_event(self, time, event):
        track, kind = one(event, "track_uuid"), one(event, "type")
        if track == EXPORT_TRACK:
            self.summary = event
        elif one(self.tracks[track], "name") == "marks":
            self.marks += 1
        elif kind == "TYPE_SLICE_BEGIN":
            self.enter(track, time, event)
        elif kind == "TYPE_SLICE_END":
            self.stacks[track].pop().end = time
        else:
            self.gaps += 1

    def enter(self, track, time, event):
        known = self.names.known
        call = Call(time, known["event_names"][one(event, "name_iid")],
                    known["event_categories"].get(
                        one(event, "category_iids")),
                    self.names.notes(event), event)
        stack = self.stacks.setdefault(track, [])
        if stack and call.notes.get("link") != "unknown":
            self.pairs.add((call.id, stack[-1].id))
        proc, thread = track >> 32, track & 0xffffffff
        if not call.id.startswith(f"{proc}.{thread}."):
            raise RuntimeError(f"{call.id} on the track of {proc}.{thread}")
        stack.append(call)
        self.found.append(call)

    def sum_up(self, kinds):
        self.events = len(self.found)
        self.calls = Counter((call.layer, call.name) for call in self.found)
        self.parents = self.pairs
        self.times = {call.id: truths.times(
            call.start, call.end - call.start, call.notes.get("flags"))
            for call in self.found}
        self.paths = {call.notes["file"] for call in self.found
                      if "file" in call.notes}
        self.bytes = Counter()
        for call in self.found:
            count = truths.moved(call.notes, kinds.get(call.name))
            if count is not None:
                self.bytes[call.notes.get("file"), call.name] += count
        self.links = set(self.find_links())

    def find_links(self):
        starts = {}
        for call in self.found:
            notes = call.notes
            for flow in call.event.get("flow_ids", []):
                if hex(flow) == notes.get("collective"):
                    yield call.id, "collective", hex(flow)
                elif "completes" not in notes and "batched" not in notes:
                    starts[flow] = call.id
        for call in self.found:
            yield from self.other_links(call, starts)

    def other_links(self, call, starts):
        notes = call.notes
        for kind in ("completes", "batched"):
            if kind in notes:
                flows = (call.event.get("terminating_flow_ids", []) +
                         call.event.get("flow_ids", []))
                if notes[kind] not in [starts.get(flow) for flow in flows]:
                    raise RuntimeError(f"no flow to {call.id}")
                yield call.id, kind, notes[kind]
        if "caused" in notes:
            yield call.id, "caused", notes["caused"]
        if "completes_one_of" in notes:
            yield call.id, "unknown", notes["completes_one_of"]
        if "above" in notes:
            yield call.id, "above", notes["above"]
