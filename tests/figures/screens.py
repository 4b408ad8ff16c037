# SPDX-License-Identifier: BSD-3-Clause
"""Reads the figures of a run from all screens that show some."""
import csv
import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "page"))
import pagedata  # noqa: E402
from weirtool import WEIR, run  # noqa: E402

UNITS = {"B": 1, "byte": 1, "bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20,
         "GiB": 1 << 30, "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
PARTS = {"in I/O": "io", "waiting on pipes, sockets and terminals": "waiting",
         "starting processes": "starting",
         "starting and ending MPI": "library"}
SYSTEM = ("posix", "stdio", "async")
FAR = ("client", "serve", "backend")  # no calls of the program
INNER = ("stream_fill", "stream_flush")


class Figure:
    """A number, and by how much its last digit may be off."""

    def __init__(self, number, slack=0.0):
        self.number, self.slack = number, slack

    @classmethod
    def read(cls, text):
        """`9.43 MiB`, `154 ns`, `0.012 s`"""
        number, unit = text.split()
        decimals = len(number.partition(".")[2])
        step = UNITS[unit] / 10 ** decimals if decimals else 0
        return cls(float(number) * UNITS[unit], step * 0.5001)

    def is_like(self, other):
        return abs(self.number - other.number) <= self.slack + other.slack

    def __repr__(self):
        return f"{self.number:g}" + (f"±{self.slack:g}" if self.slack else "")


def exact(numbers):
    return {name: Figure(number) for name, number in numbers.items()}


AMOUNT = r"([\d.]+ (?:B|bytes?|[KMG]iB|ns|us|ms|s))"


def figures_of(lines):
    """{name: Figure} of (name, pattern) that are found in a text."""
    def find(text):
        found = {}
        for name, pattern in lines.items():
            match = re.search(pattern, text, re.M)
            if match:
                found[name] = (Figure(int(match[1])) if match[1].isdigit()
                               else Figure.read(match[1]))
        return found
    return find


of_run = figures_of({
    "calls": r"^weir: (\d+) calls? by", "processes": r" by (\d+) process",
    "threads": r" and (\d+) threads? on", "files": r" on (\d+) files?",
    "read": rf"^weir: {AMOUNT} read", "written": rf"{AMOUNT} written",
    "copied": rf"{AMOUNT} copied",
    **{f"time {part}": rf"{AMOUNT} {title}" for title, part in PARTS.items()},
    "span": rf" in {AMOUNT}$"})
of_text = figures_of({
    "calls": r"by (\d+) calls? on", "processes": r"^where +(\d+) process",
    "threads": r"with (\d+) threads? on", "files": r" on (\d+) files?",
    "objects": r", (\d+) datasets?", "channels": r", (\d+) pipes?",
    "read": rf"^moved +{AMOUNT} read", "written": rf"{AMOUNT} written",
    "copied": rf"copied {AMOUNT}", "time io": rf"^in I/O +{AMOUNT}",
    **{f"time {part}": rf"^ +{AMOUNT} {title}$"
       for title, part in PARTS.items() if part != "io"},
    "span": rf"for {AMOUNT} from the first"})
of_info = figures_of({
    "calls": r"^calls +(\d+)[:,]", "failed": r"; (\d+) failed",
    "files": r"^files +(\d+)", "objects": r"^files.*, (\d+) datasets?",
    "channels": r"^files.*, (\d+) pipes?",
    "processes": r"^processes +(\d+)", "threads": r", (\d+) threads?",
    "read": rf"^data +{AMOUNT} read", "written": rf"{AMOUNT} written",
    "copied": rf"{AMOUNT} copied"})


def layers_of_text(text):
    """{layer: {what: Figure}} of the table, and what it says is not there."""
    table = text[text.index("\n  layer "):]
    table = table[1:table.index("\n\n")].splitlines()[1:]
    row = re.compile(rf"  (\w+) .*?{AMOUNT} +{AMOUNT} +(?:{AMOUNT}/s +)?(\d+)$")
    rest = re.compile(rf"  not above: (\d+) calls? (.*?)"
                      rf"(?: \({AMOUNT} read, {AMOUNT} written\))?$")
    found, beside = {}, Counter()
    for line in table:
        match = row.match(line)
        if match:
            found[match[1]] = {"read": Figure.read(match[2]),
                               "written": Figure.read(match[3]),
                               "calls": Figure(int(match[5]))}
        elif rest.match(line):
            beside[PARTS[rest.match(line)[2]]] += int(rest.match(line)[1])
    return found, dict(beside)


def of_json(told):
    total, times = told["total"], told["times"]
    return exact({
        "calls": total["call_count"], "failed": total["failed"],
        "files": total["files"], "objects": total["objects"],
        "channels": total["channels"], "read": total["read"],
        "written": total["written"], "copied": total["copied"],
        "processes": told["process_count"], "threads": told["threads"],
        "span": told["span"],
        **{f"time {part}": times[part]["time"] for part in PARTS.values()}})


def of_rows(told):
    """What the rows of the report are, added up; objects are in files."""
    names = [row for row in told["files"] if not row.get("object")]
    rows = [*names, told["others"]]
    layers = [row for name, row in told["layers"].items() if name not in FAR]
    parts = [told["times"][part] for part in PARTS.values() if part != "io"]
    calls = [cell for row in told["files"] + [told["others"]]
             for cell in row["calls"].values()
             if cell["class"] not in ("stream-fill", "stream-flush")]
    return exact({
        "read": sum(row["read"] for row in rows),
        "written": sum(row["written"] for row in rows),
        "calls": sum(cell["calls"] for cell in calls)}), exact({
            "calls": sum(row["calls"] for row in layers + parts),
            **{way: sum(told["layers"][name][way] for name in SYSTEM
                        if name in told["layers"]) +
               sum(part[way] for part in parts)
               for way in ("read", "written")}})


def of_page(path):
    """The page's own sums, and the report that it carries."""
    page = pagedata.read(path)
    layers = page.head["layers"]
    apart = {i for i, row in enumerate(layers)
             if row["id"] == "os" or row["id"] in FAR}
    kinds = [row["kind"] for row in page.head["files"]]
    share = [row for row in page.rows("share")]
    files = [row for row in share if kinds[row["file"]] != "object"]
    cells = [row for row in page.rows("cells") if row["layer"] not in apart]
    return exact({
        "calls": sum(row["calls"] for row in share),
        "read": sum(row["read"] for row in files),
        "written": sum(row["written"] for row in files)}), exact({
            "calls": sum(row["calls"] for row in cells)}), of_json(
                page.head["report"])


def of_view(trace):
    """What each layer was asked for: without streams' buffers."""
    sums = Counter()
    for layer in ("posix", "stdio"):
        done = run(WEIR, "view", "--layer", layer, "--format", "jsonl", trace,
                   "bytes")
        for row in map(json.loads, done.stdout.splitlines()):
            sums.update(read=row["read"], written=row["written"])
    return sums


def of_query(trace, metric):
    """{layer: total}"""
    done = run(WEIR, "query", "--format", "csv", trace, f"{metric} by layer",
               check=False)
    rows = csv.DictReader(done.stdout.splitlines())
    return {row["layer"]: float(row["total"]) for row in rows}


def of_rates(trace):
    """{call or layer: the fastest}"""
    done = run(WEIR, "query", "--format", "csv", trace,
               "throughput by call,layer", check=False)
    rows = csv.DictReader(done.stdout.splitlines())
    found = {f"query, {row['call']}": float(row["max"]) for row in rows}
    for layer, row in report(trace)["layers"].items():
        if row["busy"]:
            found[layer] = 1e9 * (row["read"] + row["written"]) / row["busy"]
    return found


def of_compare(trace):
    total = json.loads(run(WEIR, "compare", "--json", trace, trace).stdout)[
        "total"]
    names = {"calls": "calls", "failed": "failed", "files": "files",
             "read": "read", "written": "written", "processes": "processes",
             "threads": "threads", "span": "span", "time io": "slowest"}
    return exact({name: total[key]["b"] for name, key in names.items()})


def of_info_json(trace):
    told = json.loads(run(WEIR, "info", "--format", "json", trace).stdout)
    names = {"calls": "calls", "failed": "failed", "files": "files_used",
             "objects": "objects", "channels": "channels",
             "read": "bytes_read", "written": "bytes_written",
             "copied": "bytes_copied", "processes": "processes",
             "threads": "threads"}
    return exact({name: told[key] for name, key in names.items()})


def report(trace):
    return json.loads(run(WEIR, "report", "--json", trace, check=False).stdout)


def links(trace):
    """All calls of a dump, each with the call `above` it, or None."""
    done = run(WEIR, "dump", "--format", "jsonl", "--links", trace,
               check=False)
    by_id, found = {}, []
    for event in map(json.loads, done.stdout.splitlines()):
        if event.get("layer", "mark") in ("mark", *FAR) or \
                "entered" in event.get("flags", "") or \
                event["call"] in INNER:
            continue
        event["above"] = by_id.get(event["parent"])
        by_id[event["id"]] = event
        found.append(event)
    return found


def rows_of_table(text, heading):
    """The rows below a heading of the report: time and slowest."""
    if f"\n{heading}\n" not in text:
        return []
    table = text.split(f"\n{heading}\n")[1].split("\n\n")[0]
    found = []
    for line in table.splitlines()[1:]:
        match = re.match(rf" +{AMOUNT} +{AMOUNT} ", line)
        if match and "(no file" not in line:
            found.append({"time": Figure.read(match[1]),
                          "slowest": Figure.read(match[2])})
    return found
