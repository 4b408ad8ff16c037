#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir export` writes, read by others, against the dump's JSON lines.

usage: run-export.py

Environment: KERNELS and TESTS, the folders of the I/O kernels and of the tests'
programs, where they were built."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import otf2  # noqa: E402
import perfetto  # noqa: E402
import tables  # noqa: E402
import traces  # noqa: E402
from hostilenames import WORDS, long_path, take_back  # noqa: E402
from truth import Truth, differences  # noqa: E402
from weirtool import WEIR, Tap, in_whole, run  # noqa: E402

USAGE, DAMAGED, REFUSED = 2, 4, 5


def judge(tap, passed, name, lines=()):
    tap.result(passed, name, () if passed else lines)


def export(trace, form, out, *more, status=0):
    done = run(WEIR, "export", trace, "--to", form, "-o", out, *more,
               check=False)
    if done.returncode != status:
        raise RuntimeError(f"weir export --to {form} returned "
                           f"{done.returncode}: {done.stderr}")
    return done


def read_sqlite(out, _=None):
    return tables.Seen(tables.from_sqlite(out))


def read_csv(out, _=None):
    return tables.Seen(tables.from_csv(out))


FORMATS = {"sqlite": read_sqlite, "csv": read_csv, "perfetto": perfetto.Seen,
           "otf2": otf2.Seen}


def lacking():
    """{format: why it cannot be tested}"""
    found = {}
    for form in FORMATS:
        done = run(WEIR, "export", "/nowhere", "--to", form, "-o", "/nowhere",
                   check=False)
        if "was built without" in done.stderr:
            found[form] = done.stderr.strip()
    return found


def wrong_of(seen, truth):
    wrong = []
    for name in ("events", "calls", "bytes", "parents", "links", "times",
                 "paths"):
        if hasattr(seen, name):
            wrong += differences(name, getattr(seen, name),
                                 getattr(truth, name))
    if hasattr(seen, "args"):
        wrong += tables.wrong_arguments(seen, truth)
    return wrong


def check_trace(tap, name, trace, due=(), status=0, like=None):
    """All formats; `due`: what of Truth must not be empty."""
    truth = Truth(trace, (status,), like)
    empty = [word for word in due if not getattr(truth, word)]
    judge(tap, not empty, f"{name}: {truth.events} events", empty)
    for form, reader in FORMATS.items():
        if form in LACKING:
            tap.skip(f"{name}: {form}", LACKING[form])
            continue
        out = trace.with_suffix(f".{form}")
        export(trace, form, out, status=status)
        wrong = wrong_of(reader(out, truth.kinds), truth)
        judge(tap, not wrong, f"{name}: {form} tells the same", wrong)
    return truth


# --- layers ----------------------------------------------------------------

def check_layers(tap):
    def plain(scratch):
        trace = traces.workload(scratch / "plain")
        truth = check_trace(tap, "descriptors and streams", trace,
                            ("bytes", "parents"))
        layers = {layer for layer, _ in truth.calls}
        judge(tap, {"posix", "stdio", "mark"} <= layers, "three layers",
                   layers)
        if "sqlite" not in LACKING:
            check_tool(tap, trace.with_suffix(".sqlite"), truth)
        check_described(tap, trace)
        check_parts(tap, trace, truth)
        check_damage(tap, trace, scratch)

    def handed_over(scratch):
        check_trace(tap, "libaio", traces.asynchronous(scratch / "aio"),
                    ("bytes", "links"))

    def of_ring(scratch):
        check_trace(tap, "a ring", traces.workload(
            scratch / "ring", "--ring", "64K"), ("events",))

    def of_nothing(scratch):
        check_trace(tap, "nothing", traces.record(
            scratch / "nothing", "true", options=["--include", "/none"]))

    def with_servers(scratch):
        trace = traces.of_servers(scratch / "servers")
        truth = check_trace(tap, "servers", trace, ("parents", "links"))
        judge(tap, {"caused", "collective"} <=
              {kind for _, kind, _ in truth.links}, "servers are told apart",
              truth.links)

    for play in (plain, handed_over, of_ring, of_nothing, with_servers):
        in_whole(play)


