#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Independent transfers become collective where a trace proves it safe.

usage: run-proof.py FLAVOUR BLOCKS"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from planrun import WEIR, run, table, write_plan

import weirtool
from weirtool import Tap

RANKS = 4
STEPS = 8
ROWS = 1024
LAUNCHERS = {"mpich": ["mpirun.mpich"],
             "openmpi": ["mpirun.openmpi", "--oversubscribe"]}


class Blocks:
    def __init__(self, flavour, program, scratch):
        self.line = [*LAUNCHERS[flavour], "-n", str(RANKS), program]
        self.scratch = scratch
        self.number = 0

    def trace(self):
        self.number += 1
        return self.scratch / f"t{self.number}"

    def record(self, manner, *options):
        trace = self.trace()
        subprocess.run(
            [WEIR, "run", "-q", *options, "-o", trace, "--", *self.line,
             self.scratch / "out.h5", manner],
            env=weirtool.mpi_environment(), check=True,
            stdin=subprocess.DEVNULL, capture_output=True)
        return trace

    def plan(self, trace, more=' file="*.h5"'):
        return write_plan(
            self.scratch / "p.xml",
            f'<transfer_mode opt-in="yes" proof="{trace}"{more}>collective'
            "</transfer_mode>")

    def steer(self, plan, manner):
        """What it says, and its trace."""
        trace = self.trace()
        done = run(trace, plan, [*self.line, self.scratch / "out.h5", manner],
                   "--strict", timeout=60)
        return done, trace

    def proven(self, manner):
        """A run by what a trace of it proves."""
        done, trace = self.steer(
            self.plan(self.record(manner, "--backtrace")), manner)
        if done.returncode == 5:
            raise RuntimeError(done.stderr)
        return done, trace


# Made together, such calls would wait for ever; or nobody can say.
WAITING = {
    "turns": "one may wait for the other",
    "chain": "one may wait for the other",
    "dup": "one may wait for the other",
    "any": "receives from whoever comes first",
    "probe": "has looked for a message",
}


def writes(trace):
    """By rank: system calls that write the file."""
    found = dict.fromkeys(range(RANKS), 0)
    for event in weirtool.events(trace):
        if event["layer"] == "posix" and "write" in event["call"] and \
                str(event.get("file", "")).endswith("out.h5"):
            found[event["rank"]] += 1
    return list(found.values())


def values(path):
    """All datasets, by HDF5's own tool."""
    done = subprocess.run(["h5dump", path], capture_output=True, text=True)
    return done.stdout if not done.returncode else None


def becomes_collective(blocks):
    before = writes(blocks.record(""))
    there = values(blocks.scratch / "out.h5")
    done, trace = blocks.proven("")
    after = writes(trace)
    print(f"# writes by rank: {before} before, {after} with the plan")
    if done.returncode:
        yield f"returned {done.returncode}: {done.stderr}"
    if list(table(done.stderr).values()) != [
            f"took effect {RANKS * STEPS}x"]:
        yield done.stderr
    if min(before) < ROWS * STEPS or max(after) > 10 * STEPS:
        yield f"{before} and {after}"
    if values(blocks.scratch / "out.h5") != there:
        yield "other data are in the file"


def is_left_alone_in_part(blocks):
    """What one rank does alone stays independent; the rest is proven."""
    done, trace = blocks.proven("head")
    if done.returncode != 7 or "1 of 2 places" not in done.stderr or \
            f"took effect {RANKS * STEPS}x, left alone" not in done.stderr:
        yield f"{done.returncode}: {done.stderr}"
    if max(writes(trace)) > 10 * STEPS:
        yield str(writes(trace))


def refused(blocks, trace, *words, **kwargs):
    done, made = blocks.steer(blocks.plan(trace, **kwargs), "")
    if done.returncode != 5 or made.exists() or \
            not all(word in done.stderr for word in words):
        yield f"{done.returncode}: {done.stderr}"


def is_not_proven(blocks):
    """Each with its reason, and nothing is run."""
    yield from refused(blocks, blocks.record("skip", "--backtrace"),
                       "differ at call 8", ":/step7")
    for manner, why in WAITING.items():
        yield from refused(blocks, blocks.record(manner, "--backtrace"), why)
    yield from refused(blocks, blocks.record("order", "--backtrace"),
                       "in different orders")
    yield from refused(blocks, blocks.record(""), "--backtrace")
    whole = blocks.record("", "--backtrace")
    yield from refused(blocks, whole, "no dataset it is for",
                       more=' file="*.other"')
    yield from refused(blocks, blocks.record("", "--backtrace", "--exclude",
                                             "*.h5"), "not have all calls")
    yield from refused(blocks, blocks.scratch / "none", "No such file")
    for part in whole.glob("*.weir"):
        part.write_bytes(b"no trace")
    yield from refused(blocks, whole, "no trace")


def needs_no_luck(blocks):
    """Who never meets, and who exchanges messages between, is proven."""
    for manner in ("late", "halo"):
        done, _ = blocks.proven(manner)
        if list(table(done.stderr).values()) != [
                f"took effect {RANKS * STEPS}x"]:
            yield f"{manner}: {done.returncode}: {done.stderr}"


def knows_groups(blocks):
    """Files that half the ranks share: proven for so many."""
    done, trace = blocks.proven("halves")
    if list(table(done.stderr).values()) != [f"took effect {RANKS * STEPS}x"]:
        yield f"{done.returncode}: {done.stderr}"


def stays_with_its_ranks(blocks):
    """A proof for four ranks says nothing of two."""
    plan = blocks.plan(blocks.record("", "--backtrace"))
    trace, two = blocks.trace(), list(blocks.line)
    two[two.index("-n") + 1] = "2"
    done = run(trace, plan, [*two, blocks.scratch / "out.h5"], timeout=60)
    fates = list(table(done.stderr).values())
    if len(fates) != 1 or \
            not fates[0].startswith(f"left alone, not proven safe {2 * STEPS}x"):
        yield done.stderr


def main():
    flavour, program = sys.argv[1:]
    tap = Tap()
    for check in (becomes_collective, is_left_alone_in_part, is_not_proven,
                  needs_no_luck, knows_groups, stays_with_its_ranks):
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            found = list(check(Blocks(flavour, os.path.abspath(program),
                                      Path(os.path.realpath(scratch)))))
        tap.result(not found, check.__name__.replace("_", " "), found)
    return tap.done()


sys.exit(main())
