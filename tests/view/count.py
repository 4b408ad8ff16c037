# SPDX-License-Identifier: BSD-3-Clause
"""The four tables of `weir view`, counted anew from what the dump prints.

By the names of calls alone, of which the tool's tables know nothing."""
from collections import Counter, namedtuple

READS = {"read", "pread", "readv", "preadv", "preadv2", "stream_fill"}
WRITES = {"write", "pwrite", "writev", "pwritev", "pwritev2", "dprintf",
          "vdprintf", "stream_flush"}
COPIES = {"sendfile": 1, "copy_file_range": 0, "splice": 0, "tee": 0}
HANDED_OVER = {"aio_read": 0, "aio_write": 1}
STREAM_READS = {"fread", "fgets", "fgetc", "getc", "getline"}
STREAM_WRITES = {"fwrite", "fputs", "fputc", "printf", "fprintf", "puts"}

Request = namedtuple("Request", "event way size moved")


def plain(event, way):
    return Request(event, way, event["size"], max(event["ret"], 0))


def of_copy(event, files_are_chosen):
    for way in (0, 1):
        if not files_are_chosen or way == COPIES[event["call"]]:
            yield plain(event, way)


def of_system(events, files_are_chosen=False):
    """Requests that reach the operating system, in order."""
    ends = {(event["pid"], event["args"]["id"]): event["ret"]
            for event in events if event["call"] == "aio_return"}
    for event in events:
        call = event["call"]
        if call in READS:
            yield plain(event, 0)
        elif call in WRITES:
            yield plain(event, 1)
        elif call in COPIES:
            yield from of_copy(event, files_are_chosen)
        elif call in HANDED_OVER:
            key = event["pid"], event["args"]["id"]
            yield Request(event, HANDED_OVER[call], event["size"], ends[key])


def of_streams(events):
    for event in events:
        if event["call"] in STREAM_READS | STREAM_WRITES:
            yield plain(event, int(event["call"] in STREAM_WRITES))


def series(requests, row_of, group_of, counted):
    """{(row, group): [read, written]}; bytes, or requests where counted."""
    table = {}
    for request in requests:
        cell = table.setdefault(
            (row_of(request.event), group_of(request.event)), [0, 0])
        cell[request.way] += 1 if counted else request.moved
    return table


def sizes(requests):
    """For each way: {size: requests}."""
    found = [Counter(), Counter()]
    for request in requests:
        found[request.way][request.size] += 1
    return found


def power(size):
    """The powers of two between which a size is."""
    low = 1 << size.bit_length() >> 1
    return low, max(2 * low - 1, 0)


def accesses(requests, path):
    """(order, pid, way, offset, size) of each access to a file."""
    chosen = [r for r in requests if r.event.get("file") == path]
    for order, request in enumerate(chosen, 1):
        event = request.event
        off = event.get("off")
        yield (order, event["start"], event["pid"], request.way,
               off if off is None or off >= 0 else None, request.size)
