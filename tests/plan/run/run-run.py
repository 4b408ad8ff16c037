#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""weir run --plan: what it prints, returns and leaves behind.

usage: run-run.py SCRATCH-PREFIX"""
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import planrun
from planrun import WEIR, run, stored, table, variable, write_plan
from weirtool import Tap

ADVICE = '<fadvise file="*.dat">sequential</fadvise>'
LOCKING = variable("HDF5_USE_FILE_LOCKING", "true")
GATHER = variable("ROMIO_TUNEGATHER", "false")


def three(scratch):
    (scratch / "x.dat").write_text("data\n")
    return write_plan(scratch / "p.xml", ADVICE, LOCKING, GATHER)


def says_exactly(scratch):
    """A line a setting, in the order of the plan, aligned."""
    done = run(scratch / "t", three(scratch), ["cat", "x.dat", "x.dat"],
               cwd=scratch, env={"ROMIO_TUNEGATHER": "7"})
    told = done.stderr[done.stderr.index("weir: plan"):]
    wanted = f"""\
weir: plan {scratch}/p.xml: 2 of 3 settings applied
weir:   fadvise = sequential (file *.dat)   handed over 2x
weir:   HDF5_USE_FILE_LOCKING = TRUE        handed over 1x
weir:   ROMIO_TUNEGATHER = 0                kept: the user sets it 1x
"""
    if done.returncode or done.stdout != "data\ndata\n":
        yield f"returned {done.returncode}: {done.stdout}"
    if told != wanted:
        yield told


def tells_failures_when_quiet(scratch):
    plan = three(scratch)
    done = run(scratch / "t", plan, ["cat", "x.dat"], "-q", cwd=scratch)
    if done.stderr:
        yield done.stderr
    done = run(scratch / "u", plan, ["true"], "-q", cwd=scratch)
    if done.stderr.splitlines()[1:] != [
            "weir:   fadvise = sequential (file *.dat)   "
            "no call it is for was made"]:
        yield done.stderr


def returns(scratch):
    """7 with --strict alone, and never instead of the command's own."""
    plan = three(scratch)
    for options, command, env, wanted in (
            (["--strict"], ["cat", "x.dat"], {}, 0),
            (["--strict"], ["true"], {}, 7),
            ([], ["true"], {}, 0),
            (["--strict"], ["cat", "x.dat"], {"ROMIO_TUNEGATHER": "9"}, 7),
            (["--strict"], ["false"], {}, 1)):
        shutil.rmtree(scratch / "t", ignore_errors=True)
        done = run(scratch / "t", plan, command, *options, env=env,
                   cwd=scratch)
        if done.returncode != wanted:
            yield f"{options} {command}: {done.returncode}: {done.stderr}"


def refuses(scratch):
    """What cannot be meant is told, and nothing is run."""
    bad = scratch / "bad.xml"
    bad.write_text("<plan>\n<mpi>\n<cb_nods>2</cb_nods>\n"
                   "<cb_nodes>many</cb_nodes>\n</mpi>\n</plan>\n")
    torn = scratch / "torn"
    torn.write_bytes(b"WEIRpln1" + bytes(200))
    for plan, wanted, words in ((bad, 5, ("bad.xml:3: ", "bad.xml:4: ")),
                                (scratch / "none.xml", 5, ("none.xml",)),
                                (torn, 5, ("torn",)),
                                (scratch, 5, ())):
        done = run(scratch / "t", plan, ["touch", "ran"], cwd=scratch)
        left = [n for n in ("t", "ran") if (scratch / n).exists()]
        if done.returncode != wanted or left or \
                not all(word in done.stderr for word in words):
            yield f"{plan}: {done.returncode}, {left}: {done.stderr}"


def lets_the_user_win(scratch):
    forced = write_plan(scratch / "f.xml", variable(
        "ROMIO_TUNEGATHER", "false", ' force="yes"'))
    plain = write_plan(scratch / "g.xml", GATHER)
    for plan, wanted, fate in ((forced, "0", "handed over 1x"),
                               (plain, "5", "kept: the user sets it 1x")):
        done = run(scratch / plan.stem, plan,
                   ["sh", "-c", "echo $ROMIO_TUNEGATHER"],
                   env={"ROMIO_TUNEGATHER": "5"})
        if done.stdout != wanted + "\n" or \
                table(done.stderr) != {"ROMIO_TUNEGATHER = 0": fate}:
            yield f"{done.stdout}{done.stderr}"


