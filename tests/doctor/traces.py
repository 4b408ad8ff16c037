# SPDX-License-Identifier: BSD-3-Clause
"""Traces that are empty or not whole, and what doctor says of them."""
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from workshop import FALLOCATE, QUOTACTL, RENAMEAT2

NAP = 0.02


class Lab:
    def __init__(self, workshop):
        self.workshop = workshop
        self.root = workshop.root / "traces"
        self.root.mkdir()
        (self.root / "data.txt").write_text("data\n")
        self.left = []

    def start(self, name, options, *command):
        return subprocess.Popen(
            [self.workshop.weir, "run", "-q", "-o", name, *options, "--",
             *command], cwd=self.root, stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL)

    def record(self, name, options, *command):
        self.start(name, options, *command).communicate()

    def collector(self, name):
        """Who holds the lock of a trace, or None."""
        lock = next((self.root / name).glob("*.lock"))
        for fd in Path("/proc").glob("[0-9]*/fd/*"):
            try:
                if os.readlink(fd) == str(lock):
                    return int(fd.parts[2])
            except OSError:
                continue
        return None

    def ask(self, name):
        done = subprocess.run(
            [self.workshop.weir, "doctor", "--format", "json", "--trace",
             name], cwd=self.root, capture_output=True)
        return done.returncode, json.loads(done.stdout)


def wait_for(what):
    for _ in range(5000):
        if what():
            return
        time.sleep(NAP)
    raise RuntimeError("it never came")


def is_pending(pid, number):
    """A signal that a process was sent, and has not taken."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    sets = [line.split()[1] for line in lines if "Pnd:" in line]
    return any(int(one, 16) >> number - 1 & 1 for one in sets)


def make_simple(lab):
    """NAME, EXPECTED, weir run's options, command."""
    victim, static = (lab.workshop.path(name) for name in ("good", "static"))
    return [
        ("well", None, [], victim),
        ("some-system", "trace-note-system", [], "dash", "-c",
         f"{victim}; cat /proc/version >/dev/null"),
        ("some-polls", "trace-note-polls", [], lab.workshop.path("polls"),
         "bin"),
        ("some-rules", "trace-note-rules", ["--exclude", "*.txt"], "dash",
         "-c", f"{victim}; :"),
        # neither memory of its own nor what an ended process has left
        ("refused", "trace-no-permission", [],
         lab.workshop.path("deny"), str(FALLOCATE),
         lab.workshop.path("deny"), str(RENAMEAT2), victim),
        ("confined", "trace-confined", [], lab.workshop.path("deny"),
         str(QUOTACTL)),
        ("aside", "trace-other", [], "sh", "-c", 'cd "$WEIR_LIVE" && '
         "mv control aside && cat /dev/null; mv aside control"),
        ("short", "trace-control-damaged", [], "sh", "-c",
         'cd "$WEIR_LIVE" && mv control aside && echo >control && '
         "cat /dev/null; mv aside control"),
        ("static", "trace-no-process", [], static),
        ("system", "trace-hidden-system", [], "dd", "if=/proc/version",
         "of=/dev/null", "status=none"),
        ("rules", "trace-hidden-rules", ["--exclude", "*"], victim),
        ("paused", "trace-hidden-paused", ["--paused"], victim),
        ("cleared", "trace-no-calls", [], "env", "-i", victim),
        ("child", "trace-children", [], "dash", "-c", f"{static}; {victim}"),
        ("limit", "trace-file-limit", [], "bash", "-c",
         f"ulimit -f 200; {victim}; :"),
        ("memory", "trace-no-memory", [], "bash", "-c",
         f"ulimit -v 14000; {victim}; :"),
        ("descriptors", "trace-no-descriptor", [], "bash", "-c",
         "ulimit -n 5; exec 3<data.txt 4<data.txt; (read x <&3); :"),
        ("bounded", "trace-lost", ["--max-size", "20K"], "dd", "if=/dev/zero",
         "of=out", "bs=1", "count=60000", "status=none"),
    ]