KERNELS = (  # program, arguments, what must be in its trace
    ("contig-mpich", "--record 4096 --phases 3 --api mpiio", ()),
    ("contig-openmpi", "--record 4096 --phases 3 --api mpiio", ()),
    ("vpic-mpich", "--particles 100 --mode collective", ("links",)),
    ("vpic-openmpi", "--particles 100", ()),
    ("flash-pnetcdf-openmpi", "--blocks 2 --cells 2 --mode posted",
     ("links",)),
)


def check_kernels(tap):
    for program, arguments, due in KERNELS:
        def play(scratch):
            trace = traces.kernel(scratch / "kernel", program,
                                  *arguments.split())
            if trace:
                check_trace(tap, program, trace, ("bytes", "parents", *due))
            else:
                tap.skip(program, "it was not built")
        in_whole(play)


# --- names -----------------------------------------------------------------

def check_names(tap):
    def play(scratch):
        work = scratch / "names.work"
        names = [*WORDS, long_path(work)]
        trace = scratch / "names"
        done = subprocess.run(
            [WEIR, "run", "-q", "--strict", "-o", trace, "--",
             traces.TESTS / "trace" / "hostile"],
            input=b"".join(name + b"\0" for name in names), cwd=work,
            capture_output=True)
        traces.must_be_whole(done)
        truth = check_trace(tap, "hostile names", trace, ("bytes",))
        due = {os.path.join(os.fsencode(work), name) for name in names}
        missing = due - {take_back(path) for path in truth.paths}
        judge(tap, not missing, "hostile names: each is taken back", missing)
    in_whole(play)


# --- the database by its own tool ------------------------------------------

def check_tool(tap, base, truth):
    """sqlite3 reads it, and the views hold."""
    def ask(sql):
        return run("sqlite3", "-readonly", base, sql).stdout.strip()

    found = ask("SELECT sum(calls) FROM per_layer")
    judge(tap, found == str(truth.events), "per_layer counts all", [found])
    tree = ask("SELECT count(*), sum(level > 0) FROM call_tree")
    judge(tap, tree == f"{truth.events}|{len(truth.parents)}",
               "call_tree has every event, and every caller", [tree])
    sums = ask("SELECT sum(bytes) FROM per_file")
    due = sum(count for (path, _), count in truth.bytes.items() if path)
    judge(tap, sums == str(due), "per_file sums up bytes", [sums, due])
    own = ask("SELECT min(own_time) >= 0 FROM call_tree")
    judge(tap, own == "1", "nobody's own time is below nothing", [own])
    ranks = ask("SELECT sum(calls) FROM per_rank")
    judge(tap, ranks == str(truth.events), "per_rank counts all", [ranks])
    marks = ask("SELECT count(*) FROM marks")
    due = sum(count for (layer, _), count in truth.calls.items()
              if layer == "mark")
    judge(tap, marks == str(due) and due, "marks has every mark", [marks])
    links = ask("SELECT count(*) FROM every_link WHERE kind = 'nested' "
                "OR kind = 'deferred'")
    judge(tap, links == str(len(truth.parents)), "every_link has callers",
               [links])


def check_described(tap, trace):
    """doc/export.md has every table with its columns, in their order."""
    text = (HERE.parents[1] / "doc" / "export.md").read_text(encoding="utf-8")
    wrong = []
    for table in tables.TABLES:
        part = re.search(rf"^`{table}`.*?(?=^`|^## )", text, re.M | re.S)
        told = [name.strip() for row in
                re.findall(r"^\| ([a-z_, ]+) \|", part[0], re.M)
                for name in row.split(",") if row != "column"]
        with open(trace.with_suffix(".csv") / f"{table}.csv",
                  encoding="utf-8") as file:
            there = file.readline().strip().split(",")
        if told != there:
            wrong.append(f"{table}: {told}, not {there}")
    judge(tap, not wrong, "every column is described", wrong)


# --- parts, places, damage -------------------------------------------------

def check_parts(tap, trace, truth):
    """Filters leave out what they leave out of a dump."""
    out = trace.with_suffix(".part")
    path = max(truth.paths, key=lambda name: sum(
        row.get("file") == name for row in truth.rows))
    export(trace, "csv", out, "--file", path)
    due = {row["id"] for row in truth.rows if row.get("file") == path}
    found = set(read_csv(out).times)
    judge(tap, found == due and len(due) < truth.events,
               "--file chooses calls", [path, len(found), len(due)])
    export(trace, "csv", out, "--time", "-1ms", "--force")
    due = {row["id"] for row in truth.rows if row["start"] < 1000000}
    found = set(read_csv(out).times)
    judge(tap, found == due, "--time chooses calls", [len(found), len(due)])


