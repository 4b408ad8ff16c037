#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of a plan, against a count of what processes told.

usage: run-told.py MAKE_TOLD
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from described import checked, faults  # noqa: E402
from weirtool import WEIR, Tap, in_whole, must_be_whole, run  # noqa: E402

MAKE = sys.argv[1]
VERDICTS = ("took", "changed", "ignored", "kept", "inert", "refused", "given",
            "unsafe", "?")
SETTINGS = {"cb_nodes": ("2", "4"), "alignment": ("4096,1048576",),
            "striping_factor": ("8",), "romio_cb_write": ("enable",)}


def made(scratch, name, lines, block=()):
    """A trace; `block` has what processes counted, in lines."""
    raw, packed = scratch / f"{name}.raw", scratch / f"{name}.weir"
    counted_too = {"PLAN_BLOCK": "\n".join([*block, ""])} if block else {}
    subprocess.run([MAKE, raw, packed], check=True, text=True,
                   env=os.environ | counted_too,
                   input="".join("\t".join(map(str, line)) + "\n"
                                 for line in lines))
    return packed


def by_chance(seed, count):
    """Lines: process, file, setting, asked, verdict, effective."""
    chance = random.Random(seed)
    for _ in range(count):
        setting = chance.choice(list(SETTINGS))
        verdict = chance.randrange(len(VERDICTS))
        file = f"/data/{chance.randrange(40):02}.h5"
        yield (chance.randrange(4), file, setting,
               chance.choice(SETTINGS[setting]), verdict,
               f"{verdict} of {file}" if verdict else "")


def counted(lines):
    """What is to be told, by setting, value and verdict."""
    rows = {}
    for _, file, setting, asked, verdict, effective in lines:
        row = rows.setdefault((setting, asked, VERDICTS[verdict]), [])
        row.append((file, effective))
    return {key: (len(row), len({file for file, _ in row}), set(row))
            for key, row in rows.items()}


def wrong_rows(told, lines):
    expected, wrong = counted(lines), []
    for row in told:
        key = row["setting"], row["asked"], row["verdict"]
        count, files, seen = expected.pop(key, (0, 0, ()))
        if (row["count"], row["files"]) != (count, files):
            wrong.append(f"{row}: should be {count} on {files}")
        if (row["file"], row["effective"]) not in seen:
            wrong.append(f"{row}: nobody told so")
    return wrong + [f"missing: {key}" for key in expected]


def check_rows(tap, scratch):
    for count in (1, 30, 3000, 120000):
        lines = list(by_chance(count, count))
        trace = made(scratch, f"rows{count}", lines)
        told = json.loads(run(WEIR, "report", "--json", trace).stdout)
        wrong = faults(told) + wrong_rows(told["plan"], lines)
        tap.result(not wrong, f"{count} times", wrong[:20])


def check_calls(tap, scratch):
    """Two of each line are calls; the rest of a report does not see more."""
    lines = list(by_chance(5, 500))
    trace = made(scratch, "calls", lines)
    _, told, wrong = checked(trace)
    calls = {name: cell["calls"]
             for name, cell in told["total"]["calls"].items()}
    tap.result(not wrong and calls == {"open": 500, "write": 500} and
               list(told["layers"]) == ["posix"],
               "what is told is no call", [*wrong, calls, told["layers"]])
    text = run(WEIR, "report", trace).stdout
    tap.result(" by 1000 calls " in text, "nor one for people", [text])


def check_text(tap, scratch):
    lines = [(0, "/data/a", "cb_nodes", "2", 0, "2"),
             (1, "/data/a", "cb_nodes", "2", 0, "2"),
             (1, "/data/b", "cb_nodes", "2", 1, "1\x1b[31m"),
             (1, "/data/b", "alignment", "1,1", 6, "")]
    text = run(WEIR, "report", made(scratch, "text", lines)).stdout
    rows = [line.split(None, 3) for line in
            text.partition("\nplan\n")[2].partition("\n\n")[0].splitlines()]
    tap.result(rows[1:] == [
        ["given", "1", "1", "alignment=1,1 (/data/b)"],
        ["took", "2", "1", "cb_nodes=2: 2 (/data/a)"],
        ["changed", "1", "1", "cb_nodes=2: 1\\x1b[31m (/data/b)"]],
        "for people", [text])
    bare = run(WEIR, "report", made(scratch, "bare", [])).stdout
    tap.result("\nplan\n" not in bare, "nothing without a plan", [bare])


