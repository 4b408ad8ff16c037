#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Who was killed or crashed is named with its signal, and nobody else."""
import json
import os
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, run  # noqa: E402

SHELL = ["sh", "-c"]
PYTHON = [sys.executable, "-c"]
WAITS = """
import os, signal, sys
pid = os.fork()
if not pid:
    os.open('of-the-child', os.O_CREAT | os.O_WRONLY)
    os.kill(os.getpid(), signal.SIGTERM)
"""
# What is run, and the signals that are to be told.
CASES = {
    "a shell that kills itself":
        (SHELL + ["echo a >a; kill -9 $$"], ["SIGKILL"]),
    "a shell's child":
        (SHELL + ["sh -c 'echo a >a; kill -11 $$'; true"], ["SIGSEGV"]),
    "a program that gives up":
        (PYTHON + ["open('a', 'w').write('a'); import os; os.abort()"],
         ["SIGABRT"]),
    "a program out of its time":
        (SHELL + ["echo a >a; kill -XCPU $$"], ["SIGXCPU"]),
    "a child that waitpid() takes": (
        PYTHON + [WAITS + "os.waitpid(pid, 0)"], ["SIGTERM"]),
    "a child that waitid() takes": (
        PYTHON + [WAITS + "os.waitid(os.P_PID, pid, os.WEXITED)"],
        ["SIGTERM"]),
    "a child that wait4() takes": (
        PYTHON + [WAITS + "os.wait4(pid, 0)"], ["SIGTERM"]),
    "the writer of a pipe that was closed": (
        SHELL + ["cat /dev/zero | head -c 1 >a"], ["SIGPIPE"]),
    "several programs in one process": (
        SHELL + ["echo a >a; exec sh -c 'echo b >a; exec true'"], []),
    "the last of several programs": (
        SHELL + ["echo a >a; exec sh -c 'echo b >a; kill -9 $$'"],
        ["SIGKILL"]),
    "a program that exits at once": (
        PYTHON + ["import os; open('a', 'w').close(); os._exit(3)"], []),
    "a program that exits without libc": (
        PYTHON + ["import ctypes, os; open('a', 'w').close();"
                  "ctypes.CDLL(None).syscall(231 if os.uname().machine =="
                  " 'x86_64' else 94, 3)"], []),
    "a program that fails": (SHELL + ["echo a >a; exit 7"], []),
}


def told(text):
    """The signals that a screen names."""
    return sorted(re.findall(r"\(pid \d+\) was killed by (\w+)", text))


def screens(trace, summary):
    """{what told it: its signals}"""
    report = json.loads(run(WEIR, "report", "--json", trace).stdout)
    info = json.loads(run(WEIR, "info", "--format", "json", trace).stdout)
    rows = [p["signal"] for p in report["processes"] if "signal" in p]
    return {
        "run": told(summary),
        "report": told(run(WEIR, "report", trace).stdout),
        "report --json": sorted(p["signal"] for p in report["killed"]),
        "processes": sorted(rows),
        "info": told(run(WEIR, "info", trace).stdout),
        "info, JSON": sorted(p["signal"] for p in info["killed"]),
    }


def main():
    tap = Tap()
    for manner in [], ["--profile"]:
        for name, (command, signals) in CASES.items():
            with tempfile.TemporaryDirectory(prefix="weir-killed-") as place:
                done = run(WEIR, "run", *manner, "-o", "t", "--", *command,
                           check=False, cwd=place,
                           env={**os.environ, "HOME": place})
                seen = screens(Path(place) / "t", done.stderr)
            wrong = [f"{by}: {s}" for by, s in seen.items() if s != signals]
            tap.result(not wrong,
                       f"{' '.join(manner)} {name}: {signals}".strip(),
                       wrong)
    return tap.done()


sys.exit(main())
