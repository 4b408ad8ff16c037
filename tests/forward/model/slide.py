#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fills memory with bytes that nobody can see: each write leaves one byte of
the one before. Others have files open too, so that there is a share to use up.

usage: slide.py PLACE WRITES"""
import os
import subprocess
import sys

LENGTH = 1000
OTHER = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.write(fd, b"here")
print(flush=True)
sys.stdin.read()
"""


def main(place, writes):
    with subprocess.Popen([sys.executable, "-c", OTHER, f"{place}/other"],
                          stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        fd = os.open(f"{place}/slide", os.O_RDWR | os.O_CREAT, 0o600)
        for i in range(int(writes)):
            os.pwrite(fd, bytes([i % 251]) * LENGTH, i)
        os.close(fd)
        other.stdin.close()
    return other.returncode


sys.exit(main(*sys.argv[1:]))
