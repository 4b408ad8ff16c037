# SPDX-License-Identifier: BSD-3-Clause
"""One run of tests/inject/work under weir, with something made to fail.

Whatever fails inside weir, the program behaves as without it, and what the
trace does not hold is told: calls made = recorded + dropped + lost + calls
of processes not recorded."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Failure, Tap  # noqa: E402

HERE = Path("build/tests/inject")
WORK = os.path.abspath(os.environ.get("WORK", HERE / "work"))
INJECT = os.path.abspath(os.environ.get(
    "INJECT", HERE / "libweir-inject.so"))
SHIM = os.path.abspath(os.environ.get("SHIM", HERE / "libshim.so"))
MEMORY = Path("/dev/shm")
PATIENCE = 60  # seconds; only a hang takes that long
MOST = 20000  # calls of a process; more means that it never ends
TOLD = {
    "dropped": r"calls not recorded for lack .*: (\d+)$",
    "lost": r"calls recorded that could not be stored: (\d+)$",
    "unrecorded": r"processes not recorded .*: (\d+)$",
    "unrecorded_calls": r"calls counted in processes that were not recorded: (\d+)$",
}


def enter_own_memory():
    """Start again where /dev/shm is ours alone, so that leftovers show."""
    if "WEIR_OWN_MEMORY" in os.environ:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs",
                        MEMORY], check=True)
        return
    for options in (["-m"], ["-rm"]):
        can = subprocess.run(["unshare", *options, "mount", "-t", "tmpfs",
                              "tmpfs", "/mnt"], capture_output=True)
        if can.returncode == 0:
            os.environ["WEIR_OWN_MEMORY"] = "yes"
            os.execvp("unshare", ["unshare", *options, sys.executable,
                                  *sys.argv])
    sys.exit("this test needs to mount a tmpfs: root, or user namespaces")


class Behaviour:
    """What the program did: all that anybody can see of it."""

    def __init__(self, done, directory):
        self.status, self.output = done.returncode, done.stdout
        self.stderr = done.stderr.decode(errors="replace")
        self.files = self.files_of(directory)

    @staticmethod
    def files_of(directory):
        return {path.name: path.read_bytes()
                for path in directory.iterdir() if path.is_file()}

    def differences(self, other, with_status=True):
        if with_status and self.status != other.status:
            yield f"the status is {self.status}, not {other.status}"
        if self.output != other.output:
            yield f"the output differs: {self.output[-200:]}"
        if self.files != other.files:
            yield "the files differ"


class Account:
    """What a trace tells."""

    def __init__(self, trace):
        done = subprocess.run([WEIR, "dump", "--format", "csv", trace],
                              capture_output=True, text=True,
                              timeout=PATIENCE)
        self.status, self.stderr = done.returncode, done.stderr
        lines = [line for line in done.stdout.splitlines()[1:]
                 if ",weir:loss," not in line]
        self.events = len(lines)
        for name, pattern in TOLD.items():
            found = re.findall(pattern, done.stderr, re.M)
            setattr(self, name, sum(map(int, found)))

    def total(self):
        return (self.events + self.dropped + self.lost
                + self.unrecorded_calls)

    def __str__(self):
        return (f"dump {self.status}: {self.events} events, {self.dropped} "
                f"dropped, {self.lost} lost, {self.unrecorded} unrecorded "
                f"with {self.unrecorded_calls} calls")


class Trial:
    """A scratch directory for one run after the other."""

    def __init__(self, scratch):
        self.scratch = Path(scratch)
        self.trace = self.scratch / "trace"
        self.log = self.scratch / "log"
        self.ledger = self.scratch / "ledger"

    def run(self, command, **environment):
        """A fresh start; returns what the program did."""
        work = self.scratch / "work"
        for path in (work, self.trace):
            shutil.rmtree(path, ignore_errors=True)
        self.log.unlink(missing_ok=True)
        work.mkdir()
        self.ledger.write_bytes(bytes(4096))
        done = subprocess.run(
            [*map(str, command), WORK, str(self.ledger)], cwd=work,
            env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=PATIENCE)
        return Behaviour(done, work)

    def bare(self):
        return self.run([])

    def recorded(self, options=(), **environment):
        return self.run([WEIR, "run", "--all", *options, "-o", self.trace, "--"],
                        **environment)

    def alone(self, library, **environment):
        """Without the launcher; the tool is found beside the library."""
        place = self.scratch / "place"
        if not place.exists():
            place.mkdir()
            (place / "libweir.so").symlink_to(library)
            (place / "weir").symlink_to(WEIR)
        return self.run(["env", f"LD_PRELOAD={place / 'libweir.so'}",
                         f"WEIR_TRACE={self.trace}", "WEIR_FILES=all"],
                        **environment)

    def failed(self):
        """What was made to fail: [(call, errno, errnos there are)]."""
        if not self.log.exists():
            return []
        rows = [line.split() for line in
                self.log.read_text().splitlines()]
        return [(row[0], int(row[1]), int(row[2])) for row in rows]

    def made(self):
        """The calls that the program itself has counted."""
        return int.from_bytes(self.ledger.read_bytes()[:8], "little")

    def await_collector(self):
        """Until no process is left that was told of the trace."""
        end = time.monotonic() + PATIENCE
        while servants(self.trace):
            if time.monotonic() > end:
                for pid in servants(self.trace):
                    os.kill(pid, signal.SIGKILL)
                raise Failure("the collector does not end")
            time.sleep(0.005)


def servants(trace):
    """Processes of weir that have the trace in their command line."""
    pids = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if str(trace).encode() in words and b"weir" in words[0]:
            pids.append(int(path.parent.name))
    return pids


def leftovers():
    return sorted(path.name for path in MEMORY.iterdir())


def fail_in_turn(tap, name, orders, attempt, step):
    """Lets the first call fail, the next, and so on until there is none.

    orders(n) are the failures of the n-th call, each with the number of the
    errno it is about; attempt(order, count) returns what is wrong then, and
    how many errnos the call may have."""
    count, problems = Counter(), []
    n, variants = 1, 1
    while variants and n < MOST:
        for k, order in orders(n):
            if k and k >= variants:
                break
            try:
                more, variants = attempt(order, count)
            except (Failure, OSError, subprocess.SubprocessError) as failure:
                more = [f"{order}: {failure}"]
            problems += more
            if not variants:
                break
        n += step
    tap.result(not problems and count["failures"] and n < MOST,
               f"{name}: {count.pop('failures', 0)} failures",
               [", ".join(f"{key} {count[key]}" for key in sorted(count)),
                *problems[:8]])


def on_stage(play):
    """play(tap, trial, short) where nobody else is; the status to end with."""
    enter_own_memory()
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-inject-") as scratch:
        play(tap, Trial(scratch), "short" in sys.argv[1:])
    return tap.done()
