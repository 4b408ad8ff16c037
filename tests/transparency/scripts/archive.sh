#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Archives there and back again.
set -e
mkdir tree
seq 1 20000 >tree/long
: >tree/empty
ln -s long tree/link
truncate -s 1M tree/sparse
chmod 711 tree/empty
tar --mtime=@0 --owner=0 --group=0 --sort=name -czf tree.tar.gz tree
tar -tzf tree.tar.gz
mkdir back
tar -C back -xzf tree.tar.gz
diff -r tree back/tree
gzip -nk9 tree/long
gzip -t tree/long.gz
zstd -q tree/long
zstd -q -d -c tree/long.zst | cmp - tree/long
tar -cf - --mtime=@0 tree | tar -tf - | sort
gzip -d <tree/empty || echo "status $?"
