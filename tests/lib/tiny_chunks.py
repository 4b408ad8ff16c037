# SPDX-License-Identifier: BSD-3-Clause
"""Raw chunks as events; written from doc/format.md alone."""
import posixpath
import struct

DEF, SIZE, OFF, RET, WIDE, DETAIL = 1, 2, 4, 8, 0x10, 0x20
RECORD_FAILED, RECORD_NOOFF = 0x40, 0x80
FAILED, NOOFF, NEWHANDLE, RETSIZE = 1, 2, 0x20, 0x40
LOSS, HANDLE = 0xff00, 0xff01
DUPLICATE, DIRECTORY, OPENED = 2, 4, 5
BARE = 1 << 31
M64 = 2**64 - 1


def signed(n):
    return n - 2**64 if n & 2**63 else n


def records(payload, order, base):
    """The records of one chunk, as dictionaries with times in ticks."""
    words = iter(struct.unpack(f"{order}{len(payload) // 8}Q", payload))
    sites = [dict(call=0, depth=0, flags=0, handle=0, size=0, next=0)
             for _ in range(64)]
    clock = base
    for word in words:
        site = sites[word >> 8 & 63]
        if word & DEF:
            what = next(words)
            site.update(call=what & 0xffff, depth=what >> 16 & 0xff,
                        flags=what >> 24 & 0xff, handle=what >> 32,
                        size=next(words), next=0)
        if word & SIZE:
            site["size"] = next(words)
        off = next(words) if word & OFF else site["next"]
        if not word & RECORD_NOOFF:
            site["next"] = (off + site["size"]) & M64
        ret = next(words) if word & RET else \
            site["size"] if site["flags"] & RETSIZE else 0
        gap, dur = (next(words), next(words)) if word & WIDE else \
            (word >> 39, word >> 14 & (1 << 25) - 1)
        length = next(words) if word & DETAIL else 0
        detail = b"".join(struct.pack(order + "Q", next(words))
                          for _ in range((length + 7) // 8))[:length]
        start = (clock + signed(gap)) & M64
        clock = (start + dur) & M64
        flags = site["flags"] & ~RETSIZE
        flags |= FAILED if word & RECORD_FAILED else 0
        flags |= NOOFF if word & RECORD_NOOFF else 0
        yield dict(start=start, dur=dur, call=site["call"], flags=flags,
                   depth=site["depth"], handle=site["handle"],
                   size=site["size"], ret=signed(ret), detail=detail,
                   off=0 if word & RECORD_NOOFF else signed(off))


class Handles:
    """What the handles of one process stand for."""

    def __init__(self, trace, source):
        self.trace, self.source, self.told = trace, source, {}

    def note(self, event):
        s = self.source(event["detail"])
        handle, fd, origin, base = s.leb(), s.leb() - 1, s.leb(), s.leb()
        for _ in range(4):
            s.leb()
        path = s.take(s.leb())
        self.told[handle] = (fd, path, base if origin in
                             (DUPLICATE, DIRECTORY, OPENED) else 0, origin)

    def path_argument(self, event):
        """(base, path) of the call's first path argument, or None."""
        call = self.trace.calls.get(event["call"])
        s = self.source(event["detail"])
        for _, kind in call[1] if call else []:
            wire, place, _ = self.trace.kinds[kind]
            if place != "detail":
                continue
            if wire == "p":
                base, length = s.leb(), s.leb()
                return base, s.take(min(length, len(s.data) - s.at))
            s.leb()  # what stands before a path is one number
        return None

    def learn(self, event):
        if event["call"] == HANDLE:
            self.note(event)
        elif event["flags"] & NEWHANDLE:
            base, path = self.path_argument(event)
            self.told[event["handle"]] = (event["ret"], path, base, 0)

    def path_of(self, handle):
        if handle not in self.told:
            return None
        _, path, base, origin = self.told[handle]
        return self.path_of(base) if origin == DUPLICATE else \
            self.join(base, path)

    def join(self, base, path):
        start = self.path_of(base) if base and path[:1] != b"/" else b""
        if start is None or not (start or path[:1] == b"/"):
            return path
        joined = posixpath.normpath(start + b"/" + path)
        return joined[1:] if joined[:2] == b"//" else joined

    def resolve(self, event):
        """(fd, path or None, handle) of an event."""
        handle = event["handle"]
        if handle & BARE:
            return (handle ^ BARE) - (handle << 1 & 1 << 31), None, 0
        if handle:
            fd = self.told.get(handle, (-1,))[0]
            return fd, self.path_of(handle), handle
        try:
            named = self.path_argument(event)
        except EOFError:
            named = None
        return -1, self.join(*named) if named and named[1] else None, 0


def events(trace, source, chunks, told):
    """All events of {(proc, thread): {sequence: (base, data, order)}}; what
    each process tells of its handles is in `told`."""
    found = []
    for (proc, thread), sequences in chunks.items():
        handles = told.setdefault(proc, Handles(trace, source))
        index = 0
        for sequence in sorted(sequences):
            base, payload, order = sequences[sequence]
            for event in records(payload, order, base):
                handles.learn(event)
                if event["call"] == HANDLE:
                    continue
                event.update(proc=proc, thread=thread, index=index)
                found.append(event)
                index += 1
    for event in found:
        fd, path, handle = told[event["proc"]].resolve(event)
        if event["call"] == LOSS:
            s = source(event["detail"])
            event["size"], first, last = s.leb(), s.leb(), s.leb()
            event.update(start=first, dur=last - first, detail=b"")
        event.update(fd=fd, handle=handle, file=trace.number_of(path))
    return found
