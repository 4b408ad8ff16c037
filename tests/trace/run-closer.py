#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files of a program that closes all descriptors are the same under weir.

usage: run-closer.py CLOSER"""
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import Tap, events, record  # noqa: E402


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def misplaced(writes):
    """Every file is written in order, from its start."""
    ends = defaultdict(int)
    for event in writes:
        if event.get("off") != ends[event["file"]]:
            yield event
        ends[event["file"]] += event["ret"]


def main():
    closer = os.path.abspath(sys.argv[1])
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-closer-") as name:
        bare, seen = Path(name) / "bare", Path(name) / "seen"
        bare.mkdir()
        seen.mkdir()
        subprocess.run([closer], cwd=bare, check=True)
        done = record(Path(name) / "trace", [closer], ["--strict"], cwd=seen)
        same = contents(bare) == contents(seen)
        tap.result(same and not done.returncode and len(contents(seen)) == 256,
                   "the files are byte for byte the same")
        writes = [event for event in events(Path(name) / "trace")
                  if event["call"] == "write"]
        tap.result(len(writes) == 4 * 64 * 200,
                   f"and all {len(writes)} writes were recorded")
        wrong = list(misplaced(writes))
        tap.result(not wrong, "each at its place", map(str, wrong[:5]))
    return tap.done()


sys.exit(main())