def works_in_every_manner(scratch):
    """What is not recorded is steered, and counted, all the same."""
    plan = three(scratch)
    for options in ([], ["--profile"], ["--ring", "1M"], ["--paused"],
                    ["--include", "*.no"], ["--exclude", "*"],
                    ["--layers", "none"], ["--backtrace"], ["--all"],
                    ["--ring", "1M", "--single-file"]):
        trace = scratch / "-".join(["t", *options]).replace("*", "x")
        done = run(trace, plan, ["cat", "x.dat", "x.dat"], *options,
                   cwd=scratch)
        if list(table(done.stderr).values()) != [
                "handed over 2x", "handed over 1x", "handed over 1x"]:
            yield f"{options}: {done.stderr}"
        found = [{k: v for k, v in counts.items() if v}
                 for file in trace.glob("*.weir")
                 for _, counts in stored(file)]
        if found != [{"given": 2}, {"given": 1}, {"given": 1}]:
            yield f"{options}: stored {found}"


def asks_the_kernel(scratch):
    """What is counted as handed over was, as strace sees it."""
    if not shutil.which("strace"):
        return
    plan = write_plan(scratch / "p.xml", ADVICE)
    (scratch / "x.dat").write_text("data\n")
    log = scratch / "log"
    run(scratch / "t", plan,
        ["strace", "-f", "-o", log, "-e", "trace=fadvise64", "head", "x.dat"],
        cwd=scratch)
    calls = [line for line in log.read_text().splitlines()
             if "POSIX_FADV_SEQUENTIAL" in line]
    given = dict(stored(next((scratch / "t").glob("*.weir"))))["fadvise"]
    if len(calls) != 1 or given["given"] != 1:
        yield f"{calls} {given}"


def explains_itself(scratch):
    """By weir info, of the trace and of what is made of it."""
    trace = scratch / "t"
    done = run(trace, three(scratch), ["cat", "x.dat"], cwd=scratch,
               env={"ROMIO_TUNEGATHER": "7"})
    for name, words in (("t", None), ("m", ["merge", scratch / "m", trace]),
                        ("o", ["merge", "--one", scratch / "o", trace]),
                        ("k", ["pack", trace, scratch / "k"])):
        if words:
            subprocess.run([WEIR, *words], check=True, capture_output=True)
        told = subprocess.run([WEIR, "info", scratch / name],
                              capture_output=True, text=True).stdout
        for setting, fate in table(done.stderr).items():
            if not any(line.split() == f"{setting} {fate}".split()
                       for line in told.splitlines()):
                yield f"{name}: {setting} {fate}: {told}"
    about = json.loads(subprocess.run(
        [WEIR, "info", "--format", "json", trace], capture_output=True,
        text=True).stdout)["plan"]
    if [s["kept"] for s in about["settings"]] != [0, 0, 1] or \
            about["hash"] not in told:
        yield str(about)


def hides_names(scratch):
    """weir anon: settings stay, files of the user do not."""
    trace = scratch / "t"
    plan = write_plan(scratch / "p.xml",
                      '<fadvise file="*secret*">random</fadvise>')
    run(trace, plan, ["true"])
    subprocess.run([WEIR, "anon", trace, scratch / "a"], check=True,
                   capture_output=True)
    told = subprocess.run([WEIR, "info", scratch / "a"], capture_output=True,
                          text=True).stdout
    if "fadvise = " not in told or "secret" in told:
        yield told
    if b"secret" in b"".join(p.read_bytes() for p in
                             (scratch / "a").glob("*")):
        yield "the pattern is in the files"


def takes_its_own_again(scratch):
    plan = three(scratch)
    run(scratch / "t", plan, ["cat", "x.dat"], cwd=scratch)
    flat = scratch / "t" / "plan"
    if stat.S_IMODE(flat.stat().st_mode) != 0o600:
        yield f"others may read it: {flat.stat().st_mode:o}"
    done = run(scratch / "u", flat, ["cat", "x.dat"], "--strict", cwd=scratch)
    if done.returncode or len(table(done.stderr)) != 3:
        yield f"{done.returncode}: {done.stderr}"
    if (scratch / "u" / "plan").read_bytes() != flat.read_bytes():
        yield "it is not the same"


