#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of `weir view` against another count, and programs' own logs.

usage: run-view.py WORKLOAD

Environment: KERNELS, the folder of the I/O kernels, where they were built."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kernels"))
import count  # noqa: E402
import ranks  # noqa: E402
from weirtool import (WEIR, Tap, events, in_whole, mpi_environment,  # noqa: E402
                      must_be_whole, run)

WORKLOAD = os.path.abspath(sys.argv[1])
WORDS = {"bytes": ("read", "written"), "calls": ("reads", "writes")}
LIMITS = (100, 1 << 10, 10 << 10, 100 << 10, 1 << 20)  # of a profile
SECOND = 10 ** 9


def judge(tap, passed, name, lines=()):
    tap.result(passed, name, () if passed else lines)


def record(scratch, command, options=(), env=None):
    """A whole trace, and what the program printed."""
    trace = scratch / "trace"
    done = subprocess.run(
        [WEIR, "run", "-q", "--strict", "--buffer", "64M", *options, "-o",
         trace, "--", *map(str, command)], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, env=env, cwd=scratch)
    must_be_whole(done)
    return trace, done.stdout


def record_all(scratch, *options):
    (scratch / "data").mkdir()
    return record(scratch, [WORKLOAD, "all", scratch / "data"], options)


def view(trace, what, *more, form="csv", status=0):
    """The rows of a table, as dictionaries."""
    done = run(WEIR, "view", "--format", form, trace, what, *more,
               check=False)
    if done.returncode != status:
        raise RuntimeError(f"view {what} {more}: {done.returncode}: "
                           f"{done.stderr}")
    if form == "jsonl":
        return [json.loads(line) for line in done.stdout.splitlines()]
    if form == "csv":
        return list(csv.DictReader(io.StringIO(done.stdout)))
    return done.stdout


def ns(text):
    whole, part = text.split(".")
    return int(whole) * SECOND + int(part)


def told_series(rows, what, group_of, row_of=lambda row: ns(row["start"])):
    return {(row_of(row), group_of(row)):
            [int(row[word]) for word in WORDS[what]] for row in rows
            if any(int(row[word]) for word in WORDS[what])}


def without_nothing(table):
    return {key: cell for key, cell in table.items() if any(cell)}


GROUPS = {  # by: of a row of the view, of an event
    "total": (lambda row: "", lambda event: ""),
    "process": (lambda row: row["proc"], lambda event: str(event["proc"])),
    "rank": (lambda row: row["rank"],
             lambda event: str(event.get("rank", ""))),
    "host": (lambda row: row["host"], lambda event: event["host"]),
}


def check_series(tap, name, trace, step):
    """Bytes and calls, by all groups, against the other count."""
    there = events(trace)
    wrong = []
    for what in WORDS:
        for by, (of_row, of_event) in GROUPS.items():
            rows = view(trace, what, "--by", by, "--step", f"{step}ns")
            found = told_series(rows, what, of_row)
            expected = without_nothing(count.series(
                count.of_system(there),
                lambda event: event["start"] // step * step, of_event,
                what == "calls"))
            if found != expected or not expected:
                wrong += [f"{what} by {by}: {found} not {expected}"[:2000]]
    judge(tap, not wrong, f"{name}: bytes and calls over time", wrong)


def check_sizes(tap, name, trace):
    found = [Counter(), Counter()]
    powers = [Counter(), Counter()]
    for row in view(trace, "sizes"):
        for way, word in enumerate(WORDS["calls"]):
            found[way][int(row["from"])] += int(row[word])
    for row in view(trace, "sizes", "--bins"):
        for way, word in enumerate(WORDS["calls"]):
            powers[way][int(row["from"]), int(row["to"])] += int(row[word])
    expected = count.sizes(count.of_system(events(trace)))
    in_powers = [sum((Counter({count.power(size): number})
                      for size, number in way.items()), Counter())
                 for way in expected]
    judge(tap, [+way for way in found] == expected and
          [+way for way in powers] == in_powers,
          f"{name}: requests by size", [found, expected, powers])


