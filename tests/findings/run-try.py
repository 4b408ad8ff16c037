#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir report` says to try: can it be done, and is the finding gone?

usage: run-try.py WORKLOAD [KIND=PROGRAM]...

Environment: KERNELS, the folder of the I/O kernels, where they were built.

Of each rule with a setting of its own a run with the fault is recorded; the
plan in its trace must be a good one, be that of the JSON report, and take
effect.
"""
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE.parent / "mpi")]
import mpirun  # noqa: E402
from weirtool import WEIR, Tap, in_whole, mpi_environment, run  # noqa: E402

VECTORS = "--piece 256 --pieces 16384 --steps 4 vectors.dat"
STREAMS = "fopen:w:out 8000{ fwrite:1k } fclose"
# rule, kind of program, ranks, words, options, whether it is gone afterwards
CASES = [
    ("stream-buffers", "workload", 0, STREAMS, (), True),
    ("chunks-again", "sets-serial", 0, "chunks 200 1024", (), True),
    ("small-selections", "sets-mpich", 2, "apart 256 512", ("--backtrace",),
     True),
    ("independent-pieces", "sets-mpich", 2, "apart 700 512",
     ("--backtrace",), True),
    ("cut-collectives", "pieces-openmpi", 2, "turns 2000 100", (), True),
    ("lone-aggregators", "vectors-mpich", 4, VECTORS, (), True),
    ("lone-aggregators", "pieces-openmpi", 4, "together 16 1048576", (),
     False),
]


def record(folder, trace, command, *options):
    return subprocess.run(
        [WEIR, "run", "-o", trace, *options, "--", *map(str, command)],
        cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
        env=mpi_environment())


def told(trace):
    return json.loads(run(WEIR, "report", "--json", trace).stdout)


def found(said, rule):
    return next((one for one in said["findings"] if one["id"] == rule), None)


def obey(scratch, command, found, rule, gone):
    """What is wrong with the plan of a finding."""
    plan = scratch / "before" / f"try-{rule}.xml"
    if not plan.exists():
        return ["no plan in the trace"]
    wrong = []
    if plan.read_text() != found["plan"] + "\n":
        wrong.append(f"the report says {found['plan']}")
    if f" --plan {plan} " not in found["try"]:
        wrong.append(f"try: {found['try']}")
    checked = subprocess.run([WEIR, "plan", "check", plan], text=True,
                             capture_output=True)
    if checked.returncode:
        wrong.append(checked.stderr)
    done = record(scratch, scratch / "after", command, "--plan", plan)
    if done.returncode or "took effect" not in done.stderr:
        wrong.append(done.stderr)
    said = told(scratch / "after")
    if gone and [one for one in said["findings"] if one["id"] == rule]:
        wrong.append("the finding is still there")
    return wrong


def play(tap, case, programs):
    rule, kind, ranks, words, options, gone = case
    name = f"{rule}: {kind}"
    if kind not in programs:
        return tap.skip(name, "not built")
    command = [programs[kind], *words.split()]
    if ranks:
        command = mpirun.command(kind.rpartition("-")[2], ranks, *command)

    def judge(scratch):
        record(scratch, scratch / "before", command, *options)
        one = found(told(scratch / "before"), rule)
        return obey(scratch, command, one, rule, gone) if one else ["silent"]
    wrong = in_whole(judge)
    return tap.result(not wrong, name, wrong)


def command_is_whole(tap, workload):
    """A command is what was run, and a shell reads it so."""
    def judge(scratch):
        command = [workload, *STREAMS.split(), "open:r:it's a file"]
        record(scratch, scratch / "before", command)
        words = shlex.split(found(told(scratch / "before"),
                                  "stream-buffers")["try"])
        at = words.index("--")
        return words[:2] == ["weir", "run"] and words[at + 1:] == command
    tap.result(in_whole(judge), "the command can be pasted")


def shown(path):
    return run(WEIR, "report", path).stdout


def nowhere_to_write(tap, workload):
    """Then the plan is shown, and nothing fails."""
    def judge(scratch):
        trace = scratch / "trace"
        record(scratch, trace, [workload, *STREAMS.split()])
        (trace / "try-stream-buffers.xml").mkdir()
        parts = [shown(trace), shown(next(trace.glob("*.weir")))]
        return [part for part in parts
                if "--plan FILE" not in part or "</stdio_buffer>" not in part]
    wrong = in_whole(judge)
    tap.result(not wrong, "a plan that cannot be written is shown", wrong)


def main():
    workload = os.path.abspath(sys.argv[1])
    programs = dict(word.split("=", 1) for word in sys.argv[2:])
    programs["workload"] = workload
    vectors = Path(os.environ["KERNELS"]) / "vectors-mpich"
    if vectors.exists():
        programs["vectors-mpich"] = vectors
    tap = Tap()
    for case in CASES:
        play(tap, case, programs)
    command_is_whole(tap, workload)
    nowhere_to_write(tap, workload)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
