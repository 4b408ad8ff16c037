#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""PnetCDF's keys of a plan: where variables lie, and what is read and copied.

usage: run-pnetcdf.py LAYOUT CONSTANT

The file's own header is read by this program to see where variables begin.
CONSTANT writes memory that it may not change.
"""
import os
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "mpi")]
import mpirun  # noqa: E402
import planned  # noqa: E402
import weirtool  # noqa: E402
from weirtool import Tap  # noqa: E402

RANKS = 2
LENGTH = 1000
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8}  # of types in classic files


class Header:
    """Of a classic netCDF file (CDF-1 or 2): {variable: where it begins}."""

    def __init__(self, data):
        self.data, self.at = data, 8
        self.wide = data[3] == 2
        self.begins = {}
        self.skip_dims()
        self.skip_attributes()
        self.read_vars()

    def number(self):
        value, = struct.unpack_from(">i", self.data, self.at)
        self.at += 4
        return value

    def name(self):
        length = self.number()
        text = self.data[self.at:self.at + length].decode()
        self.at += (length + 3) // 4 * 4
        return text

    def skip(self, size):
        self.at += (size + 3) // 4 * 4

    def items(self):
        self.number()
        return range(self.number())

    def skip_dims(self):
        for _ in self.items():
            self.name()
            self.number()

    def skip_attributes(self):
        for _ in self.items():
            self.name()
            self.skip(SIZES[self.number()] * self.number())

    def read_vars(self):
        for _ in self.items():
            name = self.name()
            self.skip(4 * self.number())
            self.skip_attributes()
            self.skip(8)  # type and size
            begin, = struct.unpack_from(">q" if self.wide else ">i",
                                        self.data, self.at)
            self.at += 8 if self.wide else 4
            self.begins[name] = begin


def values(data, begin):
    return list(struct.unpack_from(f">{LENGTH}i", data, begin))


class PnetCDF:
    def __init__(self, tap, program, constant):
        self.tap, self.program, self.constant = tap, program, constant
        self.env = weirtool.mpi_environment()
        self.last = []

    def play(self, settings, *pairs):
        """(where variables begin, effects, events) of a run, whose file must
        hold what the program has written."""
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            path = Path(scratch) / "file.nc"
            done, events = planned.run(
                scratch, settings, mpirun.command("openmpi", RANKS,
                                                  self.program, path, *pairs),
                env=self.env, cwd=scratch)
            data = path.read_bytes()
            begins = Header(data).begins
            told = dict(line.split() for line in done.stdout.splitlines())
            effects = planned.effects(events, path)
        right = values(data, begins["one"]) == list(range(LENGTH)) and \
            values(data, begins["two"]) == list(range(5000, 5000 + LENGTH)) \
            and {k: str(v) for k, v in begins.items()} == told
        self.last = [begins, told, effects, done.stderr]
        return right and begins, effects, events

    def check(self, passed, name):
        mpirun.check(self.tap, bool(passed), name, self.last)

    def bare(self):
        begins, effects, _ = self.play([])
        self.usual = begins
        self.check(begins and not effects, "without a plan")

    def alignment(self):
        begins, effects, _ = self.play([("nc_var_align_size", "4K")])
        self.check(begins and not begins["one"] % 4096 and
                   not begins["two"] % 4096 and begins != self.usual,
                   "nc_var_align_size: variables begin at multiples")
        self.check(effects == [("nc_var_align_size", "4096", "took",
                                "4096")] * RANKS,
                   "nc_var_align_size: took, told once a rank")
        begins, effects, _ = self.play([("nc_record_align_size", "64K")])
        self.check(begins and not begins["many"] % 65536 and
                   begins["one"] == self.usual["one"] and
                   [e[2] for e in effects] == ["took"] * RANKS,
                   "nc_record_align_size: records begin at a multiple")
        begins, effects, _ = self.play([("nc_header_align_size", "32K")])
        self.check(begins and not begins["one"] % 32768 and
                   begins["two"] - begins["one"] == 4 * LENGTH and
                   [e[2] for e in effects] == ["took"] * RANKS,
                   "nc_header_align_size: the first variable alone")

    def reading(self):
        """The header is read in pieces of that size as a file is opened."""
        sizes = {}
        for piece in (1024, 65536):
            begins, effects, events = self.play(
                [("nc_header_read_chunk_size", piece)])
            opened = False
            sizes[piece] = set()
            for event in events:
                opened |= event["call"] == "ncmpi_open"
                if opened and event["call"].startswith("MPI_File_read") and \
                        event.get("off", 0) < begins["one"]:
                    sizes[piece].add(event["size"])
            self.check(begins and [e[2] for e in effects] ==
                       ["took"] * 2 * RANKS,
                       f"nc_header_read_chunk_size {piece}: took")
        self.last = [sizes]
        self.check(sizes[1024] == {1024} and sizes[65536] == {65536},
                   "nc_header_read_chunk_size: reads of that size")

    def memory(self):
        begins, effects, _ = self.play([("nc_ibuf_size", "4K"),
                                        ("nc_in_place_swap", "disable")])
        self.check(begins == self.usual and sorted(set(effects)) == [
            ("nc_ibuf_size", "4096", "took", "4096"),
            ("nc_in_place_swap", "disable", "took", "disable")],
                   "nc_ibuf_size, nc_in_place_swap: the same file")

    def swapping(self):
        """Whether the program's own buffer is written to."""
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            bare = subprocess.run([self.constant, f"{scratch}/bare.nc"],
                                  env=self.env, capture_output=True)
            path = Path(scratch) / "file.nc"
            _, events = planned.run(scratch, [("nc_in_place_swap", "disable")],
                                    [self.constant, path], env=self.env)
            data = path.read_bytes()
            self.last = [bare, planned.effects(events)]
        self.check(bare.returncode == -signal.SIGSEGV and
                   values(data, Header(data).begins["v"]) ==
                   list(range(LENGTH)),
                   "nc_in_place_swap: memory that may not be changed")

    def unknown(self):
        begins, effects, _ = self.play([("nc_hash_size_dim", "16")])
        self.check(begins == self.usual and
                   {e[2] for e in effects} <= {"inert", "took"} and effects,
                   "nc_hash_size_dim: does nothing, and that is told")

    def own_keys(self):
        own = "nc_var_align_size=2048"
        begins, effects, _ = self.play([("nc_var_align_size", "8K")], own)
        self.check(begins and begins["two"] - begins["one"] == 4096 and
                   effects == [("nc_var_align_size", "8192", "kept", "2048")]
                   * RANKS, "the program's own key wins")
        begins, effects, _ = self.play(
            [("nc_var_align_size", "8K", {"force": "yes"})], own)
        self.check(begins and begins["two"] - begins["one"] == 8192 and
                   [e[2] for e in effects] == ["took"] * RANKS,
                   "unless the plan forces it")

    def other_files(self):
        begins, effects, _ = self.play(
            [("nc_var_align_size", "8K", {"file": "*.dat"})])
        self.check(begins == self.usual and not effects, "another file")

    def hints(self):
        """Hints of MPI-IO reach the files below PnetCDF."""
        _, effects, _ = self.play([("cb_nodes", "1"),
                                   ("nc_var_align_size", "1K")])
        self.check({e[0] for e in effects} == {"cb_nodes",
                                               "nc_var_align_size"},
                   "a hint of MPI-IO beside PnetCDF's keys")

    def all(self):
        for check in (self.bare, self.alignment, self.reading, self.memory,
                      self.swapping, self.unknown, self.own_keys, self.other_files,
                      self.hints):
            check()


def main():
    tap = Tap()
    PnetCDF(tap, *map(os.path.abspath, sys.argv[1:])).all()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
