#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir query` answers, against another computation, and what it refuses.

usage: run-query.py WORKLOAD MAKE_STACK

Environment: KERNELS, the folder of the I/O kernels, where they were built."""
import csv
import io
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kernels"))
import ranks  # noqa: E402
from oracle import Model  # noqa: E402
from scenario import SERVER, Scenario, random_run  # noqa: E402
from weirtool import (WEIR, Tap, events, in_whole, mpi_environment,  # noqa: E402
                      must_be_whole, run)

WORKLOAD, MAKE = map(os.path.abspath, sys.argv[1:3])
FIGURES = ("calls", "mean", "min", "max", "total")


def judge(tap, passed, name, lines=()):
    tap.result(passed, name, () if passed else lines)


def ask(trace, query, *options, form="jsonl", status=0):
    done = run(WEIR, "query", "--format", form, *options, trace, query,
               check=False)
    if done.returncode != status:
        raise RuntimeError(f"{query}: {done.returncode}: {done.stderr}")
    if form == "jsonl":
        return [json.loads(line) for line in done.stdout.splitlines()]
    if form == "csv":
        return list(csv.DictReader(io.StringIO(done.stdout)))
    return done.stdout


def sentence(metric, by, exclusive, tail=""):
    return " ".join(filter(None, [metric, "exclusive" if exclusive else "",
                                  "by " + ",".join(by) if by else "", tail]))


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=6e-10)


def differs(rows, expected, by):
    """What is wrong with the rows of an answer."""
    wrong, seen = [], set()
    for row in rows:
        key = tuple(row[group] for group in by)
        seen.add(key)
        if key not in expected:
            wrong.append(f"not expected: {row}")
            continue
        want = dict(zip((*FIGURES, "how"), expected[key]))
        for name in FIGURES:
            if row[name] is not None and not near(row[name], want[name]):
                wrong.append(f"{key} {name}: {row[name]} not {want[name]}")
        if (row["how"] == "estimate") != want["how"]:
            wrong.append(f"{key}: {row['how']}")
    return wrong + [f"missing: {key}" for key in expected.keys() - seen]


def check(tap, name, trace, model, cases):
    wrong, rows = [], 0
    for metric, by, exclusive, tail, more in cases:
        query = sentence(metric, by, exclusive, tail)
        expected = model.answer(metric.split()[0], by, exclusive, **more)
        told = ask(trace, query)
        rows += len(told)
        wrong += [f"{query}: {fault}" for fault in differs(told, expected, by)]
    judge(tap, not wrong and rows, f"{name}: {len(cases)} questions",
               wrong[:20])


def every_case(layers):
    """Metrics by groups, and some conditions."""
    for metric in ("latency", "throughput"):
        for exclusive in (False, True):
            for by in (["call", "layer"], ["id", "layer"], ["client", "layer"],
                       ["id", "client", "layer"], ["server", "layer"],
                       ["client", "server", "layer"], ["segment", "layer"]):
                yield metric, by, exclusive, "", {}
        yield metric, ["call"], False, "", {}
    for metric in ("count", "bytes"):
        for by in (["call", "layer"], ["id", "layer"], ["rank", "layer"],
                   ["process", "layer"], ["server", "layer"], ["call"]):
            yield metric, by, False, "", {}
    for metric in ("io_nodes", "disk_accesses", "power", "energy",
                   "comm_time"):
        for by in (["call"], ["id"], ["client"], ["id", "client"], ["rank"],
                   ["segment"]):
            yield metric, by, False, "", {}
        if metric != "comm_time":
            yield metric, ["server"], False, "", {}
            yield metric, ["id", "client", "server"], False, "", {}
    for layer in layers:
        yield ("latency", ["id"], False, f"where layer={layer}",
               {"only": lambda l, c, s, layer=layer: l == layer})
    yield ("latency", ["call"], False, 'where call="MPI_*"',
           {"wanted": lambda unit: unit["call"].startswith("MPI_")})


def make(scenario, scratch, servers=3):
    raw, packed = scratch / "made.raw", scratch / "made.weir"
    scenario.write(MAKE, 3, servers, raw, packed)
    raw.unlink()
    return packed


def check_made(tap, scratch):
    for seed in range(4):
        place = scratch / f"made{seed}"
        place.mkdir()
        trace = make(random_run(seed), place)
        model = Model(events(trace))
        check(tap, f"a made run, {seed}", trace, model,
              list(every_case(["mpiio", "client", "server", "disk"])))
    check(tap, "calls of a layer", trace, Model(events(trace), "client"), [
        ("latency of client", ["id", "layer"], False, "", {}),
        ("throughput of client", ["client", "layer"], True, "", {})])


def by_hand():
    """Two ranks write together; the second server is used by both."""
    made = Scenario()
    for rank, start in ((0, 1000), (1, 1500)):
        who = rank + 1, 1
        made.call(who, "exchange", start + 50, 100, 1)
        made.call(who, "client_io", start + 200, 300, 1, 600, 10 + rank)
        made.call(who, "client_io", start + 600, 400, 1, 400)
        made.call(who, "MPI_File_write_all", start, 1100, 0, 1000, coll=5,
                  seq=1)
    made.call((SERVER + 1, 1), "serve", 1250, 200, 0, 600, 0, 10)
    made.call((SERVER + 1, 1), "disk_io", 1300, 50, 1, 300)
    made.call((SERVER + 1, 1), "disk_io", 1360, 50, 1, 300)
    made.call((SERVER + 2, 1), "serve", 1300, 500, 0, 600, 0, 10)
    made.call((SERVER + 2, 1), "disk_io", 1400, 300, 1, 600)
    made.call((SERVER + 2, 2), "serve", 1700, 200, 0, 600, 0, 11)
    made.call((SERVER + 2, 2), "disk_io", 1750, 100, 1, 600)
    return made


HAND = [  # query, then of each row: its figures in ns, or others
    ("latency by layer", {("mpiio",): 1100, ("client",): 700, ("comm",): 100,
                          ("server",): 500, ("disk",): 300}),
    ("latency exclusive by layer",
     {("mpiio",): 400, ("client",): 200, ("comm",): 100, ("server",): 200,
      ("disk",): 300}),
    ("latency by client,layer where layer=server",
     {(0, "server"): 500, (1, "server"): 200}),
    ("latency exclusive by client,layer where server=1",
     {(0, "mpiio"): 400, (0, "client"): 200, (0, "server"): 200,
      (0, "disk"): 300, (0, "comm"): 100, (1, "mpiio"): 400,
      (1, "client"): 500, (1, "server"): 100, (1, "disk"): 100,
      (1, "comm"): 100}),
    ("comm_time by call", {("MPI_File_write_all",): 100}),
    ("io_nodes by call", {("MPI_File_write_all",): 2}),
    ("io_nodes by client", {(0,): 2, (1,): 1}),
    ("disk_accesses by server", {(0,): 2, (1,): 2}),
    # 600 bytes in 100 ns and in 300 ns; 600 in 100 ns
    ("throughput by layer where layer=mpiio",
     {("mpiio",): 6e9 + 2e9 + 6e9}),
    ("throughput exclusive by layer where layer=mpiio,disk",
     {("mpiio",): 2 * 1e12 / 1100, ("disk",): 14e9}),
    # the server was busy from 1300 to 1900, its disk 400 ns of these
    ("energy by server", {(0,): 13.5 * 100e-9 + 10.2 * 100e-9,
                          (1,): 13.5 * 400e-9 + 10.2 * 200e-9}),
    ("power by server", {(0,): (13.5 + 10.2) / 2,
                         (1,): (13.5 * 4 + 10.2 * 2) / 6}),
    ("power by call", {("MPI_File_write_all",):
                       (13.5 + 10.2) / 2 + (13.5 * 4 + 10.2 * 2) / 6}),
]


def check_by_hand(tap, scratch):
    trace = make(by_hand(), scratch, servers=2)
    for query, expected in HAND:
        by = re.search(r"by (\S+)", query)[1].split(",")
        scale = 1e-9 if "latency" in query or "comm" in query else 1
        rows = {tuple(row[group] for group in by): row["mean"]
                for row in ask(trace, query)}
        wrong = rows.keys() ^ expected.keys() or [
            key for key in rows
            if not math.isclose(rows[key], scale * expected[key],
                                rel_tol=1e-6)]
        judge(tap, not wrong, f"by hand: {query}", [rows] if wrong else ())
    done = run(WEIR, "dump", "--tree", trace)
    judge(tap, "process 4: serve(for=0xa)" in done.stdout, "a tree tells for whom",
               [done.stdout])


MISTAKES = [  # query, what is said
    ("", "column 1: expected a metric, not the end: one of latency, "
     "throughput, count, bytes, avg_latency, io_nodes, comm_time, "
     "disk_accesses, power, energy"),
    ("latencyy by call",
     "column 1: expected a metric, not `latencyy'; did you mean latency?"),
    ("latency by clinet",
     "column 12: expected a group, not `clinet'; did you mean client?"),
    ("latency by call,call", "column 17: `call' is there twice"),
    ("latency by", "column 11: expected a group, not the end: one of id, "
     "call, layer, client, rank, process, program, server, segment, file, "
     "mount, size, errno, host"),
    ("latency by call by layer",
     "column 17: expected a clause, not `by': one of inclusive, exclusive, "
     "percentiles, of, where, top"),
    ("latency wehre op=read",
     "column 9: expected a clause, not `wehre'; did you mean where?"),
    ("latency where op", "column 17: expected `=' after `op', not the end"),
    ("latency where op=reed",
     "column 18: `op' takes read or write, not `reed'"),
    ("latency where client=3-1",
     "column 22: `client' takes a number, or two as in 0-3, not `3-1'"),
    ("latency where id=7",
     "column 18: `id' takes an id as weir dump prints it, 1.1.0, not `7'"),
    ("latency where time=2-1",
     "column 20: `time' takes two times as in 1.5-2 or 10ms-, not `2-1'"),
    ("latency where line=12",
     "column 20: `line' takes FILE:LINE or FILE:FROM-TO, not `12'"),
    ("latency where file='a b", "column 20: the quote is not closed"),
    ("latency where file='a'b",
     "column 23: expected a blank or a comma behind the quote"),
    ("latency where file=a,", "column 22: `file' takes a path or a pattern, "
     "not the end"),
    ("latency where colour=1", "column 15: expected a key, not `colour': one "
     "of id, call, layer, client, rank, process, program, server, segment, "
     "file, mount, size, errno, host, op, time, line"),
    ("latency top 0", "column 13: expected a number of rows, not `0'"),
    ("latency top", "column 12: expected a number of rows, not the end"),
    ("latency of", "column 11: expected the name of a layer, not the end"),
    ("latency exclusive by call",
     "what is exclusive to a layer needs `layer' in `by', or one in `where'"),
    ("power exclusive", "`power' is the same inclusive and exclusive: leave "
     "the word out"),
    ("io_nodes by layer", "`io_nodes' is not of a layer: leave `layer' out"),
    ("latency where size=4K-1K",
     "column 20: `size' takes a size, or two as in 4K-1M, not `4K-1K'"),
    ("latency percentiles by id", "a call has one figure: leave "
     "`percentiles' or `id' out"),
    ("latency by \x1b[31m\xff" + "x" * 100,
     "column 12: expected a group, not `?[31m??" + "x" * 25 + "...': one of "
     "id, call, layer, client, rank, process, program, server, segment, file, "
     "mount, size, errno, host"),
    ("latency where file=" + ",".join("abcdefgh"[i % 8] for i in range(65)),
     "column 148: more than 64 values"),
    ("latency where " + " and ".join(["op=read"] * 17),
     "column 207: more than 16 conditions"),
    ("x" * 5000, "longer than 4096 bytes"),
]


def check_mistakes(tap, trace):
    wrong = []
    for query, expected in MISTAKES:
        done = run(WEIR, "query", trace, query, check=False)
        said = f"weir query: {expected}\n"
        if done.returncode != 2 or done.stdout or done.stderr != said:
            wrong.append(f"{query[:60]!r}: {done.returncode} {done.stderr!r}")
    judge(tap, not wrong, f"mistakes: {len(MISTAKES)} are told", wrong)


RIGHT = ["count by rank,process,program,mount,size,errno",
         "bytes where rank=0-3 and process=1-9 and program=sh and mount=/*",
         "latency percentiles where size=0,4K-1M,1G- and errno=0,E* top 3",
         "latency", "  latency  inclusive ", "latency by id,call,layer,client,"
         "server,segment,file,host top 3", "latency top 2 by layer exclusive",
         'latency where call="MPI_*",\'c d\' and op=read,write and time=0-1',
         "latency where client=0-2 and client=1 and host='*'",
         "latency of client where id=1.1.0,2.1.1",
         "throughput where file=*"]


def check_words(tap, trace):
    wrong = []
    for query in RIGHT:
        for words in ([query], query.split()):
            if "'" in query and len(words) > 1:
                continue
            done = run(WEIR, "query", trace, *words, check=False)
            if done.returncode or done.stderr.startswith("weir query"):
                wrong.append(f"{words}: {done.stderr}")
    judge(tap, not wrong, f"{len(RIGHT)} sentences are understood", wrong)


def check_conditions(tap, trace):
    """Parts of the whole, by conditions."""
    every = ask(trace, "latency by id,client,server,layer")
    some = ask(trace, "latency by id,client,server,layer where client=1-2")
    one = every[len(every) // 2]
    of_id = ask(trace, f"latency by id,layer where id={one['id']}")
    at = f"{one['start']:.9f}-{one['start'] + 1e-9:.9f}"
    then = ask(trace, f"latency by id where time={at}")
    tops = ask(trace, "latency by id,client,server,layer top 4")
    best = sorted((row["total"] for row in every), reverse=True)[:4]
    judge(tap, [r for r in every if r["client"] in (1, 2)] == some,
               "where client", [some[:3]])
    judge(tap, {row["id"] for row in of_id} == {one["id"]}, "where id",
               of_id)
    judge(tap, {row["id"] for row in then} == {one["id"]}, "where time", then)
    judge(tap, [row["total"] for row in tops] == best, "top", tops)
    starts = [row["start"] for row in every]
    judge(tap, starts == sorted(starts), "calls are in the order of time")
    rows = ask(trace, "latency by host,layer")
    judge(tap, {row["host"] for row in rows} == {'node"01,\\x1b'},
               "by host, in safe form", rows[:2])


def check_many(tap, scratch):
    """Of many calls only those that may be shown are kept."""
    made, chance, at = Scenario(), random.Random(1), 1000
    for _ in range(10000):
        dur = chance.randint(1, 10 ** 6)
        made.call((1, 1), "pwrite", at, dur, 0, 10)
        at += dur + 5
    trace = make(made, scratch)
    every = ask(trace, "latency by id,call")
    tops = ask(trace, "latency by id,call top 7")
    best = sorted(every, key=lambda row: (-row["total"], row["start"]))[:7]
    judge(tap, len(every) == 10000 and tops == best, "top of many", tops)


def check_forms(tap, trace):
    query = "latency by host,call,client,server,layer"
    lines = ask(trace, query)
    table = ask(trace, query, form="csv")
    same = len(lines) == len(table) and all(
        list(a) == list(b) and all(
            b[key] == ("" if a[key] is None else str(a[key]))
            or near(float(b[key]), a[key]) for key in a)
        for a, b in zip(lines, table))
    judge(tap, same and lines, "CSV has what JSON has", [lines[:1],
                                                         table[:1]])
    text = ask(trace, "latency by call,segment,layer", form="text")
    judge(tap, text.isprintable() or
               all(c.isprintable() or c == "\n" for c in text),
               "text is safe", [repr(text)])


def check_disks(tap, trace, scratch):
    disk = scratch / "disk"
    disk.write_text("# mine\nname  quick\nactive_watts 10\nidle_watts\t 5.0\n")
    plain = {row["server"]: row for row in ask(trace, "energy by server")}
    mine = ask(trace, "energy by server", "--disk", disk)
    wrong = [row for row in mine
             if not 0 < row["total"] < plain[row["server"]]["total"]]
    judge(tap, mine and not wrong, "a disk of one's own", wrong)
    for text, said in [
            ("name a\nactive_watts 1\n", "disk: name, active_watts and "
             "idle_watts must be there"),
            ("name a\nactive_watts 1\nidle_watts 2\n",
             "disk: active_watts is less than idle_watts"),
            ("name a\nactive_watts 1e3\n",
             "disk:2: its value is no number from 0 to 1000000"),
            ("name a\nname b\n", "disk:2: its key is there twice"),
            ("watts 1\n", "disk:1: its key is none of"),
            ("name\n", "disk:1: its value is missing"),
            ("name \x1b\n", "disk:1: it has a byte that is no plain text"),
            ("name " + "x" * 300, "disk:1: it is longer than 255 bytes")]:
        disk.write_text(text)
        done = run(WEIR, "query", "--disk", disk, trace, "power", check=False)
        judge(tap, done.returncode == 2 and said in done.stderr,
                   f"a disk that is refused: {said[:40]}", [done.stderr])
    done = run(WEIR, "query", "--disk", "nosuch", trace, "power", check=False)
    judge(tap, done.returncode == 2 and "ibm-36z15" in done.stderr,
               "a disk that nobody knows", [done.stderr])


def refused(tap, name, trace, query, said):
    done = run(WEIR, "query", trace, query, check=False)
    judge(tap, done.returncode == 5 and said in done.stderr
               and not done.stdout, f"refused: {name}", [done.stderr])


def check_program(tap, scratch):
    """Regions, lines, and what a program's trace does not have."""
    def record(*options, name="trace"):
        done = run(WEIR, "run", "-q", "--strict", *options, "-o",
                   scratch / name, "--", WORKLOAD, scratch / "out",
                   check=False)
        must_be_whole(done)
        return scratch / name, done.stdout
    trace, told = record("--backtrace")
    checkpoint, plot = map(int, told.split())
    segments = {(row["segment"], row["layer"]): row["calls"] for row in
                ask(trace, "avg_latency where call=write")}
    judge(tap, segments == {("checkpoint", "posix"): 9, ("run", "posix"): 3,
                            ('plot "\\x1b,file', "posix"): 5},
               "calls by segment", [segments])
    for query, calls in (
            ("segment=checkpoint", 14), ("segment='plot*'", 5),
            ("segment=run", 17), ("segment=nothing", 0),
            (f"line=workload.c:{checkpoint}", 7),
            (f"line=query/workload.c:{checkpoint}-{plot}", 12),
            (f"line=workload.c:{plot + 1}-{plot + 9}", 5),
            ("line=other.c:1-999", 0), ("op=read", 0), ("op=write", 17),
            ("file=out", 17), ("file=nobody", 0)):
        rows = ask(trace, f"latency by call where call=write and {query}")
        found = sum(row["calls"] for row in rows)
        judge(tap, found == calls, f"where {query}", [found])
    for query, layer in (("power", "server"), ("disk_accesses", "disk"),
                         ("io_nodes", "server"), ("comm_time", "comm"),
                         ("latency where layer=mpiio", "mpiio"),
                         ("latency where server=0", "server"),
                         ("latency of hdf5", "hdf5")):
        refused(tap, query, trace, query, f"has no calls of layer {layer}: ")
    plain, _ = record(name="plain")
    refused(tap, "lines of a trace without", plain,
            "latency where line=workload.c:1-9", "weir run --backtrace")
    short, _ = record("--ring", "1M", name="ring")
    refused(tap, "short records", short, "latency", "short records")
    sums, _ = record("--profile", name="sums")
    refused(tap, "sums", sums, "latency", "sums instead of calls")
    refused(tap, "no trace", scratch / "nothing", "latency", "No such file")
    done = run(WEIR, "run", "-q", "-o", scratch / "empty", "--", "true")
    rows = ask(scratch / "empty", "latency")
    judge(tap, rows == [], "a trace without calls", rows)
    refused(tap, "marks of a trace without", scratch / "empty",
            "latency where segment=a", "weir-mark(7)")


