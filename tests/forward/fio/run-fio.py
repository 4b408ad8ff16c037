#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fio finds what it wrote to forwarded files, and finds it again without us.

usage: run-fio.py MEGABYTES

Each job writes blocks with checksums and verifies them, forwarded; then a fio
that nobody forwards verifies the same files. A byte that is changed in between
must be found."""
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "lib"))
from forwarded import command  # noqa: E402
from weirtool import Tap  # noqa: E402

LIMIT = 200  # seconds
ALWAYS = ("--verify=crc32c", "--verify_fatal=1", "--fallocate=none",
          "--randrepeat=1", "--group_reporting", "--verify_state_save=0",
          "--minimal")


@dataclass
class Job:
    name: str
    words: tuple
    options: tuple | None = ()  # of weir run; None: bare
    is_repeatable: bool = True  # fio can verify it without writing first


def small(cache):
    return ("--cache", cache)


JOBS = [
    Job("bare psync", ("--ioengine=psync", "--rw=randwrite", "--bs=4k"), None),
    Job("psync, random", ("--ioengine=psync", "--rw=randwrite", "--bs=4k"),
        small("64M")),
    Job("sync, in order", ("--ioengine=sync", "--rw=write", "--bs=1k"),
        small("8M")),
    Job("vsync, in order", ("--ioengine=vsync", "--rw=write", "--bs=2k",
                            "--iodepth=8"), small("8M")),
    Job("pvsync, random, of many sizes",
        ("--ioengine=pvsync", "--rw=randwrite", "--bsrange=512-128k",
         "--bs_unaligned"), small("4M"), False),
    Job("pvsync2, verified soon after",
        ("--ioengine=pvsync2", "--rw=randwrite", "--bs=4k",
         "--verify_backlog=32"), small("64M"), False),
    Job("three processes", ("--ioengine=psync", "--rw=randwrite", "--bs=8k",
                            "--numjobs=3"), small("8M")),
    Job("three threads", ("--ioengine=psync", "--rw=randwrite", "--bs=8k",
                          "--numjobs=3", "--thread"), small("8M")),
    Job("reads and writes", ("--ioengine=psync", "--rw=randrw", "--bs=4k",
                             "--fsync=200"), small("16M"), False),
]


def run(words, scratch):
    """Ends well, or what it said."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=LIMIT, cwd=scratch)
    if not done.returncode:
        return None
    return f"{' '.join(words)}\nreturned {done.returncode}: " \
        f"{done.stdout[-500:]}{done.stderr[-1500:]}"


def fio(job, place, size, *more):
    return ["fio", "--name=job", f"--directory={place}", f"--size={size}m",
            *job.words, *ALWAYS, *more]


def spoil(place):
    """One byte in the middle of the first file."""
    name = min(place.iterdir())
    with open(name, "r+b") as file:
        at = name.stat().st_size // 2
        file.seek(at)
        byte = file.read(1)
        file.seek(at)
        file.write(bytes([byte[0] ^ 1]))


def play(job, size, scratch):
    """What went wrong, or None."""
    place = scratch / "place"
    place.mkdir()
    fault = run(command(place, fio(job, place, size), job.options, scratch),
                scratch)
    if fault or not job.is_repeatable:
        return fault
    again = fio(job, place, size, "--verify_only")
    fault = run(again, scratch)
    if fault:
        return f"afterwards: {fault}"
    spoil(place)
    if not run(again, scratch):
        return "a changed byte was not found"
    return None


def is_forwarded(scratch):
    """What nobody stores is not there: so fio does write through us."""
    place = scratch / "place"
    place.mkdir()
    run(command(place, ["fio", "--name=job", f"--directory={place}",
                        "--size=1m", "--ioengine=psync", "--rw=write",
                        "--fallocate=none", "--minimal"],
                ("--backend", "null"), scratch), scratch)
    return not sum(path.stat().st_blocks for path in place.iterdir())


def main(size):
    if not shutil.which("fio"):
        print("1..0 # SKIP there is no fio")
        return 0
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-fio-") as scratch:
        tap.result(is_forwarded(Path(scratch)), "fio is forwarded")
    for job in JOBS:
        with tempfile.TemporaryDirectory(prefix="weir-fio-") as scratch:
            fault = play(job, size, Path(scratch))
        tap.result(not fault, job.name, [fault] if fault else ())
    return tap.done()


sys.exit(main(*sys.argv[1:]))