def check_damage(tap, trace, scratch):
    broken = traces.damaged(trace, scratch / "broken")
    check_trace(tap, "a damaged trace", broken, ("events",), DAMAGED,
                trace)
    states = {row["state"] for row in
              tables.from_csv(broken.with_suffix(".csv"))["runs"]}
    judge(tap, states == {"damaged"}, "its tables say so", states)
    for form, state in (("perfetto", "a damaged trace"), ("otf2", "damaged")):
        if form not in LACKING:
            seen = FORMATS[form](broken.with_suffix(f".{form}"), {})
            judge(tap, seen.state == state, f"{form} says so", [seen.state])


def check_hostile(tap, scratch):
    """Traces that no recorder makes: calls that overlap, odd numbers."""
    for kind in ("numbers", "layers", "unknown"):
        trace = scratch / f"{kind}.packed"
        run(MAKE_HOSTILE, kind, scratch / f"{kind}.raw", trace)
        truth = Truth(trace, like=scratch / "numbers.packed")
        for form, reader in FORMATS.items():
            if form in LACKING:
                tap.skip(f"made {kind}: {form}", LACKING[form])
                continue
            out = scratch / f"{kind}.{form}"
            export(trace, form, out)
            seen = reader(out, truth.kinds)
            wrong = [line for name in ("events", "calls")
                     for line in differences(name, getattr(seen, name),
                                             getattr(truth, name))]
            judge(tap, not wrong, f"made {kind}: {form} has every call",
                  wrong)


def check_places(tap):
    """What is there stays, and nothing is left half done."""
    with tempfile.TemporaryDirectory(prefix="weir-export-") as place:
        scratch = Path(place)
        trace = traces.record(scratch / "trace", "true")
        mine = scratch / "mine"
        mine.mkdir()
        (mine / "thesis.txt").write_text("all of it")
        weir = next(trace.glob("*.weir"))
        before = weir.read_bytes()
        for out, *more in ((mine,), (mine, "--force"), (trace, "--force"),
                           (weir, "--force"), (weir,)):
            done = export(trace, "csv", out, *more, status=USAGE)
            judge(tap, "exist" in done.stderr or
                  (out == weir and "ends in .weir" in done.stderr),
                       f"{out.name} {' '.join(more)}: is not replaced",
                       [done.stderr])
        judge(tap, (mine / "thesis.txt").exists() and
                   weir.read_bytes() == before, "and stays as it was")
        out = scratch / "out"
        export(trace, "csv", out)
        export(trace, "csv", out, status=USAGE)
        export(trace, "csv", out, "--force")
        done = export(trace, "csv", scratch / "no" / "where", status=1)
        judge(tap, "where" in done.stderr, "no such place", [done.stderr])
        done = export(scratch / "none", "csv", scratch / "new",
                      status=REFUSED)
        export(trace, "tar", scratch / "new", status=USAGE)
        left = [path.name for path in scratch.iterdir()
                if "partial" in path.name]
        judge(tap, not left and not (scratch / "new").exists(),
                   "nothing is left behind", left)


def check_full(tap):
    """A disk that is full: said, and nothing is left."""
    with tempfile.TemporaryDirectory(prefix="weir-export-") as place:
        trace = traces.record(Path(place) / "trace", "ls", "/")
        for form in FORMATS:
            if form in LACKING:
                continue
            done = subprocess.run(
                ["bash", "-c", "ulimit -f 1; trap '' XFSZ; "
                 f"exec '{WEIR}' export '{trace}' --to {form} "
                 f"-o '{place}/out'"], capture_output=True, text=True)
            left = [path.name for path in Path(place).iterdir()]
            judge(tap, done.returncode == 1 and left == ["trace"] and
                       "cannot write" in done.stderr,
                       f"{form}: no room is told", [done.stderr, left])


LACKING = lacking()
MAKE_HOSTILE = traces.TESTS / "report" / "make_hostile"


def main():
    tap = Tap()
    check_layers(tap)
    check_kernels(tap)
    check_names(tap)
    if MAKE_HOSTILE.exists():
        in_whole(lambda scratch: check_hostile(tap, scratch))
    else:
        tap.skip("made traces", "make_hostile was not built")
    check_places(tap)
    check_full(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
