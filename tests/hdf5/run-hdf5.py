#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of HDF5 are recorded as the program says that it made them.

usage: run-hdf5.py PROGRAM [LAUNCHER]...

The program runs once without and once with a recorder; what it prints and the
files it makes must be the same. It writes a list of its calls, one JSON object
a line, to the file named by its argument (with ranks: and .RANK)."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import hdf5tree  # noqa: E402
from weirtool import WEIR, Tap  # noqa: E402


def read_lists(folder):
    """Of each rank; without MPI there is one."""
    return [[json.loads(line) for line in path.read_text().splitlines()]
            for path in sorted(folder.glob("list*"))]


def differences(told, seen, folder):
    """What the recorder says otherwise than the program."""
    wrong = []
    for one, other in zip(told, seen):
        name = other.get("file")
        name = os.path.relpath(name, folder) if name else None
        args = {key: other["args"].get(key, other.get(key))
                for key in one["args"]}
        is_as = {"call": other["call"], "file": name,
                 "size": other.get("size", 0), "args": args,
                 "failed": "failed" in other.get("flags", "")}
        if is_as != one:
            wrong.append(f"told {one}\nseen {is_as}")
    if len(told) != len(seen):
        wrong.append(f"{len(told)} calls were told, {len(seen)} seen: "
                     f"{[e['call'] for e in seen]}")
    return wrong[:10]


def check_lists(tap, folder, events, what):
    lists = read_lists(folder)
    processes = sorted({e["proc"] for e in events if e["layer"] == "hdf5"})
    tap.result(len(lists) == len(processes), f"{what}: every rank is there",
               [f"{len(lists)} ranks, {len(processes)} processes"])
    for number, told in enumerate(lists):
        calls_told = {call["call"] for call in told}
        but = {"hdf5_place"} - calls_told
        seen = [hdf5tree.in_order_of_ends(events, proc, but)
                for proc in processes]
        # which rank is which process, the lists tell best
        found = min((differences(told, calls, folder) for calls in seen),
                    key=len, default=["nothing"])
        tap.result(not found, f"{what}: the calls of rank {number} are as it "
                   "said", found)


def main(program, *launcher):
    tap = Tap()
    what = Path(program).name
    with tempfile.TemporaryDirectory(prefix="weir-hdf5-") as scratch:
        bare, folder = Path(scratch) / "bare", Path(scratch) / "weir"
        bare.mkdir()
        folder.mkdir()
        command = [*launcher, os.path.abspath(program), "list"]
        outputs = [
            subprocess.run(command, cwd=bare, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, timeout=120),
            subprocess.run([WEIR, "run", "-q", "-o", "trace", "--", *command],
                           cwd=folder, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, timeout=240)]
        tap.result(all(o.returncode == 0 for o in outputs),
                   f"{what}: both runs end well", map(str, outputs))
        tap.result(sorted(outputs[0].stdout.splitlines()) ==
                   sorted(outputs[1].stdout.splitlines()),
                   f"{what}: prints the same", map(str, outputs))
        wrong = [path.name for path in sorted(bare.glob("*.h5"))
                 if path.read_bytes() != (folder / path.name).read_bytes()]
        tap.result(not wrong, f"{what}: writes the same", wrong)
        events = hdf5tree.read(folder / "trace")
        check_lists(tap, folder, events, what)
        hdf5tree.check_nesting(tap, events, what)
        ranks = len(read_lists(folder))
        if launcher and ranks > 1:
            hdf5tree.check_collective(tap, events, what, ranks)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
