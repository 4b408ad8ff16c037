# SPDX-License-Identifier: BSD-3-Clause
"""The metrics of weir query, computed anew from what the dump prints."""
import re
from collections import defaultdict

ORDER = ["hdf5", "pnetcdf", "mpiio", None, "stdio", "posix",
         "async", "client", "comm", "server", "serve", "disk", "backend"]
LATER = ("serve", "backend")  # what calls above do not wait for
SERVERS = ("server", "disk", *LATER)
BESIDE = ("comm", "joint", "joint_io")
OF_LAYERS = ("latency", "throughput", "count", "bytes")
ACTIVE, IDLE = 13.5, 10.2
MOVES = re.compile(r"p?(read|write)v?$|MPI_File_i?(read|write)|client_io$|"
                   r"serve$|disk_io$|forward$|serve_write$|backend_write$")


def place(layer):
    return (ORDER.index(layer if layer in ORDER else None), layer)


def covered(spans):
    """The length of what spans cover together."""
    length, reached = 0, None
    for start, end in sorted(spans):
        if reached is None or start > reached:
            reached = start
        length += max(0, end - reached)
        reached = max(reached, end)
    return length


class Cell:
    def __init__(self):
        self.spans, self.bytes, self.calls = [], 0, 0

    @property
    def time(self):
        return covered(self.spans)


def parents(events):
    """{id: event} of callers, by depths and order alone."""
    above, threads = {}, defaultdict(list)
    for event in events:
        event["key"] = event["proc"], event["thread"], event["index"]
        threads[event["key"][:2]].append(event)
    for made in threads.values():
        made.sort(key=lambda event: event["index"])
        open_ = []  # later ones, the next first
        for event in reversed(made):
            while open_ and open_[-1]["depth"] >= event["depth"]:
                open_.pop()
            if event["depth"] and open_:
                above[event["key"]] = open_[-1]
            open_.append(event)
    return above


def join_batches(events, above):
    """What is done for several stands below the first of them."""
    first = {}
    for event in sorted(events, key=lambda e: e["start"]):
        args = event.get("args", {})
        key = event["proc"], args.get("batch")
        if event["call"] == "serve_write" and key[1]:
            first.setdefault(key, event)
        if event["call"] == "serve_stage" and event["key"] not in above \
                and key in first:
            above[event["key"]] = first[key]


