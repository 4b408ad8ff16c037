#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Common tools on common files.
set -e
seq 1 5000 >numbers
cp numbers copy
cp -a numbers kept
ln -s numbers link
ln numbers hard
dd if=numbers of=blocks bs=100 count=50 skip=3 conv=notrunc status=none
sort -rn numbers | sed -n 1,20p | tee sorted
split -l 1000 numbers part-
cat part-* | cmp - numbers
wc numbers part-*
sha256sum numbers link hard copy
truncate -s 10000 longer
stat -c '%n %s %a %F' numbers link longer
install -m 751 copy installed
mkfifo pipe
cat numbers >pipe &
tail -n 3 pipe
wait
tr 0-9 a-j <numbers | uniq -c | awk '{ n += $1 } END { print n }'
mv copy moved
rm -f part-aa
mkdir -p deep/er/est
touch deep/er/est/file
ls -RA
chmod 600 moved
sync moved
cat not-there || echo "status $?"
