#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs do the same with their files forwarded: every script of calls says
the same (results, errors, offsets, contents), and leaves the same files.

usage: run-posix.py SCRIPT [NAME]...
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from forwarded import command  # noqa: E402
from sameness import WAYS, contents, differences  # noqa: E402
from weirtool import Tap  # noqa: E402

PATIENCE = 120  # seconds; nothing is measured by it


def play(scratch, script, name, options):
    """What it says and leaves; `options` None: nothing is forwarded."""
    place = Path(tempfile.mkdtemp(dir=scratch))
    beside = Path(tempfile.mkdtemp(dir=scratch))
    done = subprocess.run(command(place, [script, name], options, beside),
                          cwd=place, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=PATIENCE)
    return done.stdout.splitlines() + done.stderr.splitlines() + \
        [f"returned {done.returncode}"] + contents(place)


def judge(tap, label, wanted, found):
    wrong = differences(wanted, found)
    tap.result(not wrong, label, wrong)


def check_forwarded(tap, scratch, script):
    """Else nothing that follows would say anything."""
    for label, options, has in (("direct", None, 5),
                                ("forwarded", WAYS["kept"], 0)):
        said = play(scratch, script, "--kernel", options)
        for whose in ("", "of a stream "):
            tap.result(f"{whose}the kernel has {has}" in said,
                       f"{label}: {whose}the kernel has {has} bytes", said)


def main(script, *names):
    tap = Tap()
    script = os.path.abspath(script)
    listed = subprocess.run([script, "--list"], capture_output=True,
                            text=True, check=True).stdout.split()
    with tempfile.TemporaryDirectory(prefix="weir-posix-") as scratch:
        scratch = os.path.realpath(scratch)
        check_forwarded(tap, scratch, script)
        for name in names or listed:
            wanted = play(scratch, script, name, None)
            for way, options in WAYS.items():
                try:
                    found = play(scratch, script, name, options)
                except subprocess.TimeoutExpired:
                    found = ["it did not end"]
                judge(tap, f"{name}, {way}", wanted, found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
