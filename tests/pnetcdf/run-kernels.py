#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that use PnetCDF: all their layers are there, each in its place.

Environment: KERNELS, the folder of the programs.
"""
import os
import sys
from pathlib import Path

import layered
from weirtool import Tap, must_be_whole

CASES = {
    "flash": ["--blocks", "3", "--cells", "4"],
    "s3d": ["--nx", "6", "--ny", "5", "--nz", "4", "--checkpoints", "2"],
}
MODES = ("collective", "independent", "posted")


def record(place, kernel, mode):
    program = Path(os.environ["KERNELS"]) / f"{kernel}-pnetcdf-openmpi"
    out = place / f"{kernel}-{mode}.out"
    done = layered.start([program, *CASES[kernel], "--mode", mode], [out], 2,
                         place / f"{kernel}-{mode}")
    must_be_whole(done)
    return layered.read(place / f"{kernel}-{mode}"), out


def faults(events, out):
    files = {e.file.split(":/")[0] for e in events if e.layer == "pnetcdf"}
    ours = {f for f in files if f.startswith(str(out))}
    if not ours:
        yield f"no file of {sorted(files)} is {out}"
    for path in sorted(ours):
        yield from layered.wrong_parents(events, path)
    for event in events:
        if event.layer == "pnetcdf" and event.depth and \
                event.name != "ncmpi_done":
            yield f"{event} is below {event.above}"


def transfers(events):
    return [e for e in events if e.layer == "pnetcdf" and
            ("put_var" in e.name or "get_var" in e.name)]


def without_request(events):
    """Requests of which the wait does not tell the end."""
    done = {(e.proc, e.args["id"], e.file) for e in events
            if e.name == "ncmpi_done"}
    return [str(e) for e in transfers(events)
            if "id" in e.args and (e.proc, e.args["id"], e.file) not in done]


def main():
    tap = Tap()
    for kernel in CASES:
        for mode in MODES:
            events, out = layered.on_stage(
                lambda place: record(place, kernel, mode))
            wrong = [*faults(events, out), *without_request(events)]
            named = all(":/" in e.file for e in transfers(events))
            tap.result(not wrong and named and transfers(events),
                       f"{kernel}, {mode}: a complete tree", wrong[:20])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
