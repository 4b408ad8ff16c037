# SPDX-License-Identifier: BSD-3-Clause
"""Which calls of HDF5 the others stand below, in a trace."""
from collections import defaultdict

from weirtool import has_flag

DATA = ("pwrite", "pread", "write", "read", "pwrite64", "pread64", "pwritev",
        "preadv", "readv", "writev")


def in_order_of_ends(events, proc, but=()):
    """The calls of HDF5 that a process made, as a program tells of them."""
    calls = [e for e in events if e["proc"] == proc and
             e["layer"] == "hdf5" and e["call"] not in but]
    return sorted(calls, key=lambda e: (e["thread"], e["index"]))


def with_parents(events):
    """(event, the event it stands below or None); by thread and depth."""
    threads = defaultdict(list)
    for event in events:
        threads[event["proc"], event["thread"]].append(event)
    for thread in threads.values():
        open_above = []
        for event in sorted(thread, key=lambda e: (e["start"], e["depth"],
                                                   e["index"])):
            del open_above[event["depth"]:]
            yield event, open_above[-1] if open_above else None
            open_above.append(event)


def is_data(event, part=".h5"):
    name = (event.get("file") or "").rpartition("/")[2]
    return event["layer"] == "posix" and event["call"] in DATA and part in name


def layers_above(events, part=".h5"):
    """Of each call that moves data of a file: the layers above it."""
    above = {}
    for event, parent in with_parents(events):
        layers = above[id(parent)] + [parent["layer"]] if parent else []
        above[id(event)] = layers
        if is_data(event, part):
            yield event, layers


def check_nesting(tap, events, what, part=".h5", layers=("hdf5",)):
    """Every data call is below a call of HDF5 (and of all these layers)."""
    moved = list(layers_above(events, part))
    wrong = [event for event, above in moved
             if not all(layer in above for layer in layers)]
    tap.result(moved and not wrong, f"{what}: all {len(moved)} transfers are "
               f"below {' and '.join(layers)}", map(str, wrong[:5]))
    lost = [e for e in events if has_flag(e, "entered")]
    tap.result(not lost, f"{what}: all calls returned", map(str, lost[:5]))


def check_collective(tap, events, what, ranks):
    """Calls that all ranks make together have one key, and no others."""
    nodes = defaultdict(list)
    for event in events:
        if event["layer"] == "hdf5" and event["args"].get("coll"):
            key = event["args"]["coll"], event["args"]["seq"]
            nodes[key].append(event)
    shared = [n for n in nodes.values() if len(n) > 1]
    wrong = [n for n in shared if len(n) != ranks or
             len({e["proc"] for e in n}) != ranks or
             len({(e["call"], e.get("file")) for e in n}) != 1]
    tap.result(shared and not wrong, f"{what}: {len(shared)} calls are one in "
               f"all ranks", map(str, wrong[:5]))
    return nodes