def told_accesses(rows):
    return [(int(row["order"]), ns(row["start"]), int(row["pid"]),
             int(row["op"] == "write"),
             int(row["off"]) if row["off"] else None, int(row["size"]))
            for row in rows]


def check_file(tap, name, trace, path):
    there = events(trace)
    full = {event["file"] for event in there
            if event.get("file", "").endswith("/" + path)}
    expected = list(count.accesses(
        count.of_system(there, files_are_chosen=True), *full))
    found = told_accesses(view(trace, "file", path))
    judge(tap, found == expected and expected,
          f"{name}: accesses to {path}", [found, expected])


def check_workload(tap):
    """Against what the program says that it did."""
    def play(scratch):
        trace, printed = record_all(scratch, "--include", "*/data/*")
        compare_workload(tap, trace, printed)
        check_series(tap, "workload", trace, 100000)
        check_sizes(tap, "workload", trace)
        for path in "first", "second", "third", "data/fourth":
            check_file(tap, "workload", trace, path)
        check_forms(tap, trace)
        check_layers(tap, trace)
        check_choices(tap, trace)
        check_pictures(tap, trace, scratch)
        check_no_picture(tap, trace, scratch)
    in_whole(play)


def log_of(printed):
    for line in printed.splitlines():
        yield re.fullmatch(r"(.*) (\S+) (\w+) (\w+) (\S+) (\d+) (\d+)",
                           line).groups()


def compare_workload(tap, trace, printed):
    marks, sizes, first = {}, [Counter(), Counter()], []
    for phase, step, way, file, off, size, moved in log_of(printed):
        cell = marks.setdefault((phase, step), [0, 0, 0, 0])
        for number, word in enumerate(("read", "write")):
            if way in (word, "copy"):
                cell[number] += int(moved)
                cell[number + 2] += 1
                sizes[number][int(size)] += 1
        if file == "first":
            first.append((way, off, size))
    found = {}
    for what, at in ("bytes", 0), ("calls", 2):
        for row in view(trace, what, "--marks"):
            cell = found.setdefault((row["phase"] or "-", row["step"] or "-"),
                                    [0, 0, 0, 0])
            cell[at:at + 2] = [int(row[word]) for word in WORDS[what]]
    judge(tap, found == marks, "marked steps are what the program says",
          [found, marks])
    rows = view(trace, "sizes")
    told = [Counter({int(row["from"]): int(row[word]) for row in rows
                     if int(row[word])}) for word in WORDS["calls"]]
    judge(tap, told == sizes, "sizes are what the program says",
          [told, sizes])
    rows = [(row["op"], row["off"] or "-", row["size"])
            for row in view(trace, "file", "first")]
    judge(tap, rows == first, "accesses are what the program says",
          [rows, first])


def check_forms(tap, trace):
    """All forms tell the same."""
    wrong = []
    for what in (["bytes"], ["calls", "--by", "process"], ["sizes"],
                 ["file", "first"], ["bytes", "--marks"]):
        rows = view(trace, *what)
        objects = view(trace, *what, form="jsonl")
        if len(rows) != len(objects) or not rows:
            wrong.append(f"{what}: {len(rows)} and {len(objects)} rows")
        for row, other in zip(rows, objects):
            same = list(row) == list(other) and all(
                other[key] is None and not value or value == other[key] or
                value and not isinstance(other[key], str) and
                float(value) == other[key] for key, value in row.items())
            if not same:
                wrong.append(f"{what}: {row} and {other}")
    judge(tap, not wrong, "csv and jsonl have the same fields", wrong)
    lines = [line.split() for line in
             view(trace, "calls", form="text").splitlines()[3:]]
    rows = view(trace, "calls")
    judge(tap, [(float(line[0]), [word for word in line[1:]
                             if word.isdigit()]) for line in lines] ==
          [(float(row["start"]), [row["reads"], row["writes"]])
           for row in rows], "text has the same figures", lines)
    places = view(trace, "file", "first", form="text").splitlines()
    first = [line for line in places if " read " in line][0]
    judge(tap, "|rrrr" in first, "text shows where in the file", places)


