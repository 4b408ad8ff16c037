# SPDX-License-Identifier: BSD-3-Clause
"""Reads back the tables of `weir export --to sqlite` and `--to csv`."""
import csv
import json
import sqlite3
from collections import Counter

import truth as truths

TABLES = ("runs", "hosts", "processes", "threads", "files", "calls",
          "parameters", "events", "arguments", "links", "losses", "marks")
TEXTS = {"trace", "state", "exported_by", "name", "recorded_by", "exe", "cwd",
         "args", "path", "layer", "role", "class", "kind", "place", "link",
         "flags", "value", "shown", "other_id", "node", "what"}


def from_sqlite(path):
    """{table: [row as dictionary]}"""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
        base.row_factory = sqlite3.Row
        if base.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            raise RuntimeError(f"{path} is corrupt")
        return {table: [dict(row) for row in
                        base.execute(f"SELECT * FROM {table}")]
                for table in TABLES}


def typed(name, text):
    if text == "" and name != "flags":
        return None
    return text if name in TEXTS else int(text)


def from_csv(folder):
    tables = {}
    for table in TABLES:
        with open(folder / f"{table}.csv", encoding="utf-8",
                  newline="") as file:
            tables[table] = [{name: typed(name, text)
                              for name, text in row.items()}
                             for row in csv.DictReader(file)]
    return tables


class Seen:
    """The same as Truth, out of tables."""

    def __init__(self, tables):
        calls = {row["call"]: row for row in tables["calls"]}
        files = {row["file"]: row["path"] for row in tables["files"]}
        events = {row["event"]: row for row in tables["events"]}
        ids = {number: f"{row['process']}.{row['thread']}.{row['idx']}"
               for number, row in events.items()}
        self.events = len(events)
        self.calls = Counter((calls[row["call"]]["layer"],
                              calls[row["call"]]["name"])
                             for row in events.values())
        self.bytes = Counter()
        for row in events.values():
            if row["bytes"] is not None:
                self.bytes[files.get(row["file"]),
                           calls[row["call"]]["name"]] += row["bytes"]
        self.parents = {(ids[number], ids[row["parent"]])
                        for number, row in events.items() if row["parent"]}
        self.links = {link_of(row, ids) for row in tables["links"]}
        self.times = {ids[number]: truths.times(row["start"], row["dur"],
                                                row["flags"])
                      for number, row in events.items()}
        self.paths = {files[row["file"]] for row in events.values()
                      if row["file"]}
        self.args = arguments(tables, events, ids)
        self.tables = tables


def link_of(row, ids):
    there = row["node"] or row["open"]
    if row["open"] is not None:
        there = row["open"]
    if row["other_id"]:
        there = row["other_id"]
        if row["other"] and ids[row["other"]] != there:
            there = f"{there}, but the event {row['other']}"
    return ids[row["event"]], row["kind"], there


def value_of(value):
    """Lists and objects are JSON."""
    if isinstance(value, str) and value[:1] in "[{":
        try:
            return json.loads(value)
        except ValueError:
            pass
    return value


def arguments(tables, events, ids):
    """{id: {name: value}}, out of the three places where they stand."""
    found = {}
    places = {}
    for row in tables["parameters"]:
        places.setdefault(row["call"], []).append((row["name"], row["place"]))
    for number, row in events.items():
        found[ids[number]] = {
            name: row[place] for name, place in places.get(row["call"], ())
            if place and place != "arguments" and row[place] is not None}
    for row in tables["arguments"]:
        found[ids[row["event"]]][row["name"]] = row["value"]
    return found


def wrong_arguments(seen, truth):
    """CSV has no types, and text may look like JSON: all as text."""
    wrong = []
    for number, due in truth.args.items():
        for name, value in due.items():
            found = seen.args[number].get(name)
            if value in (-1, "") and found is None:
                continue  # no descriptor; CSV has no empty text
            if str(found) != str(value) and value_of(found) != value:
                wrong.append(f"{number} {name}: {found!r}, not {value!r}")
    return wrong[:5]