def keeps_plans_apart(scratch):
    """Runs into one file: by one plan."""
    one = write_plan(scratch / "1.xml", LOCKING)
    two = write_plan(scratch / "2.xml", GATHER)
    ring = ("--ring", "1M", "--single-file")
    done = [run(scratch / "t", plan, ["true"], *ring)
            for plan in (one, one, two)]
    if [d.returncode for d in done] != [0, 0, 2] or \
            "another plan" not in done[2].stderr:
        yield str([(d.returncode, d.stderr) for d in done])
    if "handed over 2x" not in done[1].stderr:
        yield done[1].stderr
    left = sorted(p.name for p in (scratch / "t").iterdir())
    if left != ["all.weir", "plan"]:
        yield f"left: {left}"


def says_what_layers_leave_out(scratch):
    plan = write_plan(scratch / "p.xml", "<cb_nodes>2</cb_nodes>",
                      "<alignment>1,4096</alignment>")
    done = run(scratch / "t", plan, ["true"], "--layers", "mpi")
    if "1 setting of the plan for HDF5 cannot" not in done.stderr or \
            "for MPI cannot" in done.stderr:
        yield done.stderr


def survives_its_collector(scratch):
    """Killed: what processes counted is in memory, and weir info finds it."""
    script = ("cat x.dat; kill -9 $(for p in /proc/[0-9]*; do"
              " [ \"$(readlink $p/exe)\" = \"$WEIR\" ] &&"
              " grep -q weir $p/comm && ls -l $p/fd 2>/dev/null |"
              " grep -q \"$PWD/t/\" && echo ${p#/proc/}; done)")
    done = run(scratch / "t", three(scratch), ["sh", "-c", script],
               cwd=scratch, env={"WEIR": str(Path(WEIR).resolve())})
    if "is not known yet" not in done.stderr:
        yield done.stderr
    for words in (["info", scratch / "t"], ["pack", scratch / "t"],
                  ["info", scratch / "t"]):
        told = subprocess.run([WEIR, *words], capture_output=True,
                              text=True).stdout
        if words[0] == "info" and \
                not re.search("fadvise = sequential.* handed over 1x", told):
            yield f"{words}: {told}"


def waits_for_nobody(scratch):
    """A process that stays behind may still change what is known."""
    plan = three(scratch)
    done = run(scratch / "t", plan,
               ["sh", "-c", "(sleep 2; cat x.dat) >/dev/null 2>&1 &"],
               cwd=scratch)
    if "is not known yet" not in done.stderr or table(done.stderr):
        yield done.stderr
    for _ in range(100):
        if not list((scratch / "t").glob("*.lock")):
            break
        time.sleep(0.2)
    told = subprocess.run([WEIR, "info", scratch / "t"], capture_output=True,
                          text=True).stdout
    if not re.search("fadvise = sequential.* handed over 1x", told):
        yield told


def counts_who_could_not_take_it(scratch):
    """A process that does not find the plan it is told of."""
    done = run(scratch / "t", three(scratch),
               ["sh", "-c", "cat x.dat; WEIR_PLAN=/nowhere/plan cat x.dat"],
               "--strict", cwd=scratch)
    if done.returncode != 7 or \
            "weir: 1 process ran without the plan" not in done.stderr or \
            list(table(done.stderr).values())[0] != "handed over 1x":
        yield f"{done.returncode}: {done.stderr}"
    told = subprocess.run([WEIR, "info", scratch / "t"], capture_output=True,
                          text=True).stdout
    if "1 processes ran without it" not in told:
        yield told


def leaves_others_alone(scratch):
    """Without a plan: no block, no file, no word; and none is inherited."""
    plan = three(scratch)
    done = run(scratch / "t", plan,
               [WEIR, "run", "-o", scratch / "u", "--", "sh", "-c",
                "cat x.dat; echo plan=$WEIR_PLAN"], cwd=scratch)
    inner = scratch / "u"
    if "plan=\n" not in done.stdout:
        yield done.stdout
    if any(p.name == "plan" for p in inner.iterdir()) or \
            any(planrun.texts(p) for p in inner.glob("*.weir")):
        yield "the inner run has a plan"


CHECKS = (says_exactly, tells_failures_when_quiet, returns, refuses,
          lets_the_user_win, works_in_every_manner, asks_the_kernel,
          explains_itself, hides_names, takes_its_own_again,
          keeps_plans_apart, says_what_layers_leave_out,
          survives_its_collector, waits_for_nobody,
          counts_who_could_not_take_it, leaves_others_alone)


def main():
    tap = Tap()
    for check in CHECKS:
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            found = list(check(Path(os.path.realpath(scratch))))
        tap.result(not found, check.__name__.replace("_", " "), found)
    return tap.done()


sys.exit(main())
