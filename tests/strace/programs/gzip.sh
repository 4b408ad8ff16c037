# SPDX-License-Identifier: BSD-3-Clause
# Files and pipes are compressed, tested and restored.
seq 1 30000 >numbers
cp numbers same
gzip -9 numbers
gzip -t numbers.gz
zcat numbers.gz | cmp - same
gunzip numbers.gz
gzip <same | gzip -dc >restored
cmp restored numbers
