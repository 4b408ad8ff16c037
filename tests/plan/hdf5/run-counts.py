#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The large effects that settings of HDF5 have for ranks, counted.

usage: run-counts.py FLAVOUR PROGRAM

Four ranks write columns of a dataset, 4096 pieces of 256 bytes each. Counts of
system calls and bytes are as exact as the libraries are; no time is looked
at."""
import fcntl
import importlib.util
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent.parent / "lib"))
from weirtool import Tap  # noqa: E402

RANKS, PIECES, BYTES = 4, 4096, 4 << 20


def load():
    found = importlib.util.spec_from_file_location("rows",
                                                   HERE / "run-hdf5.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def most(outcome, rows):
    """Writes of the process that writes most."""
    return max(outcome.by_process(rows.WRITES).values(), default=0)


def collective(trace):
    return {"transfer_mode": ("collective", f'proof="{trace}"')}


def check(tap, outcome, what, is_so, verdicts=None):
    wrong = [] if is_so else ["not so"]
    for setting, verdict in (verdicts or {}).items():
        # of the writes, which come first: reads are over too soon to be sure
        # that all ranks were seen in them at once, so they may be unsafe
        got = [v for v, _ in outcome.effects(setting)]
        if got[:RANKS] != [verdict] * RANKS or \
           set(got) - {verdict, "unsafe"}:
            wrong.append(f"{setting}: {outcome.effects(setting)}")
    if outcome.code or outcome.facts.get("good") != [1]:
        wrong.append(f"returned {outcome.code}, {outcome.facts}: "
                     f"{outcome.stderr}")
    tap.result(not wrong, what, wrong)


def check_columns(tap, runner, rows):
    bare = runner.run("wide", None, RANKS, options=["--backtrace"])
    check(tap, bare, "without: each rank writes each piece",
          set(bare.by_process(rows.WRITES)) and len(
              [n for n in bare.by_process(rows.WRITES).values()
               if n >= PIECES]) == RANKS)
    done = runner.run("wide", collective(bare.trace), RANKS)
    check(tap, done, f"collective: a handful, not {most(bare, rows)}: "
          f"{most(done, rows)}", most(done, rows) <= 8,
          {"transfer_mode": "took"})
    done = runner.run("wide", {"chunk": f"{PIECES},64"}, RANKS)
    check(tap, done, f"a chunk a rank: a handful: {most(done, rows)}",
          most(done, rows) <= 12, {"chunk": "took"})


def fill_figures(outcome, rows):
    """Bytes written, bytes read before the file is read, and locks."""
    return (outcome.bytes_written(),
            sum(e["ret"] for e in outcome.on_disk(rows.READS, "H5Fopen")),
            sum(1 for e in outcome.events if e["call"] == "fcntl" and
                e["args"]["cmd"] in (fcntl.F_SETLK, fcntl.F_SETLKW)))


def check_fill(tap, runner, rows):
    chunk = {"chunk": "512,256"}  # all ranks write into each
    twice = runner.run("wide", chunk, RANKS)
    once = runner.run("wide", {**chunk, "fill_time": "never"}, RANKS)
    first, second = fill_figures(twice, rows), fill_figures(once, rows)
    check(tap, twice, f"chunks are filled first: {first}",
          # what is read depends on who comes first, that locks are taken not
          first[0] > 1.9 * BYTES and first[2] > 0,
          {"chunk": "took"})
    check(tap, once, f"and not with fill_time never: {second}",
          BYTES <= second[0] < 1.1 * BYTES and second[1:] == (0, 0),
          {"chunk": "took", "fill_time": "took"})


def check_unsafe(tap, runner, rows):
    """Nobody waits for ranks that do not come."""
    two = runner.run("wide", None, 2, options=["--backtrace"])
    done = runner.run("wide", collective(two.trace), RANKS)
    check(tap, done, "what two ranks do is no proof for four",
          most(done, rows) >= PIECES, {"transfer_mode": "unsafe"})


def main():
    flavour, program = sys.argv[1:3]
    rows, tap = load(), Tap()
    with tempfile.TemporaryDirectory(prefix="weir-counts-") as scratch:
        runner = rows.Runner(flavour, program, scratch)
        check_columns(tap, runner, rows)
        check_fill(tap, runner, rows)
        check_unsafe(tap, runner, rows)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
