#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every kernel's data are right on every file system, and known if wrong.

Environment: KERNELS, the folder of the programs; PLACES, folders to write
to, separated by colons (else one on disk, one in memory, one on GlusterFS).
"""
import json
import os
import sys
import tempfile
from pathlib import Path

import ranks  # it knows where the others are
import glusterfs
from weirtool import Tap

# kernel: (arguments, ranks, what must have been done before)
SMALL = {
    "vpic": (["--particles", "3000", "--spread", "5"], 2, None),
    "bdcats": (["--access", "full"], 2, "vpic"),
    "vorpal": (["--bx", "8", "--by", "6", "--bz", "5", "--steps", "2",
                "--ax", "1"], 2, None),
    "gcrm": (["--resolution", "4", "--subdomain", "2", "--steps", "2"], 2,
             None),
    "tiny": (["--datasets", "20"], 2, None),
    "flash": (["--blocks", "5", "--cells", "4"], 2, None),
    "btio": (["--dumps", "2"], 4, None),
    "vectors": (["--pieces", "200", "--steps", "2"], 2, None),
    "contig": (["--record", "4K", "--phases", "4"], 2, None),
    "s3d": (["--nx", "6", "--ny", "5", "--nz", "4", "--checkpoints", "2"], 2,
            None),
    "columns": (["--rows", "64", "--width", "128", "--chunk", "16"], 1, None),
    "ffb": (["--steps", "3"], 2, "ffb --prepare"),
    "pdf": (["--shared", "11", "--own", "4", "--bytes", "8K", "--rounds", "2",
             "--readers", "1"], 2, None),
}


def output_of(place, program, kernel, before):
    """Where it writes; a reader uses what the other kernel has written."""
    flavour = program.rsplit("-", 1)[1]
    return place / f"{before if before == 'vpic' else kernel}-{flavour}.out"


def prepare(program, kernel, before, out):
    arguments, count, _ = SMALL["vpic" if before == "vpic" else kernel]
    if before == "vpic":
        first, more = program.replace(kernel, "vpic"), []
    else:
        first, more = program, ["--prepare"]
    return ranks.start(first, count, [*arguments, *more, out])


def files_of(out):
    return sorted(path for path in out.parent.rglob("*")
                  if path.is_file() and str(path).startswith(str(out)))


def flip(path, offset):
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)
        file.seek(offset)
        file.write(bytes([byte[0] ^ 0x10]))


def check_case(program, kernel, place):
    """None, or what is wrong."""
    arguments, count, before = SMALL[kernel]
    out = output_of(place, program, kernel, before)
    if before:
        done = prepare(program, kernel, before, out)
        if done.returncode:
            return f"preparing: {done.stderr}"
    done = ranks.start(program, count,
                       [*arguments, "--verify", "--json", out])
    if done.returncode:
        return f"status {done.returncode}: {done.stdout}{done.stderr}"
    result = json.loads(done.stdout.splitlines()[-1])
    if result["wrong"] or not result["compared"] or not result["bytes"]:
        return f"nothing was verified: {result}"
    if result["ranks"] != count:
        return f"{result['ranks']} ranks, not {count}"
    return None


def check_flips(program, kernel, place):
    """One byte of the data in any file must be noticed, and its repair."""
    arguments, count, before = SMALL[kernel]
    out = output_of(place, program, kernel, before)
    files = files_of(out)
    for path in sorted({files[0], files[-1]}):
        # near the end there are data, not what a library says of them
        offset = path.stat().st_size - 8
        if kernel in ("columns", "tiny"):
            offset = path.stat().st_size // 2
        flip(path, offset)
        done = ranks.start(program, count, [*arguments, "--check", out])
        flip(path, offset)
        if not done.returncode:
            return f"a byte of {path.name} at {offset} was not noticed"
    done = ranks.start(program, count, [*arguments, "--check", out])
    if done.returncode:
        return f"what was put right is still wrong: {done.stderr}"
    return None


def check_place(tap, label, place, flipping=False):
    for kernel in SMALL:
        programs = ranks.flavours(kernel)
        if not programs:
            tap.skip(f"{label}: {kernel}", "not built")
        for program in programs:
            wrong = check_case(program, kernel, place)
            if flipping and not wrong:
                wrong = check_flips(program, kernel, place)
            tap.result(not wrong, f"{label}: {program}",
                       (wrong or "").splitlines())


def check_gluster(tap, work):
    try:
        with glusterfs.mounted(work) as mount:
            check_place(tap, "glusterfs", mount)
    except glusterfs.Missing as why:
        tap.skip("glusterfs", why)


def main():
    tap = Tap()
    if "PLACES" in os.environ:
        for place in os.environ["PLACES"].split(":"):
            check_place(tap, place, Path(place))
        return tap.done()
    with tempfile.TemporaryDirectory(dir=".") as disk:
        check_place(tap, "disk", Path(disk).resolve(), flipping=True)
        check_gluster(tap, Path(disk).resolve())
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        check_place(tap, "tmpfs", Path(memory))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
