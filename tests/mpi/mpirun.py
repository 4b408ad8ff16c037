# SPDX-License-Identifier: BSD-3-Clause
"""Starts MPI programs bare and recorded, and reads what was recorded."""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import weirtool  # noqa: E402

LAUNCHERS = {
    "mpich": ["mpirun.mpich"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe"],
}
# Where data of files go through; the rest asks, opens and closes.
MOVES = {"read", "write", "pread", "pwrite", "readv", "writev", "preadv",
         "pwritev", "preadv2", "pwritev2"}


def command(flavour, ranks, program, *arguments):
    return [*LAUNCHERS[flavour], "-n", str(ranks), str(program),
            *map(str, arguments)]


def bare(line, **kwargs):
    return subprocess.run(line, env=weirtool.mpi_environment(),
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, **kwargs)


def recorded(trace, line, **kwargs):
    """None of it may be lost; weirtool.Lost says that it was."""
    done = weirtool.record(trace, line,
                           options=["--strict", "--buffer", "64M"],
                           env=weirtool.mpi_environment(),
                           capture_output=True, text=True, **kwargs)
    weirtool.must_be_whole(done)
    return done


def by_process(events):
    """{pid: its events, each with its parent}, in the order of starts."""
    found = {}
    for event in events:
        found.setdefault(event["pid"], []).append(event)
    for own in found.values():
        give_parents(own)
    return found


def give_parents(events):
    """By depth: what was open on the thread when the call began."""
    open_calls = {}
    for event in events:
        stack = open_calls.setdefault(event["thread"], [])
        del stack[event["depth"]:]
        event["parent"] = stack[-1] if stack else None
        stack.append(event)


def above(event):
    """What is above it, from the nearest on."""
    while event["parent"]:
        event = event["parent"]
        yield event


def transfers(events, below):
    """Calls of libc that move data of files in a folder."""
    return [e for e in events
            if e["layer"] == "posix" and e["call"] in MOVES and
            str(e.get("file", "")).startswith(str(below))]


def lonely(events):
    """Those that no MPI call has caused."""
    return [e for e in events
            if not any(up["layer"] == "mpiio" for up in above(e))]


def check(tap, passed, name, lines=()):
    """The lines say what was wrong."""
    tap.result(passed, name, () if passed else lines)
