#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every call of spec/posix.calls answers as without forwarding: on files that
are created later, are dirty, have lost their name or got another one, as root,
as another user, and by another user.

usage: run-calls.py CALLS [--random SEEDS [STEPS]]

A call of the table without a case in CALLS, or a line in untried.txt, fails.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parents[1] / "lib"))
sys.path.insert(0, str(ROOT / "spec" / "gen"))
from calls import read_tables  # noqa: E402
from forwarded import command  # noqa: E402
from public import is_public, run_in_public  # noqa: E402
from sameness import contents, differences  # noqa: E402
from weirtool import Tap, WEIR, run  # noqa: E402

OTHER = 65534
PATIENCE = 900  # seconds; nothing is measured by it
WAYS = {"deferred": ["--defer", "{}"], "kept": ["--policy", "half"]}
# How a process becomes another user.
HOWS = ("fork", "seteuid", "setpriv")


def calls_of_table():
    """Name: role, of every call of libc that has no other row's name."""
    spec = ROOT / "spec"
    _, calls = read_tables(spec / "kinds", [spec / "posix.calls"])
    return {call.name: call.role for call in calls if call.base == call.name}


def untried():
    lines = (HERE / "untried.txt").read_text().splitlines()
    return {line.split()[0] for line in lines if line and line[0] != "#"}


def check_table(tap, tried):
    """Each call has a case, or a reason not to, and not both."""
    table, reasons = calls_of_table(), untried()
    missing = [name for name, role in table.items() if name not in tried
               and name not in reasons and f"role:{role}" not in reasons]
    tap.result(not missing, "every call of the table has a case", missing)
    known = set(table) | {f"role:{role}" for role in table.values()}
    idle = [name for name in reasons if name not in known or name in tried]
    idle += [name for name in tried if name not in table]
    tap.result(not idle, "every case is of a call of the table", idle)


def as_user(user):
    """What makes a command another user's; None: it stays ours."""
    return [] if user is None else [
        "setpriv", f"--reuid={user}", f"--regid={user}", "--groups=65533"]


class Stage:
    """Where it is played, by which program."""

    def __init__(self, script, scratch):
        self.script, self.scratch = script, scratch

    def play(self, words, options, user=None):
        """What it says, what it says beside, and what it leaves."""
        place = Path(tempfile.mkdtemp(dir=self.scratch))
        beside = Path(tempfile.mkdtemp(dir=self.scratch))
        if user is not None:
            os.chown(place, user, user)
            os.chown(beside, user, user)
        place.chmod(0o755)
        if options is not None:
            options = [word.format(place) for word in options]
        # what a buffer costs each short process, the test pays for each cell
        started = command(place, [self.script, *words], options, beside,
                          buffer="1M")
        done = subprocess.run(as_user(user) + started, cwd=place, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              errors="replace", timeout=PATIENCE)
        left = contents(place)
        shutil.rmtree(place)
        return done, left


def cells(said):
    """Name: lines, of what was said."""
    found, lines = {}, []
    for line in said.splitlines():
        if line.startswith("== "):
            lines = found.setdefault(line[3:], [])
        else:
            lines.append(line)
    return found


def compare(tap, label, wanted, found):
    """By the first word of each cell's name."""
    right, wrong = cells(wanted.stdout), {}
    other = cells(found.stdout)
    for name, lines in right.items():
        new = differences(lines, other.get(name, ["nothing was said"]))
        if new:
            wrong.setdefault(name.split()[0], []).extend([name, *new])
    for call in dict.fromkeys(name.split()[0] for name in right):
        tap.result(call not in wrong, f"{label}: {call}",
                   wrong.get(call, [])[:40])


def check_states(tap, label, said):
    """Else nothing that was compared would say anything."""
    unknown = len(re.findall("^deferred: no name", said, re.M))
    tap.result(unknown > 100, f"{label}: {unknown} files were not created")


def judge(tap, stage, user):
    label = "root" if user is None else "another user"
    wanted, left = stage.play([], None, user)
    for way, options in WAYS.items():
        found, kept = stage.play([], options, user)
        compare(tap, f"{label}, {way}", wanted, found)
        if way == "deferred":
            check_states(tap, f"{label}, {way}", found.stderr)
        wrong = differences([str(wanted.returncode), *left],
                            [str(found.returncode), *kept])
        tap.result(not wrong, f"{label}, {way}: what is left", wrong)


def judge_others(tap, stage):
    for how in HOWS:
        wanted, left = stage.play(["--others", how], None)
        for way, options in WAYS.items():
            found, kept = stage.play(["--others", how], options)
            label = f"by {how}, {way}"
            compare(tap, label, wanted, found)
            wrong = differences([str(wanted.returncode), *left],
                                [str(found.returncode), *kept])
            tap.result(not wrong, f"{label}: what is left", wrong)


def judge_random(tap, stage, seeds, steps):
    """All cases in random order, by several processes and users."""
    for seed in range(int(seeds)):
        words = ["--random", str(seed), str(steps)]
        wanted, left = stage.play(words, None)
        for way, options in WAYS.items():
            found, kept = stage.play(words, options)
            wrong = differences(
                [*wanted.stdout.splitlines(), str(wanted.returncode), *left],
                [*found.stdout.splitlines(), str(found.returncode), *kept])
            tap.result(not wrong, f"seed {seed}, {way}", wrong)


def judge_all(tap, stage):
    check_table(tap, run(stage.script, "--list").stdout.split())
    judge(tap, stage, None)
    if os.getuid():
        tap.skip("other users", "not root")
    else:
        judge(tap, stage, OTHER)
        judge_others(tap, stage)


def main(script, *words):
    tap = Tap()
    script = os.path.abspath(script)
    with tempfile.TemporaryDirectory(prefix="weir-calls-") as scratch:
        os.chmod(scratch, 0o755)
        script = shutil.copy(script, scratch)
        stage = Stage(script, os.path.realpath(scratch))
        if words[:1] == ("--random",):
            judge_random(tap, stage, *words[1:], *["300"][len(words) - 2:])
        else:
            judge_all(tap, stage)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if is_public(Path(WEIR)) else
             run_in_public())
