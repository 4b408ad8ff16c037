#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A trace tells the same of streams with and without forwarding: each call,
its place and result, and what its buffer did.

usage: run-recorded.py SCRIPT
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from weirtool import Tap, WEIR  # noqa: E402

SCRIPTS = ["stdio-shared", "stdio-buffers", "stdio-large", "stdio-append",
           "stdio-turns", "stdio-entries"]
TOLD = ("depth", "call", "size", "off", "ret", "err", "args")
ADDRESS = 1 << 32  # and above: no two runs have the same
FORWARDED = ["--forward={}", "--policy", "half"]


def told(script, name, options):
    """What the trace has of the files of a script, but times."""
    with tempfile.TemporaryDirectory(prefix="weir-recorded-") as scratch:
        place, trace = f"{scratch}/place", f"{scratch}/trace"
        Path(place).mkdir()
        subprocess.run([WEIR, "run", "-q", "-o", trace,
                        *[word.format(place) for word in options], "--",
                        script, name], cwd=place, check=True,
                       stdout=subprocess.DEVNULL)
        lines = subprocess.run([WEIR, "dump", "--format", "jsonl", "--file",
                                f"{place}/*", trace], check=True,
                               capture_output=True, text=True).stdout
    events = [json.loads(line) for line in lines.splitlines()]
    for event in events:
        event["ret"] = min(event["ret"], ADDRESS)
    return [{key: event.get(key) for key in TOLD} for event in events
            if event["layer"] in ("stdio", "posix")]


def is_same(direct, forwarded):
    """Where a call was may be known of a forwarded file alone."""
    if direct["off"] is None:
        forwarded = {**forwarded, "off": None}
    return direct == forwarded


def main(script):
    tap = Tap()
    script = str(Path(script).resolve())
    for name in SCRIPTS:
        direct = told(script, name, [])
        forwarded = told(script, name, FORWARDED)
        differ = [f"{one} instead of {other}"
                  for other, one in zip(direct, forwarded)
                  if not is_same(other, one)]
        tap.result(len(direct) == len(forwarded) > 9 and not differ, name,
                   [f"{len(direct)} and {len(forwarded)} calls",
                    *differ[:5]])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
