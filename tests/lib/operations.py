# SPDX-License-Identifier: BSD-3-Clause
"""Joins the ends of asynchronous operations with their begins, in a dump."""
from collections import defaultdict, deque

LIO_READ, LIO_WRITE = 0, 1
BY_OP = {
    "aio_op": {LIO_READ: "read", LIO_WRITE: "write"},
    "iocb_op": {0: "read", 1: "write", 7: "read", 8: "write"},
    "uring_op": {1: "read", 2: "write", 4: "read", 5: "write",
                 22: "read", 23: "write"},
}
MORE = 2  # of the flags of a completion: it is not the last


def way_of(event):
    """Which way an operation moves bytes: by its name, or by what it says."""
    name, args = event["call"], event.get("args", {})
    if name in BY_OP:
        return BY_OP[name].get(args.get("op"))
    if "read" in name or "iget" in name:
        return "read"
    if "write" in name or "put" in name:
        return "write"
    return None


class Operations:
    """Give it all events in order; of several alike the first ends first."""

    def __init__(self):
        self.open = defaultdict(deque)

    def take(self, event, kind):
        """The event that began what this one ends, or None."""
        flags = event.get("flags", "").split("|")
        args = event.get("args", {})
        key = (event["proc"], event.get("layer"), args.get("ring"),
               args.get("id"))
        if "entered" in flags:
            return None
        if kind == "complete":
            if not self.open[key] or args.get("flags", 0) & MORE:
                return None
            return self.open[key].popleft()
        begins = kind == "submit" or "events" in args and "id" in args
        if begins and "failed" not in flags:
            self.open[key].append(event)
        return None