def check_layers(tap, trace):
    there = events(trace)
    found = view(trace, "calls", "--layer", "stdio", "--marks")
    expected = count.series(count.of_streams(there), lambda event: "",
                            lambda event: "", True)[("", "")]
    judge(tap, [sum(int(row[word]) for row in found)
           for word in WORDS["calls"]] == expected,
          "--layer stdio counts calls on streams", [found, expected])
    found = view(trace, "bytes", "--layer", "mpiio")
    judge(tap, found and not any(int(row["read"]) for row in found),
          "a layer without requests has only steps")


def check_choices(tap, trace):
    """--read, --write, --file, --process, --time, --steps."""
    def total(*options, what="calls"):
        rows = view(trace, what, *options)
        return {word: sum(int(row[word]) for row in rows)
                for word in WORDS[what] if word in rows[0]}
    both = total()
    judge(tap, total("--read") == {"reads": both["reads"]} and
          total("--write") == {"writes": both["writes"]} and
          total("--read", "--write") == both, "--read and --write")
    by_file = [total("--file", f"*/data/{name}") for name in
               ("first", "second", "third", "fourth")]
    judge(tap, sum(part["writes"] for part in by_file) == both["writes"] and
          by_file[2] == {"reads": 0, "writes": 3}, "--file",
          [by_file, both])
    pids = sorted({event["pid"] for event in events(trace)})
    of_each = [total("--process", pid) for pid in pids]
    judge(tap, len(pids) == 3 and
          sum(part["reads"] for part in of_each) == both["reads"] and
          all(part["reads"] for part in of_each), "--process", of_each)
    middle = events(trace)[40]["start"]
    parts = [total("--time", span, what="bytes")
             for span in (f"-{middle}ns", f"{middle}ns-")]
    judge(tap, sum(part["written"] for part in parts) ==
          total(what="bytes")["written"] and
          all(part["written"] for part in parts), "--time", parts)
    rows = view(trace, "bytes", "--steps", "7")
    steps = {ns(b["start"]) - ns(a["start"]) for a, b in zip(rows, rows[1:])}
    judge(tap, len(rows) <= 7 and len(steps) == 1 and
          re.fullmatch(r"[125]0*", str(*steps)), "steps are round",
          [steps])


PICTURES = {  # and what must be written in them
    "bytes": (["bytes"], ["read", "written", "bytes in", "bytes over time"]),
    "groups": (["calls", "--by", "process"], ["process", "time, s since"]),
    "marks": (["bytes", "--marks"], ["load step 1", 'end, "quoted"']),
    "sizes": (["sizes"], ["4096", "8192", "requests"]),
    "file": (["file", "first"], ["offset", "/data/first"]),
    "nothing": (["bytes", "--layer", "hdf5"], ["layer hdf5"]),
    "no groups": (["calls", "--by", "process", "--layer", "hdf5"],
                  ["process"]),
    "no sizes": (["sizes", "--layer", "hdf5"], ["requests"]),
    "no map": (["file", "first", "--layer", "hdf5"], ["offset"]),
}


def words_of(svg):
    """All that is written in a picture."""
    texts = ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(text.itertext()).strip() for text in texts]