class Model:
    """Units: {"first", "members", "cells": {(layer, client, server)}}."""

    def __init__(self, events, of=None):
        self.events = [e for e in events if not e["call"].startswith("weir:")]
        self.above, self.of = parents(self.events), of
        join_batches(self.events, self.above)
        self.units, self.unit_of, self.joined = [], {}, {}
        self.seen_ranks = defaultdict(int)
        self.server_procs = sorted({
            e["proc"] for e in self.events
            if e.get("args", {}).get("for")
            or e["depth"] == 0 and e.get("layer") in SERVERS})
        self.by_cid = {}
        for event in self.events:
            cid = event.get("args", {}).get("cid")
            if cid:
                self.by_cid.setdefault(cid, event)
        self.mark()
        for event in self.events:
            self.find_unit(event)
        for event in self.events:
            self.put_into_cells(event)

    def mark(self):
        regions, phases = defaultdict(list), {}
        for event in self.events:
            who, name = event["proc"], event.get("args", {}).get("name")
            if event["call"] == "mark_begin":
                regions[who].append(name)
            elif event["call"] == "mark_end":
                regions[who].remove(name)
            elif event["call"] == "mark_phase":
                phases[who] = name
            event["segment"] = regions[who][-1] if regions[who] else \
                phases.get(who)

    def is_root(self, event):
        layer = event.get("layer")
        if layer in (None, "mark", "comm", *SERVERS) or \
           event["proc"] in self.server_procs:
            return False
        return self.of is None or layer == self.of

    def join(self, event):
        args = event.get("args", {})
        if not args.get("coll") or "seq" not in args:
            return None
        key = event["layer"], args["coll"], args["seq"]
        turn = self.seen_ranks[key, event.get("rank")]
        self.seen_ranks[key, event.get("rank")] += 1
        return key, turn

    def find_unit(self, event, depth=0):
        """(unit, client, server) of an event; server None: the client's."""
        key = event["key"]
        if key in self.unit_of:
            return self.unit_of[key]
        self.unit_of[key] = found = self.search(event, depth)
        return found

    def search(self, event, depth):
        cause = event.get("args", {}).get("for")
        if cause:
            caller = self.by_cid.get(cause)
            unit, client, _ = self.find_unit(caller, depth + 1) \
                if caller and depth < 16 else (None, None, None)
            return unit, client, event["proc"]
        parent = self.above.get(event["key"])
        if parent:
            found = self.find_unit(parent, depth)
            if found[0]:
                return found
        if not self.is_root(event):
            return None, None, None
        joined = self.join(event)
        unit = self.joined.get(joined) if joined else None
        if not unit:
            unit = {"members": [], "cells": defaultdict(Cell)}
            self.units.append(unit)
            if joined:
                self.joined[joined] = unit
        unit["members"].append(event)
        return unit, event["proc"], None

    def chain(self, event):
        """Calls above one, up to that which has the work from elsewhere."""
        found = []
        while not event.get("args", {}).get("for") and \
                event["key"] in self.above:
            event = self.above[event["key"]]
            if self.unit_of[event["key"]][0]:
                found.append(event)
        return found

    def moved(self, event):
        return max(event["ret"], 0) if MOVES.match(event["call"]) else 0

    def put_into_cells(self, event):
        unit, client, server = self.unit_of[event["key"]]
        layer, above = event.get("layer"), self.chain(event)
        if not unit or (server and layer not in SERVERS):
            return
        same = [a for a in above if a["layer"] == layer]
        at = event["proc"] if layer in SERVERS else None
        keys = [(layer, client, at)] + ([(layer, None, at)] if at else [])
        span = event["start"], event["start"] + event["dur"]
        for key in keys:
            cell = unit["cells"][key]
            if not same:
                cell.spans.append(span)
                cell.calls += 1
            if not any(self.moved(a) for a in same):
                cell.bytes += self.moved(event)
        if not server:
            self.count_joint(unit, client, event, above, span)

    def count_joint(self, unit, client, event, above, span):
        def is_joint(e):
            return e["layer"] == "mpiio" and e.get("args", {}).get("coll")
        outer = [a for a in above if is_joint(a)]
        if is_joint(event) and not outer:
            unit["cells"]["joint", client, None].spans.append(span)
        elif outer and event["layer"] not in ("comm", "mpiio", *SERVERS):
            unit["cells"]["joint_io", client, None].spans.append(span)

    # --- figures --------------------------------------------------------

    def head(self, unit):
        first = min(unit["members"], key=lambda e: (e["start"], e["proc"]))
        lowest = min(unit["members"],
                     key=lambda e: e.get("rank", e["proc"]))
        return first, lowest

    def groups(self, unit, key, by):
        layer, client, server = key
        first, lowest = self.head(unit)
        told = {
            "id": ".".join(map(str, lowest["key"])),
            "call": lowest["call"], "layer": layer,
            "segment": first["segment"],
            "client": None if client is None else self.client(client),
            "rank": None if client is None else self.told(client, "rank"),
            "process": None if client is None else self.told(client, "pid"),
            "server": None if server is None else
            self.server_procs.index(server)}
        return tuple(told[group] for group in by)

    def told(self, proc, what):
        return next(e.get(what) for e in self.events if e["proc"] == proc)

    def client(self, proc):
        return next(e.get("rank", proc) for e in self.events
                    if e["proc"] == proc)

    def answer(self, metric, by, exclusive=False, wanted=lambda unit: True,
               only=lambda layer, client, server: True):
        """{groups: (calls, mean, least, most, total, is_estimate)}."""
        figures = defaultdict(list)
        for unit in self.units:
            if wanted(self.head(unit)[1]):
                for row, keys in self.rows(unit, metric, by, only).items():
                    figure = getattr(self, metric)(unit, keys, exclusive)
                    if figure is not None:
                        figures[row].append(figure)
        return {row: (len(made), sum(f for f, _ in made) / len(made),
                      min(f for f, _ in made), max(f for f, _ in made),
                      sum(f for f, _ in made), any(e for _, e in made))
                for row, made in figures.items()}

    def rows(self, unit, metric, by, only):
        found = defaultdict(list)
        pooled = not {"client", "rank", "process"} & set(by)
        for key in unit["cells"]:
            layer, client, server = key
            if metric in OF_LAYERS:
                fits = client is not None and not layer.startswith("joint") \
                    and only(layer, client, server)
            elif metric == "comm_time":
                fits = layer == "comm" or layer == "joint" and \
                    ("comm", client, None) not in unit["cells"]
            else:
                fits = layer in SERVERS and pooled == (client is None)
            if fits:
                found[self.groups(unit, key, by)].append(key)
        if metric in OF_LAYERS:
            for row, keys in found.items():
                top = min(place(key[0]) for key in keys)
                found[row] = [k for k in keys if place(k[0]) == top]
        return found

    def below(self, unit, keys):
        """Cells at or below some, of the same client, and server."""
        for layer, client, server in keys:
            for key, cell in unit["cells"].items():
                if key[1] == client and key[0] not in BESIDE \
                   and place(key[0]) >= place(layer) \
                   and (layer in LATER or key[0] not in LATER) \
                   and (server is None or key[2] == server):
                    yield key, cell

    def latency(self, unit, keys, exclusive):
        most = max(unit["cells"][key].time for key in keys)
        if exclusive and keys[0][0] != "comm":
            lower = [(place(key[0]), cell.time)
                     for key, cell in self.below(unit, keys)
                     if key[0] != keys[0][0]]
            following = min(lower)[0] if lower else None
            most -= max((time for where, time in lower
                         if where == following), default=0)
        return max(most, 0) / 1e9, False

    def throughput(self, unit, keys, exclusive):
        cells = [(key, unit["cells"][key]) for key in keys]
        if not exclusive:
            cells = [(k, c) for k, c in self.below(unit, keys) if c.bytes]
            lowest = max((place(k[0]) for k, _ in cells), default=None)
            cells = [(k, c) for k, c in cells if place(k[0]) == lowest]
        rates = [c.bytes * 1e9 / c.time for _, c in cells
                 if c.bytes and c.time]
        return (sum(rates), False) if rates else None

    def count(self, unit, keys, _):
        return sum(unit["cells"][key].calls for key in keys), False

    def bytes(self, unit, keys, _):
        moved = sum(unit["cells"][key].bytes for key in keys)
        return (moved, False) if moved else None

    def io_nodes(self, unit, keys, _):
        return len({key[2] for key in keys}), False

    def disk_accesses(self, unit, keys, _):
        return sum(unit["cells"][key].calls for key in keys
                   if key[0] == "disk"), False

    def comm_time(self, unit, keys, _):
        figures = []
        for layer, client, _ in keys:
            time = unit["cells"][layer, client, None].time
            if layer == "joint":
                below = unit["cells"].get(("joint_io", client, None))
                time -= below.time if below else 0
            figures.append((max(time, 0) / 1e9, layer == "joint"))
        return max(figures)[0], any(estimate for _, estimate in figures)

    def joules(self, unit, keys):
        for client, server in {key[1:] for key in keys}:
            times = [unit["cells"][layer, client, server].time
                     if (layer, client, server) in unit["cells"] else 0
                     for layer in SERVERS]
            whole = max(times)
            if whole:
                yield (ACTIVE * times[1] + IDLE * (whole - times[1])) / 1e9, \
                    whole / 1e9

    def energy(self, unit, keys, _):
        made = list(self.joules(unit, keys))
        return (sum(e for e, _ in made), False) if made else None

    def power(self, unit, keys, _):
        made = list(self.joules(unit, keys))
        return (sum(e / t for e, t in made), False) if made else None
