# SPDX-License-Identifier: BSD-3-Clause
"""A file system in memory whose files have the layouts of Lustre and Ceph.

usage: lovfs.py DIRECTORY

Which layout a file has tells its name: v1, v3, composite, ceph; others have v1.
"""
import errno
import struct
import sys
from pathlib import Path

import fusepy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import memoryfs  # noqa: E402

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


class Striped(memoryfs.Files):
    def getxattr(self, path, name, position=0):
        kept = ATTRIBUTES.get(path[1:], {"lustre.lov": V1})
        if name not in kept:
            raise fusepy.FuseOSError(errno.ENODATA)
        return kept[name]


if __name__ == "__main__":
    fusepy.FUSE(Striped(), sys.argv[1], foreground=True, nothreads=True,
                fsname="stand-in", subtype="lovfs")