BLOCK = ["plan=00000000000000ab", "setting=cb_nodes", "layer=7", "value=2",
         "setting=fcoll", "layer=1", "value=OMPI_MCA_fcoll=vulcan",
         "setting=alignment", "layer=2", "value=1,1", "file=*.h5",
         "setting=cb_nodes", "layer=7", "value=2", "file=*.nc",
         "outcome=0 7 1 0 0 0 0 0 0", "of=1", "why=1",
         "outcome=1 0 0 0 0 0 0 3 0", "outcome=3 2 0 0 0 0 0 0 0"]


def check_counted(tap, scratch):
    """More was counted than was told: of sums, and of what no call is for."""
    lines = [(0, "/data/a", "cb_nodes", "2", 0, "two")]
    told = json.loads(run(WEIR, "report", "--json",
                          made(scratch, "counted", lines, BLOCK)).stdout)
    rows = [(row["setting"], row["asked"], row["verdict"], row["count"],
             row["files"], row["effective"]) for row in told["plan"]]
    tap.result(not faults(told) and rows == [
        ("alignment", "1,1", "untried", 0, 0,
         "no call that it is for was made"),
        ("cb_nodes", "2", "took", 9, 1, "two"),
        ("cb_nodes", "2", "changed", 1, 0, "1"),
        ("fcoll", "vulcan", "given", 3, 0, "")], "what was counted", rows)
    part = json.loads(run(WEIR, "report", "--json", "--file", "/data/a",
                          scratch / "counted.weir").stdout)["plan"]
    tap.result([(row["verdict"], row["count"]) for row in part] ==
               [("took", 1)], "of a part only what was told", part)


def check_runs(tap):
    """A plan for each file that is opened, in each manner of recording."""
    def play(scratch):
        (scratch / "plan.xml").write_text(
            "<plan><fadvise>sequential</fadvise>"
            '<readahead file="nothing">4K</readahead></plan>')
        for number, manner in enumerate(([], ["--profile"],
                                         ["--ring", "64K"])):
            trace = scratch / f"trace{number}"
            must_be_whole(run(WEIR, "run", "-q", "--plan", "plan.xml",
                              *manner, "-o", trace, "--", "cat", "plan.xml",
                              "plan.xml", cwd=scratch, check=False))
            yield manner, json.loads(run(WEIR, "report", "--json",
                                         trace).stdout)["plan"]
    found = in_whole(lambda scratch: list(play(scratch)))
    for manner, rows in found:
        told = [(row["setting"], row["count"] >= 2, row["verdict"])
                for row in rows]
        tap.result(told == [("fadvise", True, "given"),
                            ("readahead", False, "untried")],
                   f"a run {manner}", rows)


def caveats(scratch, a, b, blocks=((), ())):
    with tempfile.TemporaryDirectory(dir=scratch) as own:
        told = json.loads(run(WEIR, "compare", "--json",
                              made(Path(own), "a", a, blocks[0]),
                              made(Path(own), "b", b, blocks[1])).stdout)
    return [(row["a"], row["b"]) for row in told["caveats"]
            if row["id"] == "plan"]


def check_compare(tap, scratch):
    two = (0, "/data/a", "cb_nodes", "2", 0, "2")
    four = (0, "/data/a", "cb_nodes", "4", 0, "4")
    clamped = (0, "/data/b", "cb_nodes", "4", 1, "1")
    for name, a, b, expected in (
            ("the same plan", [two], [two, two], []),
            ("the same, otherwise received", [four], [clamped, four], []),
            ("another value", [two], [four], [(1, 1)]),
            ("one more setting", [two], [two, four], [(1, 1)]),
            ("no plan", [two], [], [(1, 0)])):
        found = caveats(scratch, a, b)
        tap.result(found == expected, f"compared: {name}", [found])
    other = [line.replace("*.nc", "*.cdf") for line in BLOCK]
    for name, block, expected in (
            ("counts alone", BLOCK[:-1], []),
            ("for other files", other, [(1, 1)])):
        found = caveats(scratch, [two], [two], (BLOCK, block))
        tap.result(found == expected, f"compared: {name}", [found])


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-told-") as scratch:
        for check in check_rows, check_calls, check_text, check_counted, \
                check_compare:
            check(tap, Path(scratch))
    check_runs(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
