# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tool under test and reads back what it recorded."""
import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path

WEIR = os.path.abspath(os.environ.get("WEIR", "build/weir"))

LOST = 6  # what `weir run --strict` returns when calls were not recorded


class Failure(Exception):
    """The tool did not do what was asked; the message says what."""


class Lost(Failure):
    """Calls were not recorded, and counted."""


def record(trace, command, options=(), **kwargs):
    """Run a command under `weir run`; return the finished process."""
    kwargs.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(
        [WEIR, "run", "--all", "-q", *options, "-o", str(trace), "--",
         *map(str, command)],
        **kwargs)


def run(*command, check=True, **more):
    """A finished process, which has ended well unless `check` is False."""
    done = subprocess.run([str(word) for word in command], text=True,
                          capture_output=True, **more)
    if check and done.returncode:
        raise RuntimeError(f"{command} returned {done.returncode}: "
                           f"{done.stderr}")
    return done


def in_whole(play, tries=5):
    """What play(scratch) returns, in a new directory each time: on starved
    cores a burst may not fit, which is told (by Lost). Then once more."""
    for left in reversed(range(tries)):
        with tempfile.TemporaryDirectory(prefix="weir-play-") as scratch:
            try:
                return play(Path(scratch))
            except Lost:
                if not left:
                    raise
        print("# calls were lost, and counted: once more", flush=True)


def must_be_whole(done):
    """Of `weir run --strict`."""
    if done.returncode:
        kind = Lost if done.returncode == LOST else Failure
        raise kind(f"weir run returned {done.returncode}: {done.stderr}")


def events(trace, allowed=(0,)):
    """All events of a trace, as the dump tells them."""
    done = subprocess.run([WEIR, "dump", "--format", "jsonl", str(trace)],
                          capture_output=True)
    if done.returncode not in allowed:
        raise Failure(f"weir dump returned {done.returncode}: "
                      f"{done.stderr.decode(errors='replace')}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Sessions:
    """Folders of Open MPI, for tests with threads, too. Their names are short, as
    it makes sockets below them, and those of its files, which are not recorded."""

    lock, below = threading.Lock(), None

    @classmethod
    def folder(cls):
        """A new one; it is removed at the end."""
        with cls.lock:
            if not cls.below:
                cls.below = tempfile.TemporaryDirectory(prefix="ompi.",
                                                        dir="/tmp")
        return tempfile.mkdtemp(prefix="", dir=cls.below.name)


def mpi_environment():
    """What launchers and file systems need here and there. Open MPI removes its
    folder when it ends, also while another one has just begun to use it: so
    each has its own."""
    env = dict(os.environ, OMPI_MCA_orte_tmpdir_base=Sessions.folder())
    if os.getuid() == 0:
        env["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
        env["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    env["HDF5_USE_FILE_LOCKING"] = "FALSE"  # not on every file system
    return env


def has_flag(event, flag):
    return flag in event.get("flags", "").split("|")


class Tap:
    """Prints results the way meson understands them."""

    def __init__(self):
        self.number = 0
        self.failures = 0

    def result(self, passed, name, lines=()):
        self.number += 1
        self.failures += not passed
        print(f"{'ok' if passed else 'not ok'} {self.number} - {name}")
        for line in (part for item in lines
                     for part in str(item).splitlines()):
            print(f"# {line}")

    def skip(self, name, why):
        self.number += 1
        print(f"ok {self.number} - {name} # SKIP {why}")

    def done(self):
        print(f"1..{self.number}", flush=True)
        return 1 if self.failures else 0
