#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What recording a call of an upper layer costs beyond the calls that it
makes: bare, with libc's calls alone, and with the layer, in turns.

usage: bench/run layers [--rounds N] [--calls N] [--quick]
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
# layer, program, mode, the most it may cost (ns; None: nothing is promised)
LOADS = [("mpi", f"mpi_load-{flavour}", mode, most)
         for flavour in ("mpich", "openmpi")
         for mode, most in (("write_at", 150), ("read_at", None),
                            ("write", None), ("write_at_all", None),
                            ("wait", None))]


def nanoseconds(command):
    out = subprocess.run([str(word) for word in command], check=True,
                         capture_output=True, text=True,
                         stdin=subprocess.DEVNULL).stdout
    return float(out.split()[1])


def recorded(scratch, layers, load):
    trace = scratch / "trace"
    shutil.rmtree(trace, ignore_errors=True)
    return nanoseconds([BUILD / "weir", "run", "-q", "--buffer", "64M",
                        "--layers", layers, "-o", trace, "--", *load])


def measure(options, scratch, file, layer, program, mode):
    """Medians of bare, of libc's part, of the layer's; the layer's least."""
    load = [BUILD / program, mode, options.calls, file]
    bare, below, extra = [], [], []
    for _ in range(options.rounds):
        bare.append(nanoseconds(load))
        without = recorded(scratch, "none", load)
        below.append(without - bare[-1])
        extra.append(recorded(scratch, layer, load) - without)
    return (*map(statistics.median, (bare, below, extra)), min(extra))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--calls", type=int, default=200000)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.calls = 3, 20000
    print(f"bench/run layers, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} "
          f"cores, {platform.release()}, {options.rounds} rounds of "
          f"{options.calls} calls\n\nNanoseconds a call (medians of the "
          "rounds; lowest in brackets)\n")
    print("| load | call | bare | + libc's calls | + the layer | at most |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch, \
            tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
        for layer, program, mode, most in LOADS:
            if not (BUILD / program).exists():
                print(f"| {program} | {mode} | not built |")
                continue
            bare, below, extra, low = measure(
                options, Path(scratch), file.name, layer, program, mode)
            print(f"| {program} | {mode} | {bare:.0f} | {below:.0f} | "
                  f"{extra:.0f} ({low:.0f}) | {most or '-'} |", flush=True)


if __name__ == "__main__":
    main()
