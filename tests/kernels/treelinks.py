# SPDX-License-Identifier: BSD-3-Clause
"""Whether the calls of a trace lead up to those of the application.

Reads `weir dump --format jsonl --links`. A case has the layers that must
stand above each transfer of its files, the application's first.
"""
import json

from hdf5tree import DATA
from weirtool import WEIR, Failure, run

# Calls that move data while they run, and which way; those that are handed
# over (iput, iwrite) say nothing below them, their wait does.
MOVES = {
    "H5Dwrite": "write", "H5Dread": "read",
    "ncmpi_put_var": "write", "ncmpi_get_var": "read", "ncmpi_wait": "write",
    "MPI_File_write": "write", "MPI_File_read": "read",
}


class Links:
    """The calls of a trace by their ids."""

    def __init__(self, trace):
        done = run(WEIR, "dump", "--format", "jsonl", "--links", trace)
        self.calls = [json.loads(line) for line in done.stdout.splitlines()]
        self.by_id = {call["id"]: call for call in self.calls}

    def above(self, call):
        """From the caller up to the application's call."""
        while call["parent"]:
            if call["parent"] not in self.by_id:
                raise Failure(f"{call['id']}: no {call['parent']}")
            call = self.by_id[call["parent"]]
            yield call

    def transfers(self, folder):
        return [call for call in self.calls
                if call["layer"] == "posix" and call["call"] in DATA and
                str(call.get("file", "")).startswith(str(folder)) and
                call.get("ret", 0) > 0]


def kinds(call):
    return {link["kind"] for link in call["links"]}


def told(call):
    return f"{call['id']} {call['call']} {call.get('file')}"


def unknown_callers(links, folder):
    """Of the application's own libraries and files."""
    return [f"whose is {told(call)}?" for call in links.calls
            if "unknown" in kinds(call) and
            (call["layer"] != "posix" or
             str(call.get("file", "")).startswith(str(folder)))]


def wrong_layers(links, folder, layers):
    """Transfers that others than these stand above."""
    moved = links.transfers(folder)
    for call in moved:
        seen = []
        for up in links.above(call):
            if not seen or seen[-1] != up["layer"]:
                seen.append(up["layer"])
        if tuple(reversed(seen)) != layers:
            yield f"{told(call)} is below {seen}"
    if not moved:
        yield "nothing was moved"


def node_of(call):
    """Calls that are one in several ranks have one: what one of them hands
    over, another may store."""
    return next((link["node"] for link in call["links"]
                 if link["kind"] == "collective"), call["id"])


def way(call):
    """Which way a call of a library moves data, or None."""
    return next((way for name, way in MOVES.items()
                 if call["call"].startswith(name)), None)


def sums(links, folder, layer):
    """{(node, way): [bytes that a layer says, bytes that libc moved]}"""
    found = {}
    for call in links.calls:
        if call["layer"] == layer and way(call) and call["size"]:
            pair = found.setdefault((node_of(call), way(call)), [0, 0])
            pair[0] += call["size"]
    for call in links.transfers(folder):
        moved = "write" if "write" in call["call"] else "read"
        for up in links.above(call):
            if (node_of(up), moved) in found and up["layer"] == layer:
                found[node_of(up), moved][1] += call["ret"]
    return found


def wrong_sums(links, folder, layers):
    """Calls that say other numbers of bytes than were moved below them."""
    for layer in layers:
        for (node, moved), (said, seen) in sums(links, folder, layer).items():
            if said != seen:
                yield (f"{layer} {node}: to {moved} {said} bytes, and {seen} "
                       "below it")


def faults(links, folder, layers, uneven):
    """What is not as it must be; uneven: layers whose bytes are others."""
    even = [layer for layer in layers if layer not in uneven]
    return [*unknown_callers(links, folder),
            *wrong_layers(links, folder, layers),
            *wrong_sums(links, folder, even)]


def unnoticed(links, folder, layers, uneven):
    """Spoils of the links what must be a fault then, a thing at a time."""
    last = links.transfers(folder)[-1]
    things = [(last, "parent", None if layers else links.calls[0]["id"])]
    for call in links.calls:
        if call["layer"] in set(layers) - set(uneven) and way(call):
            things.append((call, "size", call["size"] + 1))
            break
    for call, key, other in things:
        right, call[key] = call[key], other
        if not faults(links, folder, layers, uneven):
            yield f"{key} of {told(call)}"
        call[key] = right
