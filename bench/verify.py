#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir run --verify` costs a program that writes, and reading again.

usage: bench/run verify [--rounds N] [--quick]
                        [--only speed,share,again,again_disk,again_gluster]

The first table is the sum alone, on one core. The second is the time that
kernels say they took to open, write and close, on GlusterFS (tests/lib/gluster)
and on disk: recorded as always, and with --verify, in turns. The third is that of
ranges that are written again (again_load), on both, with the CPU time.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.bench import (BUILD, WEIR, Options, Run, heading, median, row,
                       table)
from lib.places import LIB, gluster

sys.path.append(str(LIB))
from weirtool import mpi_environment  # noqa: E402

# Program, arguments, ranks: large requests of each layer.
LOADS = (
    ("contig-mpich", ["--record", "1M", "--phases", "48"], 2),
    ("vpic-mpich", ["--particles", "1M"], 2),
    ("columns-serial", ["--rows", "1024", "--width", "2048", "--chunk",
                        "128", "--take", "1024"], 1),
)


AGAIN = ("posix-twice", "posix-overlapping", "posix-read-back", "mpi-twice",
         "mpi-overlapping", "mpi-read-back", "mpi-strides", "hdf5-twice",
         "hdf5-strides", "hdf5-read-back")


LONG_ENOUGH = 0.8  # seconds of a run that is timed, at least about


class Bench:
    def __init__(self, rounds, scratch):
        self.rounds, self.scratch = rounds, scratch


def measure(size):
    return Run([BUILD / "digest_speed", size])["GB/s"]


def speed(bench):
    table("GB/s of the sum, one core (medians)", "64 KiB", "1 MiB")
    row(*(f"{median(measure(size) for _ in range(bench.rounds)):.1f}"
          for size in (65536, 1 << 20)))


def run_once(bench, load, place, *options):
    """(seconds of I/O as the kernel says, of reading again as weir says)."""
    program, arguments, ranks = load
    trace, out = bench.scratch / "trace", place / "output"
    launcher = [] if program.endswith("serial") else \
        ["mpirun.mpich", "-n", str(ranks)]
    done = subprocess.run(
        [str(word) for word in (WEIR, "run", *options, "-o", trace, "--",
                                *launcher, BUILD / "kernels" / program,
                                *arguments, "--json", out)],
        env=mpi_environment(), stdin=subprocess.DEVNULL, capture_output=True,
        text=True)
    if done.returncode:
        sys.exit(f"{program}: {done.returncode}: {done.stderr}")
    again = re.search(r"re-read in ([0-9.]+) s", done.stderr)
    subprocess.run(["rm", "-rf", trace, out])
    return (json.loads(done.stdout.splitlines()[-1])["seconds"],
            float(again[1]) if again else 0.0)


def compare(bench, label, place):
    for load in LOADS:
        pairs = [(run_once(bench, load, place),
                  run_once(bench, load, place, "--verify"))
                 for _ in range(bench.rounds)]
        plain = median(without[0] for without, _ in pairs)
        proven = median(with_[0] for _, with_ in pairs)
        ratio = median(with_[0] / without[0] for without, with_ in pairs)
        row(label, f"{load[0]} {' '.join(load[1])}", f"{plain:.3f}",
            f"{proven:.3f}", f"{ratio:.3f}",
            f"{median(with_[1] for _, with_ in pairs):.1f}")


def share(bench):
    table(f"seconds of I/O (medians of {bench.rounds} pairs in turns)",
          "on", "program", "recorded", "with --verify", "ratio",
          "reading again, s")
    with gluster(bench.scratch) as place:
        if place:
            compare(bench, "GlusterFS", place)
        else:
            print("no GlusterFS here")
    compare(bench, "disk", bench.scratch)


def again_once(bench, way, place, times, *options):
    """What again_load says of its seconds and CPU seconds."""
    trace, out = bench.scratch / "trace", place / "output"
    done = subprocess.run(
        [str(word) for word in (WEIR, "run", *options, "-o", trace, "--",
                                "mpirun.mpich", "-n", "2",
                                BUILD / "again_load", way, out, times)],
        env=mpi_environment(), stdin=subprocess.DEVNULL, capture_output=True,
        text=True)
    if done.returncode:
        sys.exit(f"{way}: {done.returncode}: {done.stderr}")
    subprocess.run(["rm", "-rf", trace, out])
    return json.loads(done.stdout.splitlines()[-1])


def compare_again(bench, label, place):
    for way in AGAIN:
        once = min(again_once(bench, way, place, 1)["seconds"]
                   for _ in range(2))
        times = min(40, int(LONG_ENOUGH / once) + 1)
        pairs = [(again_once(bench, way, place, times),
                  again_once(bench, way, place, times, "--verify"))
                 for _ in range(bench.rounds)]
        row(label, way, *(f"{median(one[i]['seconds'] for one in pairs):.3f}"
                          for i in (0, 1)),
            *(f"{median(b[of] / a[of] for a, b in pairs):.3f}"
              for of in ("seconds", "cpu")))


def again_table(bench):
    table(f"written again, 2 ranks of 32 MiB (medians of {bench.rounds} "
          "pairs in turns)", "on", "way", "recorded, s", "with --verify",
          "ratio", "of CPU time")
    if not (BUILD / "again_load").exists():
        sys.exit("no again_load: it needs HDF5 with MPICH")


def again_gluster(bench):
    again_table(bench)
    with gluster(bench.scratch) as place:
        if place:
            compare_again(bench, "GlusterFS", place)
        else:
            print("no GlusterFS here")


def again_disk(bench):
    again_table(bench)
    compare_again(bench, "disk", bench.scratch)


def again(bench):
    again_gluster(bench)
    again_disk(bench)


def main():
    chosen = Options(__doc__, "speed,share,again").chosen()
    heading("verify", f"{chosen.rounds} rounds")
    with tempfile.TemporaryDirectory(prefix="weir-bench-",
                                     dir=".") as scratch:
        bench = Bench(chosen.rounds, Path(scratch).resolve())
        for part in chosen.only.split(","):
            globals()[part](bench)


if __name__ == "__main__":
    main()
