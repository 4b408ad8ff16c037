# SPDX-License-Identifier: BSD-3-Clause
"""Does what `weir report` says to try, on kernels and programs of Debian."""
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple
from contextlib import contextmanager
from pathlib import Path

from lib.bench import BUILD, WEIR, median, row, table
from lib.places import gluster

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/lib"))
from weirtool import mpi_environment  # noqa: E402

KERNELS = BUILD / "kernels"
LAUNCHERS = {"mpich": ["mpirun.mpich"],
             "openmpi": ["mpirun.openmpi", "--oversubscribe"]}
MS = 1e6
# Less is lost among what runs differ by.
LEAST = 5 * MS

Try = namedtuple("Try", "name command ready")

# Name, ranks, words of the kernel; `ready`: words of a run before.
KERNEL_RUNS = [
    ("vpic", 2, "--particles 400000 ./f.h5", None),
    ("vpic collective", 2, "--particles 400000 --mode collective ./f.h5", None),
    ("bdcats strided", 2, "--access strided --percent 10 ./f.h5",
     "vpic --particles 100000 ./f.h5"),
    ("vorpal", 2, "--steps 2 ./f.h5", None),
    ("vorpal independent", 2, "--mode independent --bx 40 --steps 1 ./f.h5",
     None),
    ("gcrm", 2, "--steps 2 ./f.h5", None),
    ("gcrm edge", 2, "--steps 1 --variable edge ./f.h5", None),
    ("tiny", 2, "--datasets 150 ./f.h5", None),
    ("flash", 2, "./f", None),
    ("btio", 4, "--class A --dumps 4 ./f", None),
    ("btio simple", 4, "--class W --dumps 2 --mode simple ./f", None),
    ("s3d", 4, "--nx 40 --ny 40 --nz 40 --checkpoints 2 ./f", None),
    ("s3d on two", 2, "--checkpoints 2 ./f", None),
    ("vectors", 4, "--piece 256 --pieces 16384 ./f", None),
    ("vectors independent", 2, "--mode independent ./f", None),
    ("contig", 2, "--compute 20 ./f", None),
    ("contig mpiio", 2, "--api mpiio ./f", None),
    ("columns", 0, "./f.h5", None),
    ("ffb", 2, "--steps 42 ./d", "ffb --prepare ./d"),
    ("pdf", 2, "--shared 40 --own 40 --readers 1 ./d", None),
]

DEBIAN = [
    Try("tar | gzip", "tar cf - /usr/include/linux | gzip -1 >linux.tar.gz",
        None),
    Try("git", "git init -q r && cp -r /usr/include/linux r/ && cd r && "
        "git add . && git -c user.name=w -c user.email=w@w commit -qm x",
        None),
    Try("sqlite3", "sqlite3 t.db <in.sql",
        "(echo 'create table t(a integer primary key, b text);'; "
        "for i in $(seq 200); do echo \"insert into t values($i, "
        "'text $i');\"; done) >in.sql"),
    Try("make and cc", "make -s",
        "for i in $(seq 12); do printf '#include <stdio.h>\\n#include "
        "<stdlib.h>\\nint f%d(void) { return %d; }\\n' $i $i >f$i.c; done; "
        "printf 'all: %s\\n' \"$(echo f*.c | sed 's/\\.c/.o/g')\" >Makefile"),
    Try("rsync", "rsync -a /usr/include/linux copy", None),
    Try("python3", "/usr/bin/python3 -c \"import csv\n"
        "with open('o.csv', 'w') as f:\n w = csv.writer(f)\n"
        " for i in range(200000): w.writerow([i, i * 2, 'x'])\n"
        "print(sum(len(r) for r in csv.reader(open('o.csv'))))\"", None),
    Try("sort", "sort -S 4M big -o sorted", "seq 600000 | shuf >big"),
    Try("cat by stdio", "awk '{print $1}' big >small",
        "seq 900000 >big"),
]


def kernel(flavour, ranks, name, words):
    program = KERNELS / f"{name}-{flavour if ranks else 'serial'}"
    launcher = [*LAUNCHERS[flavour], "-n", str(ranks)] if ranks else []
    return [*launcher, str(program), *words.split()] if program.exists() else None


def kernel_tries(flavour):
    for name, ranks, words, ready in KERNEL_RUNS:
        if not ranks and flavour != "mpich":
            continue
        command = kernel(flavour, ranks, name.split()[0], words)
        before = ready and kernel(flavour, ranks, *ready.split(" ", 1))
        if command:
            yield Try(f"{name} ({flavour})" if ranks else name,
                      command, before)


def debian_tries():
    for one in DEBIAN:
        yield one._replace(command=["sh", "-c", one.command],
                           ready=one.ready and ["sh", "-c", one.ready])


