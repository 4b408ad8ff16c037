#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The workload of `./dev demo`: several programs, files and pipes.
# usage: demo.sh DIRECTORY
set -eu
mkdir "$1"
cd "$1"

# 1. a program writes records, one by one, and reads some back
python=/usr/bin/python3 # a wrapper found first would add its own I/O
[ -x $python ] || python=python3
$python - <<'END'
import os

fd = os.open("records.dat", os.O_RDWR | os.O_CREAT, 0o644)
for i in range(1000):
    os.pwrite(fd, bytes(64), 64 * i)
os.fsync(fd)
for i in range(0, 1000, 10):
    os.pread(fd, 64, 64 * i)
os.close(fd)
END

# 2. a pipeline packs them
tar cf - records.dat | gzip -c >records.tar.gz

# 3. and another one unpacks and sums up
gzip -dc records.tar.gz | tar tvf - | awk '{ print $3 }' >result.txt
