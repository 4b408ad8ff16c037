# SPDX-License-Identifier: BSD-3-Clause
"""Runs the sweep's programs with one setting, and compares all that is in
their files, written or not, with a run that leaves nothing to the libraries.

Memory that is given out is filled first: what a library writes without having
set it does not look like the zeros of a gap."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "lib"))
sys.path.insert(0, str(HERE.parent))
from planned import plan_text  # noqa: E402
from weirtool import WEIR, mpi_environment  # noqa: E402

DIFFERS, TOO_LONG = 9, 124
PERTURB = "glibc.malloc.perturb=165"
DUMPS = {".h5": "h5dump", ".nc": "ncdump"}
MPIRUN = {"mpich": ["mpirun.mpich", "-n", "2"],
          "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n", "2"]}


class Stage:
    """A program, how it is started, and what its files must hold."""

    def __init__(self, name, program, words=(), env=None):
        self.name, self.words = name, list(words)
        flavour = name.partition("+")[0]
        self.command = [*MPIRUN.get(flavour, []), os.path.abspath(program)]
        self.env = {**mpi_environment(), **(env or {})}
        self.env.pop("HDF5_USE_FILE_LOCKING")
        with tempfile.TemporaryDirectory(prefix="weir-sweep-") as place:
            subprocess.run([*self.command, place, "plain", *self.words],
                           env=self.env, check=True, capture_output=True)
            self.right = contents(place)

    def run(self, settings, large=False, options=(), patience=300):
        """What is wrong with a run with these settings, as a list; what was
        told of them."""
        scratch = Path(tempfile.mkdtemp(prefix="weir-sweep-"))
        try:
            return self.run_in(scratch, settings, large, options, patience)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def run_in(self, scratch, settings, large, options, patience):
        plan, place = scratch / "plan.xml", scratch / "files"
        plan.write_text(plan_text(settings))
        place.mkdir()
        env = self.env if large else {**self.env, "GLIBC_TUNABLES": PERTURB}
        done = subprocess.run(
            ["timeout", str(patience), WEIR, "run", "--verify", *options,
             "--plan", plan, "-o", scratch / "trace", "--", *self.command,
             place, *self.words], env=env, stdin=subprocess.DEVNULL,
            capture_output=True, text=True)
        wrong = problems(done)
        if not done.returncode:
            found = contents(place)
            wrong += [f"{name} is not what it is without a plan"
                      for name in self.right
                      if found.get(name) != self.right[name]]
        return wrong, done.stderr


def problems(done):
    """Of how it ended."""
    if not done.returncode:
        return []
    why = {DIFFERS: "the proof fails", TOO_LONG: "it does not end",
           3: "it reads what was not written"}.get(
               done.returncode, f"it ended with {done.returncode}")
    lines = [line for line in done.stderr.splitlines()
             if "yaksa" not in line]
    return [why + ": " + " | ".join(lines[:6])]


def contents(place):
    """What a reader finds in each file."""
    found = {}
    for path in sorted(Path(place).iterdir()):
        tool = DUMPS.get(path.suffix)
        if not tool:
            found[path.name] = path.read_bytes()
            continue
        done = subprocess.run([tool, path.name], cwd=place,
                              capture_output=True, check=False)
        found[path.name] = done.stdout + done.stderr
    return found


def stages(programs):
    """[Stage] of {flavour: program}; Open MPI with its ROMIO too."""
    made = [Stage(flavour, program) for flavour, program in programs.items()]
    if "openmpi" in programs:  # it ends programs that write chunks
        made.append(Stage("openmpi+romio321", programs["openmpi"], ["small"],
                          {"OMPI_MCA_io": "romio321"}))
    return made
