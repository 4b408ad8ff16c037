# SPDX-License-Identifier: BSD-3-Clause
"""What a trace holds, counted from `weir dump --format jsonl --links`."""
import json
from collections import Counter

import callclasses
from weirtool import WEIR, run

LOSS = "weir:loss"


def moved(call, kind):
    """Bytes of an event of the dump; None: it moves none, or not yet."""
    if kind not in callclasses.MOVES or "ret" not in call:
        return None
    return 0 if "err" in call else max(0, call["ret"])


def times(start, dur, flags):
    """Nobody knows how long a call took that never returned."""
    return start, None if "entered" in (flags or "").split("|") else dur


class Truth:
    """All that every format must tell alike.

    events   how many
    calls    {(layer, call): how often}
    bytes    {(path or None, call): sum}, of calls that move any
    parents  {(id, id of the caller)}
    links    {(id, kind, id or node or number)} but for callers
    times    {id: (start, duration)}
    args     {id: {name: value}}

    A trace that is damaged has calls like another, which is whole.
    """

    def __init__(self, trace, allowed=(0,), like=None):
        done = run(WEIR, "dump", "--format", "jsonl", "--links", trace,
                   check=False)
        if done.returncode not in allowed:
            raise RuntimeError(f"weir dump: {done.returncode}: {done.stderr}")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        known = {name: call.kind for name, call in
                 callclasses.calls_of(like or trace).items()}
        self.rows = [row for row in rows if row["call"] != LOSS]
        self.gaps = len(rows) - len(self.rows)
        self.events = len(self.rows)
        self.calls = Counter((row.get("layer"), row["call"])
                             for row in self.rows)
        self.bytes = Counter()
        for row in self.rows:
            count = moved(row, known.get(row["call"]))
            if count is not None:
                self.bytes[row.get("file"), row["call"]] += count
        self.parents = {(row["id"], row["parent"]) for row in self.rows
                        if row["parent"]}
        self.links = {link for row in self.rows for link in others(row)}
        self.times = {row["id"]: times(row["start"], row["dur"],
                                       row["flags"]) for row in self.rows}
        self.args = {row["id"]: row["args"] for row in self.rows
                     if "args" in row}
        self.paths = {row["file"] for row in self.rows if "file" in row}
        self.kinds = known


def others(row):
    """Links of an event that do not tell its caller."""
    for link in row["links"]:
        kind = link["kind"]
        if kind in ("completes", "batched"):
            yield row["id"], kind, link["to"]
        elif kind == "collective":
            yield row["id"], kind, link["node"]
        elif kind == "caused":
            yield row["id"], kind, link["cid"]
        elif kind == "unknown" and "open" in link:
            yield row["id"], kind, link["open"]
        elif kind == "unknown" and "above" in link:
            yield row["id"], "above", link["above"]


def differences(name, found, due):
    """Of two sets or counters, a few words."""
    if found == due:
        return []
    if isinstance(due, (set, frozenset)):
        return [f"{name}: too many {sorted(found - due, key=str)[:3]}, "
                f"missing {sorted(due - found, key=str)[:3]}"]
    if isinstance(due, dict):
        wrong = [key for key in {*found, *due}
                 if found.get(key) != due.get(key)]
        return [f"{name}: {key}: {found.get(key)}, not {due.get(key)}"
                for key in wrong[:3]]
    return [f"{name}: {found}, not {due}"]
