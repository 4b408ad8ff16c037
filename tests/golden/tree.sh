#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The trees of tree/, whole and of single events, and links for scripts.
# usage: tree.sh WEIR DIRECTORY
set -eu
weir=$1 golden=$2
made=$(mktemp)
trap 'rm -f "$made"' EXIT

for file in raw packed; do
	"$weir" dump --tree "$golden/$file.weir" >"$made" 2>&1
	cmp "$made" "$golden/tree.txt"
	for id in 1.1.0 2.1.0 3.1.3 1.1.6 2.1.3; do
		"$weir" dump --of "$id" "$golden/$file.weir" 2>/dev/null
	done >"$made"
	cmp "$made" "$golden/of.txt"
	"$weir" dump --tree --depth 2 --file '*/two' "$golden/$file.weir" \
		>"$made" 2>/dev/null
	cmp "$made" "$golden/two.txt"
	"$weir" dump --format jsonl --links "$golden/$file.weir" \
		>"$made" 2>/dev/null
	cmp "$made" "$golden/links.jsonl"
done
