#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How large the page of a report is for large traces, and what it takes.

usage: bench/run page [--only NAME,...] [--dir DIR]

The traces are those of bench/report.py, of ten million events, kept for the
next time: some 60 MiB each in DIR or below $TMPDIR.
"""
import argparse
import base64
import gzip
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from report import WEIR, Shape, made, row, store_of  # noqa: E402
from crowd import run  # noqa: E402  (the path is known since then)

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "page"))
import pagedata  # noqa: E402

MOST = 5_000_000  # bytes of a page

#     name     events      processes threads files hosts
SHAPES = (
    Shape("ranks", 10_000_000, 64, 2, 256, 4),
    Shape("alone", 10_000_000, 1, 1, 1, 1),
    Shape("square", 10_000_000, 1024, 1, 1024, 8),
    Shape("files", 10_000_000, 64, 1, 100_000, 4),
)


def measured(events, *options):
    done = run([WEIR, "report", events.path, *options])
    if done.status:
        sys.exit(f"bench: weir report {options}: status {done.status}")
    return done


def tell(shape, events):
    alone = measured(events)
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch:
        out = Path(scratch) / "data"
        done = measured(events, "--page-data", out)
        data = out.read_bytes()
    page = pagedata.Page(data)
    counted = sum(page.tables["paths"]["calls"])
    if counted != events.truth["events"]:
        sys.exit(f"bench: {counted} calls are shown of "
                 f"{events.truth['events']}")
    packed = len(base64.b64encode(gzip.compress(data, 6)))
    head = page.head
    row(shape.name, f"{alone.seconds:.1f}", f"{done.seconds:.1f}",
        f"{done.cpu:.1f}", f"{done.memory / 1e6:.0f}",
        f"{len(data) / 1e6:.1f}", f"{packed / 1e6:.2f}",
        head["bins"]["count"], head["bins"]["coarse"],
        head["sample"]["chosen"], "ok" if packed <= MOST else "MISSED")


def frames(shape, events):
    """How smoothly a browser pans the page, where there is one."""
    if not (shutil.which("chromium") and shutil.which("node")):
        print("\nno frames: they need chromium and node")
        return
    print()
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch:
        page = Path(scratch) / f"{shape.name}.html"
        measured(events, "--html", page)
        subprocess.run(["node", ROOT / "bench" / "page_frames.mjs", page],
                       check=True)


def main():
    names = ",".join(shape.name for shape in SHAPES)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=names, help=names)
    parser.add_argument("--dir", help="where traces are kept")
    options = parser.parse_args()
    store = store_of(options)
    print(f"bench/run page, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} "
          f"cores, load {os.getloadavg()[0]:.1f}, {platform.release()}; 10 "
          "million events; packed: gzip and base64, at most 5 MB\n")
    row("trace", "report s", "with page s", "CPU s", "peak MB", "data MB",
        "packed MB", "bins", "coarse", "calls shown", "")
    row(*["---"] * 11)
    for shape in SHAPES:
        if shape.name in options.only.split(","):
            tell(shape, made(shape, store))
    for shape in SHAPES[:1]:
        if shape.name in options.only.split(","):
            frames(shape, made(shape, store))


if __name__ == "__main__":
    main()
