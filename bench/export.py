#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir export` takes for large traces: time, memory, and room.

usage: bench/run export [--only FORMAT,...] [--quick] [--dir DIR]

The traces are made by bench/make_events and kept for the next time, some 50 MiB
in DIR or below $TMPDIR; exports, up to 1.2 GB each, are removed again. Events
and bytes of a database and of tables must be those that the maker told.
"""
import argparse
import os
import platform
import shutil
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "lib"))
from crowd import MIB, run  # noqa: E402
from events import Events, make  # noqa: E402

BUILD = Path(os.environ.get("WEIR_BUILD", ROOT / "build")).resolve()
WEIR = BUILD / "weir"
FORMATS = ("sqlite", "csv", "perfetto", "otf2")
LIMIT = 256  # MB of memory, however many events
#         events  processes threads files hosts
SHAPES = ((1_000_000, 64, 2, 256, 4), (10_000_000, 64, 2, 256, 4))
WORDS = ("events", "processes", "threads", "files", "hosts")


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def made(shape, store):
    place = store / ("export-" + "-".join(map(str, shape)))
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=store) as scratch:
            new = Path(scratch) / "new"
            new.mkdir()
            truth = make(BUILD, new / "trace", **dict(zip(WORDS, shape)))
            (new / "truth").write_text(truth, encoding="utf-8")
            new.rename(place)
    return Events(place / "trace", (place / "truth").read_text())


def size_of(path):
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*")
               if file.is_file())


def wrong_in_database(path, truth):
    """Calls and bytes, by name, as the maker told them."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
        rows = base.execute(
            "SELECT c.name, count(*), count(err), sum(bytes) FROM events "
            "JOIN calls c USING (call) GROUP BY c.name").fetchall()
    found = {f"{name}.{figure}": value or 0 for name, *values in rows
             for figure, value in zip(("calls", "failed", "bytes"), values)}
    return [key for key, value in truth.items()
            if "." in key and found.get(key) != value]


def wrong_in_tables(path, truth):
    with open(path / "events.csv", "rb") as file:
        lines = sum(block.count(b"\n") for block in
                    iter(lambda: file.read(MIB), b""))
    return [] if lines - 1 == truth["events"] else [f"{lines} lines"]


CHECKS = {"sqlite": wrong_in_database, "csv": wrong_in_tables}


def measure(events, form, store):
    out = Path(store) / f"out.{os.getpid()}"
    try:
        done = run([WEIR, "export", "-q", events.path, "--to", form, "-o",
                    out], keep=False)
        if done.status:
            sys.exit(f"bench: weir export --to {form}: status {done.status}")
        done.size = size_of(out)
        wrong = CHECKS.get(form, lambda *_: [])(out, events.truth)
        if wrong:
            sys.exit(f"bench: {form} tells wrongly: {wrong[:9]}")
    finally:
        if out.is_dir():
            shutil.rmtree(out)
        out.unlink(missing_ok=True)
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(FORMATS))
    parser.add_argument("--quick", action="store_true",
                        help="the smaller trace alone")
    parser.add_argument("--dir", help="where traces are kept")
    options = parser.parse_args()
    store = Path(options.dir or
                 Path(tempfile.gettempdir()) / f"weir-events-{os.getuid()}")
    store.mkdir(mode=0o700, parents=True, exist_ok=True)
    print(f"bench/run export, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} "
          f"cores, load {os.getloadavg()[0]:.1f}, {platform.release()}\n")
    row("to", "M events", "s", "CPU s", "M events/CPU s", "peak MB", "MB",
        "bytes/event", f"≤ {LIMIT} MB")
    row(*["---"] * 9)
    for shape in SHAPES[:1] if options.quick else SHAPES:
        events = made(shape, store)
        count = events.truth["events"]
        for form in options.only.split(","):
            done = measure(events, form, store)
            row(form, count / 1e6, f"{done.seconds:.1f}", f"{done.cpu:.1f}",
                f"{count / 1e6 / done.cpu:.2f}", f"{done.memory / 1e6:.0f}",
                f"{done.size / 1e6:.0f}", f"{done.size / count:.0f}",
                "ok" if done.memory < LIMIT * 1e6 else "MISSED")


if __name__ == "__main__":
    main()
