#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plans and parallel programs: ranks, jobs, scripts, several hosts.

usage: run-ranks.py"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from planrun import WEIR, run, stored, table, variable, write_plan

import hosts
import weirtool
from weirtool import Tap

LAUNCHERS = {"mpich": ["mpirun.mpich"],
             "openmpi": ["mpirun.openmpi", "--oversubscribe"]}
SHOW = ["sh", "-c", "echo =$ROMIO_TUNEGATHER= $WEIR_PLAN; head -c 4 x.dat"]


def the_plan(scratch):
    (scratch / "x.dat").write_text("data\n")
    return write_plan(scratch / "p.xml",
                      '<fadvise file="*.dat">sequential</fadvise>',
                      variable("ROMIO_TUNEGATHER", "false"))


def faults(done, trace, fates):
    if done.returncode:
        yield f"returned {done.returncode}"
    if list(table(done.stderr).values()) != fates:
        yield done.stderr
    if done.stdout.count("=0=") != 2 or \
            done.stdout.count(str(trace / "plan")) != 2:
        yield f"ranks see {done.stdout}"


def starts_ranks(scratch, launcher):
    trace = scratch / "t"
    done = run(trace, the_plan(scratch), [*launcher, "-n", "2", *SHOW],
               "--strict", cwd=scratch)
    yield from faults(done, trace, ["handed over 2x", "handed over 4x"])


def takes_two_programs(scratch, launcher):
    trace = scratch / "t"
    done = run(trace, the_plan(scratch),
               [*launcher, "-n", "1", *SHOW, ":", "-n", "1", *SHOW],
               "--strict", cwd=scratch)
    yield from faults(done, trace, ["handed over 2x", "handed over 4x"])


def follows_a_script(scratch, launcher):
    """The script itself is a process by the plan, too."""
    trace, script = scratch / "t", scratch / "script"
    script.write_text("#!/bin/sh\n" + " ".join([*launcher, "-n", "2"]) +
                      f" sh -c '{SHOW[-1]}'\n")
    script.chmod(0o755)
    done = run(trace, the_plan(scratch), [script], "--strict", cwd=scratch)
    yield from faults(done, trace, ["handed over 2x", "handed over 5x"])


def works_inside_a_job(scratch, launcher):
    """Each rank is a run of its own; they agree on the plan."""
    trace, plan = scratch / "t", the_plan(scratch)
    env = weirtool.mpi_environment()
    done = subprocess.run(
        [*launcher, "-n", "2", WEIR, "run", "--strict", "-o", str(trace),
         "--plan", str(plan), "--", *SHOW], cwd=scratch, env=env,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    yield from faults(done, trace, ["handed over 1x", "handed over 2x"])
    if done.stderr.count("weir: plan ") != 1:
        yield "not one rank alone speaks: " + done.stderr
    counts = [counts["given"] for file in trace.glob("*.weir")
              for _, counts in stored(file)]
    if counts != [1, 2, 1, 2]:
        yield f"stored {counts}"


def lets_the_user_win(scratch, launcher):
    """His variable reaches the ranks here, and stays."""
    trace = scratch / "t"
    done = run(trace, the_plan(scratch), [*launcher, "-n", "2", *SHOW],
               "--strict", cwd=scratch, env={"ROMIO_TUNEGATHER": "3"})
    if done.returncode != 7 or done.stdout.count("=3=") != 2 or \
            "kept: the user sets it 4x" not in done.stderr:
        yield f"{done.returncode}: {done.stdout}{done.stderr}"


def with_each(tap, check, name):
    for flavour, launcher in LAUNCHERS.items():
        title = f"{name}, {flavour}"
        if not shutil.which(launcher[0]):
            tap.skip(title, f"there is no {launcher[0]}")
            continue
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            found = list(check(Path(os.path.realpath(scratch)), launcher))
        tap.result(not found, title, found)


def on_two_hosts(scratch, there):
    """Hydra gives its ranks no plan but what is in the command line."""
    trace, plan = scratch / "t", the_plan(scratch)
    launcher = hosts.Launcher(there)
    done = there.run(
        0, [WEIR, "run", "--strict", "-o", trace, "--plan", plan, "--",
            "mpiexec.hydra", "-genvnone", "-launcher", "ssh",
            "-launcher-exec", launcher.script, "-hosts", "one:1,two:1", "-n",
            "2", "/bin/sh", "-c", SHOW[-1].replace("head", "/usr/bin/head")],
        cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120)
    yield from faults(done, trace, ["handed over 2x", "handed over 4x"])
    for host in ("one", "two"):
        counts = [c["given"] for _, c in stored(trace / f"{host}.weir")]
        if counts != [1, 2]:
            yield f"host {host} tells {counts}"


def try_hosts(tap):
    title = "two hosts"
    why = hosts.obstacle()
    if not shutil.which("mpiexec.hydra"):
        why = "there is no MPICH"
    if why:
        tap.skip(title, why)
        return
    with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch:
        scratch = Path(os.path.realpath(scratch))
        with hosts.Hosts(scratch) as there:
            os.chdir(scratch)
            found = list(on_two_hosts(scratch, there))
            os.chdir("/")
    tap.result(not found, title, found)


def main():
    tap = Tap()
    for check in (starts_ranks, takes_two_programs, follows_a_script,
                  works_inside_a_job, lets_the_user_win):
        with_each(tap, check, check.__name__.replace("_", " "))
    try_hosts(tap)
    return tap.done()


sys.exit(main())
