# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program bare or under weir and keeps all that can be seen of it."""
import ctypes
import hashlib
import os
import shutil
import stat
import subprocess
import time
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).resolve().parent
WEIR = os.path.abspath(os.environ.get("WEIR", "build/weir"))
LIBWEIR = str(Path(WEIR).parent / "libweir.so")
TOOLS = Path(WEIR).parent / "tests" / "transparency"
TIMEOUT = 300
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000
PR_SET_CHILD_SUBREAPER = 36

WORDS = {
    "{under}": TOOLS / "under",
    "{actor}": TOOLS / "actor",
    "{actor-asan}": TOOLS / "actor-asan",
    "{actor-clang-asan}": TOOLS / "actor-clang-asan",
    "{actor-tsan}": TOOLS / "actor-tsan",
}


def isolate():
    """A /dev/shm of our own, and every orphan comes to us."""
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.geteuid(), os.getegid()
    if libc.unshare(CLONE_NEWNS | (CLONE_NEWUSER if uid else 0)):
        raise OSError(ctypes.get_errno(), "unshare")
    if uid:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {uid} 1")
        Path("/proc/self/gid_map").write_text(f"0 {gid} 1")
    if (libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None)
            or libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", 0, b"mode=1777")):
        raise OSError(ctypes.get_errno(), "mount")
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def expand(words):
    for word in words:
        yield str(WORDS.get(word, word.replace("{scripts}",
                                               str(HERE / "scripts"))))


def tell_file(path):
    """What a file is, without its times."""
    st = path.lstat()
    told = [oct(st.st_mode), st.st_nlink, st.st_uid, st.st_gid]
    if stat.S_ISLNK(st.st_mode):
        told.append(os.readlink(path))
    elif stat.S_ISREG(st.st_mode):
        data = path.read_bytes()
        told += [data] if len(data) < 20000 else [
            len(data), hashlib.sha256(data).hexdigest()]
    return told


def snapshot(folder, ignored):
    return {str(path.relative_to(folder)): tell_file(path)
            for path in folder.rglob("*")
            if not any(fnmatch(path.relative_to(folder), glob)
                       for glob in ignored)}


def reap_orphans():
    """Wait for all that is left; return who did not end."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(0.002)
        except ChildProcessError:
            return []
    return [Path(f"/proc/{pid}/comm").read_text().strip()
            for pid in own_children()]


def own_children():
    tasks = Path("/proc/self/task").glob("*/children")
    return [int(pid) for task in tasks for pid in task.read_text().split()]


class Stage:
    """A folder in which a program runs again and again."""

    def __init__(self, scratch):
        self.work, self.trace = scratch / "work", scratch / "trace"

    def command(self, program, condition, with_weir):
        """The command line, and what is added to the environment."""
        prefix, words = list(condition.prefix), list(program.command)
        weir, added = [], {}
        if with_weir and condition.alone:
            added.update(WEIR_TRACE=str(self.trace), LD_PRELOAD=LIBWEIR)
        elif with_weir:
            weir = [WEIR, "run", "-q", "-o", str(self.trace),
                    *condition.options, "--"]
        weir = prefix + weir if condition.outside else weir + prefix
        if "{weir}" not in words:
            words.insert(0, "{weir}")
        at = words.index("{weir}")
        return list(expand(words[:at] + weir + words[at + 1:])), added

    def clean(self):
        for folder in (self.work, self.trace):
            if folder.exists():
                shutil.rmtree(folder)
        self.work.mkdir()
        self.work.chmod(0o777)  # for those who become somebody else

    def run(self, program, condition, with_weir):
        """All that can be seen, by name."""
        self.clean()
        words, added = self.command(program, condition, with_weir)
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C",
                       "PYTHONDONTWRITEBYTECODE": "1", **added}
        with subprocess.Popen(words, cwd=self.work, env=environment,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            try:
                out, err = process.communicate(program.stdin, TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = b"it hangs", b""
        status = process.returncode
        return {
            "status": status if status >= 0 else 128 - status,
            "stdout": out, "stderr": err,
            "children left": reap_orphans(),
            "files": snapshot(self.work, program.ignored),
            "shared memory": sorted(os.listdir("/dev/shm")),
        }
