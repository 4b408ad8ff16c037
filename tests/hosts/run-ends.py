# SPDX-License-Identifier: BSD-3-Clause
"""A rank that is killed, MPI_Abort, and I/O after MPI_Finalize: the trace of
every rank is complete. usage: run-ends.py FLAVOUR PROGRAM ..."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import weirtool

LAUNCHERS = {
    "mpich": ["mpirun.mpich", "-n", "2"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n", "2"],
}
WRITES = {"kill": 100, "abort": 100, "finalize": 150}


def writes_of(trace, path):
    return sum(e["call"] == "write" and e.get("file") == str(path)
               for e in weirtool.events(trace))


def faults(scratch, launcher, program, how):
    trace = scratch / "trace"
    done = subprocess.run(
        [weirtool.WEIR, "run", "-q", "-o", trace, "--", *launcher, program,
         how, scratch], stdin=subprocess.DEVNULL, capture_output=True,
        text=True)
    if (done.returncode == 0) != (how == "finalize"):
        yield f"the job returned {done.returncode}: {done.stderr}"
    for rank in (0, 1):
        seen = writes_of(trace, scratch / f"rank.{rank}")
        if seen != WRITES[how]:
            yield f"rank {rank}: {seen} writes, not {WRITES[how]}"
    info = json.loads(subprocess.run(
        [weirtool.WEIR, "info", "--format", "json", trace],
        capture_output=True, text=True, check=True).stdout)
    for key, value in (("state", "complete"), ("processes", 2),
                       ("dropped", 0), ("lost", 0), ("processes_live", 0)):
        if info[key] != value:
            yield f"{key} is {info[key]}, not {value}"


def main():
    tap = weirtool.Tap()
    words = sys.argv[1:]
    os.environ.update(weirtool.mpi_environment())
    for flavour, program in zip(words[::2], words[1::2]):
        for how in WRITES:
            with tempfile.TemporaryDirectory() as scratch:
                found = list(faults(Path(os.path.realpath(scratch)),
                                    LAUNCHERS[flavour], program, how))
            tap.result(not found, f"{how}, {flavour}", found)
    return tap.done()


sys.exit(main())
