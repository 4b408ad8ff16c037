# SPDX-License-Identifier: BSD-3-Clause
"""A file system in memory that spoils one of the writes it gets.

usage: spoilfs.py DIRECTORY KIND NUMBER LOG

What libc writes out of its buffers no preloaded library sees; this does.
"""
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import memoryfs  # noqa: E402

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


class Spoiled(memoryfs.Files):
    def __init__(self, kind, number, log):
        super().__init__()
        self.last, self.count = b"", 0
        self.kind, self.number, self.log = kind, number, log

    def note(self, offset, size):
        with open(self.log, "a", encoding="ascii") as log:
            log.write(f"{self.kind} {offset} {size}\n")

    def write(self, path, data, offset, fh):
        self.count += 1
        kept, shift = data, 0
        if self.count == self.number and self.kind != "none":
            self.note(offset, len(data))
            kept, shift = KINDS[self.kind](data, self.last)
        if kept:
            super().write(path, kept, offset + shift, fh)
        self.last = data
        return len(data)

    def destroy(self, path):
        if self.kind == "none":
            self.note(0, self.count)


if __name__ == "__main__":
    memoryfs.fusepy.FUSE(
        Spoiled(sys.argv[2], int(sys.argv[3]), sys.argv[4]), sys.argv[1],
        foreground=True, nothreads=True, fsname="stand-in",
        subtype="spoilfs", direct_io=True)
