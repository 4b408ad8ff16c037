#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir compare` tells of two runs, against two reports of them.

usage: run-compare.py
"""
import json
import os
import subprocess
import sys
import traceback
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, in_whole, must_be_whole, run  # noqa: E402

WRITE = """
import os, sys
name, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
name = name.replace("PID", str(os.getpid()))
f = os.open(name, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
for i in range(count):
    os.write(f, b"x" * size)
os.close(f)
with open("settings.txt", "w") as settings:
    settings.write("one\\n")
os.stat("settings.txt")
"""
SMALL, LARGE = (20000, 64), (5, 256000)  # as many bytes
INNER = ("stream-fill", "stream-flush", "done")  # a part of other calls
ROW = ("time", "read", "written")


def record(scratch, name, command, options=()):
    """Runs in a directory of its own; returns the trace."""
    trace, place = scratch / name, scratch / f"{name}.d"
    place.mkdir()
    must_be_whole(subprocess.run(
        [WEIR, "run", "-q", "--strict", "--buffer", "64M", *options, "-o",
         trace, "--", *map(str, command)], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place))
    return trace


def write(scratch, name, what, options=(), file="out.dat"):
    return record(scratch, name,
                  [sys.executable, "-c", WRITE, file, *what], options)


def ranks(scratch, name, count):
    script = "for r in {}; do PMI_RANK=$r PMI_SIZE={} " \
        "dd if=/dev/zero of=rank.$r bs=4096 count=8 2>/dev/null & done; wait"
    return record(scratch, name, ["sh", "-c", script.format(
        " ".join(map(str, range(count))), count)])


def compare(a, b, *options, status=0):
    done = run(WEIR, "compare", *options, a, b, check=False)
    if done.returncode != status:
        raise AssertionError(f"{done.returncode}, not {status}: "
                             f"{done.stdout}{done.stderr}")
    return done.stdout


def compared(a, b, *options, status=0):
    return json.loads(compare(a, b, "--json", *options, status=status))


def report(trace):
    return json.loads(run(WEIR, "report", "--json", trace).stdout)


def same(got, wanted, what):
    assert got == wanted, f"{what}: {got!r}, not {wanted!r}"


def same_figure(figure, a, b, what):
    same((figure["a"], figure["b"], figure["change"]), (a, b, b - a), what)
    same(figure["ratio"] is None, a == 0, what)


def calls(row):
    return sum(cell["calls"] for name, cell in row["classes"].items()
               if name not in INNER)


def same_rows(got, a, b, what):
    """a and b: rows of the reports, or None."""
    for key in ROW:
        same_figure(got[key], a[key] if a else 0, b[key] if b else 0,
                    f"{what} {key}")
    same_figure(got["calls"], calls(a) if a else 0, calls(b) if b else 0,
                f"{what} calls")


def same_totals(found, a, b):
    total = found["total"]
    same_rows(total, a["total"], b["total"], "total")
    for key, of in (("span", lambda r: r["span"]),
                    ("processes", lambda r: r["process_count"]),
                    ("threads", lambda r: r["threads"]),
                    ("slowest", lambda r: max(row["time"] for row in
                                              r["processes"]))):
        same_figure(total[key], of(a), of(b), key)


def same_layers(found, a, b):
    layers = {row["layer"]: row for row in found["layers"]}
    same(set(layers), set(a["layers"]) | set(b["layers"]), "layers")
    for name, row in layers.items():
        for key in ("self", "time", "calls", "read", "written"):
            same_figure(row[key], a["layers"].get(name, {}).get(key, 0),
                        b["layers"].get(name, {}).get(key, 0),
                        f"{name} {key}")


def by_class(row):
    """Sums of what the calls of each layer did."""
    sums = {}
    for call in row["calls"].values():
        to = sums.setdefault((call["layer"], call["class"]), Counter())
        to.update({key: call[key] for key in ("calls", "time", "bytes")
                   if key in call})
    return sums


def same_classes(found, a, b):
    """Of programs without pipes."""
    a, b = by_class(a["total"]), by_class(b["total"])
    classes = {(row["layer"], row["class"]): row for row in found["classes"]}
    same(set(classes), set(a) | set(b), "classes")
    for name, row in classes.items():
        for key in row.keys() - {"layer", "class"}:
            same_figure(row[key], a.get(name, {}).get(key, 0),
                        b.get(name, {}).get(key, 0), f"{name} {key}")


def same_findings(found, a, b):
    a, b = ({row["id"]: row for row in r["findings"]} for r in (a, b))
    same({row["id"] for row in found["findings"]}, set(a) | set(b),
         "findings")
    for row in found["findings"]:
        left, right = a.get(row["id"]), b.get(row["id"])
        state = "still" if left and right else "gone" if left else "new"
        same(row["state"], state, row["id"])
        same_figure(row["saving"], left["saving"] if left else 0,
                    right["saving"] if right else 0, row["id"])


def verdict(figure):
    """What is said of a time: no machine is so quiet that it is known."""
    if not figure["changed"]:
        return "I/O took as long in both"
    return "I/O took longer in B" if figure["change"] > 0 \
        else "I/O took less time in B"


def check_equal(scratch):
    """a trace compared with itself has no change"""
    trace = write(scratch, "a", SMALL)
    text = compare(trace, trace)
    assert "I/O took as long in both" in text, text
    assert text.count("\n  none\n") == 2 and "! " not in text, text
    found = compared(trace, trace, "--fail-on", "0")
    figures = list(found["total"].values()) + [
        row[key] for part in ("layers", "files", "processes")
        for row in found[part] for key in ("time", "calls")]
    assert not any(f["changed"] or f["change"] for f in figures), figures
    assert {row["matched"] for row in found["files"]} == {"name"}, found
    assert {row["state"] for row in found["findings"]} == {"still"}, found


def check_sizes(scratch):
    """small writes against large ones: a finding is gone, bytes are equal"""
    a, b = write(scratch, "a", SMALL), write(scratch, "b", LARGE)
    found = compared(a, b)
    same({row["id"]: row["state"] for row in found["findings"]}.get(
        "small-writes"), "gone", "small-writes")
    total = found["total"]
    same((total["written"]["change"], total["written"]["changed"]),
         (0, False), "written")
    same(total["calls"]["change"], LARGE[0] - SMALL[0], "calls")
    out = [row for row in found["files"]
           if row["a"] and str(row["a"]["name"]).endswith("/out.dat")]
    same([row["matched"] for row in out], ["place"], "out.dat")
    same((out[0]["calls"]["a"], out[0]["calls"]["b"]),
         (SMALL[0] + 2, LARGE[0] + 2), "calls on out.dat")
    text = compare(a, b)
    assert "gone    small-writes" in text, text
    assert verdict(total["slowest"]) in text, text
    assert "/b.d/out.dat (by place; A: /" in text, text
    new = compared(b, a)
    same({row["id"]: row["state"] for row in new["findings"]}.get(
        "small-writes"), "new", "small-writes the other way round")


def check_reports(scratch):
    """every figure is that of the two reports, every difference theirs"""
    traces = [write(scratch, "a", SMALL, file="out.PID.dat"),
              write(scratch, "b", (700, 100), file="out.PID.dat")]
    a, b = map(report, traces)
    found = compared(*traces)
    same_totals(found, a, b)
    same_layers(found, a, b)
    same_classes(found, a, b)
    same_findings(found, a, b)
    rows = [{row["name"]: row for row in r["files"]} for r in (a, b)]
    for row in found["files"]:
        sides = [row[key] and rows[i].pop(row[key]["name"])
                 for i, key in enumerate("ab")]
        same_rows(row, *sides, str(row))
    same(rows, [{}, {}], "files that are not compared")
    rows = [{row["number"]: row for row in r["processes"]} for r in (a, b)]
    for row in found["processes"]:
        same_rows(row, rows[0].pop(row["a"]["number"]),
                  rows[1].pop(row["b"]["number"]), str(row))
    same(rows, [{}, {}], "processes that are not compared")


def check_forms(scratch):
    """names that differ in a pid are matched, and that is said"""
    a = write(scratch, "a", (10, 10), file="out.PID.dat")
    b = write(scratch, "b", (10, 20), file="out.PID.dat")
    found = [row for row in compared(a, b)["files"]
             if row["a"] and "/out." in str(row["a"]["name"])]
    same([row["matched"] for row in found], ["form"], "matched")
    assert found[0]["a"]["name"] != found[0]["b"]["name"]
    same_figure(found[0]["written"], 100, 200, "written")


def check_ranks(scratch):
    """another number of ranks is said, and the others are matched"""
    a, b = ranks(scratch, "a", 2), ranks(scratch, "b", 3)
    found = compared(a, b)
    by_rank = {(row["a"] or {}).get("rank", (row["b"] or {}).get("rank")):
               row for row in found["processes"]
               if "/dd" in ((row["a"] or row["b"])["program"] or "")}
    same({rank: row["matched"] for rank, row in by_rank.items()},
         {0: "rank", 1: "rank", 2: "only-b"}, "ranks")
    for rank in (0, 1):
        same(by_rank[rank]["b"]["rank"], rank, "rank in B")
    assert "processes" in {row["id"] for row in found["caveats"]}, found
    text = compare(a, b)
    assert "! processes: " in text, text
    one = compared(a, b, "--process", "rank:1")
    same([row["a"]["rank"] for row in one["processes"]], [1], "--process")


def check_profile(scratch):
    """a profile against a trace: said, and nothing is claimed to be gone"""
    a, b = write(scratch, "a", SMALL), write(scratch, "b", LARGE,
                                             ("--profile",))
    found = compared(a, b)
    same([found[key]["manner"] for key in "ab"], ["calls", "profile"],
         "manner")
    same(found["times"], "all-calls", "times")
    same({row["state"] for row in found["findings"]}, {"unknown"},
         "findings")
    same(found["total"]["written"]["change"], 0, "written")
    same(found["total"]["calls"]["change"], LARGE[0] - SMALL[0], "calls")
    text = compare(a, b)
    assert "! B is of sums only" in text, text


def check_filters(scratch):
    """files that were left out of one run are told"""
    a = write(scratch, "a", (10, 10))
    b = write(scratch, "b", (10, 10), ("--exclude", "*.dat"))
    found = compared(a, b)
    row = [c for c in found["caveats"] if c["id"] == "excluded"]
    assert row and row[0]["a"] == 0 and row[0]["b"] >= 11, found["caveats"]
    chosen = compared(a, a, "--file", "*/settings.txt")
    names = [str(row["a"]["name"]) for row in chosen["files"]]
    assert len(names) == 1 and names[0].endswith("/settings.txt"), names


def check_statuses(scratch):
    """damaged is 4, missing 5, grown 3, nonsense 2"""
    a, b = write(scratch, "a", LARGE), write(scratch, "b", SMALL)
    slow = compared(a, b)["total"]["slowest"]
    fast, slow = (a, b) if slow["change"] > 0 else (b, a)
    grown = compared(fast, slow)["total"]["slowest"]["ratio"] * 100 - 100
    compare(fast, slow, "--fail-on", int(grown) + 2)
    compare(fast, slow, "--fail-on", int(grown) // 2, status=3)
    compare(slow, fast, "--fail-on", "0")
    compare(a, b, "--fail-on", "much", status=2)
    compare(a, status=5, b=scratch / "missing")
    compare(scratch / "missing", b, status=5)
    file = next(Path(b).glob("*.weir"))
    os.truncate(file, file.stat().st_size - 8)
    text = compare(a, b, "--fail-on", "0", status=4)
    assert "! places where the trace is damaged" in text, text
    assert "/out.dat" in text, text


def check_hostile(scratch):
    """names that control a terminal, or are no text, are shown safely"""
    odd = "\x1b[31m\udcff\"\n%s.dat"
    a = write(scratch, "a\n\x1b", SMALL, file=odd)
    b = write(scratch, "b", LARGE, file=odd)
    found = compared(a, b)
    names = [row["b"]["name"] for row in found["files"] if row["b"]]
    assert any("\\x1b[31m\\xff\"\\x0a%s.dat" in str(n) for n in names), names
    text = compare(a, b)
    assert "\x1b" not in text and "\\x1b[31m\\xff\"\\x0a%s.dat" in text, text


def check_noise(scratch):
    """--least-change says what is a change, --top how many are shown"""
    a, b = write(scratch, "a", SMALL), write(scratch, "b", LARGE)
    found = compared(a, b, "--least-change", "100000")
    changed = [f for f in found["total"].values() if f["changed"]]
    same(changed, [], "changes")
    assert "\n  none\n" in compare(a, b, "--least-change", "100000")
    assert "small-writes" not in compare(a, b, "--top", "0")


if __name__ == "__main__":
    tap = Tap()
    for check in [value for name, value in sorted(globals().items())
                  if name.startswith("check_")]:
        try:
            in_whole(check)
            tap.result(True, check.__doc__)
        except Exception:
            tap.result(False, check.__doc__, [traceback.format_exc()])
    sys.exit(tap.done())
