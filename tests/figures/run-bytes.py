#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Bytes of a hundred ways to move them: what the program says is what every
screen says, each byte once a layer.

usage: run-bytes.py MOVES | run-bytes.py FLAVOUR MOVES_MPI
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import agree  # noqa: E402
import screens  # noqa: E402
from weirtool import (WEIR, Tap, in_whole, mpi_environment,  # noqa: E402
                      must_be_whole)

ROUNDS, SIZE = 8, 4096
LAUNCHERS = {
    "mpich": ["mpirun.mpich", "-n", "2"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n", "2"],
    "romio321": ["mpirun.openmpi", "--mca", "io", "romio321",
                 "--oversubscribe", "-n", "2"],
}
# That ROMIO has no non-blocking collective calls; it ends in a null pointer.
MISSING = {"romio321": re.compile("i(read|write)(_at)?_all$")}
FASTEST = 1 << 40  # bytes a second that no memory here reaches


def ways_of(program):
    return subprocess.run([program], capture_output=True, text=True,
                          check=True).stdout.split()


def record(trace, command, options=(), env=None):
    done = subprocess.run(
        [WEIR, "run", "--strict", "--buffer", "64M", *options, "-o", trace,
         "--", *map(str, command)], capture_output=True, text=True, env=env,
        stdin=subprocess.DEVNULL)
    must_be_whole(done)
    return done


def both(scratch, command, prepare, env=None):
    """What run printed; the trace, and the sums of the same program."""
    prepare()
    done = record(scratch / "trace", command, env=env)
    prepare()
    record(scratch / "profile", command, ["--profile"], env)
    return done, scratch / "trace", scratch / "profile"


def file_rows(told, path):
    rows = [row for row in told["files"] if row["name"] == str(path)]
    return {way: sum(row[way] for row in rows) for way in ("read", "written")}


def too_fast(trace):
    """Rates by the time of a posting alone are beyond any memory's."""
    found = screens.of_rates(trace)
    return [f"{name}: {rate:g} bytes a second" for name, rate in found.items()
            if rate > FASTEST]


def judge(tap, name, scratch, done, traces, changing=()):
    """`changing`: what is not the same whenever it runs."""
    trace, profile = traces
    wrong = agree.check(trace, scratch, done.stderr) + too_fast(trace)
    wrong += agree.check_profile(trace, profile, changing)
    tap.result(not wrong, f"{name}: all screens agree", wrong[:20])


def check_layer(moved, layer, told):
    """What one layer moved, in the sums of a report."""
    row = told["layers"].get(layer, {"read": 0, "written": 0})
    found = {way: row[way] for way in ("read", "written")}
    return [] if found == moved else [f"{layer}: {found}, not {moved}"]


def check_way(tap, program, way):
    def play(scratch):
        path = scratch / "data"
        done, trace, profile = both(
            scratch, [program, way, path, ROUNDS, SIZE],
            lambda: path.write_bytes(b"\n" * ROUNDS * SIZE))
        match = re.match(r"(\w+) read (\d+) written (\d+) copied (\d+)",
                         done.stdout)
        moved = {"read": int(match[2]), "written": int(match[3])}
        wrong = []
        for kept in (trace, profile):
            told = screens.report(kept)
            on_pipes = ROUNDS * 512 if way == "pipe" else 0
            wrong += check_layer({key: number - on_pipes
                                  for key, number in moved.items()},
                                 match[1], told)
            if told["total"]["copied"] != int(match[4]):
                wrong.append(f"copied {told['total']['copied']}")
            if way != "pipe" and file_rows(told, path) != moved:
                wrong.append(f"file: {file_rows(told, path)}, not {moved}")
        tap.result(not wrong, f"{way}: {moved}", wrong)
        judge(tap, way, scratch, done, (trace, profile))
    in_whole(play)


def check_mpi(tap, flavour, program):
    """All ways in one run: MPI takes its time to start."""
    ways = [way for way in ways_of(program)
            if not MISSING.get(flavour, re.compile("$^")).search(way)]

    def play(scratch):
        folder = scratch / "data"
        folder.mkdir()

        def prepare():
            for way in ways:
                data = b"" if "write" in way else bytes(2 * ROUNDS * SIZE)
                (folder / way).write_bytes(data)
        done, trace, profile = both(
            scratch, [*LAUNCHERS[flavour], program, folder, ROUNDS, SIZE,
                      *ways], prepare, mpi_environment())
        due = {name: {"read": int(read), "written": int(written)}
               for name, read, written in re.findall(
                   r"^(\w+) read (\d+) written (\d+)$", done.stdout, re.M)}
        check_mpi_files(tap, flavour, folder, due, ways,
                        {"calls": screens.report(trace),
                         "sums": screens.report(profile)})
        # The first poll in vain is a call; whether there is one is chance.
        judge(tap, flavour, scratch, done, (trace, profile),
              ("calls", "failed"))
    in_whole(play)


def check_mpi_files(tap, flavour, folder, due, ways, reports):
    for way in ways:
        wrong = [] if way in due else ["it says nothing"]
        for kept, told in reports.items():
            found = file_rows(told, folder / way)
            if found != due.get(way):
                wrong.append(f"{kept}: {found}, not {due.get(way)}")
        tap.result(not wrong, f"{flavour} {way}", wrong)
    moved = {key: sum(row[key] for row in due.values())
             for key in ("read", "written")}
    wrong = [line for told in reports.values()
             for line in check_layer(moved, "mpiio", told)]
    tap.result(not wrong, f"{flavour}: {moved} by MPI-IO", wrong)


def main():
    tap, program = Tap(), os.path.abspath(sys.argv[-1])
    if len(sys.argv) > 2:
        check_mpi(tap, sys.argv[1], program)
    else:
        for way in ways_of(program):
            check_way(tap, program, way)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
