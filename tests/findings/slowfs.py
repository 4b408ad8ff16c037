# SPDX-License-Identifier: BSD-3-Clause
"""A file system in memory where each write takes a while.

usage: slowfs.py DIRECTORY MILLISECONDS
"""
import sys
import time
from pathlib import Path

import fusepy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import memoryfs  # noqa: E402


class Slow(memoryfs.Files):
    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds

    def write(self, path, data, offset, fh):
        time.sleep(self.seconds)
        return super().write(path, data, offset, fh)


if __name__ == "__main__":
    fusepy.FUSE(Slow(int(sys.argv[2]) / 1000), sys.argv[1], foreground=True,
                nothreads=True, fsname="stand-in", subtype="slowfs",
                big_writes=True)
