# SPDX-License-Identifier: BSD-3-Clause
# Files are made, copied, sorted, counted, moved and removed.
seq 1 20000 >numbers
cat numbers numbers >twice
cp numbers copy
cp -a --sparse=always twice sparse
sort -n -r twice >sorted
sort -S 64K -o sorted.small twice
uniq -c sorted.small >counted
wc twice sorted
dd if=twice of=part bs=4096 count=10 skip=1 seek=2 conv=fsync
dd if=/dev/zero of=hole bs=1 count=1 seek=1M
head -n 5 numbers | tail -n 2
split -l 5000 numbers piece-
tac numbers | cut -c 1-2 | tr 0-9 a-j >letters
paste numbers letters >pasted
join numbers numbers >joined || true
md5sum numbers >sums
md5sum -c sums
truncate -s 100 part
mkdir -p deep/er/est
mv copy deep/er/
ln -s ../copy deep/link
ls -lR
du -a
find . -name 'piece-*' -size +1k
stat numbers
touch -d yesterday numbers
chmod 600 numbers
tee a b <numbers >c
cmp a b
comm a b >/dev/null
od -c part | head -n 3
readlink deep/link
rm -r deep piece-*
sync numbers
