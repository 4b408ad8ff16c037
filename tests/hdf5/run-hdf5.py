#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of HDF5 are recorded as the program says that it made them.

usage: run-hdf5.py [--some] [--threads] [--ranks FLAVOUR] [--needs MODULES]
                   NAME PROGRAM [ARG]...

The program runs once without and once with a recorder; what it prints and the
files it makes must be the same. It writes a list of its calls, one JSON object
a line, to the file named by its last argument, `list` (with ranks: and .RANK).
With --some there are other calls between those of the list; with --threads the
lists are of threads of one process; with --needs the program is a Python, and
where it has not these modules nothing is tested."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import hdf5tree  # noqa: E402
from weirtool import WEIR, Tap, mpi_environment  # noqa: E402
from weirtool import events as all_events  # noqa: E402

LAUNCHERS = {
    "": [],
    "mpich": ["mpirun.mpich", "-n", "2"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n", "2"],
}
LAYERS = ["--layers", "mpi,hdf5"]


def read_lists(folder):
    """Of each rank; without MPI there is one."""
    return [[json.loads(line) for line in path.read_text().splitlines()]
            for path in sorted(folder.glob("list*"))]


def seen_as(event, told, folder):
    """An event in the words of a list's line."""
    name = event.get("file")
    args = {key: event["args"].get(key, event.get(key))
            for key in told["args"]}
    return {"call": event["call"],
            "file": os.path.relpath(name, folder) if name else None,
            "size": event.get("size", 0), "args": args,
            "failed": "failed" in event.get("flags", "")}


def differences(told, seen, folder, some):
    """What the recorder says otherwise than the program."""
    if some:
        rest = iter(seen)
        return [f"told and not seen: {one}" for one in told
                if not any(seen_as(e, one, folder) == one for e in rest)][:1]
    wrong = [f"told {one}\nseen {seen_as(other, one, folder)}"
             for one, other in zip(told, seen)
             if seen_as(other, one, folder) != one]
    if len(told) != len(seen):
        wrong.append(f"{len(told)} calls were told, {len(seen)} seen: "
                     f"{[e['call'] for e in seen]}")
    return wrong[:10]


def check_lists(tap, folder, events, options):
    what, lists = options.name, read_lists(folder)
    processes = sorted({e["proc"] for e in events if e["layer"] == "hdf5"})
    if not options.threads:
        tap.result(len(lists) == len(processes), f"{what}: every rank is "
                   f"there", [f"{len(lists)} ranks, {len(processes)} there"])
    for number, told in enumerate(lists):
        but = {"hdf5_place"} - {call["call"] for call in told}
        # which rank is which process, the lists tell best
        found = min((differences(told, hdf5tree.in_order_of_ends(
            events, proc, but), folder, options.some) for proc in processes),
            key=len, default=["nothing"])
        tap.result(not found, f"{what}: the calls of rank {number} are as it "
                   "said", found)
    if len(lists) > 1 and options.ranks:
        hdf5tree.check_collective(tap, events, what, len(lists))


def run_both(tap, options, bare, folder):
    """Without and with; all that can be seen of it is the same."""
    command = [*LAUNCHERS[options.ranks], *options.command, "list"]
    recorded = [WEIR, "run", "-q", *LAYERS, "-o", "trace", "--", *command]
    done = []
    for args, where in ((command, bare), (recorded, folder)):
        where.mkdir()
        done.append(subprocess.run(
            args, cwd=where, env=mpi_environment(), timeout=240,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE))
    tap.result(not any(d.returncode for d in done),
               f"{options.name}: both runs end well", map(str, done))
    out = [sorted(d.stdout.splitlines()) for d in done]
    tap.result(out[0] == out[1], f"{options.name}: prints the same",
               map(str, out))
    made = [{path.name: path.read_bytes() for path in where.glob("*.*")
             if path.suffix in (".h5", ".nc")} for where in (bare, folder)]
    wrong = [name for name in made[0] if made[0][name] != made[1].get(name)]
    if options.some:  # their libraries write dates
        wrong = [name for name in made[0] if name not in made[1]]
    tap.result(not wrong, f"{options.name}: writes the same", wrong)


def what_is_missing(python, modules):
    """Why a Python cannot be used, or None."""
    if not shutil.which(python):
        return f"{python} is not installed"
    for name in modules:
        done = subprocess.run([python, "-c", f"import {name}"],
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode:
            return f"{python} has no module {name}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--some", action="store_true")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--ranks", default="", choices=LAUNCHERS)
    parser.add_argument("--needs", type=lambda names: names.split(","))
    parser.add_argument("name")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    # They run in directories of their own.
    options.command = [os.path.abspath(word) if os.path.exists(word) else word
                       for word in options.command]
    tap = Tap()
    why = options.needs and what_is_missing(options.command[0], options.needs)
    if why:
        tap.skip(options.name, why)
        return tap.done()
    with tempfile.TemporaryDirectory(prefix="weir-hdf5-") as scratch:
        folder = Path(scratch) / "weir"
        run_both(tap, options, Path(scratch) / "bare", folder)
        events = all_events(folder / "trace")
        check_lists(tap, folder, events, options)
        suffix = ".nc" if options.name == "netcdf" else ".h5"
        hdf5tree.check_nesting(tap, events, options.name, suffix)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
