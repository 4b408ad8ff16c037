# SPDX-License-Identifier: BSD-3-Clause
"""The traces that are exported: of every layer, and odd ones."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
sys.path.insert(0, str(HERE.parent / "kernels"))
sys.path.insert(0, str(HERE.parent / "query"))
import ranks  # noqa: E402
from scenario import random_run  # noqa: E402
from weirtool import WEIR, mpi_environment, must_be_whole  # noqa: E402

TESTS = Path(os.environ.get("TESTS", "build/tests")).resolve()


def record(trace, *command, options=(), **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run(
        [WEIR, "run", "-q", "--strict", "--buffer", "64M", *options, "-o",
         trace, "--", *map(str, command)], capture_output=True,
        text="input" not in more, **more)
    must_be_whole(done)
    return trace


def workload(trace, *options):
    """Descriptors, streams, processes and marks."""
    work = trace.with_suffix(".work")
    work.mkdir()
    return record(trace, TESTS / "view" / "view_workload", "all", work,
                  options=options)


def asynchronous(trace):
    work = trace.with_suffix(".work")
    work.mkdir()
    return record(trace, TESTS / "trace" / "oracle", work / "log", "libaio",
                  cwd=work)


def kernel(trace, program, *arguments, count=2):
    """A kernel on some ranks, all in one trace; None: it was not built."""
    if not (ranks.KERNELS / program).exists():
        return None
    work = trace.with_suffix(".work")
    work.mkdir()
    command = [*ranks.launcher(program, count), ranks.KERNELS / program,
               *arguments, work / "out"]
    return record(trace, *command, env=mpi_environment(), cwd=work)


def of_servers(trace):
    """Clients, and servers that work for them."""
    trace.mkdir()
    random_run(3).write(TESTS / "query" / "make_stack", 3, 3,
                        trace.with_suffix(".raw"), trace / "made.weir")
    return trace


def hostile(trace, names):
    work = trace.with_suffix(".work")
    work.mkdir()
    done = subprocess.run(
        [WEIR, "run", "-q", "-o", trace, "--", TESTS / "trace" / "hostile"],
        input=b"".join(name + b"\0" for name in names), cwd=work,
        capture_output=True)
    must_be_whole(done)
    shutil.rmtree(work)
    return trace


def damaged(whole, trace):
    """A copy with some bytes changed."""
    shutil.copytree(whole, trace)
    file = next(trace.glob("*.weir"))
    data = bytearray(file.read_bytes())
    at = len(data) // 2
    data[at:at + 64] = bytes(64)
    file.write_bytes(data)
    return trace
