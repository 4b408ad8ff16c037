#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir report --browse` answers about events, against `weir dump`.

usage: run-answers.py MAKE_EVENTS MAKE_HOSTILE TREE.weir TRACE...
"""
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

from server import WEIR, Server, Tap, has_page

DAMAGED = 4
MOST_BELOW = 1000
MOST_KIN = 100  # events of a trace whose kin is asked for
MADE = 24000  # several blocks of each thread


class Truth:
    """All events of a trace and how they hang together, by `weir dump`."""

    def __init__(self, trace):
        def dump(*options):
            done = subprocess.run([WEIR, "dump", "--format", "jsonl", *options,
                                   str(trace)], capture_output=True,
                                  check=False)
            return [json.loads(line) for line in done.stdout.splitlines()]

        self.events = dump()
        self.kin = {event["id"]: event
                    for event in dump("--links", "--backtrace")}
        self.order = {ident: n for n, ident in enumerate(self.kin)}
        self.below, self.nodes, self.ends = {}, {}, {}
        for event in self.kin.values():
            self.below.setdefault(event["parent"], []).append(event["id"])
            for node in linked(event, "collective", "node"):
                self.nodes.setdefault(node, []).append(event)
            for ident in [*linked(event, "completes", "to"),
                          *linked(event, "batched", "to")]:
                self.ends.setdefault(ident, []).append(event)

    def selected(self, keep):
        return [event for event in self.events if keep(event)]

    def above_of(self, event):
        chain = []
        while event["parent"] in self.kin:
            event = self.kin[event["parent"]]
            chain.insert(0, event)
        return chain

    def below_of(self, ident):
        found, ask = [], [ident]
        while ask:
            more = self.below.get(ask.pop(), [])
            found += more
            ask += more
        return [self.kin[other] for other in sorted(found,
                                                    key=self.order.get)]

    def together_with(self, event):
        """The outermost collective call it is part of, in others."""
        for call in [*self.above_of(event), event]:
            for node in linked(call, "collective", "node"):
                return [other for other in self.nodes[node]
                        if other["proc"] != call["proc"]
                        and overlaps(other, call["start"],
                                     call["start"] + call["dur"])]
        return []


def linked(event, kind, key):
    return [link[key] for link in event["links"] if link["kind"] == kind]


def overlaps(event, low, high):
    return event["start"] <= high and event["start"] + event["dur"] >= low


def has_name(words, key):
    return lambda event: event.get(key) in words.split(",")


def wishes(truth, chance):
    """(keys of a query, whether an event is meant by them)"""
    last = max((event["start"] for event in truth.events), default=0)
    procs = sorted({event["proc"] for event in truth.events})
    calls = sorted({event["call"] for event in truth.events})
    yield {}, lambda event: True
    for _ in range(2):
        low, high = sorted(chance.randrange(last + 2) for _ in "ab")
        yield ({"from": low, "to": high},
               lambda event, low=low, high=high: overlaps(event, low, high))
        yield {"from": high}, lambda event, high=high: overlaps(
            event, high, 1 << 64)
        some = chance.sample(procs, min(3, len(procs)))
        yield ({"who": ",".join(map(str, some)), "to": high},
               lambda event, some=some, high=high: event["proc"] in some
               and event["start"] <= high)
        names = ",".join(chance.sample(calls, min(2, len(calls))))
        yield {"call": names}, has_name(names, "call")
    yield {"who": "1-1000000000"}, lambda event: True
    yield {"who": "0,99999"}, lambda event: False
    yield {"layer": "posix,stdio"}, has_name("posix,stdio", "layer")
    yield {"call": "nonesuch"}, lambda event: False
    yield ({"path": "*1*", "call": calls[0] if calls else "x"},
           lambda event: fnmatchcase(event.get("file", ""), "*1*")
           and event["call"] == calls[0])


def check_events(tap, name, truth, server):
    chance, wrong, pages = random.Random(11), [], 0
    for keys, keep in wishes(truth, chance):
        due = truth.selected(keep)
        for limit in (1000, max(1, len(due) // 3)):
            found, count = server.events(limit=min(limit, 1000), **keys)
            pages += count
            if found != due:
                wrong.append(f"{keys} limit {limit}: {len(found)} events, "
                             f"not {len(due)}")
    tap.result(not wrong, f"{name}: events as asked for, in {pages} pages",
               wrong)


def check_files(tap, name, truth, server):
    """Each number stands for one name, and all together for all events."""
    due = Counter(event["file"] for event in truth.events if "file" in event)
    seen, wrong, number = Counter(), [], 0
    while seen.total() < due.total() and number < 2000:
        number += 1
        found, _ = server.events(file=number, limit=1000)
        if len({event["file"] for event in found}) > 1:
            wrong.append(f"{number} stands for several files")
        seen.update(event["file"] for event in found)
    tap.result(not wrong and seen == due, f"{name}: files by number",
               [*wrong, f"{seen.total()} of {due.total()} events"])
    none, _ = server.events(file=0, limit=1000)
    tap.result(none == truth.selected(lambda event: "file" not in event),
               f"{name}: no file")
    others, _ = server.events(file=f"!2-{number}", limit=1000)
    first, _ = server.events(file=1, limit=1000)
    tap.result(others == first, f"{name}: all files but some")


def check_page_numbers(tap, name, truth, made, server, scratch):
    """What the page knows of files and processes leads to their events."""
    out = scratch / "data"
    subprocess.run([WEIR, "report", "--page-data", out, made], check=True)
    data = out.read_bytes()
    head = json.loads(data[16:16 + int.from_bytes(data[12:16], "little")])
    wrong = []
    for row in head["files"]:
        if not row["name"]:
            continue
        found, _ = server.events(file=row["numbers"], limit=1000)
        if found != truth.selected(has_name(row["name"], "file")):
            wrong.append(row)
    for row in head["who"]:
        found, _ = server.events(who=row["procs"], limit=1000)
        if not found or {event["pid"] for event in found} != {row["pid"]}:
            wrong.append(row)
    calls = {row["name"] for row in head["calls"]}
    wrong += calls ^ {event["call"] for event in truth.events}
    tap.result(not wrong and head["files"] and head["who"],
               f"{name}: files and processes as the page has them", wrong)


def check_interleaved(tap, name, truth, server):
    """Pages of two queries in turn: each goes on where it was."""
    found, after = ([], []), ["", ""]
    for _ in range(12):
        for which, call in enumerate(("pread", "pwrite")):
            told = server.ask("events", call=call, limit=9,
                              after=after[which])
            found[which].extend(told["events"])
            after[which] = told["next"]
            server.ask("event", id="1.1.0")
    wrong = [call for which, call in enumerate(("pread", "pwrite"))
             if found[which] != truth.selected(has_name(call, "call"))
             [:len(found[which])] or len(found[which]) != 12 * 9]
    tap.result(not wrong, f"{name}: pages of two queries in turn", wrong)


def faults_of(truth, told, event):
    ident = event["id"]
    below = truth.below_of(ident)
    return [f"{ident}: {key}" for key, due in (
        ("event", event),
        ("above", truth.above_of(event)),
        ("below", below[:MOST_BELOW]),
        ("below_count", len(below)),
        ("together", truth.together_with(event)),
        ("together_count", len(truth.together_with(event))),
        ("completed_by", truth.ends.get(ident, [])),
    ) if told[key] != due]


def check_kin(tap, name, truth, server):
    events = list(truth.kin.values())
    if len(events) > MOST_KIN:
        nested = [event for event in events
                  if event["parent"] or event["links"]]
        chance = random.Random(5)
        events = chance.sample(events, MOST_KIN // 2) + chance.sample(
            nested, min(len(nested), MOST_KIN // 2))
    wrong = [fault for event in events for fault in
             faults_of(truth, server.ask("event", id=event["id"]), event)]
    tap.result(not wrong, f"{name}: {len(events)} events and their kin",
               wrong[:20])


def check_mistakes(tap, server):
    wrong = []
    for target in ("events?from=x", "events?from=-1", "events?from=2&to=1",
                   "events?limit=0", "events?limit=1001", "events?limit=",
                   "events?who=a", "events?who=1-", "events?who=3-1",
                   "events?who=1,,2", "events?file=!", "events?file=1;2",
                   "events?after=1.2.3", "events?after=1.2.3.4.5.6",
                   "events?after=a.b.c.d.e", "events?nonesuch=1",
                   "events?from=1&from=1", "events?path=%", "events?path=%0",
                   "events?path=%zz", "events?path=a%00b", "event?id=1.1",
                   "event?id=", "event", "event?id=1.1.99999999999999999999",
                   "event?id=1.1.0&x=1", "events?who=" + "1," * 600 + "1"):
        answer = server.get("/" + target, server.cookie)
        due = 200 if target == "events?limit=" else 400
        if answer.status != due or (due == 400) != ("error" in answer.json()):
            wrong.append(f"{target}: {answer.status} {answer.body[:80]}")
    tap.result(not wrong, "what cannot be meant is told", wrong)
    seen = [server.get(f"/event?id={ident}", server.cookie).status
            for ident in ("1.1.999999999", "1.99.0", "4000000000.1.0",
                          "1.0.0")]
    tap.result(seen == [404] * 4, "events that are not there, too", seen)


def check_trace(tap, name, trace, truth=None):
    truth = truth or Truth(trace)
    with Server(trace) as server:
        server.enter()
        check_events(tap, name, truth, server)
        check_kin(tap, name, truth, server)
    return truth


def check_made(tap, make, scratch):
    made = scratch / "made"
    subprocess.run([make, "-e", str(MADE), "-p", "2", "-t", "1", "-f", "6",
                    "-n", "2", made], check=True, capture_output=True)
    truth = check_trace(tap, "a made trace", made)
    with Server(made) as server:
        server.enter()
        check_files(tap, "a made trace", truth, server)
        check_page_numbers(tap, "a made trace", truth, made, server, scratch)
        check_interleaved(tap, "a made trace", truth, server)
        check_mistakes(tap, server)
    return made


def check_damaged(tap, made, scratch):
    """What is whole is answered, and the rest is told."""
    hurt, chance = scratch / "hurt", random.Random(3)
    hurt.mkdir()
    for file in made.iterdir():
        data = bytearray(file.read_bytes())
        for at in range(len(data) // 3, len(data), len(data) // 4):
            data[at] ^= chance.randrange(1, 256)
        (hurt / file.name).write_bytes(data)
    truth = Truth(hurt)
    with Server(hurt) as server:
        server.enter()
        found, _ = server.events(limit=1000)
        told = server.ask("events", limit=1000)
        tap.result(found == truth.events and 0 < len(found) < MADE,
                   f"damaged: {len(found)} events are left")
        check_kin(tap, "damaged", truth, server)
        tap.result(told["damaged_blocks"] > 0, "damaged: it is told", [told[
            "damaged_blocks"]])
        status, err = server.stop()
        tap.result(status == DAMAGED and "damaged" in err,
                   "damaged: as it is in the end", [status, err])


def check_hostile(tap, make, scratch):
    for kind in ("names", "numbers", "unknown"):
        paths = scratch / f"{kind}.raw", scratch / f"{kind}.packed"
        subprocess.run([make, kind, *paths], check=True)
        for path in paths:
            truth = Truth(path)
            with Server(path) as server:
                server.enter()
                found, _ = server.events(limit=1000)
                tap.result(found == truth.events, f"hostile: {path.name}")


def check_sites(tap, scratch):
    trace = scratch / "sites"
    subprocess.run([WEIR, "run", "-q", "--backtrace", "-o", trace, "--",
                    "ls", "/"], check=True, capture_output=True)
    truth = check_trace(tap, "call sites", trace)
    tap.result(any("site" in event for event in truth.kin.values()),
               "call sites: there are some")


def main(make_events, make_hostile, *traces):
    tap = Tap()
    if not has_page():
        tap.skip("all", "this weir was built without the page")
        return tap.done()
    for trace in map(Path, traces):
        check_trace(tap, f"{trace.parent.name}/{trace.name}", trace)
    with tempfile.TemporaryDirectory(prefix="weir-serve-") as scratch:
        scratch = Path(scratch)
        made = check_made(tap, make_events, scratch)
        check_damaged(tap, made, scratch)
        check_hostile(tap, make_hostile, scratch)
        check_sites(tap, scratch)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
