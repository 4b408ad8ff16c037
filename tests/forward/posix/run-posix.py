#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs do the same with their files forwarded, on a local file system and
on GlusterFS: every script of calls says the same (results, errors, offsets,
contents), and leaves the same files.

usage: run-posix.py SCRIPT [--full] [NAME]...

--full: also on GlusterFS.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
import glusterfs  # noqa: E402
from forwarded import command  # noqa: E402
from sameness import WAYS, contents, differences  # noqa: E402
from weirtool import Tap, run  # noqa: E402

PATIENCE = 120  # seconds; nothing is measured by it
# Where it is the file system that does not do what it should.
WRONG_THERE = {("glusterfs", "append-set"):
               "it goes on appending when O_APPEND is taken away",
               ("glusterfs", "appended"):
               "it may append over what another descriptor wrote just now"}


class Stage:
    """A place to play in, and another for the traces."""

    def __init__(self, tap, label, place, script):
        self.tap, self.label, self.place = tap, label, place
        self.script = script
        self.beside = tempfile.mkdtemp(prefix="weir-posix-")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.beside)

    def play(self, name, options, suffix=""):
        """What it says and leaves; `options` None: nothing is forwarded.
        `suffix`: it plays beside the directory that is."""
        place = Path(tempfile.mkdtemp(dir=self.place))
        here = Path(str(place) + suffix)
        here.mkdir(exist_ok=True)
        beside = tempfile.mkdtemp(dir=self.beside)
        done = subprocess.run(
            command(place, [self.script, name], options, beside), cwd=here,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=PATIENCE)
        return done.stdout.splitlines() + done.stderr.splitlines() + \
            [f"returned {done.returncode}"] + contents(here)

    def check_forwarded(self):
        """Else nothing that follows would say anything."""
        for label, options, suffix, has in (
                ("direct", None, "", 5), ("forwarded", WAYS["kept"], "", 0),
                ("beside it", WAYS["kept"], "b", 5)):
            said = self.play("--kernel", options, suffix)
            for whose in ("", "of a stream "):
                self.tap.result(
                    f"{whose}the kernel has {has}" in said,
                    f"{self.label}: {label}: {whose}the kernel has {has}",
                    said)

    def judge(self, name, ways):
        if (self.label, name) in WRONG_THERE:
            return  # there is nothing to compare with
        wanted = self.play(name, None)
        for way in ways:
            try:
                found = self.play(name, WAYS[way])
            except subprocess.TimeoutExpired:
                found = ["it did not end"]
            wrong = differences(wanted, found)
            self.tap.result(not wrong, f"{self.label}: {name}, {way}", wrong)

    def judge_all(self, names, ways):
        self.check_forwarded()
        for name in names:
            self.judge(name, ways)


def judge_on_gluster(tap, scratch, script, names):
    try:
        with glusterfs.mounted(scratch) as mount, \
                Stage(tap, "glusterfs", mount, script) as stage:
            stage.judge_all(names, ["kept"])
    except glusterfs.Missing as why:
        tap.skip("glusterfs", why)


def main(script, *words):
    tap = Tap()
    script = os.path.abspath(script)
    names = [word for word in words if word != "--full"]
    names = names or run(script, "--list").stdout.split()
    with tempfile.TemporaryDirectory(prefix="weir-posix-") as scratch:
        scratch = Path(os.path.realpath(scratch))
        local = scratch / "local"
        local.mkdir()
        with Stage(tap, "local", local, script) as stage:
            stage.judge_all(names, WAYS)
        if "--full" in words:
            judge_on_gluster(tap, scratch, script, names)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
