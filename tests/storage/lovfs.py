# SPDX-License-Identifier: BSD-3-Clause
"""A file system in memory whose files have the layouts of Lustre and Ceph.

usage: lovfs.py DIRECTORY

Which layout a file has tells its name: v1, v3, composite, ceph; others have v1.
"""
import errno
import stat
import struct
import sys
import time

import fusepy

CEPH = b"stripe_unit=4194304 stripe_count=2 object_size=4194304 pool=cold"


def plain(magic, count, first, pool=b""):
    """A layout of stripes of 1 MiB on neighbouring OSTs."""
    made = struct.pack("<2I2QI2H", magic, 1, 7, 8, 1 << 20, count, 0) + pool
    return made + b"".join(struct.pack("<2Q2I", i, 0, 0, first + i)
                           for i in range(count))


V1 = plain(0x0BD10BD0, 4, 2)
V3 = plain(0x0BD30BD0, 1, 7, b"flash".ljust(16, b"\0"))


def composite(*parts):
    at, entries = 32 + 48 * len(parts), b""
    for start, end, made in parts:
        entries += struct.pack("<2I2Q3IQI", 1, 16, start, end, at, len(made),
                               0, 0, 0)
        at += len(made)
    return struct.pack("<3I2H16x", 0x0BD60BD0, at, 1, 0, len(parts)) + \
        entries + b"".join(made for *_, made in parts)


ATTRIBUTES = {
    "v3": {"lustre.lov": V3},
    "composite": {"lustre.lov": composite((0, 65536, V1),
                                          (65536, 2**64 - 1, V3))},
    "ceph": {"ceph.file.layout": CEPH},
    "none": {},
}


class Files(fusepy.Operations):
    def __init__(self):
        self.data = {}

    def find(self, path):
        if path not in self.data:
            raise fusepy.FuseOSError(errno.ENOENT)
        return self.data[path]

    def getattr(self, path, fh=None):
        now = time.time()
        told = dict(st_nlink=1, st_atime=now, st_mtime=now, st_ctime=now)
        if path == "/":
            return dict(told, st_mode=stat.S_IFDIR | 0o755)
        return dict(told, st_mode=stat.S_IFREG | 0o644,
                    st_size=len(self.find(path)))

    def readdir(self, path, fh):
        return [".", "..", *(name[1:] for name in self.data)]

    def create(self, path, mode, fi=None):
        self.data[path] = bytearray()
        return 0

    def open(self, path, flags):
        self.find(path)
        return 0

    def read(self, path, size, offset, fh):
        return bytes(self.find(path)[offset:offset + size])

    def write(self, path, data, offset, fh):
        there = self.find(path)
        there.extend(bytes(max(0, offset - len(there))))
        there[offset:offset + len(data)] = data
        return len(data)

    def truncate(self, path, length, fh=None):
        there = self.find(path)
        del there[length:]
        there.extend(bytes(length - len(there)))

    def unlink(self, path):
        self.find(path)
        del self.data[path]

    def getxattr(self, path, name, position=0):
        kept = ATTRIBUTES.get(path[1:], {"lustre.lov": V1})
        if name not in kept:
            raise fusepy.FuseOSError(errno.ENODATA)
        return kept[name]


if __name__ == "__main__":
    fusepy.FUSE(Files(), sys.argv[1], foreground=True, nothreads=True,
                fsname="stand-in", subtype="lovfs")
