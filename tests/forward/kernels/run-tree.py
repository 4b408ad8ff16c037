#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One tree from a program's calls to what a service stored: in traces of
kernels whose files were forwarded every byte that was stored leads up to calls
of the program, every one that was handed over leads down to where it was
stored, or says why it was not, and nothing is without a cause.

usage: run-tree.py [--full] [WORD]...

With words only the programs whose names contain one of them; --full: all of
them. Environment: WEIR, the tool; KERNELS, the programs.
"""
import argparse
import itertools
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "kernels"))
sys.path.insert(0, str(HERE.parent.parent / "lib"))
import ranks  # noqa: E402
from sameness import WAYS  # noqa: E402
from verify import SMALL  # noqa: E402
from weirtool import WEIR, Lost, Tap, in_whole, mpi_environment, run  # noqa: E402

CHOSEN = {"columns-serial": "stored early", "contig-mpich": "kept",
          "vpic-mpich": "stored early", "btio-openmpi": "small cache",
          "s3d-pnetcdf-openmpi": "kept"}
READERS = {"bdcats"}
SERVICE = ("client", "serve", "backend")
# numbers of `fate`, as the text of a dump has them
STORED, AGAIN, FAILED, OVERWRITTEN, REMOVED = range(5)


def play(program, way, scratch):
    """A trace of a kernel, with its files forwarded."""
    kernel = program.split("-")[0]
    words, count, before = SMALL[kernel]
    out, trace = scratch / "out", scratch / "trace"
    out.mkdir()
    command = [*ranks.launcher(program, count), str(ranks.KERNELS / program)]
    if before:
        first = [word.replace(kernel, before) if before in SMALL else word
                 for word in command]
        more = SMALL[before][0] if before in SMALL else [*words, "--prepare"]
        subprocess.run([*first, *more, "data"], cwd=out, check=True,
                       env=mpi_environment(), capture_output=True)
    done = subprocess.run(
        [WEIR, "run", "-o", trace, *WAYS[way], f"--forward={out}", "--",
         *command, *words, "data"], cwd=out, env=mpi_environment(),
        stdin=subprocess.DEVNULL, text=True, capture_output=True, timeout=300)
    if done.returncode:
        raise RuntimeError(f"{program}: {done.returncode}: {done.stderr}")
    return trace


class Story:
    """The events of a trace, and how they are joined by their own words."""

    def __init__(self, trace):
        lines = run(WEIR, "dump", "--format", "jsonl", "--links", trace).stdout
        self.events = [json.loads(line) for line in lines.splitlines()]
        self.by_id = {event["id"]: event for event in self.events}
        self.by_cid, self.caused = {}, defaultdict(list)
        self.parts, self.doers = defaultdict(list), defaultdict(list)
        self.below = defaultdict(list)
        for event in self.events:
            args = event.get("args", {})
            if args.get("cid"):
                self.by_cid[args["cid"]] = event
            if args.get("for"):
                self.caused[args["for"]].append(event)
            if event["call"] in ("serve_write", "serve_stage") and \
                    args.get("batch"):
                key = event["proc"], args["batch"]
                where = self.doers if event["call"] == "serve_stage" \
                    else self.parts
                where[key].append(event)
            if event["parent"]:
                self.below[event["parent"]].append(event)

    def of(self, call):
        return [event for event in self.events if event["call"] == call]

    def up(self, event):
        """Those that are one step nearer to the program."""
        args = event.get("args", {})
        found = [self.by_id[event["parent"]]] if event["parent"] else []
        if args.get("for"):
            found.append(self.by_cid.get(args["for"]))
        if event["call"] == "serve_stage":
            found += self.parts[event["proc"], args["batch"]]
        return [one for one in found if one]

    def roots(self, event):
        """The calls of the program that an event is for."""
        seen, found, todo = set(), set(), [event]
        while todo:
            at = todo.pop()
            if at["id"] in seen:
                continue
            seen.add(at["id"])
            above = self.up(at)
            if not above and at["layer"] not in SERVICE:
                found.add(at["id"])
            todo += above
        return found

    def is_nobodys(self, event):
        args = event.get("args", {})
        if event["call"] == "serve_stage":
            parts = self.parts[event["proc"], args["batch"]]
            return parts and all(map(self.is_nobodys, parts))
        if event["parent"]:
            return self.is_nobodys(self.by_id[event["parent"]])
        return args.get("for") == 0


def check_up(story):
    """Everything in the service has a cause in the program."""
    wrong = []
    for event in story.events:
        if event.get("layer") not in ("serve", "backend"):
            continue
        cause = event.get("args", {}).get("for")
        if cause and cause not in story.by_cid:
            wrong.append(f"{event['id']} {event['call']}: nobody has {cause}")
        elif not story.roots(event) and not story.is_nobodys(event):
            wrong.append(f"{event['id']} {event['call']}: for no call")
    return wrong


def fate_of(story, part):
    """None: it was stored, or says why not; else what is wrong."""
    args = part["args"]
    if not args["batch"]:
        return None if args["fate"] in (OVERWRITTEN, REMOVED) else \
            f"{part['id']}: fate {args['fate']}, and by nobody"
    doers = story.doers[part["proc"], args["batch"]]
    stored = [below for doer in doers for below in story.below[doer["id"]]
              if below["call"] == "backend_write"]
    if not stored:
        return f"{part['id']}: no backend_write did batch {args['batch']}"
    if not any(one["off"] <= part["off"] and part["off"] + part["size"] <=
               one["off"] + one["size"] for one in doers):
        return f"{part['id']}: batch {args['batch']} is of other bytes"
    return None


def check_down(story):
    """Everything that was handed over is stored, or says why it is not."""
    wrong = []
    for event in story.of("forward"):
        parts = [part for part in story.caused[event["args"]["cid"]]
                 if part["call"] == "serve_write"]
        told = sum(part["size"] for part in parts
                   if part["args"]["fate"] not in (AGAIN, FAILED))
        if told != event["size"]:
            wrong.append(f"{event['id']}: {event['size']} bytes were handed "
                         f"over, of {told} it is told what became of them")
        wrong += filter(None, (fate_of(story, part) for part in parts))
    for event in story.of("forward_ask"):
        if not story.caused[event["args"]["cid"]]:
            wrong.append(f"{event['id']}: {event['args']['op']} is not served")
    return wrong


def check_tree(story, trace):
    """What weir itself says."""
    done = run(WEIR, "dump", "--tree", trace)
    wrong = [line for line in done.stderr.splitlines() if "caller" in line]
    if " 0 of them calls that are not in the trace" not in done.stderr:
        wrong.append(done.stderr)
    if "which is unknown]" in done.stdout:
        wrong.append("a cause is not known")
    for event in story.of("backend_write")[:3]:
        text = run(WEIR, "dump", "--of", event["id"], trace).stdout
        wrong += [f"--of {event['id']}: {root} is not above it"
                  for root in story.roots(event) if f" {root} " not in text]
    return wrong


def check_sums(story, trace):
    """The program's figures are its own; the service's stand beside them."""
    told = json.loads(run(WEIR, "report", "--json", trace).stdout)
    wrong = []
    own = [e for e in story.events if e.get("layer") not in SERVICE and
           e.get("layer") != "mark" and not e["call"].startswith("weir:") and
           "entered" not in e["flags"]]
    calls = sum(cell["calls"] for cell in told["total"]["calls"].values())
    if calls != len(own):
        wrong.append(f"{calls} calls in the report, {len(own)} in the trace")
    daemons = {e["proc"] for e in story.events if e.get("layer") == "serve"}
    if daemons & {row["number"] for row in told["processes"]}:
        wrong.append("the daemon is a process of the application")
    for layer in SERVICE:
        count = sum(e.get("layer") == layer for e in story.events)
        if told["layers"][layer]["calls"] != count:
            wrong.append(f"{layer}: {told['layers'][layer]}, not {count}")
    done = run(WEIR, "query", trace, "latency by layer", "--format", "jsonl")
    layers = {json.loads(line)["layer"] for line in done.stdout.splitlines()}
    if not layers >= {"posix", *SERVICE} or "nobody knows" in done.stderr:
        wrong.append(f"query: {layers} {done.stderr}")
    return wrong


def check(tap, program, way, scratch):
    trace = play(program, way, scratch)
    told = json.loads(run(WEIR, "report", "--json", trace).stdout)["unseen"]
    if told["dropped"] or told["lost"]:
        raise Lost(f"{program}: {told}")
    story, what = Story(trace), f"{program}, {way}"
    tap.result(story.of("forward") and story.of("backend_write"),
               f"{what}: was forwarded")
    for name, wrong in (("leads up", check_up(story)),
                        ("leads down", check_down(story)),
                        ("the tree has no holes", check_tree(story, trace)),
                        ("sums are apart", check_sums(story, trace))):
        tap.result(not wrong, f"{what}: {name}", wrong[:9])


def chosen(asked):
    if not asked.full and not asked.words:
        return [(program, way) for program, way in CHOSEN.items()
                if ranks.flavours(program.split("-")[0]).get(program)]
    every = itertools.chain.from_iterable(map(ranks.flavours, SMALL))
    return [(name, way) for name in sorted(every)
            if name.split("-")[0] not in READERS
            for way in (WAYS if asked.full else [CHOSEN.get(name, "kept")])
            if not asked.words or any(word in name for word in asked.words)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("words", nargs="*")
    asked, tap = parser.parse_args(), Tap()
    for program, way in chosen(asked):
        in_whole(lambda scratch, case=(program, way): check(
            tap, *case, Path(os.path.realpath(scratch))))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
