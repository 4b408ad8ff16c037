#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every call of PnetCDF is recorded as the program that made it tells it.

Environment: EVERY and REFUSED, the programs; SYMBOLS, what the tables intercept.
"""
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

import layered
from weirtool import WEIR, Tap, must_be_whole

FIELDS = ("call symbol variable bytes elements runs memory extent request"
          " file").split()
MEMORY = ("flexible text schar uchar short ushort int uint long float double"
          " longlong ulonglong").split()
NOT_TOGETHER = ("ncmpi_buffer_attach", "ncmpi_buffer_detach", "ncmpi_wait",
                "ncmpi_cancel", "ncmpi_get_att", "ncmpi_delete",
                "ncmpi_inq_file_format")


class Told(collections.namedtuple("Told", FIELDS)):
    @classmethod
    def read(cls, line):
        values = dict(zip(FIELDS, line.rstrip("\n").split("\t")))
        for name in ("bytes", "elements", "runs", "request", "file"):
            values[name] = int(values[name])
        return cls(**values)

    @property
    def together(self):
        """All ranks of the file make this call."""
        alone = "put_var" in self.call or "get_var" in self.call
        return self.call.endswith("_all") or not (
            alone or self.call in NOT_TOGETHER)


def is_on(told, event, data):
    """A variable, the file itself, or a file beside it of one rank alone."""
    if told.variable:
        return event.file == f"{data}:/{told.variable}"
    if told.call in ("ncmpi_delete", "ncmpi_inq_file_format"):
        return event.args["path"].startswith(str(data))
    return event.file in (str(data), f"{data}.0", f"{data}.1")


def wrong_values(told, event, data):
    """What an event says other than the program."""
    if not is_on(told, event, data):
        yield f"is on '{event.file}'"
    for name, value in (("elements", told.elements), ("runs", told.runs)):
        if value > 0 and event.args.get(name) != value:
            yield f"{name} {event.args.get(name)}, not {value}"
    if told.bytes >= 0 and event.size != told.bytes:
        yield f"size {event.size}, not {told.bytes}"
    if told.memory and MEMORY[event.args["memory"]] != told.memory:
        yield f"in memory {event.args['memory']}, not {told.memory}"
    if told.extent and event.args.get("extent") != told.extent:
        yield f"extent {event.args.get('extent')}, not {told.extent}"
    if told.request >= 0 and event.args.get("id") != told_id(told):
        yield f"request {event.args.get('id')}, not {told_id(told)}"
    if bool(event.args.get("coll")) != told.together:
        yield f"key {event.args.get('coll')}, together: {told.together}"


def told_id(told):
    return (told.file + 1) << 32 | told.request


def compare(told, events, data):
    for i, (one, event) in enumerate(zip(told, events)):
        if one.call != event.name:
            yield f"call {i}: {event.name}, not {one.call} ({one.symbol})"
            return
        if event.failed:
            yield f"{one.symbol}: failed, {event.failed}"
        for what in wrong_values(one, event, data):
            yield f"call {i}, {one.symbol}: {what}"
    if len(told) != len(events):
        yield f"{len(events)} events of {len(told)} calls"


def compare_requests(calls, rank):
    """Every request is done below the wait that it was posted before."""
    posted = {}
    for event in calls:
        if "id" in event.args and event.name != "ncmpi_done":
            posted[event.args["id"]] = event
        if event.name not in ("ncmpi_wait", "ncmpi_wait_all", "ncmpi_cancel"):
            continue
        done = [e for e in event.below if e.name == "ncmpi_done"]
        if {e.args["id"] for e in done} != set(posted):
            yield (f"rank {rank}: a wait ends {[e.args['id'] for e in done]}"
                   f" of {sorted(posted)}")
        if {e.args["batch"] for e in done} - {len(done)}:
            yield f"rank {rank}: not a batch of {len(done)}: {done[0]}"
        for one in done:
            begun = posted.get(one.args["id"])
            moved = 0 if event.name == "ncmpi_cancel" else one.size
            if begun and (one.file, one.size, one.ret) != (
                    begun.file, begun.size, moved):
                yield f"rank {rank}: {one} ends {begun}"
        if event.args["found"] != len(done):
            yield f"rank {rank}: {event.args['found']} found of {len(done)}"
        posted = {}
    if posted:
        yield f"rank {rank}: {len(posted)} requests are never done"


def compare_keys(ranks, data):
    """The ranks' collective calls are the same ones, in one order."""
    keys = [[(e.args["coll"], e.args["seq"], e.name) for e in rank
             if e.args.get("coll") and e.file.split(":/")[0] == str(data)]
            for rank in ranks]
    for one in keys[1:]:
        if one != keys[0]:
            yield "the keys of the ranks' collective calls differ"
    if len(set(keys[0])) != len(keys[0]):
        yield "a key of a collective call stands for two"
    if not keys[0]:
        yield "there are no collective calls"


