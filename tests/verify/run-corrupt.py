#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Spoils single writes of programs; weir run --verify must say which file.

usage: run-corrupt.py [short]

What was spoiled is known by comparing with the file of a good run, by cmp or
h5dump: weir has no part in that. Environment: WEIR, KERNELS, CORRUPT_LIBRARY,
WRITER, H5WRITER.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "kernels"))
sys.path.insert(0, str(HERE.parent / "lib"))
import ranks  # noqa: E402
import spoilfs  # noqa: E402
from verify import SMALL, prepare  # noqa: E402
from weirtool import WEIR, Tap, mpi_environment  # noqa: E402

LIBRARY = os.path.abspath(os.environ.get(
    "CORRUPT_LIBRARY", "build/tests/verify/libcorrupt.so"))
WRITER = os.path.abspath(os.environ.get("WRITER",
                                        "build/tests/verify/writer"))
H5WRITER = os.path.abspath(os.environ.get("H5WRITER",
                                          "build/tests/verify/h5writer"))
KINDS = ("drop", "short", "move", "flip", "swap", "stale")
DIFFERS, HUNG = 9, 124
PATIENCE = 60


class Program:
    """One that writes files whose names begin with `out`."""

    def __init__(self, name, command, suffix="", **more):
        self.name = name
        self.command = command  # (out) -> words
        self.is_hdf5 = suffix == ".h5"
        self.prepare = more.get("prepare", lambda out: None)
        self.by_storage = more.get("by_storage", False)
        self.settings = more.get("settings", {})


def kernel(program, *more, hdf5=False, **settings):
    """A kernel as tests/kernels uses it."""
    name = program.split("-")[0]
    arguments, count, before = SMALL[name]

    def first(out):
        if before:
            prepare(program, name, before, out)

    return Program(" ".join([program, *more[1:], *settings.values()]),
                   lambda out: [*ranks.launcher(program, count),
                                str(ranks.KERNELS / program), *arguments,
                                *more, str(out)],
                   ".h5" if hdf5 else "", prepare=first, settings=settings)


def programs():
    """All that can be run here."""
    yield from (Program(f"posix {way}", lambda out, way=way: [
        WRITER, way, str(out)]) for way in ("write", "append", "pwrite",
                                            "writev", "children"))
    yield Program("stdio fwrite", lambda out: [WRITER, "fwrite", str(out)])
    for way in ("fprintf", "fwrite", "pwrite"):
        yield Program(f"storage {way}", lambda out, way=way: [
            WRITER, way, str(out)], by_storage=True)
    for line in (("vectors-mpich", "--mode", "independent"),
                 ("vectors-mpich", "--mode", "collective"),
                 ("btio-mpich",), ("s3d-mpich",), ("contig-mpich",),
                 ("ffb-mpich",), ("vectors-openmpi",)):
        if (ranks.KERNELS / line[0]).exists():
            yield kernel(*line)
    for name in ("s3d-pnetcdf-openmpi", "flash-pnetcdf-openmpi"):
        if (ranks.KERNELS / name).exists():
            yield kernel(name, OMPI_MCA_io="romio321")
    if os.path.exists(H5WRITER):
        yield Program("hdf5 of many types", lambda out: [
            H5WRITER, str(out)], ".h5")
    for line in (("vpic-mpich", "--mode", "independent"),
                 ("vorpal-mpich", "--mode", "collective"), ("gcrm-mpich",),
                 ("tiny-mpich",), ("flash-mpich",), ("columns-serial",)):
        if (ranks.KERNELS / line[0]).exists():
            yield kernel(*line, hdf5=True)


def files_of(out):
    return sorted(path for path in out.parent.rglob("*")
                  if path.is_file() and str(path).startswith(str(out)))


def content(path, is_hdf5):
    """What a reader that knows nothing of weir gets out of it."""
    if not is_hdf5:
        return path.read_bytes()
    done = subprocess.run(["h5dump", "-m", "%.17g", path],
                          capture_output=True, timeout=PATIENCE)
    return done.returncode, done.stdout.partition(b"\n")[2]


def contents(out, is_hdf5):
    return {str(path)[len(str(out)):]: content(path, is_hdf5)
            for path in files_of(out)}


def run_group(line, env):
    """(status, standard error) of a program and all it starts."""
    with subprocess.Popen(line, env=env, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          start_new_session=True) as group:
        try:
            _, said = group.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(group.pid, signal.SIGKILL)
            return HUNG, group.communicate()[1]
        return group.returncode, said


