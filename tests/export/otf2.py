# SPDX-License-Identifier: BSD-3-Clause
"""Reads back what `weir export --to otf2` wrote, by otf2-print."""
import re
from collections import Counter

import truth as truths
from weirtool import run

LINE = re.compile(r"([A-Z_]+) +(\d+) +(\d+)  (.*)")
REGION = re.compile(r'Region: ".*" <(\d+)>$')
OPERATION = re.compile(r'Handle: ".*" <(\d+)>, (?:Mode: (\w+), .*)?(?:Bytes '
                       r"\w+: (\d+), )?Matching Id: (\d+)$")
NUMBERS = {name: re.compile(rf'\("{name}" <\d+>; \w+; (-?\d+)\)')
           for name in ("index", "result", "error", "above", "node", "cause",
                        "one of", "batched")}
FILE = re.compile(r'\("file" <\d+>; IO_FILE; ".*?" <(\d+)>\)')
LINK = re.compile(r'\("link" <\d+>; STRING; "(\w+)" <\d+>\)')
DEFINITIONS = {
    "IO_REGULAR_FILE": re.compile(r' +(\d+)  Name: "(.*)" <\d+>, Scope: '),
    "IO_HANDLE": re.compile(r' +(\d+)  Name: ".*?, File: (?:".*" )?'
                            r"<?(\d+|UNDEFINED)>?, I/O Paradigm: "),
    "REGION": re.compile(r' +(\d+)  Name: "(.*?)" <.*Descr\.: "(\w+|\?)" <'),
    "LOCATION": re.compile(r' +(\d+)  Name: "thread (\d+\.\d+)" <'),
    "IO_PARADIGM": re.compile(r' +(\d+)  Identification: "(.*?)" <'),
}


def definitions(anchor):
    """{kind: {number: what it is}}"""
    found = {kind: {} for kind in DEFINITIONS}
    for line in run("otf2-print", "-Werror", "-G",
                    anchor).stdout.splitlines():
        kind = line.split(" ", 1)[0]
        if kind not in DEFINITIONS:
            continue
        match = DEFINITIONS[kind].match(line[len(kind):])
        if not match:
            raise RuntimeError(f"what is this? {line}")
        number, *rest = match.groups()
        found[kind][int(number)] = rest[0] if len(rest) == 1 else rest
    return found


class Call:
    def __init__(self, name, start):
        self.name, self.start, self.end = name, start, None
        self.id = self.file = None
        self.notes = {}


class Seen:
    """The same as Truth, out of what otf2-print prints."""

    def __init__(self, archive, kinds):
        anchor = archive / "traces.otf2"
        self.known = definitions(anchor)
        self.found, self.stacks = [], {}
        self.operations = {}  # handle, matching id: mode, call
        self.parents, self.links, self.bytes = set(), set(), Counter()
        lines = run("otf2-print", "-Werror", anchor).stdout.splitlines()
        notes = None
        for number, line in enumerate(lines):
            match = LINE.match(line)
            if not match:
                continue
            notes = lines[number + 1] if number + 1 < len(lines) else ""
            if "ADDITIONAL ATTRIBUTES: " not in notes[:100]:
                notes = ""
            kind, location, time, rest = match.groups()
            self.take(kind, int(location), int(time), rest, notes)
        if any(self.stacks.values()):
            raise RuntimeError("calls without an end")
        self.sum_up()
        self.state = re.search(r"Property value +(\w+)", run(
            "otf2-print", "-I", anchor).stdout)[1]

    def take(self, kind, location, time, rest, notes):
        stack = self.stacks.setdefault(location, [])
        if kind == "ENTER":
            self.enter(location, stack, time, rest, notes)
        elif kind == "LEAVE":
            call = stack.pop()
            region = int(REGION.match(rest)[1])
            if self.known["REGION"][region] != call.name:
                raise RuntimeError(f"{call.id} is left by {rest}")
            call.end = time
            call.notes.update(read_notes(notes))
        elif kind == "IO_OPERATION_BEGIN":
            handle, mode, _, matching = OPERATION.match(rest).groups()
            self.operations[handle, matching] = mode, stack[-1]
        elif kind == "IO_OPERATION_COMPLETE":
            handle, _, count, matching = OPERATION.match(rest).groups()
            mode, begun = self.operations[handle, matching]
            self.complete(stack[-1], begun, handle, mode, int(count))

    def enter(self, location, stack, time, rest, notes):
        name = self.known["REGION"][int(REGION.match(rest)[1])]
        call = Call(name, time)
        call.notes = read_notes(notes)
        thread = self.known["LOCATION"][location]
        call.id = f"{thread}.{call.notes['index']}"
        match = FILE.search(notes)
        if match:
            call.file = self.known["IO_REGULAR_FILE"][int(match[1])]
        link = LINK.search(notes)
        call.link = link[1] if link else None
        if stack and call.link != "unknown":
            self.parents.add((call.id, stack[-1].id))
        self.note_links(call, thread)
        stack.append(call)
        self.found.append(call)

    def note_links(self, call, thread):
        if "node" in call.notes:
            self.links.add((call.id, "collective", hex(call.notes["node"])))
        if "cause" in call.notes:
            self.links.add((call.id, "caused", hex(call.notes["cause"])))
        if "one of" in call.notes:
            self.links.add((call.id, "unknown", call.notes["one of"]))
        if "above" in call.notes:
            self.links.add((call.id, "above",
                            f"{thread}.{call.notes['above']}"))

    def complete(self, call, begun, handle, mode, count):
        if begun is not call:
            self.links.add((call.id, "batched" if "batched" in call.notes
                            else "completes", begun.id))
        file = self.known["IO_HANDLE"][int(handle)]
        path = (None if file == "UNDEFINED" else
                self.known["IO_REGULAR_FILE"][int(file)])
        if path != begun.file:
            raise RuntimeError(f"{begun.id} is on {path}")
        if mode != "FLUSH" or begun is not call:
            self.bytes[call.file, call.name[0]] += count

    def sum_up(self):
        self.events = len(self.found)
        self.calls = Counter((None if call.name[1] == "?" else call.name[1],
                              call.name[0]) for call in self.found)
        self.times = {call.id: truths.times(
            call.start, call.end - call.start,
            None if "result" in call.notes else "entered")
            for call in self.found}
        self.paths = {call.file for call in self.found if call.file}


def read_notes(line):
    """{name: number}"""
    found = {}
    for name, pattern in NUMBERS.items():
        match = pattern.search(line)
        if match:
            found[name] = int(match[1])
    return found
