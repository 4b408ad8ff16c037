#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills recorded programs with SIGKILL at random instants, in every mode.

usage: kill.py [KILLS]     (5000 unless told; the normal tests do fewer)"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from victims import Tally, check, kill_once  # noqa: E402
from weirtool import Failure, Tap  # noqa: E402

VICTIM = os.path.abspath(os.environ.get("VICTIM", "build/tests/trace/victim"))
DISK = "8M"
AT_ONCE = 2

# name, victim's arguments, collector killed too, on a full disk, weight
MODES = [
    ("one thread", ["1"], False, False, 3),
    ("one thread, long calls", ["1", "big"], False, False, 1),
    ("8 threads and forks", ["8", "fork"], False, False, 4),
    ("one thread, collector too", ["1"], True, False, 2),
    ("8 threads and forks, collector too", ["8", "fork"], True, False, 2),
    ("8 threads and forks, full disk", ["8", "fork"], False, True, 2),
]


def mount(disk):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs",
                    disk], check=True)


def fill(disk):
    """Leave 64 KiB to 2 MiB: too little in any case."""
    left = random.choice([64, 256, 512, 2048]) << 10
    room = os.statvfs(disk)
    ballast = max(0, room.f_bavail * room.f_frsize - left)
    with open(disk / "ballast", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(1, ballast))


def one_kill(arguments, with_collector, full):
    """Returns what was seen, as a Tally."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="weir-kill-") as name:
        scratch = Path(name).resolve()
        disk = scratch / "disk"
        disk.mkdir()
        (scratch / "data").write_bytes(bytes(1 << 21))
        if full:
            mount(disk)
        try:
            if full:
                fill(disk)
            page, trace = kill_once(VICTIM, arguments, scratch, tally,
                                    with_collector)
            tally.problems += check(page, trace, tally)
            remove_live(trace)
        except (Failure, OSError, subprocess.SubprocessError) as failure:
            tally.problems.append(f"{type(failure).__name__}: {failure}")
        finally:
            if full:
                subprocess.run(["umount", "-l", disk], check=True)
    return tally


def remove_live(trace):
    """What a killed collector leaves in memory is ours to remove."""
    for link in trace.glob("*.live"):
        shutil.rmtree(link.resolve())


def run_mode(tap, mode, kills):
    name, arguments, with_collector, full, _ = mode
    if full and "WEIR_MAY_MOUNT" not in os.environ:
        tap.skip(name, "mounting a tmpfs needs root and unshare")
        return
    tally = Tally()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [pool.submit(one_kill, arguments, with_collector, full)
                for _ in range(kills)]
        for job in jobs:
            tally.add(job.result())
    tap.result(not tally.problems and tally.count["kills"] == kills, name,
               tally.lines())


def enter_own_mounts():
    """Start again where mounts are nobody else's business."""
    can = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs",
                          "/mnt"], capture_output=True)
    if can.returncode == 0:
        os.environ["WEIR_MAY_MOUNT"] = "yes"
        os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])


def main():
    if "WEIR_MAY_MOUNT" not in os.environ:
        enter_own_mounts()
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    weights = sum(mode[-1] for mode in MODES)
    tap = Tap()
    for mode in MODES:
        run_mode(tap, mode, -(-kills * mode[-1] // weights))
    return tap.done()


sys.exit(main())
