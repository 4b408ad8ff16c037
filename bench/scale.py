#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it takes to read the trace of thousands of processes.

usage: bench/run scale [--processes N] [--hosts N] [--calls N] [--large]
"""
import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from lib.bench import BUILD, heading, row, table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/lib"))
from crowd import MIB, Crowd, run  # noqa: E402

DESCRIPTORS = 256


def at_rest(crowd):
    """KiB of a client, and of the root, which makes ten times the calls."""
    sizes = [file.stat().st_size / 1024 for file in crowd.files()]
    if len(sizes) < crowd.processes:
        return f"{crowd.size() / 1024 / crowd.processes:.1f}", ""
    return f"{statistics.median(sizes[1:]):.1f}", f"{sizes[0]:.1f}"


def measure(name, crowd, looks):
    read = crowd.read(descriptors=DESCRIPTORS)
    dump = run(crowd.dump_command(), DESCRIPTORS, keep=False)
    wrong = read.wrong + (crowd.dump(DESCRIPTORS) if looks else [])
    if dump.status or wrong:
        sys.exit(f"bench: {name} is read wrongly: {dump.status} {wrong}")
    events = crowd.truth["events"]
    row(name, len(crowd.files()), f"{events / 1e6:.2f}",
        f"{crowd.size() / MIB:.0f}", *at_rest(crowd),
        f"{read.memory / MIB:.0f}", f"{read.cpu:.1f}",
        f"{events / read.cpu / 1e6:.2f}", f"{dump.memory / MIB:.0f}",
        f"{dump.cpu:.1f}", f"{events / dump.cpu / 1e6:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=5832)
    parser.add_argument("--hosts", type=int, default=81)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--large", action="store_true",
                        help="600 processes of 200 000 calls, too: minutes")
    options = parser.parse_args()
    n, hosts, calls = options.processes, options.hosts, options.calls
    heading("scale", f"{n} processes of {calls} calls, the first one of "
            f"{10 * calls}")
    table(f"With at most {DESCRIPTORS} descriptors",
          "trace", "files", "M events", "MiB", "KiB/process",
          "KiB of the root", "read: peak MiB", "CPU s", "M events/s",
          "csv: peak MiB", "CPU s", "M events/s")
    forms = [("a file of each process", "packed", n, n, calls),
             ("a file of each host", "packed", n, hosts, calls),
             ("raw, a file of each host", "raw", n, hosts, calls)]
    if options.large:
        forms.append(("600 × 200 000 calls", "packed", 600, 8, 200000))
    for name, *plan in forms:
        with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch:
            crowd = Crowd(BUILD, Path(scratch) / "trace", *plan)
            measure(name, crowd, looks=plan[1] == n)


if __name__ == "__main__":
    main()