def check_pictures(tap, trace, scratch):
    if not shutil.which("gnuplot"):
        tap.skip("pictures", "there is no gnuplot")
        return
    drawn = set()
    for name, (what, words) in PICTURES.items():
        svg, png = scratch / "it's `a`.svg", scratch / "picture.png"
        done = run(WEIR, "view", "--svg", svg, trace, *what)
        there = words_of(svg)
        judge(tap, not done.stdout and not done.stderr and
              all(any(word in text for text in there) for word in words),
              f"an SVG of {name} says what it shows",
              [there, done.stdout, done.stderr])
        run(WEIR, "view", "--png", png, trace, *what)
        content = png.read_bytes()
        judge(tap, content.startswith(b"\x89PNG\r\n") and
              content.endswith(b"IEND\xae\x42\x60\x82") and
              len(content) > 5000 and content not in drawn,
              f"a PNG of {name} is a picture", [len(content)])
        drawn.add(content)
    svg = scratch / "map.svg"
    run(WEIR, "view", "--svg", svg, trace, "file", "first")
    boxes = len(re.findall(r"<(?:path|polygon|rect)", svg.read_text()))
    judge(tap, boxes >= 17, "each access is drawn", [boxes])


def check_no_picture(tap, trace, scratch):
    """Without gnuplot, and where no file can be."""
    place = scratch / "empty"
    place.mkdir()
    svg = scratch / "none.svg"
    done = run(WEIR, "view", "--svg", svg, trace, "bytes", check=False,
               env=dict(os.environ, PATH=str(place)))
    judge(tap, done.returncode == 1 and "gnuplot-nox" in done.stderr and
          not svg.exists(), "that there is no gnuplot is said",
          [done.returncode, done.stderr])
    (place / "gnuplot").write_text("#!/bin/sh\nexit 3\n")
    (place / "gnuplot").chmod(0o755)
    done = run(WEIR, "view", "--svg", svg, trace, "bytes", check=False,
               env=dict(os.environ, PATH=f"{place}:{os.environ['PATH']}"))
    judge(tap, done.returncode == 1 and "could not draw" in done.stderr and
          not svg.exists(), "that gnuplot failed is said", [done.stderr])
    done = run(WEIR, "view", "--png", scratch / "no" / "where.png", trace,
               "bytes", check=False)
    judge(tap, done.returncode == 1 and "where.png" in done.stderr,
          "that there is no such place is said", [done.stderr])


def record_kernel(scratch, name, arguments, count_of_ranks, prepare=False):
    program = f"{name}-mpich"
    out = scratch / "out"
    if prepare:
        ranks.start(program, count_of_ranks, [*arguments, "--prepare", out])
    return record(scratch, [*ranks.launcher(program, count_of_ranks),
                            ranks.KERNELS / program, *arguments, out],
                  env=mpi_environment())[0]


def check_ffb(tap):
    """Small writes, reads of 4 KiB: as the paper saw them."""
    def play(scratch):
        trace = record_kernel(scratch, "ffb", ["--steps", "5"], 4, True)
        check_series(tap, "ffb", trace, 1000000)
        check_sizes(tap, "ffb", trace)
        check_file(tap, "ffb", trace, "probe.0002")
        rows = view(trace, "sizes")
        dominant = [max(rows, key=lambda row: int(row[word]))["from"]
                    for word in WORDS["calls"]]
        judge(tap, dominant == ["4096", "128"],
              "ffb: 4 KiB reads and 128 B writes dominate", rows)
        found = {row["rank"] for row in view(trace, "calls", "--by", "rank")}
        judge(tap, found >= set("0123"), "ffb: ranks are told", found)
    in_whole(play)


def check_pdf(tap):
    """Temporaries that one process writes and others read again."""
    def play(scratch):
        trace = record_kernel(scratch, "pdf", [
            "--shared", "11", "--own", "4", "--bytes", "64K", "--rounds", "3"],
            4)
        check_series(tap, "pdf", trace, 500000)
        check_sizes(tap, "pdf", trace)
        check_file(tap, "pdf", trace, "temporary.000003")
        rows = view(trace, "file", "temporary.000003")
        writers = {row["rank"] for row in rows if row["op"] == "write"}
        readers = {row["rank"] for row in rows if row["op"] == "read"}
        places = Counter((row["rank"], row["off"]) for row in rows
                         if row["op"] == "read")
        judge(tap, len(writers) == 1 and readers - writers and
              max(places.values()) > 1,
              "pdf: one writes, others read again", rows)
    in_whole(play)