class Runs:
    """Of one command, all in the same folder: plans name files."""

    def __init__(self, one, place, scratch):
        self.one, self.scratch = one, Path(scratch)
        self.folder = Path(place) / "files"
        self.count = 0

    def record(self, *options):
        """What the report says, and where the trace is."""
        self.count += 1
        trace = self.scratch / f"trace{self.count}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        quiet = {"cwd": self.folder, "env": mpi_environment(),
                 "capture_output": True,
                 "stdin": subprocess.DEVNULL, "timeout": 300}
        try:
            if self.one.ready:
                subprocess.run(self.one.ready, check=True, **quiet)
            subprocess.run([WEIR, "run", "-q", "--buffer", "64M", "-o", trace,
                            *options, "--", *self.one.command], check=True,
                           **quiet)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        said = json.loads(subprocess.run(
            [WEIR, "report", "--json", trace], check=True,
            capture_output=True).stdout)
        return said, trace


def slowest(said):
    return max((process["time"] for process in said["processes"]), default=0)


# Of these no more is promised than that of the calls which they are about: the
# time in writes, and in closes and syncs after them.
SPENT = {"waiting-writes": lambda said: said["forecast"]["now"]}


def spread(values):
    """How far half of the values are from the median, at least."""
    middle = median(values)
    return median(abs(value - middle) for value in values)


def options_of(finding):
    """The options of weir run in what it says to try."""
    words = shlex.split(finding["try"])
    return words[2:words.index("--")]


def worth(finding):
    return finding["try"] and finding["estimate"] in ("about", "at-most") \
        and finding["saving"] >= LEAST and "--backtrace" not in finding["try"]


def estimate(said, rule):
    return next((one["saving"] for one in said["findings"]
                 if one["id"] == rule), 0)


def verdict(kind, promised, saved, noise):
    """Whether the promise was kept; noise: runs differ by more than that."""
    most = promised * (1.1 if kind == "at-most" else 2)
    least = promised / 2
    if least <= saved <= most:
        return "yes"
    if least - noise <= saved <= most + noise:
        return "noise"
    return "TOO LOW" if saved > most else "TOO HIGH"


def follow(runs, finding, rounds):
    """In turns, as it is and as the finding says: what is promised, and what is
    spent before and after."""
    spent = SPENT.get(finding["id"], slowest)
    promised, before, after = [], [], []
    for _ in range(rounds):
        said, _ = runs.record()
        promised.append(estimate(said, finding["id"]))
        before.append(spent(said))
        after.append(spent(runs.record(*options_of(finding))[0]))
    return promised, before, after


def judge(one, name, finding, rounds, runs):
    """Kind of estimate and verdict."""
    promised, before, after = follow(runs, finding, rounds)
    noise = spread(before) + spread(after)
    told, was = median(promised), median(before)
    saved = was - median(after)
    answer = verdict(finding["estimate"], told, saved, noise)
    row(one.name, name, finding["id"], finding["estimate"], f"{was / MS:.1f}",
        f"{told / MS:.1f}", f"{saved / MS:.1f}",
        f"{saved / told:.2f}" if told else "-", f"{noise / MS:.1f}", answer)
    return finding["estimate"], answer


def try_all(one, place, name, rounds):
    """Verdicts of all findings of a command that can be tried."""
    with tempfile.TemporaryDirectory() as scratch:
        runs = Runs(one, place, scratch)
        try:
            said, _ = runs.record("--backtrace")
            found = [finding for finding in said["findings"] if worth(finding)]
            for finding in found:
                yield judge(one, name, finding, rounds, runs)
        except (subprocess.SubprocessError, OSError) as failure:
            row(one.name, name, f"cannot be run: {failure}")
            return
        if not found:
            row(one.name, name, "-", "", f"{slowest(said) / MS:.1f}", "", "",
                "", "", "nothing to try")


@contextmanager
def on_ext4(scratch):
    yield Path(scratch)


PLACES = {"ext4": on_ext4, "gluster": gluster}


def measure(rounds, places, only=""):
    """All verdicts; a table is printed."""
    table("What is saved by what the report says to try: time in I/O of the "
          "slowest process; of waiting-writes, that in writes and closes (ms; "
          "medians)", "run", "on", "finding", "estimate says", "before",
          "estimate", "saved", "ratio", "runs differ by", "kept")
    verdicts = []
    for name in places:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch, \
                PLACES[name](scratch) as mount:
            if not mount:
                print(f"{name}: this machine cannot have it")
                continue
            for tries in (kernel_tries("mpich"), kernel_tries("openmpi"),
                          debian_tries()):
                for one in tries:
                    if only in one.name:
                        verdicts += try_all(one, mount, name, rounds)
    return verdicts
