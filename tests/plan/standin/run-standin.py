#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Settings of systems that are not here: each is received, to the letter, by
a stand-in that plays the part of that system.

usage: run-standin.py PARAMS OPENER LUSTRE [FLAVOUR PROGRAM HINTS]...

PARAMS is spec/params: each parameter that names a stand-in must have a row in
this file. OPENER opens files with libc, LUSTRE stands for Lustre; PROGRAM
opens them with MPI-IO and PnetCDF, HINTS writes down what the MPI is given.
"""
import os
import re
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

OPT_IN = {"opt-in": "yes"}
# parameter: (what the plan says, what the MPI must be given)
HINTS = {
    "striping_unit": ("4M", "4194304"),
    "striping_factor": ("8", "8"),
    "start_iodevice": ("3", "3"),
    "direct_read": ("yes", "true"),
    "direct_write": ("yes", "true"),
    "romio_lustre_co_ratio": ("2", "2"),
    "romio_lustre_coll_threshold": ("1M", "1048576"),
    "romio_lustre_ds_in_coll": ("disable", "disable"),
    "romio_lustre_cb_ds_threshold": ("64K", "65536"),
    "romio_lustre_start_iodevice": ("1", "1"),
    "romio_lustre_cb_lock_ahead_write": ("yes", "1"),
    "romio_lustre_cb_lock_ahead_read": ("no", "0"),
    "romio_lustre_cb_lock_ahead_num_extents": ("500", "500"),
    "romio_pvfs2_posix_read": ("enable", "enable"),
    "romio_pvfs2_posix_write": ("disable", "disable"),
    "romio_pvfs2_dtype_read": ("enable", "enable"),
    "romio_pvfs2_dtype_write": ("disable", "disable"),
    "romio_pvfs2_listio_read": ("enable", "enable"),
    "romio_pvfs2_listio_write": ("disable", "disable"),
    "panfs_concurrent_write": ("yes", "1"),
    "panfs_layout_type": ("2", "2"),
    "panfs_layout_stripe_unit": ("64K", "65536"),
    "panfs_layout_parity_stripe_width": ("9", "9"),
    "panfs_layout_parity_stripe_depth": ("4", "4"),
    "panfs_layout_total_num_comps": ("20", "20"),
    "panfs_layout_visit_policy": ("1", "1"),
    "IBM_largeblock_io": ("true", "true"),
    "bgl_nodes_pset": ("16", "16"),
}
NETCDF = {
    "nc_hash_size_dim": ("300", "300"),
    "nc_hash_size_var": ("301", "301"),
    "nc_hash_size_gattr": ("302", "302"),
    "nc_hash_size_vattr": ("303", "303"),
    "nc_num_aggrs_per_node": ("2", "2"),
    "nc_burst_buf": ("disable", "disable"),
    "nc_burst_buf_dirname": ("/tmp", "/tmp"),
    "nc_burst_buf_flush_buffer_size": ("1M", "1048576"),
}
PREFIXES = {"IBM_lockless_io": ("true", "bglockless:")}
VARIABLES = {
    "GPFSMPIO_COMM": ("1", "1"),
    "GPFSMPIO_TUNEBLOCKING": ("no", "0"),
    "GPFSMPIO_P2PCONTIG": ("yes", "1"),
    "GPFSMPIO_BALANCECONTIG": ("yes", "1"),
}
STRIPES = {"stripe_count": 4, "stripe_size": 2 << 20, "stripe_offset": 3}
TABLES = (HINTS, NETCDF, PREFIXES, VARIABLES, STRIPES)
RANKS = 2
KEY = 36  # letters of a key for which Open MPI has no room
# Lustre's: the request, and the flags of an open that makes no objects
SET_STRIPE = 0x4008669A
LATER = os.O_NOCTTY | 0o20000
MAGIC = 0x0BD10BD0


def stand_ins(params):
    """Names of the parameters that are tested so."""
    name, found = None, set()
    for line in Path(params).read_text().splitlines():
        if line.startswith("param "):
            name = line.split()[2]
        elif re.match(r"  stand-in +\S", line) and name:
            found.add(name)
    return found


def layout(count=0, size=0, offset=-1):
    """struct lov_user_md_v1, as Lustre's headers have it."""
    return struct.pack("<IIQQIHH", MAGIC, 0, 0, 0, size, count & 0xFFFF,
                       offset & 0xFFFF).hex()


