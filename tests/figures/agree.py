# SPDX-License-Identifier: BSD-3-Clause
"""Compares the figures of one run on all screens: they agree, or the screen
that differs says so."""
import shutil
from collections import Counter

import screens
from screens import WEIR, Figure, report, run

# What a profile cannot have: it tells so in words.
UNTIMED = ("time", "span")


def unlike(name, found, base):
    return [f"{name}: {key} is {found[key]}, not {base[key]}"
            for key in sorted(set(found) & set(base))
            if not found[key].is_like(base[key])]


def lacking(name, found, *keys):
    return [f"{name}: no {key}" for key in keys if key not in found]


def unlike_layers(told, text):
    """The table of layers, with the lines below it, has all calls."""
    layers, beside = screens.layers_of_text(text)
    wrong = []
    for layer, row in told["layers"].items():
        wrong += unlike(f"report, {layer}", layers.get(layer, {}), {
            key: Figure(row[key]) for key in ("calls", "read", "written")})
        wrong += [] if layer in layers else [f"report: no layer {layer}"]
    parts = {part: told["times"][part]["calls"] for part in beside}
    due = {part: row["calls"] for part, row in told["times"].items()
           if part != "io" and row["calls"]}
    return wrong + ([] if beside == due == parts else
                    [f"report: not above {beside}, due {due}"])


def unlike_view(trace, told):
    """A copy is read and written; else the bytes are those of calls."""
    sums, copied = screens.of_view(trace), told["total"]["copied"]
    return unlike("view", {way: Figure(sums[way]) for way in
                           ("read", "written")},
                  {way: Figure(told["total"][way] + copied)
                   for way in ("read", "written")}) if not copied else []


def nested(trace):
    """Calls that one of the same layer has made: a query does not count
    these, as it says."""
    found = Counter()
    for event in screens.links(trace):
        above = event["above"]
        while above:
            if above["layer"] == event["layer"]:
                found[event["layer"]] += 1
                break
            above = above["above"]
    return found


def unlike_query(trace, told):
    """By layer: pipes and copies count, calls of the same layer do not."""
    total = told["total"]
    moved = Counter()
    for row in told["files"] + [told["others"]]:
        for cell in row["calls"].values():
            if cell["class"] in ("read", "write", "stream-read",
                                 "stream-write", "copy", "complete"):
                moved[cell["layer"]] += cell["bytes"]
    found = screens.of_query(trace, "bytes")
    wrong = [f"query: {layer} moved {found.get(layer, 0)}, not {due}"
             for layer, due in moved.items()
             if found.get(layer, 0) != due and layer not in screens.FAR]
    calls = sum(number for layer, number in
                screens.of_query(trace, "count").items()
                if layer not in screens.FAR)
    due = total["call_count"] - sum(nested(trace).values())
    return wrong + ([] if calls == due else
                    [f"query: {calls} calls, not {due}"])


def check(trace, scratch, told_by_run):
    """Lines about what differs."""
    told = report(trace)
    base = screens.of_json(told)
    text = run(WEIR, "report", trace, check=False).stdout
    files, layers = screens.of_rows(told)
    run(WEIR, "report", trace, "--page-data", scratch / "page", check=False)
    share, cells, page = screens.of_page(scratch / "page")
    of_run, of_text = screens.of_run(told_by_run), screens.of_text(text)
    of_info = screens.of_info(run(WEIR, "info", trace, check=False).stdout)
    wrong = []
    for name, found in (
            ("run", of_run), ("report", of_text), ("files", files),
            ("layers", layers), ("page, files", share),
            ("page, layers", cells), ("page, report", page),
            ("info", of_info), ("info --json", screens.of_info_json(trace)),
            ("compare", screens.of_compare(trace))):
        wrong += unlike(name, found, base)
    for name, found in (("run", of_run), ("report", of_text),
                        ("info", of_info)):
        wrong += lacking(name, found, "calls", "read", "written", "files",
                         "processes", "threads",
                         *(["copied"] if told["total"]["copied"] else []))
    return wrong + unlike_layers(told, text) + unlike_view(trace, told) + \
        unlike_query(trace, told) + unlike_times(told) + \
        sorted_by_time(text) + \
        unlike_anon(trace, scratch, base)


def unlike_times(told):
    """No time is longer than the run, and a slowest call not than its file's
    calls; lists by time are in that order."""
    wrong = [f"{name} took longer than the run" for name, part in
             told["times"].items() if part["time"] > told["span"]]
    wrong += [f"layer {name} was busy longer than the run"
              for name, row in told["layers"].items()
              if row["busy"] > told["span"]]
    return wrong


def unlike_anon(trace, scratch, base):
    """Other names, and nothing else."""
    out = scratch / "anon"
    shutil.rmtree(out, ignore_errors=True)
    run(WEIR, "anon", trace, out)
    return unlike("anon", screens.of_json(report(out)), base)


def sorted_by_time(text):
    """Files and processes in the text: the longest first."""
    wrong = []
    for heading in ("files by time", "processes by time"):
        rows = screens.rows_of_table(text, heading)
        times = [row["time"].number for row in rows]
        wrong += [f"{heading}: {times}"] if any(
            a < b for a, b in zip(times, times[1:])) else []
        wrong += [f"{heading}: slowest {row['slowest']} of {row['time']}"
                  for row in rows if row["slowest"].number -
                  row["slowest"].slack > row["time"].number +
                  row["time"].slack]
    return wrong


def check_profile(trace, profile, changing=()):
    """The same program again, of which sums are kept."""
    base = screens.of_json(report(trace))
    told = report(profile)
    found = screens.of_json(told)
    text = run(WEIR, "report", profile, check=False).stdout
    timeless = {key: figure for key, figure in found.items()
                if not key.startswith(UNTIMED) and key not in changing}
    wrong = unlike("--profile", timeless, base)
    wrong += unlike("report of a profile", screens.of_text(text), found)
    wrong += unlike("info of a profile", screens.of_info_json(profile), found)
    _, layers = screens.of_rows(told)
    return wrong + unlike("layers of a profile", layers, found) + \
        unlike_layers(told, text)
