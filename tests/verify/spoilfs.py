# SPDX-License-Identifier: BSD-3-Clause
"""A file system in memory that spoils one of the writes it gets.

usage: spoilfs.py DIRECTORY KIND NUMBER LOG

What libc writes out of its buffers no preloaded library sees; this does.
"""
import errno
import os
import stat
import subprocess
import sys
import time

try:
    import fusepy
except ImportError:
    fusepy = None

# What is kept of the bytes, by how far they are moved; `last`: of the write
# before.
KINDS = {
    "drop": lambda data, last: (b"", 0),
    "short": lambda data, last: (data[:len(data) // 2], 0),
    "move": lambda data, last: (data, 64),
    "flip": lambda data, last: (data[:len(data) // 2] + bytes(
        [data[len(data) // 2] ^ 16]) + data[len(data) // 2 + 1:], 0),
    "swap": lambda data, last: (data[len(data) // 2:]
                                + data[:len(data) // 2], 0),
    "stale": lambda data, last: (last[:len(data)] + data[len(last):], 0),
    "none": lambda data, last: (data, 0),
}


PYTHON = "/usr/bin/python3"  # the one that has the module


def can_mount():
    if os.getuid() or not os.path.exists("/dev/fuse"):
        return False
    try:
        subprocess.run([PYTHON, "-c", "import fusepy"], check=True,
                       capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


class Place:
    """The file system while it is used."""

    def __init__(self, work, kind, number, log):
        self.folder = work / "mounted"
        self.arguments = [str(kind), str(number), str(log)]
        self.server = None

    def __enter__(self):
        self.folder.mkdir()
        self.server = subprocess.Popen(
            [PYTHON, "-B", os.path.abspath(__file__), str(self.folder),
             *self.arguments])
        until = time.monotonic() + 30
        while not os.path.ismount(self.folder):
            if self.server.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the file system could not be mounted")
            time.sleep(0.01)
        return self.folder

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", str(self.folder)], check=False)
        self.server.wait(30)


class Files(fusepy.Operations if fusepy else object):
    def __init__(self, kind, number, log):
        self.data, self.last, self.count = {}, b"", 0
        self.kind, self.number, self.log = kind, number, log

    def find(self, path):
        if path not in self.data:
            raise fusepy.FuseOSError(errno.ENOENT)
        return self.data[path]

    def getattr(self, path, fh=None):
        told = dict(st_nlink=1)
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

    def note(self, offset, size):
        with open(self.log, "a", encoding="ascii") as log:
            log.write(f"{self.kind} {offset} {size}\n")

    def write(self, path, data, offset, fh):
        self.count += 1
        kept, shift = data, 0
        if self.count == self.number and self.kind != "none":
            self.note(offset, len(data))
            kept, shift = KINDS[self.kind](data, self.last)
        there, at = self.find(path), offset + shift
        if kept:
            there.extend(bytes(max(0, at - len(there))))
            there[at:at + len(kept)] = kept
        self.last = data
        return len(data)

    def truncate(self, path, length, fh=None):
        there = self.find(path)
        del there[length:]
        there.extend(bytes(length - len(there)))

    def unlink(self, path):
        self.find(path)
        del self.data[path]

    def rename(self, old, new):
        self.data[new] = self.find(old)
        del self.data[old]

    def destroy(self, path):
        if self.kind == "none":
            self.note(0, self.count)


if __name__ == "__main__":
    fusepy.FUSE(Files(sys.argv[2], int(sys.argv[3]), sys.argv[4]),
                sys.argv[1], foreground=True, nothreads=True,
                fsname="stand-in", subtype="spoilfs", direct_io=True)
