#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`weir report --json` against a count of the dump, number by number.

usage: run-model.py WORKLOAD

Environment: KERNELS, the folder of the I/O kernels, where they were built."""
import os
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kernels"))
import ranks  # noqa: E402
from counted import Counted  # noqa: E402
from judged import FIGURES, Judged  # noqa: E402
from callview import views  # noqa: E402
from sums import report  # noqa: E402
from weirtool import WEIR, Tap, in_whole, mpi_environment, must_be_whole  # noqa: E402

WORKLOAD = os.path.abspath(sys.argv[1])
ROW = ("first", "last", "read", "written", "time", "calls")
KERNELS = {  # ranks, arguments
    "ffb": (2, ["--steps", 40]),
    "pdf": (3, ["--shared", 12, "--own", 4, "--bytes", "16K", "--request",
                4096, "--rounds", 3, "--readers", 2]),
    "btio": (4, ["--size", 12, "--dumps", 2, "--mode", "simple"]),
    "vpic": (2, ["--particles", 3000]),
    "tiny": (2, ["--datasets", 40]),
    "columns": (1, ["--rows", 64, "--width", 128, "--chunk", 16]),
}

SPEAKS = {  # files of the workload, and what must be found in them
    "*/order.*": "small-writes repeated-reads",
    "*/steps.*": "scattered-reads repeated-writes read-modify-write",
    "*/strides.*": "strided-writes strided-reads",
    "*/jumps.*": "seek-pairs",
    "*/small.*": "many-small-files temporary-files repeated-opens "
                "repeated-stats missing-files",
    "*/synchronous.*": "synchronous-writes",
    "*/stream.*": "flushed-streams",
    "*/pages.*": "stream-buffers",
    "*/common.*": "same-reads",
    "*/own.*": "idle-seeks frequent-syncs",
    "*/copied.*": "",
    "*/between.*": "interleaved-writes strided-writes",
    "*/large.*": "misaligned-writes",
}


def record(scratch, command, env=None):
    data = scratch / "data"
    data.mkdir(exist_ok=True)
    done = subprocess.run(
        [WEIR, "run", "-q", "--strict", "--buffer", "64M", "-o",
         scratch / "trace", "--", *map(str, command)], text=True, cwd=data,
        stdin=subprocess.DEVNULL, capture_output=True, env=env)
    must_be_whole(done)
    return scratch / "trace"


def differences(where, found, expected):
    """Lines, for all keys that either has."""
    if isinstance(found, dict) and isinstance(expected, dict):
        return [line for key in sorted(set(found) | set(expected), key=str)
                for line in differences(f"{where} {key}", found.get(key),
                                        expected.get(key))]
    return [] if found == expected else [
        f"{where}: {found}, should be {expected}"]


def told_row(row, more=()):
    return {key: row[key] for key in (*ROW, *more)}


def wrong_spreads(found, counted):
    """They are stated to be less than 1 % off."""
    wrong = []
    for layer, row in found["layers"].items():
        for kind, told in row["spread"].items():
            right = counted.spread(layer, kind)
            wrong += [f"{layer} {kind} {key}: {told['time'][key]}, should be "
                      f"{value}" for key, value in right.items()
                      if abs(told["time"][key] - value) > value / 100]
            if told["calls"] != len(counted.times[layer, kind]):
                wrong.append(f"{layer} {kind}: {told['calls']} calls")
    return wrong


def without_spread(layers):
    return {name: {key: value for key, value in row.items()
                   if key != "spread"} for name, row in layers.items()}


def wrong_sums(found, counted):
    total = {key: sum(row.numbers[key] for process in
                      counted.processes.values()
                      for row in process.cells.values())
             for key in ("calls", "failed", "time", "bytes")}
    told = {key: sum(cell.get(key, 0) for cell in
                     found["total"]["calls"].values()) for key in total}
    return (differences("total", told, total) +
            differences("files", {row["name"]: told_row(row, ["processes"])
                                  for row in found["files"]},
                        counted.told_files()) +
            differences("processes", {row["number"]: told_row(row)
                                      for row in found["processes"]},
                        counted.told_processes()) +
            differences("layers", without_spread(found["layers"]),
                        counted.told_layers()) +
            wrong_spreads(found, counted) +
            differences("never returned", found["unseen"]["never_returned"],
                        counted.entered))


def wrong_findings(found, judged):
    told = {row["id"]: {key: row[key] for key in (*FIGURES, "files")}
            for row in found["findings"] if row["id"] in Judged.RULES}
    return differences("finding", told, judged.told())


def check(tap, name, found, wanted, speaks=()):
    """A report against the views that it must be of."""
    wrong = wrong_sums(found, Counted(one for one in wanted if not one.echo))
    tap.result(not wrong and found["files"],
               f"{name}: sums of {len(wanted)} calls", wrong[:40])
    judged = Judged(wanted)
    wrong = wrong_findings(found, judged)
    silent = set(speaks) - set(judged.told())
    tap.result(not wrong and not silent,
               f"{name}: findings: {', '.join(judged.told()) or 'none'}",
               [*wrong[:40], f"silent: {silent}"])


def check_workload(tap, seed, calls):
    def play(scratch):
        trace = record(scratch, [WORKLOAD, seed, calls])
        seen = list(views(trace))
        check(tap, f"by chance {seed}", report(trace), seen)
        pid = max(view.event["pid"] for view in seen)
        check(tap, "of one process", report(trace, ["--process", str(pid)]),
              [view for view in seen if view.event["pid"] == pid])
        for glob, rules in SPEAKS.items():
            check(tap, f"of {glob}", report(trace, ["--file", glob]),
                  [view for view in seen
                   if fnmatchcase(view.file or "", glob)],
                  rules.split() if calls >= 1500 else ())
    in_whole(play)


TURNS = ("for i in 0 1 2 3 4 5 6 7; do RANK=$i WORLD_SIZE=8 dd if=/dev/zero "
         "of=turns bs=4M count=4 conv=notrunc status=none seek=$((4 * i)); "
         "done")


def check_turns(tap):
    """Whether the rule speaks depends on how busy the machine is."""
    def play(scratch):
        trace = record(scratch, ["sh", "-c", TURNS])
        check(tap, "in turns", report(trace), list(views(trace)))
    in_whole(play)


def check_kernel(tap, program, kernel):
    count, arguments = KERNELS[kernel]

    def play(scratch):
        command = [*ranks.launcher(program, count), ranks.KERNELS / program,
                   *arguments]
        env = mpi_environment()
        out = scratch / "data" / "out"
        if kernel == "ffb":
            out.parent.mkdir()
            subprocess.run([str(word) for word in
                            [*command, "--prepare", out]], env=env,
                           check=True, stdout=subprocess.DEVNULL)
        trace = record(scratch, [*command, out], env)
        check(tap, program, report(trace), list(views(trace)))
    in_whole(play)


def main():
    tap = Tap()
    # Of so many calls that several threads share the work, and of few.
    for seed, calls in ((1, 2000), (2, 300)):
        check_workload(tap, seed, calls)
    check_turns(tap)
    for kernel in KERNELS:
        for program in ranks.flavours(kernel) or [None]:
            if program:
                check_kernel(tap, program, kernel)
            else:
                tap.skip(kernel, "not built")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