class Case:
    """One program with one of its writes spoiled, or none."""

    runs = 0

    def __init__(self, program, kind, number, work):
        self.program, self.kind, self.number = program, kind, number
        self.work = work
        self.log = work / "log"
        self.storage = None

    def environment(self, out):
        env = dict(mpi_environment(), **self.program.settings)
        env["CORRUPT"] = f"{self.kind}:{self.number}:{out}"
        env["CORRUPT_LOG"] = str(self.log)
        if not self.program.by_storage:
            env["LD_PRELOAD"] = LIBRARY
        return env

    def run(self, with_weir=True):
        """(status, what weir said, contents of the files)."""
        if not self.program.by_storage:
            return self.run_in(self.work / "files", with_weir)
        place = spoilfs.Place(self.work, self.kind, self.number, self.log)
        with place as folder:
            return self.run_in(folder, with_weir)

    def run_in(self, folder, with_weir):
        folder.mkdir(exist_ok=True)
        # Open MPI names a semaphore like the file, whatever its folder.
        out = folder / f"output{os.getpid()}{Case.runs}."
        Case.runs += 1
        self.program.prepare(out)
        line = self.program.command(out)
        if with_weir:
            line = [WEIR, "run", "--verify", "-q", "-o", self.work / "trace",
                    "--", *line]
        status, said = run_group(list(map(str, line)),
                                 self.environment(out))
        return status, said, contents(out, self.program.is_hdf5)

    def spoiled(self):
        """The line of what was done; None: nothing."""
        return self.log.read_text().split() if self.log.exists() else None


def in_folder(program, kind, number, **more):
    """A case that was run, and what came of it."""
    with tempfile.TemporaryDirectory(prefix="weir-spoil-") as work:
        case = Case(program, kind, number, Path(work))
        result = case.run(**more)
        return case.spoiled(), result


def judge(program, kind, number, good):
    """(word for the table, what is wrong or None)."""
    spoiled, (status, said, found) = in_folder(program, kind, number)
    if not spoiled:
        return "unmade", None
    named = re.search(r"DIFFERS: \S*/output\d+\.", said)
    if found == good and status == 0:
        return "harmless", None
    if found == good:
        return "ALARM", f"status {status} and nothing is wrong: {said}"
    if status not in (0, DIFFERS):
        return ("noticed" if named else "failed"), None
    if status == DIFFERS and named:
        return "caught", None
    return "MISSED", f"status {status}, {spoiled}: {said}"


def spread(count, number):
    """Some of the writes 1..count; of one, that in the middle."""
    if number == 1:
        return [(count + 1) // 2]
    return sorted({1 + (count - 1) * i // (number - 1)
                   for i in range(number)})


class Table:
    """Kinds by programs, with what came of each case."""

    def __init__(self):
        self.cells = {}

    def add(self, program, kind, word):
        self.cells.setdefault(program.name, {}).setdefault(
            kind, Counter())[word] += 1

    def count(self, word):
        return sum(cell[word] for row in self.cells.values()
                   for cell in row.values())

    def print(self):
        print(f"# {'caught/made, of writes spoiled':34}"
              + "".join(f"{kind:>9}" for kind in KINDS))
        for name, row in self.cells.items():
            words = [(cell["caught"], sum(cell.values()) - cell["unmade"]
                      - cell["harmless"]) for cell in
                     (row.get(kind, Counter()) for kind in KINDS)]
            print(f"# {name:34}" + "".join(
                f"{f'{caught}/{made}':>9}" for caught, made in words))


def check_good(tap, program):
    """(contents, writes) of a good run; None: it is not good."""
    bare = in_folder(program, "none", 1, with_weir=False)
    spoiled, (status, said, found) = in_folder(program, "none", 1)
    fine = status == 0 and found == bare[1][2] and found and spoiled and \
        "DIFFERS" not in said and "unverifiable" not in said
    tap.result(fine, f"{program.name}: a good run is as written",
               [] if fine else [f"status {status}", f"{spoiled}",
                                *said.splitlines()[:5]])
    return (found, int(spoiled[2])) if fine else None


def check_program(tap, program, table, places, kinds):
    known = check_good(tap, program)
    if not known:
        return
    good, count = known
    wrong = []
    for kind in kinds:
        for number in spread(count, places):
            word, why = judge(program, kind, number, good)
            table.add(program, kind, word)
            if why:
                wrong.append(f"{kind} of write {number}: {word}: {why[:300]}")
    tap.result(not wrong, f"{program.name}: {len(kinds)} kinds of harm to "
               f"{len(spread(count, places))} of {count} writes", wrong)


def check_kernels(tap):
    """All of them, as they are: not one may be suspected."""
    for name in SMALL:
        for program in ranks.flavours(name):
            _, (status, said, _) = in_folder(kernel(program), "none", 1)
            fine = status == 0 and not said
            tap.result(fine, f"{program} is as written",
                       [f"status {status}", *said.splitlines()]
                       if not fine else [])


def main():
    tap, table = Tap(), Table()
    is_short = sys.argv[1:] == ["short"]
    for i, program in enumerate(programs()):
        if program.by_storage and not spoilfs.can_mount():
            tap.skip(program.name, "no file system in user space here")
            continue
        if program.is_hdf5 and not shutil.which("h5dump"):
            tap.skip(program.name, "no h5dump")
            continue
        kinds = [KINDS[i % 6], KINDS[(i + 3) % 6]] if is_short else KINDS
        check_program(tap, program, table, 1 if is_short else 5, kinds)
    if not is_short:
        check_kernels(tap)
    table.print()
    print(f"# caught {table.count('caught')}, "
          f"the program failed too {table.count('noticed')}, "
          f"it failed before {table.count('failed')}, "
          f"harmless {table.count('harmless')}, "
          f"not made {table.count('unmade')}, "
          f"missed {table.count('MISSED')}, "
          f"false alarms {table.count('ALARM')}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
