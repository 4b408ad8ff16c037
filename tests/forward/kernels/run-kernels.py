#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every kernel does the same where its files are forwarded: its own check
passes, --verify finds all in the files, and the files are those of a run
without, on a local file system and on GlusterFS.

usage: run-kernels.py [--full] [WORD]...

With words only the programs whose names contain one of them. --full: all of
them everywhere, also kept as long as possible, and by a cache that is too
small; else each once, and on GlusterFS those of one MPI. Environment: WEIR,
the tool; KERNELS, the programs.
"""
import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "kernels"))
sys.path.insert(0, str(HERE.parent.parent / "lib"))
import glusterfs  # noqa: E402
import ranks  # noqa: E402
from sameness import WAYS, contents, differences  # noqa: E402
from verify import SMALL  # noqa: E402
from weirtool import WEIR, Tap, mpi_environment  # noqa: E402

PATIENCE = 300  # seconds; nothing is measured by it
# Libraries put times into their files: what is in such files is compared.
TELLERS = ((b"\x89HDF\r\n\x1a\n", ["h5diff", "-v2"]),
           (b"CDF", ["ncmpidiff", "-q"]))
READERS = {"bdcats"}
FORWARDED = re.compile(r"forwarded [1-9]\d* writes")


class Case:
    """A program of a kernel, in a directory."""

    def __init__(self, program, place):
        self.program = program
        self.kernel = program.split("-")[0]
        self.arguments, self.count, self.before = SMALL[self.kernel]
        self.place = place

    def run(self, program, words, out, before=()):
        command = [*before, *ranks.launcher(program, self.count),
                   str(ranks.KERNELS / program), *words, "data"]
        return subprocess.run(command, cwd=out, env=mpi_environment(),
                              stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=PATIENCE)

    def make(self, out):
        """Its directory, with what is needed before."""
        out.mkdir(parents=True)
        if not self.before:
            return
        first, words = self.program, [*self.arguments, "--prepare"]
        if self.before in SMALL:
            first = self.program.replace(self.kernel, self.before)
            words = SMALL[self.before][0]
        done = self.run(first, words, out)
        if done.returncode:
            raise RuntimeError(f"preparing: {done.stderr}")

    def play(self, name, before=()):
        """(directory, faults)"""
        out = self.place / name / self.program
        self.make(out)
        done = self.run(self.program,
                        [*self.arguments, "--verify", "--json"], out,
                        before and [*before, f"--forward={out}", "--"])
        faults = [] if not done.returncode else [
            f"{name}: status {done.returncode}", done.stdout[-500:],
            done.stderr[-2000:]]
        if not faults:
            faults = self.unchecked(done.stdout)
        if before:
            faults += self.not_forwarded(done.stderr)
        return out, faults

    def not_forwarded(self, said):
        """Else nothing that follows would say anything."""
        if self.kernel in READERS:
            return []
        return [f"{what}: {said}" for what, told in (
            ("not verified", ": all as written" in said),
            ("not forwarded", FORWARDED.search(said))) if not told]

    def unchecked(self, said):
        told = json.loads(said.splitlines()[-1])
        if told["wrong"] or not told["compared"] or \
                told["ranks"] != self.count:
            return [f"not as it should be: {told}"]
        return []


def compare_inside(tool, wanted, found):
    done = subprocess.run([*tool, wanted, found], text=True,
                          capture_output=True, env=mpi_environment())
    return [] if not done.returncode else [
        f"{found}: {tool[0]} returned {done.returncode}",
        done.stdout[-500:], done.stderr[-500:]]


def compare_files(wanted, found):
    """Bytes, or what a library's file tells."""
    faults = []
    for line in differences(contents(wanted), contents(found)):
        if not line.startswith("+") or line.startswith("+++"):
            continue
        name = line[1:].split()[0]
        head = (found / name).read_bytes()[:8]
        tool = next((tool for magic, tool in TELLERS
                     if head.startswith(magic)), None)
        if tool and (wanted / name).exists():
            faults += compare_inside(tool, wanted / name, found / name)
        else:
            faults.append(line)
    names = [{path.name for path in place.iterdir()}
             for place in (wanted, found)]
    return faults + [f"only once: {name}" for name in names[0] ^ names[1]]


def judge(case, beside, direct, way):
    name = way.replace(" ", "-")
    trace = beside / f"{case.program}-{name}"
    out, faults = case.play(name, [
        WEIR, "run", "--verify", "-o", str(trace), *WAYS[way]])
    return faults or compare_files(direct, out)


def programs(words, left_out):
    every = itertools.chain.from_iterable(map(ranks.flavours, SMALL))
    return [name for name in sorted(every) if not name.endswith(left_out) and
            (not words or any(word in name for word in words))]


def check_place(tap, label, place, asked):
    left_out = "-mpich" if label == "glusterfs" and not asked.full else " "
    # the traces lie elsewhere
    with tempfile.TemporaryDirectory(prefix="weir-kernels-") as beside:
        for program in programs(asked.words, left_out):
            case = Case(program, place)
            direct, faults = case.play("direct")
            for way in WAYS if asked.full else ["stored early"]:
                wrong = faults or judge(case, Path(beside), direct, way)
                tap.result(not wrong, f"{label}: {program}, {way}", wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("words", nargs="*")
    asked, tap = parser.parse_args(), Tap()
    with tempfile.TemporaryDirectory(prefix="weir-kernels-") as name:
        work = Path(os.path.realpath(name))
        check_place(tap, "local", work / "local", asked)
        try:
            with glusterfs.mounted(work) as mount:
                check_place(tap, "glusterfs", mount, asked)
        except glusterfs.Missing as why:
            tap.skip("glusterfs", why)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
