# SPDX-License-Identifier: BSD-3-Clause
# Archives are made, compressed, listed and unpacked.
mkdir -p tree/a/b
seq 1 5000 >tree/a/numbers
seq 1 300 >tree/a/b/few
ln -s numbers tree/a/link
truncate -s 1M tree/hole
tar cf tree.tar tree
tar czf tree.tar.gz tree
tar tf tree.tar
mkdir out
tar xf tree.tar.gz -C out
tar rf tree.tar tree/a/b/few
cmp tree/a/numbers out/tree/a/numbers