def check_profile(tap):
    def play(scratch):
        trace, printed = record_all(scratch, "--profile", "--include",
                                    "*/data/*")
        expected = [Counter(), Counter()]
        for _, _, way, _, _, size, _ in log_of(printed):
            for number, word in enumerate(("read", "write")):
                if way in (word, "copy"):
                    expected[number][sum(int(size) > limit
                                         for limit in LIMITS)] += 1
        rows = view(trace, "sizes")
        found = [Counter({sum(int(row["to"]) > limit for limit in LIMITS):
                          int(row[word]) for row in rows if int(row[word])})
                 for word in WORDS["calls"]]
        judge(tap, found == expected, "sizes of a profile, in its classes",
              [found, expected])
        for what in ["bytes"], ["calls"], ["file", "first"]:
            done = run(WEIR, "view", trace, *what, check=False)
            judge(tap, done.returncode == 5 and not done.stdout and
                  "only sizes" in done.stderr,
                  f"a profile has no {what[0]}", [done.stderr])
    in_whole(play)


def check_ring(tap):
    def play(scratch):
        trace, _ = record_all(scratch, "--ring", "64K", "--include",
                              "*/data/*")
        done = run(WEIR, "view", "--format", "csv", trace, "bytes")
        written = sum(int(row["written"]) for row in
                      csv.DictReader(io.StringIO(done.stdout)))
        judge(tap, written >= 20780 and "streams" in done.stderr,
              "short records are shown, and what they lack", [written])
        done = run(WEIR, "view", "--layer", "posix", trace, "bytes",
                   check=False)
        judge(tap, done.returncode == 5 and not done.stdout,
              "short records have no layer", [done.stderr])
    in_whole(play)


def check_many_sizes(tap):
    def play(scratch):
        trace, _ = record(scratch, [WORKLOAD, "sizes", scratch])
        done = run(WEIR, "view", "--format", "csv", "--write", trace, "sizes")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        number = sum(int(row["writes"]) for row in rows
                     if int(row["to"]) < 1 << 16)
        judge(tap, len(rows) == 18 and number == 1 << 16 and
              "more than 65536" in done.stderr,
              "too many sizes are told in powers of two",
              [number, *rows])
    in_whole(play)


HOSTILE = "it's `touch x` \"$(touch x)\" \\ \n\t\x1b[2J,{}_^@.dat".encode() + \
    b"\xff"


def check_names(tap):
    """Names are shown in safe form, and found."""
    def play(scratch):
        (scratch / "data").mkdir()
        path = os.fsencode(scratch / "data") + b"/" + HOSTILE
        with open(path, "wb") as file:
            file.write(b"x" * 100)
        trace, _ = record(scratch, [
            "sh", "-c", "cat data/* >data/copy; test -e other/copy; "
            "sleep 0.1; cat data/copy data/copy >/dev/null"])
        judge_names(tap, trace)
    in_whole(play)


def judge_drawn_names(tap, trace):
    if not shutil.which("gnuplot"):
        return
    svg = trace.parent / "map.svg"
    run(WEIR, "view", "--svg", svg, trace, "file", "it's *", cwd=trace.parent)
    there = words_of(svg)
    judge(tap, any("it's \\x60touch x\\x60" in text and "{}_^@" in text
              for text in there) and not (trace.parent / "x").exists(),
     "a hostile name is drawn, and does nothing", there)


