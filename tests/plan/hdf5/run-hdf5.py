#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each parameter of HDF5 is applied from outside, and does what it should.

usage: run-hdf5.py FLAVOUR PROGRAM SPEC

The program (program.c) knows nothing of plans. It runs without a plan and
with one; what differs is seen in the calls below HDF5, in the bytes of the
file, or in what the program finds when it asks. What has no effect here is
told so. Cases are in cases.py."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent.parent / "lib"))
import cases  # noqa: E402
from weirtool import WEIR, Tap, events, mpi_environment  # noqa: E402

LAUNCHERS = {
    "serial": [],
    "mpich": ["mpirun.mpich", "-n"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n"],
}
VERDICTS = ["took", "changed", "ignored", "kept", "inert", "refused", "given",
            "unsafe"]
TARGETS = {"file_access", "file_create", "dataset_create", "dataset_access",
          "transfer"}
WRITES = {"pwrite", "pwritev", "write", "writev", "pwrite64"}
READS = {"pread", "preadv", "read", "readv", "pread64"}


def parameters(spec):
    """Names of those that are HDF5's."""
    found, name = [], None
    for line in Path(spec).read_text().splitlines():
        if line.startswith("param "):
            name = line.split()[2]
        elif line.strip().startswith("target ") and \
                line.split()[1] in TARGETS:
            found.append(name)
    return found


def as_xml(settings):
    lines = []
    for name, value in settings.items():
        attributes = ""
        if isinstance(value, tuple):
            value, attributes = value
        name = name.partition(" ")[0]  # twice the same, with other files
        lines.append(f'<{name} opt-in="yes" {attributes}>{value}</{name}>')
    return "<plan>\n" + "\n".join(lines) + "\n</plan>\n"


class Outcome:
    """What a run did, and what became of its plan."""

    def __init__(self, done, folder):
        self.code, self.stderr = done.returncode, done.stderr
        self.facts = {}
        for line in done.stdout.splitlines():
            name, _, number = line.rpartition(" ")
            self.facts.setdefault(name, []).append(int(number))
        self.folder = folder
        self.trace = folder / "trace"
        self.events = events(self.trace)
        self.size = {p.name: p.stat().st_size for p in folder.glob("*.h5")}

    def fact(self, name):
        return self.facts[name][-1]

    def effects(self, setting):
        """Verdicts in words, and what was told with them."""
        return [(VERDICTS[e["args"]["verdict"]], e["args"]["effective"])
                for e in self.events if e["call"] == "plan_effect" and
                e["args"]["setting"] == setting]

    def on_disk(self, calls, until=None, name="x.h5"):
        """Calls on the file that moved something."""
        end = min((e["start"] for e in self.events if e["call"] == until),
                  default=float("inf")) if until else float("inf")
        return [e for e in self.events if e["call"] in calls and
                e["layer"] == "posix" and e["start"] < end and
                e.get("file", "").endswith("/" + name) and e["ret"] > 0]

    def writes(self, until=None):
        return len(self.on_disk(WRITES, until))

    def reads(self):
        return len(self.on_disk(READS))

    def bytes_read(self):
        return sum(e["ret"] for e in self.on_disk(READS))

    def bytes_written(self):
        return sum(e["ret"] for e in self.on_disk(WRITES))

    def count(self, call, below=None):
        """Calls of this name; below calls of that one."""
        spans = [(e["proc"], e["start"], e["start"] + e["dur"])
                 for e in self.events if e["call"] == below]
        return sum(1 for e in self.events if e["call"] == call and
                   (not below or any(p == e["proc"] and a <= e["start"] <= b
                                     for p, a, b in spans)))

    def by_process(self, calls):
        found = {}
        for e in self.on_disk(calls):
            found[e["proc"]] = found.get(e["proc"], 0) + 1
        return found


class Runner:
    def __init__(self, flavour, program, scratch):
        self.flavour, self.program = flavour, str(Path(program).resolve())
        self.scratch, self.number, self.bare = Path(scratch), 0, {}

    def command(self, scene, ranks):
        launcher = LAUNCHERS[self.flavour]
        return [*launcher, *([str(ranks)] if launcher else []), self.program,
                scene, "x.h5"]

    def run(self, scene, settings=None, ranks=2, start=None, options=()):
        """`start`: the outcome whose files this one finds."""
        self.number += 1
        folder = self.scratch / f"run{self.number}"
        folder.mkdir()
        if start:
            for path in start.folder.glob("*.h5"):
                (folder / path.name).write_bytes(path.read_bytes())
        plan = []
        if settings is not None:
            (folder / "plan.xml").write_text(as_xml(settings))
            plan = ["--plan", "plan.xml"]
        env = mpi_environment()
        del env["HDF5_USE_FILE_LOCKING"]
        done = subprocess.run(
            [WEIR, "run", "-q", *plan, *options, "--layers", "mpi,hdf5",
             "-o", "trace", "--", *self.command(scene, ranks)],
            cwd=folder, env=env, timeout=120, text=True,
            stdin=subprocess.DEVNULL, capture_output=True)
        return Outcome(done, folder)

    def without(self, scene, ranks=2, start=None):
        if (scene, ranks) not in self.bare:
            self.bare[scene, ranks] = self.run(scene, None, ranks, start)
        return self.bare[scene, ranks]


def wrong_verdicts(outcome, case):
    for setting, (verdict, words) in case.verdicts.items():
        got = outcome.effects(setting)
        is_wrong = any(not re.fullmatch(verdict, v) or
                       not re.search(words, w) for v, w in got) \
            if verdict else got
        if is_wrong or (verdict and not got):
            yield f"{setting}: {got}, not {verdict} ({words})"


def wrong_facts(bare, outcome, case):
    for what, is_so in case.checks.items():
        try:
            if not is_so(bare, outcome):
                yield f"not so: {what}"
        except Exception as trouble:  # a fact that is not there
            yield f"not so: {what}: {trouble!r}"


def check_case(tap, runner, case):
    start = case.start and case.start(runner)
    bare = runner.run(case.scene, case.versus, case.ranks) if case.versus \
        else runner.without(case.scene, case.ranks, start)
    outcome = runner.run(case.scene, case.settings, case.ranks, start)
    wrong = [f"returned {o.code}: {o.stderr}" for o in (bare, outcome)
             if o.code]
    wrong += [f"data are wrong: {o.facts}" for o in (bare, outcome)
              if o.facts.get("good", [1]) != [1] * len(o.facts.get("good",
                                                                   [1]))]
    wrong += wrong_verdicts(outcome, case)
    wrong += wrong_facts(bare, outcome, case)
    if wrong:
        wrong += [f"without: {bare.facts}", f"with: {outcome.facts}"]
    tap.result(not wrong, f"{runner.flavour}: {case.name}", wrong)


def check_table(tap, spec, flavour):
    """Every parameter has a case somewhere, and no case is of another."""
    there = set(parameters(spec))
    seen = {name for case in cases.EVERY for name in case.verdicts}
    tap.result(there == seen, f"{flavour}: each parameter has a case",
               [f"no case of {sorted(there - seen)}",
                f"no parameter {sorted(seen - there)}"])


def main():
    flavour, program, spec = sys.argv[1:4]
    tap = Tap()
    check_table(tap, spec, flavour)
    with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
        runner = Runner(flavour, program, scratch)
        for case in cases.EVERY:
            if flavour in case.flavours:
                check_case(tap, runner, case)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