class Lustre:
    def __init__(self, tap, opener, library):
        self.tap, self.opener, self.library = tap, opener, library

    def play(self, settings, *words, before=()):
        """(what was received by file, output, events) of one run."""
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            os.chmod(scratch, 0o755)
            place, bare = Path(scratch) / "lustre", Path(scratch) / "bare"
            log = Path(scratch) / "log"
            for directory in (place, bare):
                directory.mkdir()
                os.chmod(directory, 0o777)
                for name in before:
                    (directory / name).write_bytes(b"x")
            command = [self.opener, *map(str, words)]
            plain = subprocess.run(command, cwd=bare, capture_output=True,
                                   text=True, check=True)
            log.touch()
            os.chmod(log, 0o666)
            env = dict(os.environ, STANDIN_PLACE=str(place),
                       STANDIN_LOG=str(log), LD_PRELOAD=self.library)
            done, events = planned.run(scratch, settings, command, cwd=place,
                                       env=env)
            received = {}
            for line in log.read_text().splitlines():
                call, name, *rest = line.split()
                received.setdefault(Path(name).name, []).append(
                    (call, *rest))
            effects = {path.name: planned.effects(events, path)
                       for path in place.iterdir()}
            same = plain.stdout == done.stdout and all(
                path.read_bytes() == (place / path.name).read_bytes() and
                path.stat().st_mode == (place / path.name).stat().st_mode
                for path in bare.iterdir())
            self.last = [plain.stdout, done.stdout, received, effects]
            return received, effects, same

    def check(self, passed, name):
        self.tap.result(bool(passed), name, () if passed else self.last)

    def received(self, calls, asked):
        """Made without objects, then given these stripes, as its number."""
        kinds = [call[0] for call in calls]
        return kinds[:2] == ["open", "setstripe"] and \
            int(calls[0][1], 16) & LATER == LATER and \
            calls[1] == ("setstripe", f"{SET_STRIPE:x}", asked)

    def every_one(self):
        for name, value in STRIPES.items():
            asked = layout(**{name.partition("_")[2]: value})
            received, effects, same = self.play([(name, value)], "create",
                                                "a", 2)
            self.check(same and self.received(received["a"], asked),
                       f"{name}: received as Lustre wants it")
            self.check(effects["a"] == [(name, str(value), "took",
                                         str(value))], f"{name}: took")

    def every_way(self):
        words = ["create", "a", 2, "creat", "b", 1, "exclusive", "c", 1,
                 "append", "d", 1, "fwrite", "e", 3, "fopen-x", "f", 1,
                 "fopen-a", "g", 1, "syscall-creates", "h", 1]
        settings = list(STRIPES.items())
        received, effects, same = self.play(settings, *words)
        asked = layout(*STRIPES.values())
        self.check(same, "the same files and flags come out")
        for name, way in zip("abcdefgh", words[::3]):
            self.check(self.received(received.get(name, []), asked) and
                       [e[2] for e in effects[name]] == ["took"] * 3,
                       f"stripes of a file made by {way}")
        received, effects, same = self.play(
            settings, "step-down", "-", 0, "exclusive", "c", 1)
        self.check(same and self.received(received["c"], asked),
                   "a file that its maker may not write")

    def left_alone(self):
        settings = list(STRIPES.items())
        received, effects, same = self.play(
            settings, "create", "old", 2, "read", "old", 0, "exclusive", "old",
            0, "fopen-x", "old", 0, before=["old"])
        self.check(same and not [call for call in received.get("old", ())
                                 if call[0] == "setstripe"] and
                   {e[2:] for e in effects["old"]} ==
                   {("kept", "the file exists")},
                   "a file that exists keeps its stripes")
        received, effects, same = self.play(settings, "create", "refused", 2)
        self.check(same and {e[2] for e in effects["refused"]} == {"refused"},
                   "what Lustre refuses is told")
        received, effects, same = self.play(
            [("stripe_count", 20), ("stripe_size", "1M", {"file": "*.h5"})],
            "create", "a", 1)
        self.check(same and effects["a"] == [("stripe_count", "20", "changed",
                                              "8")],
                   "fewer targets than asked for; another file's size")
        received, effects, same = self.play([("stripe_count", -1)], "create",
                                            "a", 1)
        self.check(self.received(received["a"], layout(count=-1)) and
                   effects["a"] == [("stripe_count", "-1", "took", "8")],
                   "all targets")

    def elsewhere(self):
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            place = Path(scratch) / "there"
            place.mkdir()
            _, events = planned.run(scratch, [("stripe_count", 4)],
                                    [self.opener, "create", "a", "1"],
                                    cwd=place)
            effects = planned.effects(events, place / "a")
        mpirun.check(self.tap, effects == [("stripe_count", "4", "ignored",
                                            "not on Lustre")],
                     "on other file systems", [effects])

    def all(self):
        self.every_one()
        self.every_way()
        self.left_alone()
        self.elsewhere()