def judge_names(tap, trace):
    done = subprocess.run([WEIR, "view", trace, "file", b"it's *"],
                          capture_output=True)
    judge(tap, not done.returncode and b"\x1b" not in done.stdout and
          b"\\x0a" in done.stdout and b"\xff" not in done.stdout,
          "a hostile name is shown in safe form",
          [done.stdout, done.stderr])
    judge_drawn_names(tap, trace)
    done = run(WEIR, "view", trace, "file", "*", check=False)
    judge(tap, done.returncode == 2 and "/data/copy\n" in done.stderr and
          "\x1b" not in done.stderr and not done.stdout,
          "a path that may be several is refused, with a list",
          [done.stderr])
    done = run(WEIR, "view", trace, "file", "copy", check=False)
    judge(tap, not done.returncode and "/data/copy," in done.stdout,
          "files that were only looked for are not meant", [done.stderr])
    done = run(WEIR, "view", trace, "file", "nothing", check=False)
    judge(tap, done.returncode == 2 and "has no file" in done.stderr,
          "a path that is none is refused", [done.stderr])
    done = run(WEIR, "view", "--step", "1ns", trace, "bytes", check=False)
    judge(tap, done.returncode == 2 and "larger --step" in done.stderr,
          "too many steps are refused", [done.stderr])
    done = run(WEIR, "view", "--marks", trace, "bytes", check=False)
    judge(tap, done.returncode == 5 and "marked" in done.stderr,
          "without marks there are no marked steps", [done.stderr])


def check_empty(tap):
    def play(scratch):
        trace, _ = record(scratch, ["true"], ["--include", "nothing-like-it"])
        outputs = [run(WEIR, "view", trace, *what).stdout for what in
                   (["bytes"], ["calls"], ["sizes"])]
        judge(tap, all("nothing was moved" in text or "0 B" in text or
                  " 0" in text for text in outputs),
              "an empty trace is shown", outputs)
        rows = [view(trace, *what, form=form) for form in ("csv", "jsonl")
                for what in (["bytes"], ["sizes"])]
        judge(tap, not any(int(row["read"]) for row in rows[0] + rows[2]) and
              not rows[1] + rows[3], "and has no requests", rows)
    in_whole(play)


def check_damage(tap):
    def play(scratch):
        trace, _ = record(scratch, [WORKLOAD, "sizes", scratch])
        (file,) = trace.glob("*.weir")
        whole = file.read_bytes()
        file.write_bytes(whole[:len(whole) // 2])
        done = run(WEIR, "view", trace, "calls", check=False)
        judge(tap, done.returncode == 4 and "damaged" in done.stderr and
              "This is incomplete" in done.stdout,
              "a damaged trace is shown in part, and that is said",
              [done.stdout, done.stderr])
        rows = view(trace, "calls", status=4)
        judge(tap, 0 < sum(int(row["writes"]) for row in rows) < 70000,
              "what is whole of it is counted", rows)
    in_whole(play)


def check_mistakes(tap):
    wrong = []
    for words in (["t", "time"], ["t", "file"], ["t", "bytes", "path"],
                  ["--bins", "t", "bytes"], ["--by", "rank", "t", "sizes"],
                  ["--step", "0", "t", "bytes"], ["--step", "x", "t", "calls"],
                  ["--step", "1", "--marks", "t", "calls"],
                  ["--steps", "0", "t", "bytes"],
                  ["--file", "x", "t", "file", "y"], ["t"],
                  ["--svg", "a", "--png", "b", "t", "bytes"]):
        done = run(WEIR, "view", *words, check=False)
        if done.returncode != 2 or done.stdout or not done.stderr:
            wrong.append(f"{words}: {done.returncode} {done.stderr}")
    done = run(WEIR, "view", "/no/such/trace", "bytes", check=False)
    if done.returncode != 5:
        wrong.append(f"no trace: {done.returncode}")
    judge(tap, not wrong, "what cannot be meant is refused", wrong)


def main():
    tap = Tap()
    check_mistakes(tap)
    check_workload(tap)
    check_profile(tap)
    check_ring(tap)
    check_many_sizes(tap)
    check_names(tap)
    check_empty(tap)
    check_damage(tap)
    if ranks.flavours("ffb") and ranks.flavours("pdf"):
        check_ffb(tap)
        check_pdf(tap)
    else:
        tap.skip("ffb and pdf", "not built")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
