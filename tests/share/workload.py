#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does I/O of many kinds, under names that tell a lot.

usage: workload.py --project=DIRECTORY [WORD]...
"""
import ctypes
import os
import subprocess
import sys
import tempfile

OWNER, GROUP = 0x5ec0de77, 0x5ec0de99
LIBC = ctypes.CDLL(None)


def try_to(function, *args, **kwargs):
    """Not every file system can; the attempt is recorded anyway."""
    try:
        return function(*args, **kwargs)
    except OSError:
        return None


def names(top):
    os.makedirs("patients/smithson")
    os.chdir("patients")
    with open("smithson/tumour-scan.h5", "wb") as out:
        out.write(b"x" * 5000)
    os.symlink("../patients/smithson/tumour-scan.h5", "latest-scan")
    os.readlink("latest-scan")
    os.stat("latest-scan")
    os.rename("smithson/tumour-scan.h5", "smithson/tumour-final.h5")
    os.link("smithson/tumour-final.h5", "smithson/hardlinked.dat")
    try_to(os.stat, top + "/patients/nobody-there.cfg")
    os.path.realpath("latest-scan")
    os.chmod("smithson", 0o750)
    try_to(os.chown, "smithson/hardlinked.dat", OWNER, GROUP)
    os.stat("smithson/hardlinked.dat")
    os.unlink("smithson/hardlinked.dat")


def attributes():
    name = "smithson/tumour-final.h5"
    try_to(os.setxattr, name, "user.diagnosis", b"secret-value")
    try_to(os.getxattr, name, "user.diagnosis")
    try_to(os.listxattr, name)
    os.utime(name, (1, 2))
    os.statvfs(name)


def relative():
    folder = os.open("smithson", os.O_RDONLY | os.O_DIRECTORY)
    inner = os.open("relative-notes.txt", os.O_RDWR | os.O_CREAT, 0o600,
                    dir_fd=folder)
    os.pwrite(inner, b"abc", 4096)
    os.ftruncate(inner, 10)
    os.lseek(inner, 1, os.SEEK_SET)
    os.readv(inner, [bytearray(3), bytearray(2)])
    os.mkdir("sub.directory", dir_fd=folder)
    list(os.scandir(folder))
    os.close(inner)
    os.close(folder)


def temporary():
    handle, path = tempfile.mkstemp(prefix="confidential-", dir=".")
    os.write(handle, b"1" * 100)
    os.unlink(path)
    os.write(handle, b"2")
    os.close(handle)
    template = ctypes.create_string_buffer(b"./classified-XXXXXX")
    LIBC.mkstemp(template)
    memory = os.memfd_create("hidden-memory")
    os.write(memory, b"3")
    os.close(memory)
    LIBC.shm_unlink(b"/no-such-segment")


def streams():
    LIBC.fopen.restype = ctypes.c_void_p
    stream = ctypes.c_void_p(LIBC.fopen(b"stream-output.log", b"w+"))
    LIBC.fputs(b"line\n", stream)
    LIBC.fclose(stream)
    LIBC.system(b"cat stream-output.log >copied-output.csv")
    LIBC.fopen(b"never-existed.log", b"r")


def processes():
    one, two = os.pipe()
    os.write(two, b"abc")
    os.read(one, 3)
    subprocess.run("ls -laR . | sort >directory-listing.txt; cp -a smithson "
                   "smithson-copy; find . -name '*.h5' >/dev/null",
                   shell=True, check=True)


def main():
    top = sys.argv[1].partition("=")[2]
    os.chdir(top)
    names(top)
    attributes()
    relative()
    temporary()
    streams()
    processes()


if __name__ == "__main__":
    main()
