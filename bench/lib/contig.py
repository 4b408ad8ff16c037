# SPDX-License-Identifier: BSD-3-Clause
"""The contiguous benchmark of the I/O forwarding paper: phases of computing
and of writing, by kernels/contig, on one file system."""
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

from lib.bench import BUILD, WEIR, median, taken_in_turn
from lib.costmodel import Course, Rates, forecast
from lib.service import Service

os.environ["WEIR"] = str(WEIR)
sys.path.append(str(Path(__file__).resolve().parents[2] / "tests/mpi"))
import mpirun  # noqa: E402
from weirtool import mpi_environment  # noqa: E402

KIB, MIB = 1 << 10, 1 << 20
PHASES = 20
CACHE = 512 * MIB
LARGE = 8 * MIB  # what the daemon stores at once
PAUSE = 100  # ms: a file that nobody writes is stored
FLAVOURS = ("openmpi", "mpich")
# Policies of a service, in the order of the tables.
CASES = {"direct": None, "without a cache": "through", "cached": "idle"}


class Place(NamedTuple):
    """A file system; `backend` is what services store by there."""
    name: str
    path: Path
    backend: str = "posix"
    is_local: bool = False

    @property
    def cases(self):
        """A plug-in's file system has no other way than a service: there,
        direct is without a cache."""
        return [case for case in CASES
                if case != "direct" or self.backend == "posix"]


class Cell(NamedTuple):
    ranks: int
    record: int
    volume: int    # bytes of a phase, all ranks
    compute: int = 0  # ms
    cache: int = CACHE
    phases: int = PHASES

    @property
    def records(self):
        return max(1, self.volume // self.record // self.ranks)

    @property
    def bytes(self):
        return self.phases * self.records * self.ranks * self.record


class Outcome(NamedTuple):
    """Of one run, or medians of several; seconds, bytes."""
    bytes: int
    write: float
    close: float
    seconds: float  # open, writes and close of the slowest rank
    wall: float
    requests: int   # that reached the file system

    @property
    def rate(self):
        return self.bytes / self.write

    @property
    def whole_rate(self):
        return self.bytes / self.seconds

    @property
    def busy(self):
        """What the program does beside I/O."""
        return self.wall - self.seconds


def middle(outcomes):
    return Outcome(*(median(column) for column in zip(*outcomes)))


def program():
    for flavour in FLAVOURS:
        found = BUILD / "kernels" / f"contig-{flavour}"
        if found.exists():
            return flavour, found
    raise SystemExit("bench: kernels/contig is not built: it needs an MPI")


def command(cell, path):
    flavour, contig = program()
    words = (contig, "--json", "--phases", cell.phases, "--record",
             cell.record, "--records", cell.records, "--compute",
             cell.compute, path)
    if cell.ranks > 1:
        return mpirun.command(flavour, cell.ranks, *words)
    return [str(word) for word in words]


def run(line, path, env=None, **how):
    """What the kernel says. No file of an earlier run is there."""
    try:
        out = subprocess.run(line, env={**mpi_environment(), **(env or {})},
                             check=True, capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, **how)
    finally:
        path.unlink(missing_ok=True)
    return json.loads(out.stdout.splitlines()[-1])


def outcome(said, requests):
    return Outcome(said["bytes"], said["write"], said["close"],
                   said["seconds"], said["wall"], requests)


def measure(place, cell, case):
    """One run; each has a service of its own, as `weir run` does."""
    path, policy = place.path / "contig", CASES[case]
    if not policy:
        said = run(command(cell, path), path)
        return outcome(said, said["bytes"] // cell.record)
    with Service(place.backend, place.path, "--policy", policy, "--cache",
                 f"{cell.cache >> 20}M") as service:
        said = run(command(cell, path), path, service.env)
        return outcome(said, service.status()["requests_out"])


def in_turns(place, cell, cases, rounds):
    """{case: medians} of so many rounds of each case."""
    ways = [partial(measure, place, cell, case) for case in cases]
    turns = [taken_in_turn(ways, turn) for turn in range(rounds)]
    return {case: middle(runs) for case, runs in zip(cases, zip(*turns))}


class Filling(NamedTuple):
    """How memory is filled: new, and used before; what opens and closes."""
    new: float
    used: float
    anyway: float


class Fillings:
    """Measured with a service that stores nowhere; once for each kind of
    cell, whatever the file system."""

    def __init__(self, path, rounds):
        self.place, self.rounds = Place("null", path, "null"), rounds
        self.known = {}

    def cached(self, cell, compute):
        return in_turns(self.place, cell._replace(compute=compute,
                                                  cache=CACHE),
                        ["cached"], self.rounds)["cached"]

    def measure(self, cell):
        """With pauses for storing, all but the first phase use memory
        again."""
        first, again = self.cached(cell, 0), self.cached(cell, PAUSE)
        share = 1 / cell.phases
        return Filling(first.rate, again.bytes * (1 - share) / max(
            again.write - first.write * share, again.write / 10),
                       first.seconds - first.write)

    def of(self, cell):
        key = cell.ranks, cell.record
        if key not in self.known:
            self.known[key] = self.measure(cell)
        return self.known[key]


class Oracle:
    """Says beforehand what a cell will take with a cache. Measured for it:
    how memory is filled, and how fast the file system takes requests as large
    as the daemon's, several at once."""

    def __init__(self, place, fillings):
        self.fillings = fillings
        large = Cell(4, LARGE, 4 * LARGE, phases=5)
        case = place.cases[0]
        self.store = in_turns(place, large, [case],
                              fillings.rounds)[case].whole_rate

    def forecast(self, cell):
        how = self.fillings.of(cell)
        return forecast(Course(cell.phases, cell.bytes / cell.phases,
                               cell.compute / 1000, cell.cache),
                        Rates(how.new, how.used, self.store, how.anyway))
