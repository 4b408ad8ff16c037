#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Offsets, bytes, views and findings of a ring, against the full trace.

usage: run-places.py CALLS"""
import csv
import io
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, events, run  # noqa: E402

CALLS = os.path.abspath(sys.argv[1])
READS, WRITES = ("read", "readv", "pread", "preadv"), \
    ("write", "writev", "pwrite", "pwritev")
NO_TIMES = ("start", "end", "step", "from", "to", "pid", "call", "size")


def transfers(trace):
    """(file, kind, result, errno, offset) of each, in their order."""
    for event in events(trace):
        kind = "read" if event["call"] in READS else \
            "write" if event["call"] in WRITES else None
        if kind:
            yield (Path(event["file"]).name, kind, event["ret"],
                   event.get("err"), event.get("off"))


def view(trace, *words):
    """Its rows without times; of short records, size is what was moved."""
    text = run(WEIR, "view", "--format", "csv", trace,
               *words).stdout
    return [{k: v for k, v in row.items() if k not in NO_TIMES}
            for row in csv.DictReader(io.StringIO(text))]


def sums(rows):
    """Of a view over time: steps of two runs are not the same."""
    total = Counter()
    for row in rows:
        for key in ("read", "written", "reads", "writes"):
            total[key] += int(row.get(key) or 0)
    return total


def report(trace):
    return json.loads(run(WEIR, "report", "--format", "json", trace).stdout)


def compare_views(tap, what, files):
    for name in files:
        path = Path(name).resolve()
        full, ring = (view(trace, "file", path) for trace in ("full", "ring"))
        tap.result(full == ring and len(full) > 2,
                   f"{what}: accesses to {name} are the same",
                   [f"{len(full)} and {len(ring)}"] +
                   [f"{a} {b}" for a, b in zip(full, ring) if a != b][:5])
    for word in ("bytes", "calls"):
        full, ring = (sums(view(trace, word)) for trace in ("full", "ring"))
        tap.result(full == ring and sum(full.values()) > 100,
                   f"{what}: the view of {word} sums up to the same",
                   [str(full), str(ring)])


def compare_reports(tap, what):
    full, ring = (report(trace)["total"] for trace in ("full", "ring"))
    keys = ("call_count", "failed", "read", "written", "files")
    tap.result([full[k] for k in keys] == [ring[k] for k in keys],
               f"{what}: so are the sums of the report",
               [str([t[k] for k in keys]) for t in (full, ring)])


def both(*command):
    for trace, options in (("full", ()), ("ring", ("--ring", "4M"))):
        run(WEIR, "run", "-q", *options, "-o", trace, "--", CALLS, *command)


def one_thread(tap):
    both("places", "5000")
    full, ring = list(transfers("full")), list(transfers("ring"))
    unknown = sum(t[4] is None for t in full)
    tap.result(full == ring and len(full) > 4000 and 0 < unknown < 2000,
               f"of {len(full)} transfers all offsets are the same, "
               f"{unknown} of them unknown",
               [f"{a} {b}" for a, b in zip(full, ring) if a != b][:5])
    text = run(WEIR, "view", "ring", "file", Path("places").resolve()).stdout
    tap.result(f"\n{unknown} at unknown offsets\n" in text,
               "and so many are said to be unknown", [text[:300]])
    compare_views(tap, "one thread", ("places", "large"))
    compare_reports(tap, "one thread")


def four_threads(tap):
    both("apart", "2000")
    full, ring = Counter(transfers("full")), Counter(transfers("ring"))
    tap.result(full == ring and sum(full.values()) > 6000,
               "so are those of four threads with descriptors of their own",
               [str(full - ring)[:500], str(ring - full)[:500]])
    compare_views(tap, "four threads", [f"thread-{i}" for i in range(1, 5)])
    compare_reports(tap, "four threads")


def one_descriptor(tap):
    """Who writes where is known afterwards: by what is in the file."""
    run(WEIR, "run", "-q", "--ring", "4M", "-o", "ring2", "--", CALLS,
        "together", "5000")
    data = Path("shared").read_bytes()
    ring = [t for t in transfers("ring2") if t[0] == "shared"]
    known = [t for t in ring if t[4] is not None]
    wrong = [t for t in known
             if data[t[4]:t[4] + t[2]] != bytes([t[2]]) * t[2]]
    tap.result(len(ring) == 25000 and not wrong and
               [t[4] for t in known if t[2] == 5] ==
               list(range(50000, 75000, 5)),
               "by one descriptor of four threads none is wrong: "
               f"{len(known)} of {len(ring)} are known", wrong[:5])


def what_is_found(tap):
    both("many", "20000")
    full, ring = ({f["id"]: f for f in report(trace)["findings"]}
                  for trace in ("full", "ring"))
    keys = ("count", "of", "bytes", "files")
    name = "small-writes"
    tap.result(name in ring and [full[name][k] for k in keys] ==
               [ring[name][k] for k in keys] and
               ring[name]["estimate"] == "unknown" and
               not ring[name]["saving"],
               "findings are the same, and their savings unknown",
               [str(full.get(name)), str(ring.get(name))])
    told = run(WEIR, "report", "ring").stdout
    tap.result("in I/O     not known" in told and
               "saves an unknown time" in told and " 0 ns" not in told,
               "the report says that times are not known", [told])
    run(WEIR, "run", "-q", "--ring", "64K", "-o", "mix", "--", CALLS, "mix")
    creats = [e["args"]["flags"] for e in events("mix")
              if e["call"] == "creat"]
    tap.result(creats == [os.O_WRONLY | os.O_CREAT | os.O_TRUNC],
               "creat() opens for writing", [str(creats)])


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-places-") as name:
        os.chdir(name)
        for part in (one_thread, four_threads, one_descriptor, what_is_found):
            part(tap)
            for trace in ("full", "ring"):
                run("rm", "-rf", trace)
        os.chdir("/")
    return tap.done()


sys.exit(main())
