#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What recording an asynchronous operation costs: bare and recorded in turns.

usage: bench/run async [--rounds N] [--operations N] [--quick]
"""
import tempfile
from pathlib import Path

from lib.bench import (BUILD, Options, Run, heading, median, record, row,
                       spread, table)

LOADS = (("uring", 1, "call, operation, end"),
         ("uring", 32, "operation, end"), ("uring", 256, "operation, end"),
         ("libaio", 1, "2 calls, operation, end"),
         ("libaio", 32, "operation, end"), ("aio", 32, "operation, end"))


def measure(options, scratch, file, mode, batch):
    """What it takes bare, and the differences of the rounds."""
    operations = options.operations // (10 if mode == "aio" else 1)
    load = [BUILD / "async_load", mode, operations // batch * batch, batch,
            file]
    bare, extra = [], []
    for _ in range(options.rounds):
        bare.append(Run(load).ns)
        extra.append(record(scratch / "trace", load, "--buffer", "64M").ns
                     - bare[-1])
    return bare, extra


def main():
    options = Options(__doc__, operations=(200000, 50000)).chosen()
    heading("async", f"{options.rounds} rounds of {options.operations} "
            "operations")
    table("Extra ns per operation (median of the rounds' differences; lowest "
          "in brackets)", "load", "batch", "records", "bare ns", "recorded")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch, \
            tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
        for mode, batch, records in LOADS:
            bare, extra = measure(options, Path(scratch), file.name, mode,
                                  batch)
            row(mode, batch, records, f"{median(bare):.0f}", spread(extra, 0))


if __name__ == "__main__":
    main()
