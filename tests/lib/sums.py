# SPDX-License-Identifier: BSD-3-Clause
"""Sums as weir report tells them, for comparing."""
import json
import subprocess

from weirtool import WEIR, Failure


def report(trace, options=(), expect=0):
    done = subprocess.run([WEIR, "report", "--format", "json", *options,
                           trace], capture_output=True, text=True)
    if done.returncode != expect:
        raise Failure(f"weir report returned {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def counts(cell):
    """What does not depend on time, nor on where the sums were kept."""
    return {key: cell[key] for key in ("calls", "failed", "bytes", "sizes",
                                       "top") if key in cell}


def rows(found):
    """Every counter of every file, of all files, and of each process."""
    out = {}
    for row in found["files"]:
        for call, cell in row["calls"].items():
            out["file", row["name"], call] = counts(cell)
        out["file", row["name"], "processes"] = row["processes"]
    for call, cell in found["total"]["calls"].items():
        out["total", call] = counts(cell)
    for name, cell in found["total"]["classes"].items():
        out["class", name] = counts(cell)
    every = sorted(json.dumps([(call, counts(cell)) for call, cell in
                               sorted(row["calls"].items())])
                   for row in found["processes"])
    out["processes"] = every
    return out


def differences(left, right):
    lines = []
    for key in sorted(set(left) | set(right), key=str):
        if left.get(key) != right.get(key):
            lines.append(f"{key}: {left.get(key)} and {right.get(key)}")
    return lines
