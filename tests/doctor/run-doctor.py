#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Stages each fault and asks weir doctor.

Its first finding must name the cause; without the fault nothing may be found;
and what weir run then records must agree with what was said.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

from faults import ANY, NONE, TOLD, TWICE, WHOLE, all_faults  # noqa: E402
from traces import all_traces  # noqa: E402
from weirtool import Tap  # noqa: E402
from workshop import OTHER, Workshop  # noqa: E402

FOUND = 3


class Stage:
    """One fault in a folder of its own."""

    def __init__(self, workshop, fault):
        self.workshop = workshop
        self.fault = fault
        self.out = workshop.root / "out"
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        self.out.chmod(0o777)
        for name in ("traced", "new-trace", "root", "disk"):
            shutil.rmtree(workshop.root / name, ignore_errors=True)
        self.trace = self.place()

    def place(self):
        if self.fault.plain:
            return self.fault.env["WEIR_TRACE"].rsplit(",", 1)[0] or "none"
        if "-o" in self.fault.options:
            return self.fault.options[self.fault.options.index("-o") + 1]
        return str(self.out / "trace")

    def tool(self):
        return self.fault.tool or str(self.workshop.weir)

    def line(self, words, result):
        """A command with its user and limits; what it says is kept."""
        words = list(words)
        if self.fault.as_other:
            words = ["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}",
                     "--clear-groups", *self.limited(words)]
        else:
            words = self.limited(words)
        env = [f"{name}={value}" for name, value in self.fault.env.items()]
        return (f"{shlex.join(['env', *env, *words])} >{self.out}/{result} "
                f"2>{self.out}/{result}.err; echo $? >{self.out}/{result}.rc")

    def limited(self, words):
        if not self.fault.limit:
            return words
        return ["bash", "-c", f'{self.fault.limit}; exec "$@"', "bash",
                *words]

    def settled(self):
        """Nobody writes the trace any more; the time limit is play's."""
        return (f"while compgen -G {shlex.quote(self.trace + '/*.lock')} "
                ">/dev/null; do sleep 0.02; done")

    def recording(self):
        fault = self.fault
        if fault.plain:
            return f"{self.line(fault.command, 'run')}; {self.settled()}"
        options = fault.options
        if "-o" not in options:
            options = ("-o", self.trace, *options)
        return self.line([self.tool(), "run", "-q", *options, "--",
                          *fault.command], "run")

    def play(self):
        """Everything in one shell: mounts are seen by nobody else."""
        fault = self.fault
        ask = self.line([self.tool(), "doctor", "--format", "json",
                         *fault.options, "--", *fault.command], "doctor")
        read = (f"{self.workshop.weir} dump --format jsonl {self.trace} "
                f">{self.out}/events 2>/dev/null")
        # In the plain way the doctor is recorded, too: not into this trace.
        drop = f"{self.settled()}; rm -rf {self.trace}" if (
            fault.plain and self.trace in ("traced", "away/t")) else ":"
        script = "\n".join([fault.setup or ":", ask, drop,
                            self.recording(), read])
        command = ["bash", "-c", script]
        if fault.setup:
            command = ["unshare", "-m", "--propagation", "private", *command]
        subprocess.run(command, cwd=self.workshop.root, env={
            "PATH": f"{self.workshop.bin}:/usr/bin:/bin:/usr/sbin:/sbin"},
            stdin=subprocess.DEVNULL, timeout=300)

    def answer(self):
        text = (self.out / "doctor").read_text()
        said = json.loads(text) if text else {}
        return (int((self.out / "doctor.rc").read_text()),
                said.get("findings", []), said.get("notes", []))

    def seen(self):
        """How often the victim was seen to open its file."""
        lines = (self.out / "events").read_text().splitlines()
        return sum(event.get("file", "").endswith("/data.txt") and
                   event["call"] in ("open", "openat")
                   for event in map(json.loads, lines))

    def warns(self):
        return "weir: " in (self.out / "run.err").read_text()

    def told(self):
        return [f"{name}: {line}" for name in ("doctor", "doctor.err",
                                               "run.err")
                for line in (self.out / name).read_text().splitlines()[:6]]


