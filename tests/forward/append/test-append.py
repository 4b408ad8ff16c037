#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What several processes append to one file is there once, and whole.

usage: test-append.py

Some of them want each line to be stored at once (O_SYNC), others do not: who
says where the file ends must be the same for all."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "lib"))
from forwarded import command  # noqa: E402
from weirtool import Tap  # noqa: E402

LINES = 300
WAYS = [0, os.O_SYNC, 0, os.O_DSYNC]


def line(way, number):
    return b"%d:%06d\n" % (way, number)


def append(path, way):
    """In a process of its own; every third line comes in two parts."""
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | WAYS[way])
    for number in range(LINES):
        text = line(way, number)
        parts = [text[:4], text[4:]] if number % 3 == 0 else [text]
        if os.writev(fd, parts) != len(text):
            os._exit(1)
    os.close(fd)
    os._exit(0)


def append_all(path):
    """The program that is forwarded."""
    Path(path).touch()
    pids = []
    for way in range(len(WAYS)):
        pid = os.fork()
        if not pid:
            append(path, way)
        pids.append(pid)
    return max(os.waitpid(pid, 0)[1] for pid in pids)


def what_is_wrong(path):
    lines = path.read_bytes().splitlines(keepends=True)
    for way in range(len(WAYS)):
        mine = [one for one in lines if one.startswith(b"%d:" % way)]
        if mine != [line(way, number) for number in range(LINES)]:
            yield f"process {way}: {len(mine)} of {LINES} lines, or others"
    if len(lines) != LINES * len(WAYS):
        yield f"{len(lines)} lines"


def try_options(tap, options):
    with tempfile.TemporaryDirectory(prefix="weir-append-") as scratch:
        place = Path(scratch).resolve() / "place"
        place.mkdir()
        words = command(place, [sys.executable, __file__, place / "log"],
                        options, scratch)
        done = subprocess.run(words, stdout=subprocess.PIPE, timeout=100,
                              stderr=subprocess.STDOUT, text=True)
        wrong = list(what_is_wrong(place / "log"))
    tap.result(not done.returncode and not wrong,
               " ".join(options or ["bare"]),
               [*wrong, *done.stdout.splitlines()])


def main():
    tap = Tap()
    for options in (None, ("--policy", "idle"), ("--policy", "half"),
                    ("--policy", "through")):
        try_options(tap, options)
    return tap.done()


sys.exit(append_all(sys.argv[1]) if len(sys.argv) > 1 else main())
