#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Collective calls by seed, of which it is known who makes them together.

usage: run-joins.py SEEDS ROUNDS PROGRAM FLAVOUR [PROGRAM FLAVOUR]…

Each call has bytes of the file for itself, so two events are of one call if
and only if they are at one offset: on communicators of all kinds, of threads
that do not wait for each other, with several files open at a time, of several
jobs in one trace, and of children that a job has started. `dump --links`, the
tables and the trees must all say so; what they cannot say has a reason."""
import json
import os
import sqlite3
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, mpi_environment, run  # noqa: E402

LAUNCH = {"mpich": "mpirun.mpich -n 2",
          "openmpi": "mpirun.openmpi --oversubscribe -n 2"}
CALLS = 4  # of each part, on which a file is opened for itself


def is_judged(event):
    """Who says where it goes: the ends of split calls do not."""
    return event.get("layer") == "mpiio" and "off" in event and \
        any(link["kind"] in ("collective", "unjoined")
            for link in event["links"])


def links_of(trace):
    """{id: (node, why it has none)}, and {id: offset} of what is judged."""
    joined, places = {}, {}
    done = run(WEIR, "dump", "--format", "jsonl", "--links", trace)
    for line in done.stdout.splitlines():
        event = json.loads(line)
        for link in event["links"]:
            if link["kind"] in ("collective", "unjoined"):
                joined[event["id"]] = link.get("node"), link.get("why")
        if is_judged(event):
            places[event["id"]] = event["off"]
    return joined, places, done.stderr


def tabled(trace, scratch):
    """The same as links_of(), of the tables; None: there are none."""
    base = scratch / "base"
    base.unlink(missing_ok=True)
    done = run(WEIR, "export", "-q", "--to", "sqlite", "-o", base, trace,
               check=False)
    if done.returncode:
        return None
    with sqlite3.connect(base) as tables:
        return {ident: (node, None) if kind == "collective" else (None, node)
                for ident, kind, node in tables.execute(
                    "SELECT process || '.' || thread || '.' || idx, kind, "
                    "node FROM links JOIN events USING (event) "
                    "WHERE kind IN ('collective', 'unjoined')")}


def judge(joined, places):
    """Complaints, how many are right, and why others are not joined."""
    nodes, calls, doubts = {}, {}, Counter()
    for ident, place in places.items():
        node, why = joined[ident]
        calls.setdefault(place, set()).add(node)
        if node:
            nodes.setdefault(node, set()).add(place)
        else:
            doubts[why] += 1
    wrong = [f"one call is {len(held)} to weir, at {place}"
             for place, held in calls.items() if len(held) > 1]
    wrong += [f"{node} is of {len(held)} calls: {sorted(held)[:4]}"
              for node, held in nodes.items() if len(held) > 1]
    return wrong, len(places) - sum(doubts.values()), doubts


def record(command, scratch):
    trace = scratch / "trace"
    run("rm", "-rf", trace)
    run(WEIR, "run", "-q", "--strict", "--buffer", "32M", "--include",
        f"{scratch}/data", "-o", trace, "--", "sh", "-c", command,
        env=mpi_environment(), cwd=scratch, timeout=300)
    return trace


def check(tap, title, command, scratch, doubted=None):
    """All are right; `doubted`: how many are not, and what is said of them."""
    trace = record(command, scratch)
    joined, places, told = links_of(trace)
    lines, right, doubts = judge(joined, places)
    tables = tabled(trace, scratch)
    if tables is not None and tables != joined:
        lines.append("the tables join calls otherwise than the links do")
    if dict(doubts) != (doubted or {}):
        lines.append(f"not joined: {dict(doubts)}")
    if doubted and "not joined" not in told:
        lines.append("nobody is told of what is not joined")
    tap.result(right > 8 and not lines, f"{title}: {right} events of "
               f"{len(set(places.values()))} calls are joined, "
               f"{len(lines)} wrong, {sum(doubts.values())} unknown",
               lines[:10])
    return trace


def written_below_wait(events):
    """A write below a call that waits for what several ranks began together,
    and these parts; or nothing."""
    for event in events.values():
        parent = events.get(event["parent"])
        if event["call"] != "pwrite" or not parent or \
                not parent["call"].startswith("MPI_Wait"):
            continue
        ended = [link["to"] for end in events.values()
                 if end["parent"] == parent["id"] for link in end["links"]
                 if link["kind"] in ("completes", "batched")]
        nodes = {link["node"] for begun in ended
                 for link in events[begun]["links"] if "node" in link}
        return event["id"], {
            ident for ident, begun in events.items()
            for link in begun["links"] if link.get("node") in nodes}
    return None, set()


def check_waits(tap, title, command, scratch):
    """From what one rank wrote in a wait it leads to all whose it may be."""
    trace = record(command, scratch)
    done = run(WEIR, "dump", "--format", "jsonl", "--links", trace)
    written, begun = written_below_wait(
        {event["id"]: event
         for event in map(json.loads, done.stdout.splitlines())})
    shown = run(WEIR, "dump", "--of", written, trace).stdout.split() \
        if written else ()
    missing = sorted(begun - set(shown))
    tap.result(len(begun) > 1 and not missing,
               f"{title}: {len(begun)} parts of what was begun",
               [f"not shown: {missing}"])


def check_all(tap, program, flavour, seeds, rounds, scratch):
    launch, data = LAUNCH[flavour], scratch / "data"

    def job(seed, number, *more):
        return " ".join(map(str, (launch, program, seed, rounds, data, number,
                                  *more)))

    for seed in range(1, seeds + 1):
        check(tap, f"{flavour}, seed {seed}", job(seed, 0), scratch)
    check(tap, f"{flavour}, two jobs at once and one later",
          f"{job(1, 0)} & {job(1, 1)}; wait; {job(1, 2)}", scratch)
    trace = check(tap, f"{flavour}, ranks that nobody can name",
                  job(1, 0, 0), scratch, {"communicator": 2 * CALLS})
    shown = run(WEIR, "dump", "--tree", trace).stdout
    tap.result("[not joined: its communicator is unknown]" in shown,
               f"{flavour}, trees say what is not joined", [])
    if flavour == "mpich":  # OMPIO writes by aio_write, in its own call
        check_waits(tap, f"{flavour}, from a write in a wait", job(1, 0),
                    scratch)
    if flavour == "openmpi":  # hydra as Debian has it starts no children
        check(tap, f"{flavour}, children", job(2, 0, 2), scratch)


def main(seeds, rounds, *programs):
    tap = Tap()
    for program, flavour in zip(programs[::2], programs[1::2]):
        with tempfile.TemporaryDirectory(prefix="weir-joins-") as name:
            check_all(tap, os.path.abspath(program), flavour, int(seeds),
                      int(rounds), Path(name).resolve())
    return tap.done()


sys.exit(main(*sys.argv[1:]))
