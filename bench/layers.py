#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What recording a call of an upper layer costs beyond the calls that it
makes: bare, with libc's calls alone, and with the layer, in turns.

usage: bench/run layers [--rounds N] [--calls N] [--quick]
"""
import tempfile
from pathlib import Path

from lib.bench import (BUILD, Options, Run, heading, median, record, row,
                       spread, table)

# layer, program, mode, the most it may cost (ns; None: nothing is promised)
LOADS = [("mpi", f"mpi_load-{flavour}", mode, most)
         for flavour in ("mpich", "openmpi")
         for mode, most in (("write_at", 150), ("read_at", None),
                            ("write", None), ("write_at_all", None),
                            ("wait", None))]
LOADS += [("hdf5", "h5_load", "H5Dwrite", 300),
          ("hdf5", "h5_load", "H5Dread", None)]


def measure(options, scratch, layer, load):
    """What it takes bare, what libc's part adds, and what the layer's."""
    bare, below, extra = [], [], []
    for _ in range(options.rounds):
        bare.append(Run(load).ns)
        without, whole = (record(scratch / "trace", load, "--buffer", "64M",
                                 "--layers", layers).ns
                          for layers in ("none", layer))
        below.append(without - bare[-1])
        extra.append(whole - without)
    return bare, below, extra


def main():
    options = Options(__doc__, calls=(200000, 20000)).chosen()
    heading("layers", f"{options.rounds} rounds of {options.calls} calls")
    table("Nanoseconds a call (medians of the rounds; lowest in brackets)",
          "load", "call", "bare", "+ libc's calls", "+ the layer", "at most")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as scratch, \
            tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
        for layer, program, mode, most in LOADS:
            if not (BUILD / program).exists():
                row(program, mode, "not built")
                continue
            bare, below, extra = measure(
                options, Path(scratch), layer,
                [BUILD / program, mode, options.calls, file.name])
            row(program, mode, f"{median(bare):.0f}", f"{median(below):.0f}",
                spread(extra, 0), most or "-")


if __name__ == "__main__":
    main()
