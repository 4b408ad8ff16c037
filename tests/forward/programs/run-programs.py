#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that everybody has do the same where their files are forwarded, on
a local file system and on GlusterFS: each of these scripts of the shell says
the same, and leaves the same files.

usage: run-programs.py [--full] [NAME]...

--full: on both in every way."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "lib"))
import glusterfs  # noqa: E402
from forwarded import command  # noqa: E402
from programs import PROGRAMS  # noqa: E402
from sameness import WAYS, contents, differences  # noqa: E402
from weirtool import WEIR, Tap, run  # noqa: E402

PATIENCE = 200  # seconds; nothing is measured by it
# Made of a source beside this one: how.
COMPILED = {"fstreams": ["g++", "-std=c++17", "fstreams.cc"],
            "units": ["gfortran", "units.f90"]}


class Stage:
    """A place to play in, and another for all else."""

    def __init__(self, tap, label, place, beside):
        self.tap, self.label = tap, label
        self.place, self.beside = place, beside

    def play(self, words, options):
        """In a directory of always the same name: some programs tell it."""
        above = Path(tempfile.mkdtemp(dir=self.place))
        trace = tempfile.mkdtemp(dir=self.beside)
        here = above / "here"
        here.mkdir()
        done = subprocess.run(
            command(here, ["sh", "-c", words], options, trace), cwd=here,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env=dict(os.environ, BESIDE=str(self.beside)), timeout=PATIENCE)
        text = (done.stdout + done.stderr).replace(str(above), "/root")
        return text.splitlines() + [f"returned {done.returncode}"] + \
            contents(here)

    def judge(self, name, words, ways):
        wanted = self.play(words, None)
        for way in ways:
            try:
                found = self.play(words, WAYS[way])
            except subprocess.TimeoutExpired:
                found = ["it did not end"]
            wrong = differences(wanted, found)
            if wrong:  # GlusterFS may tell an old size for a moment
                wanted = self.play(words, None)
                wrong = differences(wanted, found)
            self.tap.result(not wrong, f"{self.label}: {name}, {way}", wrong)

    def check_forwarded(self):
        """Else nothing that follows would say anything."""
        here = tempfile.mkdtemp(dir=self.place)
        said = run(WEIR, "run", "-o", tempfile.mkdtemp(dir=self.beside) +
                   "/trace", f"--forward={here}", "--", "dd",
                   "if=/dev/zero", f"of={here}/out", "bs=1k", "count=10")
        self.tap.result("forwarded 10 writes" in said.stderr,
                        f"{self.label}: files are forwarded",
                        said.stderr.splitlines())

    def judge_all(self, names, ways):
        self.check_forwarded()
        for name in names or PROGRAMS:
            needs, words = PROGRAMS[name]
            missing = [need for need in needs if not is_there(need)]
            if missing:
                self.tap.skip(f"{self.label}: {name}",
                              f"no {', '.join(missing)}")
            else:
                self.judge(name, words, ways)


def is_there(need):
    """A program, or a module of Debian's Python."""
    program, *module = need.split()
    if module:
        return not run(f"/usr/bin/{program}", "-c", f"import {module[0]}",
                       check=False).returncode
    return shutil.which(program)


def compile_all(beside):
    for name, (compiler, *words) in COMPILED.items():
        if shutil.which(compiler):
            run(compiler, "-O1", "-o", beside / name, *words, cwd=HERE)


def main(*words):
    tap = Tap()
    names = [word for word in words if word != "--full"]
    ways = [WAYS] * 2 if "--full" in words else \
        [["kept", "small cache"], ["stored early"]]
    with tempfile.TemporaryDirectory(prefix="weir-programs-") as scratch:
        scratch = Path(os.path.realpath(scratch))
        local, beside = scratch / "local", scratch / "beside"
        local.mkdir()
        beside.mkdir()
        compile_all(beside)
        Stage(tap, "local", local, beside).judge_all(names, ways[0])
        try:
            with glusterfs.mounted(scratch) as mount:
                Stage(tap, "glusterfs", mount, beside).judge_all(
                    names, ways[1])
        except glusterfs.Missing as why:
            tap.skip("glusterfs", why)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