def judge_fault(stage):
    """What is wrong with the answer to a fault; nothing: all is right."""
    fault = stage.fault
    status, findings, notes = stage.answer()
    if fault.note:
        named = [note for note in notes if note["name"] == fault.expected]
        if findings or status:
            yield f"findings: {findings}"
    else:
        named = findings[:1]
        if status != FOUND:
            yield f"status {status}"
    if not named or named[0]["name"] != fault.expected:
        yield f"expected {fault.expected}, got {findings[:1] or notes}"
    elif fault.where not in named[0]["where"]:
        yield f"where: {named[0]['where']}, without {fault.where}"
    seen = stage.seen()
    wanted = {NONE: (0,), WHOLE: (1,), TWICE: (2,), TOLD: (0, 1),
              ANY: (0, 1, 2)}
    if seen not in wanted[fault.truth]:
        yield f"seen {seen} times, but the truth is {fault.truth}"
    if fault.truth == TOLD and not stage.warns():
        yield "weir run does not warn"


def judge_control(stage, expected):
    status, findings, notes = stage.answer()
    if status or findings:
        yield f"status {status}, findings: {findings}"
    if any(note["name"] == expected for note in notes):
        yield f"{expected} is told where it is not"
    if stage.warns():
        yield "weir run warns"
    if stage.fault.truth != ANY and stage.seen() != 1:
        yield f"the well one was seen {stage.seen()} times"


def stage_all(tap, workshop):
    for fault in all_faults(workshop):
        name = f"{fault.expected}: {shlex.join(fault.command)}"
        if fault.asks_root() and os.geteuid():
            tap.skip(name, "only root can stage it")
            continue
        stage = Stage(workshop, fault)
        stage.play()
        faults = list(judge_fault(stage))
        if fault.why:
            faults_said = [f"not shown by recording: {fault.why}"]
        else:
            faults_said = []
        tap.result(not faults, name,
                   faults_said + faults + (stage.told() if faults else []))
        well = Stage(workshop, fault.well())
        well.play()
        faults = list(judge_control(well, fault.expected))
        tap.result(not faults, f"without {name}",
                   faults + (well.told() if faults else []))


# Checks that are not staged, with the reason.
EXCUSED = {
    "place-quota": "a quota takes a file system of its own kind",
    "trace-newer": "there is no later version yet",
    "trace-stopped": "tests/trace/run-scribbler.py damages live files",
}


def judge_tables(staged):
    """Rows that no fault is staged for."""
    names = set()
    for path in (HERE.parent.parent / "src" / "doctor").glob("*_checks.c"):
        names |= set(re.findall(r'\{ ?"([a-z-]+)",\s+WEIR_CHECK_',
                                path.read_text()))
    yield from (f"{name}: not staged" for name in
                sorted(names - staged - set(EXCUSED)))
    yield from (f"{name}: excused, but {'staged' if name in staged else 'no check'}"
                for name in sorted(set(EXCUSED) & staged |
                                   set(EXCUSED) - names))


def isolate():
    """A /dev/shm of our own, for what killed collectors leave."""
    if os.geteuid() or "WEIR_ISOLATED" in os.environ:
        return
    os.environ["WEIR_ISOLATED"] = "1"
    os.execvp("unshare", [
        "unshare", "-m", "--propagation", "private", "sh", "-c",
        'mount -t tmpfs -o mode=1777 x /dev/shm && exec "$@"', "sh",
        sys.executable, *sys.argv])


def main():
    isolate()
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-doctor-") as root:
        workshop = Workshop(root)
        (workshop.root / "data.txt").write_text("data\n")
        (workshop.root / "full").mkdir()
        (workshop.root / "full" / "file").touch()
        workshop.root.chmod(0o777)
        stage_all(tap, workshop)
        staged = {fault.expected for fault in all_faults(workshop)}
        for name, expected, faults in all_traces(workshop):
            if faults is None and os.geteuid():
                tap.skip(f"trace: {name}", "only root can stage it")
            else:
                tap.result(faults == [], f"trace: {name}", faults or ())
            staged.add(expected)
    faults = list(judge_tables(staged))
    tap.result(not faults, "every check is staged, or excused", faults)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
