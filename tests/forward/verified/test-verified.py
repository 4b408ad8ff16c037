#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""--verify proves what went through the service: bytes that are overwritten or
cut off before they were stored are taken away as they were written.

usage: test-verified.py"""
import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "lib"))
from weirtool import Tap, WEIR  # noqa: E402

NEW = os.O_CREAT | os.O_TRUNC
DIFFERS = 9
FILES = ["appended", "overwritten", "blind", "cut", "streamed"]


def write_all(place):
    """The program that is forwarded."""
    appended = os.open(f"{place}/appended", NEW | os.O_WRONLY | os.O_APPEND)
    for number in range(300):
        os.write(appended, b"line %06d\n" % number)
    os.close(appended)
    overwritten = os.open(f"{place}/overwritten", NEW | os.O_RDWR)
    os.write(overwritten, b"0123456789" * 100)
    os.lseek(overwritten, 100, os.SEEK_SET)
    os.write(overwritten, b"hello")
    os.lseek(overwritten, 0, os.SEEK_END)
    os.write(overwritten, b"end")
    os.close(overwritten)
    blind = os.open(f"{place}/blind", NEW | os.O_WRONLY)
    os.write(blind, b"0123456789" * 100)
    os.pwrite(blind, b"abc", 5)
    os.pwrite(blind, b"def", 7)
    os.close(blind)
    cut = os.open(f"{place}/cut", NEW | os.O_RDWR)
    os.write(cut, b"0123456789" * 100)
    os.ftruncate(cut, 500)
    os.truncate(f"{place}/cut", 300)
    os.pwrite(cut, b"yy", 299)
    os.close(cut)
    write_stream(f"{place}/streamed".encode())


def write_stream(name):
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    stream = ctypes.c_void_p(libc.fopen(name, b"w+"))
    libc.fputs(b"0123456789" * 100, stream)
    libc.fseek(stream, 100, os.SEEK_SET)
    libc.fputs(b"hello", stream)
    libc.fclose(stream)


def run(place, backend):
    command = [WEIR, "run", "--verify", "-o", f"{place}/trace", "--include",
               f"{place}/data/*", f"--forward={place}/data", "--backend",
               backend, "--", sys.executable, __file__, f"{place}/data"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


def main():
    tap = Tap()
    for backend, status, words in (
            ("posix", 0, f"verified {len(FILES)} files"),
            ("null", DIFFERS, f"{len(FILES)} DIFFER")):
        with tempfile.TemporaryDirectory() as place:
            (Path(place) / "data").mkdir()
            code, said = run(place, backend)
            tap.result(code == status and words in said and
                       "forwarded 310 writes" in said,
                       f"as {backend} stores it", said.splitlines())
    return tap.done()


if __name__ == "__main__":
    sys.exit(write_all(sys.argv[1]) if len(sys.argv) > 1 else main())
