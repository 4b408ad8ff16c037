# SPDX-License-Identifier: BSD-3-Clause
"""Other recorders beside weir: the same loads bare and with each, in turns."""
import shlex
import shutil
import subprocess
import time
from pathlib import Path

from lib.bench import (BUILD, LOAD, WEIR, Run, median, row, table,
                       taken_in_turn)

# Of Debian, and without privileges: what stands before a command. They stop a
# program at every call, and get fewer of them.
PACKAGED = {
    "strace": "strace -f -o {out}",
    "ltrace": "ltrace -f -o {out}",
    "perf trace": "perf trace -o {out} --",
}
FEWER = 100
LEAST = 1000  # of which even pairs make a batch
PROCESSES = 200
LONG = "a/project/with/data/of/some/length/2026-11-17/run.0001/output"


class Peer:
    def __init__(self, name, prefix, fewer=1, leaves=None):
        self.name, self.prefix, self.fewer = name, prefix, fewer
        self.leaves = leaves  # a directory that must not be there before

    def clean(self):
        if self.leaves:
            shutil.rmtree(self.leaves, ignore_errors=True)

    def ns(self, load, calls):
        """Of one call in the fastest batch, which other work hardly reaches;
        None: the peer does not run here."""
        self.clean()
        calls = max(calls // self.fewer, LEAST)
        try:
            return Run(self.prefix + load(calls))["fastest"]
        except (subprocess.CalledProcessError, KeyError):
            return None

    def ms(self, command):
        """Of a whole command."""
        self.clean()
        began = time.monotonic()
        done = subprocess.run(self.prefix + command, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        return None if done.returncode else (time.monotonic() - began) * 1e3


def words_before(what):
    """An object to preload, or a command that takes another."""
    words = shlex.split(what)
    if len(words) == 1 and ".so" in Path(words[0]).name:
        return ["env", f"LD_PRELOAD={Path(words[0]).resolve()}"]
    return words


def found_peers(bench):
    """weir, those that were named, and those that are installed."""
    trace, out = bench.scratch / "trace", bench.scratch / "peer.out"
    yield Peer("weir", [WEIR, "run", "-q", "-o", trace, "--"], leaves=trace)
    for word in bench.options.peer:
        name, what = word.split("=", 1)
        yield Peer(name, words_before(what))
    for name, words in PACKAGED.items():
        prefix = words.format(out=out).split()
        if shutil.which(prefix[0]):
            yield Peer(name, prefix, FEWER)
        else:
            print(f"({name} is not installed)")


def loads_of(bench):
    """What is measured: its name, calls in one, and the command."""
    long = bench.scratch / LONG
    long.mkdir(parents=True)
    for name, of_one, mode, place in (
            ("pread, pwrite of 8 bytes", 1, "regular", bench.files),
            ("write of 4 KiB", 1, "write4k", bench.files),
            ("open + close, short path", 2, "openclose", bench.files),
            ("open + close, long path", 2, "openclose", long),
            ("fwrite of 8 bytes", 1, "fwrite", bench.files)):
        yield name, of_one, lambda n, words=(mode, place): \
            [LOAD, words[0], n, 1, words[1], "fastest"]
    for name, program, mode in (
            ("H5Dwrite of 64 bytes", "h5_load", "H5Dwrite"),
            ("MPI_File_write_at, MPICH", "mpi_load-mpich", "write_at"),
            ("MPI_File_write_at, Open MPI", "mpi_load-openmpi", "write_at")):
        if (BUILD / program).exists():
            yield name, 1, lambda n, words=(BUILD / program, mode): \
                [*words, max(n // 10, 1000), bench.files / "layer"]


def beyond(bare, other):
    """What is beyond the bare run: median of the rounds, and of the fastest
    of each."""
    if None in other:
        return "-"
    extra = median(b - a for a, b in zip(bare, other))
    return f"{extra:.0f} / {min(other) - min(bare):.0f}"


def told(name, columns, digits=0):
    bare, *others = columns
    row(name, f"{median(bare):.{digits}f} / {min(bare):.{digits}f}",
        *(beyond(bare, other) for other in others))


def compare(bench):
    peers = [Peer("bare", []), *found_peers(bench)]
    table("Beside peers: what a call takes in a run's fastest batch, ns, and"
          " how much more with each (median of the rounds / fastest of all)",
          "", *(p.name for p in peers))
    for name, of_one, load in loads_of(bench):
        rounds = [taken_in_turn([
            lambda peer=peer: peer.ns(load, bench.calls // 4)
            for peer in peers], i) for i in range(bench.rounds)]
        told(name, [[ns and ns * of_one for ns in column]
                    for column in zip(*rounds)])
    command = ["sh", "-c", f"for i in $(seq {PROCESSES}); do /bin/true; done"]
    rounds = [taken_in_turn([lambda peer=peer: peer.ms(command)
                             for peer in peers], i)
              for i in range(bench.rounds)]
    told(f"{PROCESSES} short processes, ms", list(zip(*rounds)))
