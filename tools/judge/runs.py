# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program once and keeps all that can be seen of it."""
import hashlib
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from masks import mask, without_decimals

OPENMPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MARK = "JUDGE_RUN"      # in the environment of all that a run starts
GRACE = 10              # seconds in which what was started may end


def is_ours(line):
    return line.startswith("weir: ")


@dataclass
class Outcome:
    """What one run did; `timed_out` when it had to be ended."""
    status: int
    stdout: list
    stderr: list
    files: dict
    processes: list     # names of those that did not end
    timed_out: bool
    seconds: float
    said: str = ""      # unmasked, for patterns that are expected
    remarks: list = field(default_factory=list)     # weir's own lines
    trace: str = ""     # what is wrong with it

    def blur(self):
        self.stdout = without_decimals(self.stdout)
        self.stderr = without_decimals(self.stderr)


def tell_file(path):
    about = path.lstat()
    mode = f"{stat.S_IMODE(about.st_mode):o}"
    if stat.S_ISLNK(about.st_mode):
        return f"link to {os.readlink(path)}"
    if stat.S_ISREG(about.st_mode):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        return (f"{about.st_size} bytes, mode {mode}, sha256 {digest[:16]}"
                + (f", {about.st_nlink} links" if about.st_nlink > 1 else ""))
    kind = "directory" if stat.S_ISDIR(about.st_mode) else "special file"
    return f"{kind}, mode {mode}"


def files_below(place, settings):
    """{name: contents}; names are masked as what is printed."""
    found = {}
    for path in sorted(place.rglob("*")):
        name = str(path.relative_to(place))
        if any(fnmatch(name, glob) for glob in settings.ignored):
            continue
        masked = mask(name, [place], settings.masks)
        found.setdefault(" ".join(masked), []).append(tell_file(path))
    return {name: sorted(all_of) for name, all_of in found.items()}


def marked(mark):
    """{pid: name} of the processes of a run that are still there."""
    found, text = {}, f"{MARK}={mark}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if text in (place / "environ").read_bytes():
                found[int(place.name)] = (place / "comm").read_text().strip()
        except OSError:
            continue    # ended, or somebody else's
    return found


def end_rest(mark, grace):
    """Names of processes that do not end; they are killed."""
    end = time.monotonic() + grace
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.02)
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return sorted(left.values())


def end_group(child):
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.communicate(timeout=5)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            return


def as_user(name):
    """Words that make what follows the user's, when we are root."""
    if not name or os.geteuid():
        return []
    return ["setpriv", f"--reuid={name}", f"--regid={name}", "--init-groups"]


class Stage:
    """A fresh directory for one run, and one beside it for the trace."""

    def __init__(self, case, above, scratch):
        self.case, self.settings = case, case.settings
        self.base = Path(tempfile.mkdtemp(prefix="run-", dir=above))
        self.beside = Path(tempfile.mkdtemp(prefix="run-", dir=scratch))
        self.here, self.trace = self.base / "here", self.beside / "trace"
        self.mark = uuid.uuid4().hex
        self.here.mkdir()
        # Open MPI removes a folder that another one may just have begun to use;
        # it makes sockets below it, so the name must be short; it is one of its
        # own files, which are not recorded
        self.sessions = Path(tempfile.mkdtemp(prefix="ompi.", dir="/tmp"))
        self.fill()

    def fill(self):
        for name in self.settings.copied:
            source = self.case.folder / name
            if source.is_dir():
                shutil.copytree(source, self.here, symlinks=True,
                                dirs_exist_ok=True)
            else:
                shutil.copy(source, self.here)
        if self.settings.user and not os.geteuid():
            for place in (self.base, self.beside, self.here, self.sessions,
                          *self.here.rglob("*")):
                shutil.chown(place, self.settings.user, self.settings.user)

    def environment(self):
        return {**OPENMPI, **os.environ, MARK: self.mark,
                "OMPI_MCA_orte_tmpdir_base": str(self.sessions),
                "JUDGE_DIR": str(self.case.folder), **self.settings.env}

    def open_input(self):
        if not self.settings.input:
            return open(os.devnull, "rb")
        return open(self.case.folder / self.settings.input, "rb")

    def run(self, words, limit):
        started, printed, timed_out = time.monotonic(), ("", ""), False
        with self.open_input() as stdin:
            child = subprocess.Popen(
                [*as_user(self.settings.user), *words], cwd=self.here,
                stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True, errors="replace", env=self.environment(),
                start_new_session=True)
        try:
            printed = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            timed_out = True
            end_group(child)
        seconds = time.monotonic() - started
        left = end_rest(self.mark, 0 if timed_out else GRACE)
        return self.outcome(child.returncode, printed, left,
                            (timed_out, seconds))

    def outcome(self, status, printed, left, timing):
        places = (self.here, self.base, self.trace, self.mark)
        lines = [mask(text, places, self.settings.masks) for text in printed]
        if self.settings.sorted or self.case.parallel:
            lines = [sorted(some) for some in lines]
        return Outcome(
            128 - status if status < 0 else status, lines[0],
            [line for line in lines[1] if not is_ours(line)],
            files_below(self.here, self.settings), left, timing[0],
            round(timing[1], 3), "\n".join(printed),
            [line for line in lines[1] if is_ours(line)])

    def check_trace(self, weir):
        """What is wrong with it; nothing when all is well."""
        if not any(self.trace.glob("*")):
            return ""   # nothing could be recorded, as of static programs
        done = subprocess.run([weir, "info", self.trace],
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", check=False)
        return "" if done.returncode == 0 else \
            f"weir info returned {done.returncode}: {done.stderr.strip()}"

    def clean(self):
        for place in (self.base, self.beside, self.sessions):
            shutil.rmtree(place, ignore_errors=True)


def run_bare(case, above, scratch, limit):
    stage = Stage(case, above, scratch)
    try:
        return stage.run(case.words, limit)
    finally:
        stage.clean()


def run_mode(case, mode, weir, places, limit):
    stage = Stage(case, places[mode.place], places["scratch"])
    try:
        seen = stage.run(mode.command(weir, stage.trace, stage.here,
                                      case.words), limit)
        seen.trace = "" if seen.timed_out else stage.check_trace(weir)
        return seen
    finally:
        stage.clean()
