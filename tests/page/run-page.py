#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the page of a report shows, against another count.

usage: run-page.py WORKLOAD BUILD MAKE_HOSTILE

Environment: KERNELS, the folder of the I/O kernels, where they were built."""
import json
import os
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kernels"))
import counted  # noqa: E402
import pagedata  # noqa: E402
import ranks  # noqa: E402
from callclasses import calls_of  # noqa: E402
from hostilenames import WORDS, take_back  # noqa: E402
from weirtool import WEIR, Tap, in_whole, mpi_environment, must_be_whole, run  # noqa: E402

WORKLOAD, BUILD = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
MAKE_HOSTILE = os.path.abspath(sys.argv[3])
DAMAGED = 4  # what weir report returns
SHOWS, SLOW, CHANCE, CAUSES, PART = 1, 2, 4, 8, 16
FAILED, ENTERED, UNKNOWN, NOOFF = 1, 2, 4, 8
LIMITS = (100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20,
          100 << 20, 1 << 30)  # of a profile
POWERS = (6, 10, 13, 16, 20, 22, 23, 26, 30, 31)


def record(scratch, command, options=(), env=None):
    trace = scratch / "trace"
    done = subprocess.run(
        [WEIR, "run", "-q", "--strict", "--buffer", "64M", *options, "-o",
         trace, "--", *map(str, command)], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, errors="replace",
        stdin=subprocess.DEVNULL, env=env, cwd=scratch)
    must_be_whole(done)
    return trace


def page_of(trace, scratch, *options):
    out = scratch / "page"
    run(WEIR, "report", trace, "--page-data", out, *options)
    return pagedata.read(out)


def dumped(trace):
    done = run(WEIR, "dump", "--format", "jsonl", "--links", trace)
    return counted.all_calls([json.loads(line)
                              for line in done.stdout.splitlines()],
                             calls_of(trace))


def single(number):
    return struct.unpack("f", struct.pack("f", number / 1e9))[0]


def differences(found, due, seconds):
    """`seconds`: how many figures, the last ones, are told in seconds."""
    exact = {key: [*row[:len(row) - seconds],
                   *map(single, row[len(row) - seconds:])]
             for key, row in due.items()}
    return [f"{key}: {found.get(key)}, not {exact.get(key)}"
            for key in sorted({*found, *exact})
            if found.get(key) != exact.get(key)][:20]


def judge(tap, name, wrong):
    tap.result(not wrong, name, wrong)


def check_tables(tap, name, page, calls):
    head = page.head
    numbers = counted.Numbers(head, page.rows("processes"))
    whole = [call for call in calls if not call.entered]
    judge(tap, f"{name}: cells", differences(
        page.sums("cells", "bin who layer class", "calls bytes time own"),
        counted.cells(whole, numbers), 2))
    judge(tap, f"{name}: paths", differences(
        page.sums("paths", "bin node who", "calls bytes time own"),
        counted.paths(whole, numbers), 2))
    judge(tap, f"{name}: sizes", differences(
        page.sums("sizes", "bin layer class power", "calls bytes"),
        counted.sizes(whole, numbers), 0))
    judge(tap, f"{name}: latency", differences(
        page.sums("latency", "bin call quarter", "calls time"),
        counted.latency(whole, numbers), 1))
    judge(tap, f"{name}: share", differences(
        page.sums("share", "bin file who", "calls read written time"),
        counted.share(whole, numbers), 1))
    judge(tap, f"{name}: stepsum", differences(
        page.sums("stepsum", "step who layer class", "calls bytes time"),
        counted.stepsum(whole, numbers, head), 1))
    judge(tap, f"{name}: access", differences(
        page.sums("access", "time file offset write", "calls bytes"),
        counted.access(whole, numbers, head), 0))
    check_sample(tap, name, page, calls, numbers)
    check_head(tap, name, page, calls)


def described(call, numbers):
    """The columns that follow from an event alone."""
    event = call.event
    off = event.get("off", -1)
    return {
        "start": event["start"], "dur": -1 if call.entered else event["dur"],
        "who": numbers.who.get(event["proc"], 255), "process": event["proc"],
        "thread": event["thread"], "number": event["index"],
        "call": numbers.call(call), "layer": numbers.layer(call),
        "class": numbers.classes[call.class_],
        "file": -1 if call.file is None else numbers.file(call),
        "depth": event["depth"], "off": off,
        "size": event.get("size", 0),
        "ret": -event["err"] if call.failed else event.get("ret", 0),
        "flags": (FAILED if call.failed else 0) |
                 (ENTERED if call.entered else 0) |
                 (0 if event["parent"] or not event["depth"] else UNKNOWN) |
                 (NOOFF if "off" not in event else 0)}


def check_sample(tap, name, page, calls, numbers):
    head, rows, wrong = page.head, page.rows("sample"), []
    by_id = {call.event["id"]: call for call in calls}
    ids = [f"{row['process']}.{row['thread']}.{int(row['number'])}"
           for row in rows]
    for i, (row, name_of) in enumerate(zip(rows, ids)):
        call = by_id[name_of]
        for key, due in described(call, numbers).items():
            if row[key] != float(due):  # as numbers above 2^53 are told
                wrong.append(f"{name_of} {call.name}: {key} {row[key]}, "
                             f"not {due}")
        due = call.above.event["id"] if call.above else None
        told = ids[row["parent"]] if row["parent"] >= 0 else None
        if told != due or row["parent"] >= i:
            wrong.append(f"{name_of}: below {told}, not {due}")
    judge(tap, f"{name}: calls are as they were, with their causes",
          wrong[:20])
    starts = [row["start"] for row in rows]
    judge(tap, f"{name}: each once, by start",
          [] if len(set(ids)) == len(ids) and starts == sorted(starts) else
          ["not so"])
    check_order(tap, name, rows, ids, calls, head)
    complete = head["sample"]["complete"]
    if head["sample"]["events"] != len(calls) or \
            complete != (len(calls) <= 50000) or \
            head["sample"]["chosen"] != len(rows) or \
            (complete and len(rows) != len(calls)):
        wrong.append(f"{head['sample']}, {len(calls)} calls, {len(rows)} rows")
    judge(tap, f"{name}: what the sample says of itself", wrong[:20])


def check_order(tap, name, rows, ids, calls, head):
    """Transfers are counted by process, file and layer."""
    count, order = Counter(), {}
    for call in calls:
        if call.kind in counted.SIZED and call.file and not call.entered:
            key = call.event["proc"], call.file, call.layer
            count[key] += 1
            order[call.event["id"]] = count[key]
    wrong = [f"{one}: {row['order']}, not {order.get(one, 0)}"
             for one, row in zip(ids, rows)
             if row["order"] != order.get(one, 0)]
    judge(tap, f"{name}: the order of transfers", wrong[:20])


def check_head(tap, name, page, calls):
    head = page.head
    wrong = []
    last = max((call.event["start"] + call.event["dur"] for call in calls),
               default=0)
    if calls and head["span"]["end"] < last:
        wrong.append(f"ends at {head['span']['end']}, not {last}")
    if head["bins"]["count"] * head["bins"]["width_ns"] < last:
        wrong.append(f"bins end before {last}")
    made = {call.name for call in calls}
    if {row["name"] for row in head["calls"]} != made:
        wrong.append("calls are not those that were made")
    evidence = [[one["id"] if isinstance(one, dict) else one for one in
                 finding.get("evidence", [])]
                for finding in head["report"]["findings"]]
    rows = page.rows("sample")
    for told, due in zip(head["findings_events"], evidence):
        ids = [f"{rows[i]['process']}.{rows[i]['thread']}."
               f"{int(rows[i]['number'])}" for i in told]
        if ids != due:
            wrong.append(f"evidence {ids}, not {due}")
    if len(head["findings_events"]) != len(evidence):
        wrong.append("evidence of other findings")
    judge(tap, f"{name}: the head", wrong)


def check_report(tap, name, page, trace):
    done = run(WEIR, "report", "--json", trace)
    judge(tap, f"{name}: the report in it", []
          if page.head["report"] == json.loads(done.stdout) else ["another"])


def check_workload(tap):
    """Marks, streams, copies, asynchronous calls, in two processes."""
    def play(scratch):
        (scratch / "data").mkdir()
        trace = record(scratch, [WORKLOAD, "all", scratch / "data"])
        page, calls = page_of(trace, scratch), dumped(trace)
        check_tables(tap, "a program", page, calls)
        check_report(tap, "a program", page, trace)
        judge(tap, "it has marked steps",
              [] if len(page.head["steps"]) > 2 else [page.head["steps"]])
        judge(tap, "nothing is left out of it", page.head["limits"])
        first = page_of(trace, scratch, "--file", "*/first")
        names = [row["name"] for row in first.head["files"]
                 if row["kind"] == "file"]
        judge(tap, "of one file alone, if that is asked for",
              [] if names and all(one.endswith("/first") for one in names)
              else names)
    in_whole(play)


def check_kernel(tap, kernel, arguments):
    program = next((name for name in ranks.flavours(kernel)
                    if not name.endswith("serial")), None)
    if not program:
        tap.skip(kernel, "not built")
        return

    def play(scratch):
        trace = record(scratch, [
            *ranks.launcher(program, 4), ranks.KERNELS / program, *arguments,
            scratch / "out"], env=mpi_environment())
        page, calls = page_of(trace, scratch), dumped(trace)
        check_tables(tap, program, page, calls)
        check_report(tap, program, page, trace)
        labels = [row["label"] for row in page.head["who"]][:4]
        judge(tap, f"{program}: ranks come first",
              [] if labels == [f"rank {i}" for i in range(4)] else labels)
        deep = max(node["depth"] for node in page.head["nodes"])
        judge(tap, f"{program}: calls below calls", [] if deep else [deep])
        check_objects(tap, program, page)
    in_whole(play)


def check_objects(tap, program, page):
    """Datasets have the bytes that they got, and are in a file."""
    files = page.head["files"]
    written = Counter()
    for row in page.rows("share"):
        written[row["file"]] += row["written"]
    wrong = [row for i, row in enumerate(files) if row["kind"] == "object" and
             (row["bytes_written"] != written[i] or row["mount"] != -1 or
              not row["name"].startswith(files[row["of"]]["name"] + ":/"))]
    some = any(row["kind"] == "object" and row["bytes_written"]
               for row in files)
    judge(tap, f"{program}: objects are told from files",
          wrong if some or "vpic" not in program else ["none"])


def check_ring(tap):
    def play(scratch):
        (scratch / "data").mkdir()
        trace = record(scratch, [WORKLOAD, "all", scratch / "data"],
                       ["--ring", "64K"])
        check_tables(tap, "a ring", page_of(trace, scratch), dumped(trace))
    in_whole(play)


def check_profile(tap):
    def play(scratch):
        (scratch / "data").mkdir()
        trace = record(scratch, [WORKLOAD, "all", scratch / "data"],
                       ["--profile"])
        page = page_of(trace, scratch)
        report = json.loads(run(WEIR, "report", "--json", trace).stdout)
        judge_profile(tap, page, report)
    in_whole(play)


def judge_profile(tap, page, report):
    head = page.head
    names = [row["name"] for row in head["calls"]]
    roots = [node["call"] for node in head["nodes"]]
    who = {row["number"]: row["who"] for row in page.rows("processes")}
    due, files, by_size = {}, Counter(), Counter()
    for process in report["processes"]:
        for call, cell in process["calls"].items():
            if cell["layer"] == "mark":
                continue
            due[who[process["number"]], names.index(call)] = [
                cell["calls"], cell.get("bytes", 0), single(cell["time"])]
            for power, count in zip(POWERS, cell.get("sizes", ())):
                by_size[cell["layer"], cell["class"], power] += count
    found = {(row["who"], roots[row["node"]]):
             [row["calls"], row["bytes"], row["time"]]
             for row in page.rows("paths")}
    judge(tap, "a profile: calls by process", [] if found == due else
          [found, due])
    inner = [row["name"] for row in head["classes"] if row["inner"]]
    due = {key: count for key, count in by_size.items()
           if count and key[1] not in inner}
    found = {(head["layers"][row["layer"]]["id"],
              head["classes"][row["class"]]["name"], row["power"]):
             row["calls"] for row in page.rows("sizes")
             if head["layers"][row["layer"]]["id"] != "os"}
    judge(tap, "a profile: sizes", [] if found == due else [found, due])
    for row in page.rows("share"):
        file = head["files"][row["file"]]
        files[file["name"]] += row["calls"]
    due = {row["name"]: sum(cell["calls"] for cell in row["calls"].values()
                            if cell["class"] not in inner and
                            cell["layer"] != "mark")
           for row in report["files"]}
    due = Counter({name: count for name, count in due.items() if count})
    judge(tap, "a profile: files", [] if files == due else [files, due])
    judge(tap, "a profile: what it lacks is said", [] if
          head["timeless"] and head["bins"]["count"] == 1 and
          not page.rows("sample") and "unknown" in head["limits"][0] else
          head["limits"])


def check_empty(tap):
    def play(scratch):
        trace = record(scratch, ["true"], ["--include", "nothing-like-it"])
        page = page_of(trace, scratch)
        some = [name for name in pagedata.TABLES if page.rows(name)]
        judge(tap, "an empty trace has empty tables", some)
    in_whole(play)


def check_crowd(tap):
    """More processes than rows for them."""
    def play(scratch):
        run(BUILD / "make_crowd", scratch / "trace", "packed", 300, 3, 12)
        trace = scratch / "trace"
        page, calls = page_of(trace, scratch), dumped(trace)
        check_tables(tap, "300 processes", page, calls)
        head = page.head
        of = sum(row["processes"] for row in head["who"])
        made = {call.event["proc"] for call in calls}
        judge(tap, "they are groups of neighbours", []
              if len(head["who"]) <= 128 and of == len(made) and
              head["who_is"] == "group of 3" and
              any("groups of" in line for line in head["limits"]) else
              [head["who_is"], len(head["who"]), of, head["limits"]])
    in_whole(play)


def check_large(tap):
    """More calls than are shown one by one."""
    def play(scratch):
        trace = scratch / "trace"
        run(BUILD / "make_events", "-e", 56000, "-p", 6, "-t", 2, "-f", 230,
            "-n", 2, "-s", 5, trace)
        page, calls = page_of(trace, scratch), dumped(trace)
        check_tables(tap, "many calls", page, calls)
        judge_large(tap, page, calls)
    in_whole(play)


def judge_large(tap, page, calls):
    head, rows = page.head, page.rows("sample")
    why = Counter()
    for row in rows:
        for bit in (SHOWS, SLOW, CHANCE, CAUSES, PART):
            why[bit] += bool(row["why"] & bit)
    judge(tap, "there is a reason for each, and a call for each reason",
          [] if all(row["why"] for row in rows) and
          all(why[bit] for bit in (SHOWS, SLOW, CHANCE)) else [why])
    by_process = Counter(row["process"] for row in rows
                         if row["why"] & CHANCE)
    all_of = Counter(call.event["proc"] for call in calls)
    share = head["sample"]["even"] / len(calls)
    judge(tap, "those by chance are an even part",
          [] if head["sample"]["even"] == sum(by_process.values()) and
          all(abs(by_process[proc] / count - share) < 0.1 * share
              for proc, count in all_of.items()) else [share, by_process])
    slowest = {}
    numbers = counted.Numbers(head, page.rows("processes"))
    for call in calls:
        key, event = (call.name, numbers.file(call)), call.event
        rank = (event["dur"], -event["proc"], -event["thread"],
                -event["index"])
        if key not in slowest or rank > slowest[key][0]:
            slowest[key] = rank, event["id"]
    chosen = {f"{row['process']}.{row['thread']}.{int(row['number'])}"
              for row in rows if row["why"] & SLOW}
    due = {one for _, one in slowest.values()}
    judge(tap, "the slowest of each call and file are there",
          [] if chosen == due else sorted(chosen ^ due)[:20])
    judge(tap, "what is left out is said", [] if
          any("one by one" in line for line in head["limits"]) and
          any("files" in line for line in head["limits"]) else
          head["limits"])


def check_names(tap):
    """Names are told in safe form, and are nowhere but in strings."""
    def play(scratch):
        data = os.fsencode(scratch / "data")
        os.mkdir(data)
        names = [word for word in WORDS if b"/" not in word]
        for name in names:
            with open(data + b"/x" + name[:250], "wb") as file:
                file.write(name)
        trace = record(scratch, ["sh", "-c", "cat data/*"])
        page, calls = page_of(trace, scratch), dumped(trace)
        check_tables(tap, "hostile names", page, calls)
        told = {take_back(row["name"]) for row in page.head["files"]
                if row["name"]}
        missing = [name for name in names
                   if data + b"/x" + name[:250] not in told]
        judge(tap, "each is told, and can be taken back", missing)
    in_whole(play)


def check_sites(tap):
    """Where calls are made is told as the dump tells it."""
    def play(scratch):
        (scratch / "data").mkdir()
        trace = record(scratch, [WORKLOAD, "all", scratch / "data"],
                       ["--backtrace"])
        page = page_of(trace, scratch)
        lines = run(WEIR, "dump", "--backtrace", "--format", "jsonl", "--links",
                    trace).stdout.splitlines()
        due = {event["id"]: event["site"] for event in map(json.loads, lines)
               if "site" in event and event["layer"] != "mark"}
        sites = page.head["sites"]
        found = {f"{row['process']}.{row['thread']}.{int(row['number'])}":
                 sites[row["site"]] for row in page.rows("sample")
                 if row["site"] >= 0}
        judge(tap, "call sites", [] if found and found == due else
              [one for one in {*found, *due}
               if found.get(one) != due.get(one)][:20])
    in_whole(play)


def check_killed(tap):
    """A call that never returned is shown, and in no sum."""
    def play(scratch):
        os.mkfifo(scratch / "fifo")
        trace = scratch / "trace"
        subprocess.run([WEIR, "run", "-q", "-o", trace, "--", "timeout", "-s",
                        "KILL", "0.5", "cat", scratch / "fifo"],
                       stdin=subprocess.DEVNULL)
        page, calls = page_of(trace, scratch), dumped(trace)
        check_tables(tap, "a killed program", page, calls)
        open_calls = [row for row in page.rows("sample") if row["dur"] == -1]
        judge(tap, "the call that it was killed in is there",
              [] if len(open_calls) == 1 and
              any("never returned" in line for line in page.head["limits"])
              else [open_calls, page.head["limits"]])
    in_whole(play)


def check_refused(tap):
    def play(scratch):
        trace = record(scratch, ["true"])
        for words in (["--page-data", scratch / "no" / "where"],
                      ["--page-data", scratch / "x", "--json"],
                      ["--page-data", scratch / "x", "--html", "y"]):
            done = run(WEIR, "report", trace, *words, check=False)
            judge(tap, f"refused: {words[-1]}", []
                  if done.returncode in (1, 2) and done.stderr and
                  not (scratch / "x").exists() else [done])
    in_whole(play)


def check_hostile(tap):
    """Numbers, layers and calls that cannot be: still a page."""
    def play(scratch):
        for kind in ("numbers", "layers", "unknown", "empty", "names"):
            trace, out = scratch / f"{kind}.weir", scratch / "page"
            run(MAKE_HOSTILE, kind, scratch / kind, trace)
            done = run(WEIR, "report", trace, "--page-data", out, check=False)
            page = pagedata.read(out)
            judge(tap, f"made by hand: {kind}", []
                  if done.returncode in (0, DAMAGED) and page.head["classes"]
                  else [done.returncode, done.stderr])
    in_whole(play)


def main():
    tap = Tap()
    check_workload(tap)
    check_kernel(tap, "vpic", ["--particles", "8K"])
    check_kernel(tap, "btio", [])
    check_ring(tap)
    check_profile(tap)
    check_empty(tap)
    check_crowd(tap)
    check_large(tap)
    check_names(tap)
    check_hostile(tap)
    check_sites(tap)
    check_killed(tap)
    check_refused(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