def stage_damaged(lab):
    lab.record("damaged", [], "dd", "if=/dev/zero", "of=out", "bs=1",
               "count=9000", "status=none")
    path = next((lab.root / "damaged").glob("*.weir"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2:len(data) // 2 + 64] = b"x" * 64
    path.write_bytes(data)
    return "trace-damaged"


def stage_running(lab):
    """The command has ended, one of its processes has not."""
    lab.record("running", [], "sh", "-c", "mkfifo gate; (echo >alive; "
               "read x <gate) & echo $! >pid; "
               "while [ ! -e alive ]; do sleep 0.02; done")
    lab.left.append(int((lab.root / "pid").read_text()))
    return "trace-running"


def stage_killed(lab):
    run = lab.start("killed", [], "sh", "-c", "cat data.txt >/dev/null; "
                    "echo $$ >begun; read x")
    begun = lab.root / "begun"
    wait_for(lambda: begun.exists() and begun.read_text().endswith("\n"))
    victims = [lab.collector("killed"), run.pid, int(begun.read_text())]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    run.wait()
    wait_for(lambda: not lab.collector("killed"))
    return "trace-collector-killed"


def stage_dropped(lab):
    """A collector that is stopped takes nothing, until the buffer is full."""
    run = lab.start("dropped", ["--buffer", "64K"], "sh", "-c",
                    "echo >ready; read x; dd if=/dev/zero of=out bs=1 "
                    "count=400000 status=none; echo >done")
    wait_for((lab.root / "ready").exists)
    collector = lab.collector("dropped")
    os.kill(collector, signal.SIGSTOP)
    run.stdin.write(b"\n")
    run.stdin.flush()
    wait_for((lab.root / "done").exists)
    os.kill(collector, signal.SIGCONT)
    run.communicate()
    return "trace-dropped"


def stage_switched(lab):
    """Recording begins when the signal comes."""
    run = lab.start("switched", ["--paused", "--switch", "USR2"], "sh", "-c",
                    "echo >waits; read x; echo >out")
    wait_for((lab.root / "waits").exists)
    run.send_signal(signal.SIGUSR2)
    wait_for(lambda: not is_pending(run.pid, signal.SIGUSR2))
    time.sleep(10 * NAP)
    run.communicate(b"\n")
    return "trace-note-paused"


def stage_distant(lab):
    """As if another host were at work on it, too."""
    lab.record("distant", [], lab.workshop.good)
    (lab.root / "distant" / "another-host.lock").touch()
    return "trace-elsewhere"


def stage_crowded(lab):
    """No room in a /dev/shm of its own."""
    subprocess.run(["unshare", "-m", "sh", "-c", "mount -t tmpfs -o "
                    'size=300k x /dev/shm && exec "$@"', "sh",
                    lab.workshop.weir, "run", "-q", "-o", "crowded", "--",
                    lab.workshop.good], cwd=lab.root,
                   stderr=subprocess.DEVNULL)
    return "trace-no-space"


def stage_nothing(lab):
    (lab.root / "nothing").mkdir()
    return "trace-missing"


def stage_text(lab):
    (lab.root / "text").write_text("no trace\n")
    return "trace-no-trace"


def judge(lab, name, expected):
    status, said = lab.ask(name)
    findings = said["findings"]
    if expected is None:
        return [f"found: {findings}"] if findings or status else []
    if expected.startswith("trace-note-"):
        if findings or expected not in [n["name"] for n in said["notes"]]:
            return [f"expected a note, got {said}"]
        return []
    if status != 3 or not findings or findings[0]["name"] != expected:
        return [f"expected {expected}, got {status} {findings}"]
    if name not in findings[0]["where"]:
        return [f"where: {findings[0]['where']}"]
    return []


def all_traces(workshop):
    """Yield NAME, EXPECTED, what is wrong with the answer; None: no trace."""
    lab = Lab(workshop)
    for name, expected, options, *command in make_simple(lab):
        lab.record(name, options, *command)
        yield name, expected, judge(lab, name, expected)
    yield "absent", "trace-missing", judge(lab, "absent", "trace-missing")
    for stage in (stage_damaged, stage_running, stage_killed, stage_dropped,
                  stage_switched, stage_nothing, stage_text, stage_distant,
                  stage_crowded):
        name, expected = stage.__name__.removeprefix("stage_"), stage(lab)
        yield name, expected, (judge(lab, name, expected)
                               if (lab.root / name).exists() else None)
    for pid in lab.left:
        os.kill(pid, signal.SIGKILL)
    # What doctor advises helps.
    subprocess.run([workshop.weir, "collect", "killed"], cwd=lab.root)
    wait_for(lambda: not list((lab.root / "killed").glob("*.lock")))
    yield "collected", None, judge(lab, "killed", None)
