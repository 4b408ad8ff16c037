#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Opens tell what file system a file lies on, and how it is striped there.

usage: run-storage.py FLAVOUR PROGRAM

The program opens files on a file system of ours (lovfs.py) that has attributes
as Lustre and Ceph have them, on tmpfs and on the disk.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE.parent / "mpi")]
import mpirun  # noqa: E402
import ownfs  # noqa: E402
import weirtool  # noqa: E402
from weirtool import Tap, WEIR  # noqa: E402

RANKS = 2
V1 = "size=1048576 count=4 first=2"
V3 = "size=1048576 count=1 first=7 pool=flash"
STRIPES = {
    "v1": V1,
    "v3": V3,
    "composite": f"parts=2; extent=0-65536 {V1}; extent=65536- {V3}",
    "ceph": "stripe_unit=4194304 stripe_count=2 object_size=4194304 pool=cold",
    "none": "",
}
OTHERS = {"H5Fcreate": "by.h5", "H5Fopen": "by.h5", "ncmpi_create": "by.nc",
          "ncmpi_open": "by.nc"}
WORDS = {"ef53": "ext4", "58465342": "xfs", "9123683e": "btrfs",
         "794c7630": "overlay", "1021994": "tmpfs"}


def opens_of(events):
    """{call: {file's name: its arguments}}, the same in all ranks."""
    found = {}
    for event in events:
        name = os.path.basename(event.get("args", {}).get("name") or
                                event.get("args", {}).get("filename") or
                                event.get("args", {}).get("path") or "")
        if "fs" in event.get("args", {}):
            told = tuple(event["args"][key] for key in ("fs", "stripes"))
            found.setdefault(event["call"], {}).setdefault(
                name, []).append(told)
    return found


def play(scratch, where, flavour, program):
    trace = scratch / "trace"
    mpirun.recorded(trace, mpirun.command(flavour, RANKS, program, where,
                                          *STRIPES))
    public = scratch / "public"
    subprocess.run([WEIR, "anon", trace, public], check=True,
                   capture_output=True)
    texts = [subprocess.run([WEIR, *verb, trace], check=True, text=True,
                            capture_output=True).stdout
             for verb in (["dump"], ["dump", "--tree"],
                          ["info", "--format", "json"])]
    return opens_of(weirtool.events(trace)), weirtool.events(public), texts


def check_striped(tap, opens, flavour, program):
    for name, stripes in STRIPES.items():
        told = opens["MPI_File_open"].get(name)
        mpirun.check(tap, told == [("fuse", stripes)] * RANKS,
                     f"MPI_File_open of {name}", [told])
    told = opens["MPI_File_open"].get("missing")
    mpirun.check(tap, told == [("", "")] * RANKS,
                 "of what could not be opened nothing is asked", [told])
    for call, name in OTHERS.items():
        needs = "H5Fopen" if call.startswith("H5") else "ncmpi_open"
        if flavour == "mpich" and needs == "ncmpi_open":
            continue  # Debian has PnetCDF for Open MPI alone
        if needs.encode() not in Path(program).read_bytes():
            tap.skip(call, "the program was built without it")
            continue
        told = opens.get(call, {}).get(name)
        mpirun.check(tap, told == [("fuse", V1)] * RANKS, call, [opens])
        below = opens["MPI_File_open"].get(name)
        mpirun.check(tap, below and set(below) == {("fuse", V1)},
                     f"MPI_File_open below {call}", [below])


def check_texts(tap, texts, where):
    shown = f'fs=fuse, stripes="{V1}"'
    for text, form in zip(texts, ("text", "tree")):
        mpirun.check(tap, shown in text, f"it is shown as {form}",
                     [line for line in text.splitlines() if "fuse" in line])
    mounts = [m for m in json.loads(texts[2])["mounts"]
              if m["point"] == str(where)]
    mpirun.check(tap, len(mounts) == 1 and mounts[0]["type"] == "fuse.lovfs"
                 and mounts[0]["files"] >= len(STRIPES),
                 "the mount of the files is known", mounts)


def check_hidden(tap, events):
    told = sorted({(e["args"]["fs"], re.sub("=[a-z2-7]{16}", "=#",
                                            e["args"]["stripes"]))
                   for e in events if "fs" in e.get("args", {})})
    expected = sorted({("fuse", re.sub("=(flash|cold)", "=#", stripes))
                       for stripes in STRIPES.values()} | {("", "")})
    mpirun.check(tap, told == expected, "weir anon hides pools alone",
                 [told, expected])


def check_elsewhere(tap, where, flavour, program):
    kind = weirtool.run("stat", "-f", "-c", "%t", where).stdout.strip()
    word = WORDS.get(kind, "0x" + kind)
    opens, *_ = weirtool.in_whole(
        lambda scratch: play(scratch, where, flavour, program))
    told = opens["MPI_File_open"].get("v1")
    mpirun.check(tap, told == [(word, "")] * RANKS,
                 f"a file on {word} has no stripes", [told])


def main(flavour, program):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-storage-") as name:
        place = Path(name).resolve()
        with ownfs.mounted(place / "striped", HERE / "lovfs.py") as where:
            opens, hidden, texts = weirtool.in_whole(
                lambda scratch: play(scratch, where, flavour, program))
        check_striped(tap, opens, flavour, program)
        check_texts(tap, texts, where)
        check_hidden(tap, hidden)
        check_elsewhere(tap, place, flavour, program)
        (place / "memory").mkdir()
        weirtool.run("mount", "-t", "tmpfs", "memory", place / "memory")
        check_elsewhere(tap, place / "memory", flavour, program)
        weirtool.run("umount", place / "memory")
    return tap.done()


if __name__ == "__main__":
    ownfs.main(main)
