#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sums of a profile against those of a full trace, and of its calls.

usage: run-profile.py WORKLOAD [FILES]
"""
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import tiny_profile  # noqa: E402
from callclasses import calls_of  # noqa: E402
from operations import Operations  # noqa: E402
from sums import counts, differences, report, rows  # noqa: E402
from weirtool import WEIR, Failure, Tap, events, has_flag  # noqa: E402

LIMITS = (100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20,
          100 << 20, 1 << 30)
MOST = 1 << 20  # bytes of the sums of a process


class Stage:
    """A directory for the programs' files and one for each trace."""

    def __init__(self, top, workload):
        self.top, self.workload = Path(top), workload

    def fresh(self, name):
        path = self.top / name
        shutil.rmtree(path, ignore_errors=True)
        return path

    def play(self, name, words, options=(), expect=0, quiet=True):
        """Record a play in the same directory as all others."""
        trace, place = self.fresh(name), self.fresh("files")
        place.mkdir()
        done = subprocess.run(
            [WEIR, "run", "-q", "--buffer", "64M", *options, "-o", trace,
             "--", self.workload, *map(str, words)], cwd=place,
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != expect or (quiet and done.stderr):
            raise Failure(f"weir run returned {done.returncode}: "
                          f"{done.stderr}")
        return trace


def size_class(size):
    return sum(size > limit for limit in LIMITS)


def empty():
    return {"calls": 0, "failed": 0, "bytes": 0, "sizes": [0] * 10, "top": 0}


def add(cell, event):
    cell["calls"] += 1
    cell["sizes"][size_class(int(event["size"]))] += 1
    if has_flag(event, "failed"):
        cell["failed"] += 1
        return
    moved = max(int(event["ret"]), 0)
    cell["bytes"] += moved
    if event.get("off") is not None:
        cell["top"] = max(cell["top"], int(event["off"]) + moved)


def sums_of_calls(trace):
    """The same from the calls themselves, by nothing of weir's own."""
    files = collections.defaultdict(empty)
    total = collections.defaultdict(empty)
    known, operations = calls_of(trace), Operations()
    for event in events(trace):
        if event["call"].startswith("weir:") or has_flag(event, "entered"):
            continue
        kind = known[event["call"]].kind
        began = operations.take(event, kind)
        if kind == "complete" and not began:
            event["ret"] = 0  # told before
        add(files[event.get("file") or (began or {}).get("file"),
                  event["call"]], event)
        add(total[event["call"]], event)
    return files, total


def check_equal(stage, tap):
    full = report(stage.play("full", ["mixed", 0]))
    profile_trace = stage.play("profile", ["mixed", 0], ["--profile"])
    profile = report(profile_trace)
    lines = differences(rows(full), rows(profile))
    if full["manner"] != "calls" or profile["manner"] != "profile":
        lines.append("the manner of a trace is not told")
    tap.result(not lines and len(rows(full)) > 400,
               "a profile has the sums of the full trace", lines[:20])
    files, total = sums_of_calls(stage.top / "full")
    wrong = []
    for row in full["files"]:
        for call, cell in row["calls"].items():
            mine = {key: value for key, value in
                    files.pop((row["name"], call), empty()).items()
                    if key in cell}
            if mine != counts(cell):
                wrong.append(f"{row['name']} {call}: {mine} and "
                             f"{counts(cell)}")
    wrong += [f"not reported: {key}" for key in files]
    for call, cell in full["total"]["calls"].items():
        mine = {k: v for k, v in total[call].items() if k in cell}
        if mine != counts(cell):
            wrong.append(f"total {call}: {mine} and {counts(cell)}")
    tap.result(not wrong, "a full trace's sums are those of its calls",
               wrong[:20])
    check_times(full, profile, tap)
    check_document(profile_trace, profile, tap)
    check_dump(profile_trace, tap)


def check_times(full, profile, tap):
    """Estimates may be off, but each call is timed or stood for."""
    lines = []
    for call, cell in full["total"]["calls"].items():
        if cell["timed"] != cell["calls"] or \
                sum(cell["waits"]) != cell["calls"]:
            lines.append(f"{call} of the full trace: not all timed")
    for call, cell in profile["total"]["calls"].items():
        if not 0 < cell["timed"] <= cell["calls"] or \
                sum(cell["waits"]) != cell["timed"] or \
                not cell["longest"] <= cell["time"]:
            lines.append(f"{call} of the profile: {cell}")
    tap.result(not lines, "times are of the calls that were timed", lines)


def check_document(trace, found, tap):
    """The file as its document describes it, against what weir reads."""
    data = next(trace.glob("*.weir")).read_bytes()
    sums, folded = tiny_profile.read(data)
    mine, theirs = {}, {}
    for (name, call), numbers in sums.items():
        name = name.decode() if isinstance(name, bytes) else None
        mine[name, call] = [*numbers[:3], numbers[4], *numbers[6:20]]
    for row in found["files"]:
        for call, cell in row["calls"].items():
            got = [cell["calls"], cell["failed"], cell.get("bytes"),
                   cell["timed"], cell.get("top"), cell.get("placed"),
                   cell.get("follow"), cell.get("ahead"),
                   *cell.get("sizes", [None] * 10)]
            told = mine.get((row["name"], call), [])
            theirs[row["name"], call] = [
                t if g is None else g for g, t in zip(got, told)]
    lines = differences(mine, theirs)
    tap.result(not lines and not folded and len(mine) > 100,
               "the file is as its document says", lines[:10])


def check_dump(trace, tap):
    done = subprocess.run([WEIR, "dump", "--format", "csv", trace],
                          capture_output=True, text=True)
    tap.result(done.returncode == 5 and not done.stdout and
               "weir report" in done.stderr,
               "dump says that a profile has no calls", [done.stderr])


def check_filters(stage, tap):
    trace = stage.top / "profile"
    one = report(trace, ["--file", "*/thread-2"])
    names = [row["name"].rsplit("/", 1)[1] for row in one["files"]]
    cell = one["total"]["calls"]["pwrite"]
    tap.result(names == ["thread-2"] and cell["calls"] == 500,
               "a report on one file", [str(names), str(cell)])
    none = subprocess.run([WEIR, "report", "--process", "nosuchprogram",
                           trace], capture_output=True, text=True)
    tap.result(none.returncode == 5 and "nosuchprogram" in none.stderr,
               "a report on no process is refused", [none.stderr])


def check_many(stage, tap, number):
    trace = stage.play("many", ["many", number], ["--profile"])
    size = sum(path.stat().st_size for path in trace.iterdir())
    found = report(trace)
    calls, lines = found["total"]["calls"], []
    writes = sum(1 + i % 3 for i in range(number))
    want = {"open": number, "write": writes, "close": number,
            "unlink": number}
    for call, count in want.items():
        if calls.get(call, {}).get("calls") != count:
            lines.append(f"{call}: {calls.get(call)} instead of {count}")
    if calls["write"]["bytes"] != 10 * writes:
        lines.append(f"{calls['write']['bytes']} bytes")
    named = [row["name"] for row in found["files"]
             if "a-file-with" in str(row["name"])]
    if len(named) + found["others"]["files"] < number or not named:
        lines.append(f"{len(named)} files, {found['others']['files']} others")
    tap.result(not lines, f"{number} files: all calls are counted", lines)
    tap.result(size <= MOST, f"{number} files: {size} bytes of trace")


def check_throng(stage, tap, number=600):
    """Every call is counted, be it in a sum or as one that found no room."""
    found = report(stage.play("throng", ["throng", number], ["--profile"],
                              quiet=False))
    dropped = found["unseen"]["dropped"]
    calls = {name: cell["calls"]
             for name, cell in found["total"]["calls"].items()}
    tap.result(sum(calls.values()) + dropped == 22 * number,
               f"{number} threads at once", [str(calls), f"{dropped} dropped"])


def check_killed(stage, tap, number=100000):
    trace = stage.play("killed", ["suicide", number], ["--profile"],
                       128 + signal.SIGKILL)
    found = report(trace)
    cell = found["total"]["calls"]["pwrite"]
    tap.result(cell["calls"] == number and cell["bytes"] == 8 * number and
               sum(cell["sizes"]) == number,
               "a killed program leaves its sums", [str(cell)])


def find_collector(trace):
    """The process that has the trace's file open."""
    for fd in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if os.readlink(fd).startswith(str(trace) + "/") and \
                    os.readlink(fd).endswith(".weir"):
                return int(fd.parent.parent.name)
        except OSError:
            continue
    raise Failure("there is no collector")


def start_forever(stage, name, number):
    trace, place = stage.fresh(name), stage.fresh("files")
    place.mkdir()
    run = subprocess.Popen(
        [WEIR, "run", "-q", "--profile", "-o", trace, "--", stage.workload,
         "forever", str(number)], cwd=place, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    run.stdout.readline()
    return trace, run


def sums_in_file(stage, trace):
    """How often pwrite is counted in what would be left on the disk."""
    copy = stage.fresh("copied")
    copy.mkdir()
    for path in trace.glob("*.weir"):
        shutil.copy(path, copy)
    try:
        calls = report(copy, expect=4)["total"]["calls"]
        return calls.get("pwrite", {"calls": 0})["calls"]
    except Failure as failure:  # it was just being written
        return str(failure)


def await_sums(stage, trace, number):
    """The collector writes the file anew, now and then."""
    for _ in range(600):
        if sums_in_file(stage, trace) == number:
            return
        time.sleep(0.1)


def check_collector_killed(stage, tap, number=50000):
    """Its memory still has the sums; and so has the file, after a while."""
    trace, run = start_forever(stage, "orphan", number)
    await_sums(stage, trace, number)
    os.kill(find_collector(trace), signal.SIGKILL)
    cell = report(trace)["total"]["calls"]["pwrite"]
    tap.result(cell["calls"] == number, "a killed collector leaves the sums "
               "in the process's memory", [str(cell)])
    in_file = sums_in_file(stage, trace)
    tap.result(in_file == number, "and in the file what it knew", [in_file])
    run.stdin.close()
    run.wait()


def main(workload, number="100000"):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-profile-") as top:
        stage = Stage(os.path.realpath(top), os.path.abspath(workload))
        check_equal(stage, tap)
        check_filters(stage, tap)
        check_many(stage, tap, int(number))
        check_throng(stage, tap)
        check_killed(stage, tap)
        check_collector_killed(stage, tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