REQUESTS = '''
import os
for size in [10] * 5 + [2000] * 20 + [50000] * 3:
    with open("data", "ab", buffering=0) as f:
        f.write(b"x" * size)
for name in ["no"] * 4 + ["data/no"] * 2:
    try:
        os.open(name, os.O_RDONLY)
    except OSError:
        pass
'''
CLASSES = [(100, "0-100"), (1024, "101-1K"), (10240, "1K-10K"),
           (102400, "10K-100K"), (1 << 20, "100K-1M")]


def size_class(size):
    return next(name for most, name in CLASSES if size <= most)


def counted(rows, key):
    return {row[key]: row["total"] for row in rows}


def check_groups(tap, scratch):
    """By who, where, how much and how it went, against the dump."""
    trace = scratch / "trace"
    must_be_whole(run(
        WEIR, "run", "-q", "--strict", "-o", trace, "--", "sh", "-c",
        f"python3 -c '{REQUESTS}'; cat data >copy", cwd=scratch, check=False))
    there = [e for e in events(trace) if e["depth"] == 0]
    mine = [e for e in there if e.get("file", "").startswith(str(scratch))]
    tail = f"where file={scratch}/*"
    writes = [e for e in mine if e["call"] == "write"]
    rows = ask(trace, f"count by size {tail} and call=write")
    want = Counter(size_class(e["size"]) for e in writes)
    judge(tap, len(writes) >= 28 and counted(rows, "size") == want,
          "by size class", [rows, want])
    rows = ask(trace, f"bytes by errno {tail} and call=write and size=1K-4K")
    judge(tap, counted(rows, "errno") == {"0": 40000}, "where size", [rows])
    rows = ask(trace, f"count by errno {tail} and call=open* and errno=E*")
    judge(tap, counted(rows, "errno") == {"ENOENT": 4, "ENOTDIR": 2},
          "by errno", [rows])
    rows = ask(trace, "count by process")
    want = Counter(e["pid"] for e in there)
    seen = Counter()
    for row in rows:  # one for each program that the process was
        seen[row["process"]] += row["total"]
    judge(tap, seen == want, "by process", [rows, want])
    rows = ask(trace, "bytes by program where program=cat and op=write")
    judge(tap, [Path(row["program"]).name for row in rows] == ["cat"] and
          rows[0]["total"] == 190050, "by program", [rows])
    at = scratch.resolve()
    while not at.is_mount():
        at = at.parent
    rows = ask(trace, f"count by mount {tail}")
    judge(tap, [row["mount"] for row in rows] == [str(at)], "by mount", [rows])
    for mount, same in ((at, True), ("/no/such", False)):
        rows = ask(trace, f"count by call {tail} and mount={mount}")
        every = ask(trace, f"count by call {tail}")
        judge(tap, rows == (every if same else []), f"where mount, {same}",
              [rows])
    rows = ask(trace, f"latency percentiles by call {tail} and call=write")
    times = sorted(e["dur"] for e in writes)
    want = [times[-(-len(times) * p // 100) - 1] / 1e9 for p in (50, 90, 99)]
    judge(tap, len(rows) == 1 and all(
        near(rows[0][f"p{p}"], figure) for p, figure in zip((50, 90, 99), want)),
        "percentiles", [rows, want])
    text = ask(trace, f"latency percentiles by call {tail}", form="text")
    judge(tap, all(word in text for word in ("p50", "p90", "p99", "max")) and
          "mean" not in text, "percentiles as text", [text])
    judge(tap, "power" not in ask(trace, "latency", form="text"),
          "power is not told unasked")


def check_damage(tap, trace, scratch):
    """Whatever is left of a file: told, and never more than there is."""
    data, wrong, seen = trace.read_bytes(), [], set()
    for size in range(0, len(data), len(data) // 20):
        for flipped in (False, True):
            bad = bytearray(data if flipped else data[:size])
            if flipped:
                bad[size] ^= 0xff
            place = scratch / "bad.weir"
            place.write_bytes(bad)
            done = run(WEIR, "query", "--format", "jsonl", place,
                       "energy by id", check=False)
            seen.add(done.returncode)
            if done.returncode not in (0, 4, 5):
                wrong.append(f"{size} {flipped}: {done.returncode}")
            for line in done.stdout.splitlines():
                json.loads(line)
    judge(tap, not wrong and {4, 5} <= seen, "damaged traces", wrong)


def check_kernel(tap, program, arguments, ranks_, scratch):
    trace = scratch / "trace"
    done = subprocess.run(
        [WEIR, "run", "-q", "--strict", "--buffer", "16M", "-o", trace, "--",
         *ranks.launcher(program.name, ranks_), program, *arguments, scratch / "out"],
        capture_output=True, text=True, env=mpi_environment(), cwd=scratch)
    must_be_whole(done)
    there = events(trace)
    wanted = {"wanted": lambda unit: unit["call"].startswith("MPI_File_")}
    tail = 'where call="MPI_File_*"'
    cases = [("latency", by, exclusive, tail, wanted)
             for by in (["call", "layer"], ["id", "client", "layer"])
             for exclusive in (False, True)]
    cases += [("throughput", ["call", "layer"], exclusive, tail, wanted)
              for exclusive in (False, True)]
    cases += [("comm_time", ["call"], False, "", {}),
              ("comm_time", ["id", "client"], False, "", {})]
    model = Model(there)
    check(tap, program.name, trace, model, cases)
    joint = [u for u in model.units if len(u["members"]) == ranks_]
    judge(tap, joint, f"{program.name}: {len(joint)} calls of all ranks")


def check_kernels(tap):
    for name, arguments in (("btio", ["--class", "S", "--dumps", "3"]),):
        found = list(ranks.flavours(name).values())
        if not found:
            tap.skip(name, "no MPI")
        for program in found:
            in_whole(lambda scratch, program=program: check_kernel(
                tap, program, arguments, 4, scratch))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-query-") as place:
        scratch = Path(place)
        for name, made in (("hand", check_by_hand), ("many", check_many)):
            (scratch / name).mkdir()
            made(tap, scratch / name)
        check_made(tap, scratch)
        made = scratch / "made1" / "made.weir"
        check_mistakes(tap, made)
        check_words(tap, made)
        check_conditions(tap, made)
        check_forms(tap, made)
        check_disks(tap, made, scratch)
        check_damage(tap, made, scratch)
    in_whole(lambda scratch: check_program(tap, scratch))
    in_whole(lambda scratch: check_groups(tap, scratch))
    check_kernels(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
