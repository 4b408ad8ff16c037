# SPDX-License-Identifier: BSD-3-Clause
"""Runs parallel programs bare and recorded, and reads the layers' events."""
import filecmp
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import weirtool  # noqa: E402

LAUNCHER = ["mpirun.openmpi", "--oversubscribe", "-n"]


def on_stage(play, tries=5):
    """What play(place) returns, in a new directory each time: MPI polls, and
    on starved cores not all of that fits, which is told. Then once more. Not
    in memory, for MPI asks which file system it is."""
    for left in reversed(range(tries)):
        with tempfile.TemporaryDirectory(dir=".", prefix="layered-") as place:
            try:
                return play(Path(place).resolve())
            except weirtool.Lost:
                if not left:
                    raise
        print("# calls were lost, and counted: once more", flush=True)


class Event:
    """An event, the one that it is nested in, and those nested in it."""

    def __init__(self, told):
        self.name, self.layer = told["call"], told.get("layer", "")
        self.file, self.size = told.get("file", ""), told.get("size", 0)
        self.ret, self.failed = told.get("ret"), told.get("err", 0)
        self.args, self.depth = told.get("args", {}), told["depth"]
        self.proc, self.thread = told["proc"], told["thread"]
        self.index = told["index"]
        self.above, self.below = None, []

    def __str__(self):
        return (f"{self.name} on {self.file} (process {self.proc}, event "
                f"{self.index}, size {self.size}, {self.args})")

    def ancestors(self):
        event = self.above
        while event:
            yield event
            event = event.above


def nest(events):
    """Records are written as calls end: the next of less depth is above."""
    waiting = {}
    for event in sorted(events, key=lambda e: (e.proc, e.thread, e.index)):
        levels = waiting.setdefault((event.proc, event.thread), {})
        event.below = levels.pop(event.depth + 1, [])
        for child in event.below:
            child.above = event
        levels.setdefault(event.depth, []).append(event)
    return events


def read(trace):
    return nest([Event(told) for told in weirtool.events(trace)])


def start(program, arguments, ranks, trace=None):
    command = [*LAUNCHER, str(ranks), *map(str, program),
               *map(str, arguments)]
    if trace:
        command = [weirtool.WEIR, "run", "-q", "--strict", "--buffer", "64M",
                   "-o", str(trace), "--", *command]
    return subprocess.run(command, env=weirtool.mpi_environment(),
                          capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


class Run:
    """A program that was run twice, bare and recorded."""

    def __init__(self, place, bare, recorded):
        self.place, self.bare, self.recorded = place, bare, recorded
        self.data = place / "recorded" / "data"
        self.events = read(place / "trace")
        self.told = [path.read_text().splitlines() for path in
                     sorted((place / "recorded").glob("told.*"))]
        self.differs = list(self.differences())

    def of_rank(self, number):
        """Its process is the one that wrote what it told."""
        path = str(self.place / "recorded" / f"told.{number}")
        proc = {e.proc for e in self.events if e.file == path}.pop()
        return [e for e in self.events if e.proc == proc]

    def differences(self):
        """What is not the same with and without."""
        first, second = self.place / "bare", self.place / "recorded"
        if self.bare.returncode or self.recorded.returncode:
            return [self.bare.stderr, self.recorded.stderr]
        names = {p.name for p in first.iterdir()} | {
            p.name for p in second.iterdir()}
        return sorted(n for n in names if not (
            (first / n).exists() and (second / n).exists() and
            filecmp.cmp(first / n, second / n, shallow=False)))

    @property
    def same(self):
        return not self.differs and self.bare.stdout == self.recorded.stdout


def both(place, command, ranks, arguments=("data", "told")):
    """The command gets the names of its files as its last arguments."""
    done = []
    for name in ("bare", "recorded"):
        (place / name).mkdir()
        files = [place / name / argument for argument in arguments]
        done.append(start(command, files, ranks,
                          place / "trace" if name == "recorded" else None))
    weirtool.must_be_whole(done[1])
    return Run(place, *done)


def of_layer(events, prefix):
    return [e for e in events if e.name.startswith(prefix)]


def wrong_parents(events, data):
    """Calls on the data file that nobody of the layer above has made. Of which
    format a file is the library reads itself."""
    transfers = ("read", "write", "pread", "pwrite", "readv", "writev",
                 "preadv", "pwritev", "pread64", "pwrite64")
    seen = 0
    for event in events:
        above = {e.layer for e in event.ancestors()}
        if event.file.split(":/")[0] != str(data):
            continue
        if event.layer == "mpiio" and "pnetcdf" not in above:
            yield f"{event} is below {above or 'nothing'}"
        if event.layer == "posix" and event.name in transfers:
            seen += 1
            asks = event.above and event.above.name in (
                "ncmpi_open", "ncmpi_inq_file_format")
            if not {"pnetcdf", "mpiio"} <= above and not asks:
                yield f"{event} is below {above or 'nothing'}"
    if not seen:
        yield "no transfer of the kernel is on the file"