def given_to(log):
    """{file's name: (its whole name, {key: value})}, of one rank."""
    found, name = {}, None
    for line in log.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "name":
            name = rest
            found[Path(name).name] = (name, {})
        else:
            key, _, value = rest.partition(" ")
            found[Path(name).name][1][key] = value
    return found


def play_mpi(flavour, program, library, settings):
    """What each rank's MPI was given."""
    with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
        log = Path(scratch) / "log"
        env = dict(weirtool.mpi_environment(), STANDIN_LOG=str(log),
                   LD_PRELOAD=library)
        planned.run(scratch, settings,
                    mpirun.command(flavour, RANKS, program,
                                   f"{scratch}/plain", f"{scratch}/file.nc"),
                    cwd=scratch, env=env)
        return [given_to(Path(f"{log}.{rank}")) for rank in range(RANKS)]


def check_hints(tap, flavour, ranks, table, file):
    for name, (_, wanted) in table.items():
        given = [rank.get(file, ("", {}))[1].get(name) for rank in ranks]
        if flavour == "openmpi" and len(name) >= KEY:
            wanted = None
        mpirun.check(tap, given == [wanted] * RANKS,
                     f"{flavour}: {name} is given with {file}",
                     [f"wanted {wanted}, given {given}"])


def check_mpi(tap, flavour, program, library):
    with_netcdf = b"ncmpi_create" in Path(program).read_bytes()
    asked = {**HINTS, **(NETCDF if with_netcdf else {})}
    settings = [(name, value, OPT_IN if name.startswith("direct_") else {})
                for name, (value, _) in asked.items()]
    ranks = play_mpi(flavour, program, library, settings)
    check_hints(tap, flavour, ranks, HINTS, "plain")
    mpirun.check(tap, not set(NETCDF) & set(ranks[0]["plain"][1]),
                 f"{flavour}: PnetCDF's keys are not for other files", ranks)
    if with_netcdf:
        check_hints(tap, flavour, ranks, NETCDF, "file.nc")
    if flavour != "mpich":
        return
    for name, (value, prefix) in PREFIXES.items():
        names = [rank["plain"][0] for rank in play_mpi(
            flavour, program, library, [(name, value)])]
        mpirun.check(tap, all(re.fullmatch(prefix + "/.*/plain", n)
                              for n in names),
                     f"{flavour}: {name} is seen before the name", names)


def check_variables(tap):
    with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
        done, _ = planned.run(scratch, [(name, value) for name, (value, _)
                                        in VARIABLES.items()], ["env"])
    lines = done.stdout.splitlines()
    for name, (_, wanted) in VARIABLES.items():
        mpirun.check(tap, f"{name}={wanted}" in lines,
                     f"{name} is in the environment", lines)


def main():
    params, opener, library, *flavours = [
        word if "/" not in word else os.path.abspath(word)
        for word in sys.argv[1:]]
    tap = Tap()
    rows = {name for table in TABLES for name in table}
    missing = stand_ins(params) - rows
    tap.result(len(stand_ins(params)) > 30 and not missing,
               "every parameter with a stand-in is tested here",
               sorted(missing))
    Lustre(tap, opener, library).all()
    check_variables(tap)
    for at in range(0, len(flavours), 3):
        check_mpi(tap, *flavours[at:at + 3])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
