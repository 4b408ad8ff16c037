#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What recording an asynchronous operation costs: bare and recorded in turns.

usage: bench/run async [--rounds N] [--operations N] [--quick]
"""
import argparse
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

BUILD = Path(os.environ.get("WEIR_BUILD", "build")).resolve()
LOADS = (("uring", 1, "call, operation, end"),
         ("uring", 32, "operation, end"), ("uring", 256, "operation, end"),
         ("libaio", 1, "2 calls, operation, end"),
         ("libaio", 32, "operation, end"), ("aio", 32, "operation, end"))


def nanoseconds(command):
    out = subprocess.run([str(word) for word in command], check=True,
                         capture_output=True, text=True).stdout
    return float(out.split()[1])


def measure(options, scratch, file, mode, batch):
    """Medians: bare, and the differences of the rounds."""
    operations = options.operations // (10 if mode == "aio" else 1)
    load = [BUILD / "async_load", mode, operations // batch * batch, batch,
            file]
    bare, extra = [], []
    for _ in range(options.rounds):
        trace = scratch / "trace"
        shutil.rmtree(trace, ignore_errors=True)
        bare.append(nanoseconds(load))
        extra.append(nanoseconds([BUILD / "weir", "run", "-q", "--buffer",
                                  "64M", "-o", trace, "--", *load]) - bare[-1])
    return statistics.median(bare), statistics.median(extra), min(extra)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--operations", type=int, default=200000)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.operations = 3, 50000
    print(f"bench/run async, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} "
          f"cores, {platform.release()}, {options.rounds} rounds of "
          f"{options.operations} operations\n\nExtra ns per operation (median"
          " of the rounds' differences; lowest in brackets)\n")
    print("| load | batch | records | bare ns | recorded |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch, \
            tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
        for mode, batch, records in LOADS:
            bare, extra, low = measure(options, Path(scratch), file.name,
                                       mode, batch)
            print(f"| {mode} | {batch} | {records} | {bare:.0f} | "
                  f"{extra:.0f} ({low:.0f}) |", flush=True)


if __name__ == "__main__":
    main()