def check(tap, ranks, told, data):
    """What the library calls itself is nested in what it was called for."""
    ranks = [[e for e in rank if not e.depth] for rank in ranks]
    for number, top in enumerate(ranks):
        wrong = list(compare(told[number], top, data))
        tap.result(not wrong, f"rank {number}: all calls are as told",
                   wrong[:20])
        wrong = list(compare_requests(top, number))
        tap.result(not wrong, f"rank {number}: requests and their ends",
                   wrong[:20])
    wrong = list(compare_keys(ranks, data))
    tap.result(not wrong, "collective calls have one key in all ranks",
               wrong)


def check_symbols(tap, told):
    known = {line.split()[0]
             for line in Path(os.environ["SYMBOLS"]).read_text().splitlines()}
    made = {one.symbol for rank in told for one in rank}
    tap.result(known == made, f"all {len(known)} functions were called",
               sorted(known ^ made)[:20])


def check_layers(tap, run, data):
    """Below PnetCDF there is MPI-IO, and below that the kernel's calls."""
    wrong = list(layered.wrong_parents(run.events, data))
    tap.result(not wrong, "MPI-IO below PnetCDF, POSIX below MPI-IO",
               wrong[:20])


def play_refused(place):
    done = layered.start([os.environ["REFUSED"]],
                         [place / "data", place / "missing"], 1,
                         place / "trace")
    must_be_whole(done)
    text = subprocess.run([WEIR, "dump", place / "trace"],
                          check=True, capture_output=True, text=True).stdout
    return done.stdout, layered.read(place / "trace"), text


def check_refused(tap):
    """Calls that the library refuses: their errors by number and name."""
    said, events, text = layered.on_stage(play_refused)
    told = [line.split() for line in said.splitlines()]
    found = [[e.name, str(e.failed)] for e in events
             if e.layer == "pnetcdf" and not e.depth and e.failed]
    passed = found == [line[:2] for line in told] and told
    tap.result(passed, "calls that are refused",
               () if passed else [found, told])
    expected = [(call, name) for call, _, name in told]
    named = [found for found in re.findall(
        r" (ncmpi_\w+)\(.* = -1 (\w+)", text)
        if found[0] in dict(expected)]  # others are below them
    tap.result(named == expected, "with the library's names of the errors",
               () if named == expected else [named, expected])


def main():
    tap = Tap()
    run = layered.on_stage(lambda place: layered.both(
        place, [os.environ["EVERY"]], ranks=2))
    tap.result(run.same, "the same file and the same results", run.differs)
    told = [[Told.read(line) for line in rank] for rank in run.told]
    ranks = [layered.of_layer(run.of_rank(i), "ncmpi_") for i in (0, 1)]
    check_symbols(tap, told)
    check(tap, ranks, told, run.data)
    check_layers(tap, run, run.data)
    check_refused(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
