# SPDX-License-Identifier: BSD-3-Clause
"""Traces of any size, made by bench/make_events, and what a report says."""
import json
from collections import Counter
from pathlib import Path

from crowd import numbers, run

FIGURES = ("calls", "failed", "bytes")
LETTERS = {"events": "-e", "processes": "-p", "threads": "-t", "files": "-f",
           "hosts": "-n", "seed": "-s"}


class Events:
    """A made trace; `truth`: the sums that its maker told."""

    def __init__(self, path, truth):
        self.path, self.truth = Path(path), numbers(truth)

    def size(self):
        return sum(file.stat().st_size for file in self.path.iterdir())

    def wrong(self, report):
        """What `weir report --format json`, parsed, does not tell rightly."""
        seen = {"processes": report["process_count"],
                "threads": report["threads"],
                "files": report["total"]["files"]}
        wrong = differences("the trace", seen, {
            key: self.truth[key] for key in seen})
        due = {key: value for key, value in self.truth.items() if "." in key}
        for name, rows in (("the total", [report["total"]]),
                           ("the files", report["files"] + [report["others"]]),
                           ("the processes", report["processes"])):
            wrong += differences(name, sums(rows), due)
        return wrong


def make(build, path, **options):
    """Text with the sums of what was made at the path."""
    words = [word for key, value in options.items()
             for word in (LETTERS[key], value)]
    done = run([Path(build) / "make_events", *words, path])
    if done.status:
        raise RuntimeError(f"make_events: status {done.status}")
    return done.out


def wrong_text(file, events):
    with open(file, encoding="utf-8") as text:
        return events.wrong(json.load(text))


def sums(rows):
    """By call and figure, over all rows; a figure not told is 0."""
    total = Counter()
    for row in rows:
        for call, cell in row["calls"].items():
            for figure in FIGURES:
                total[f"{call}.{figure}"] += cell.get(figure, 0)
    return total


def differences(where, seen, due):
    return [f"{where}: {key} {seen.get(key)}, not {due.get(key)}"
            for key in sorted({*seen, *due}) if seen.get(key) != due.get(key)]
