# SPDX-License-Identifier: BSD-3-Clause
"""Files in memory, for file systems that are like others but for one thing."""
import errno
import stat
import time

try:
    import fusepy
except ImportError:
    fusepy = None


class Files(fusepy.Operations if fusepy else object):
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

    def statfs(self, path):
        return {"f_bsize": 4096, "f_frsize": 4096, "f_blocks": 1 << 20,
                "f_bfree": 1 << 20, "f_bavail": 1 << 20}

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

    def rename(self, old, new):
        self.data[new] = self.find(old)
        del self.data[old]
