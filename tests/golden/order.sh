#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Traces of big-endian machines, and files with blocks of both orders, are read
# like their little-endian twins: in every format, and by the second reader.
# usage: order.sh WEIR PYTHON LIB FILE...
set -eu
weir=$1 python=$2 lib=$3
shift 3
formats=$("$weir" dump --format none . 2>&1 | sed -n 's/.*only //p' | tr -d ,)
made=$(mktemp -d)
test -n "$formats"
trap 'rm -rf "$made"' EXIT

read_all() {
	for format in $formats; do
		"$weir" dump --format "$format" "$1" >"$2.$format" 2>&1
	done
	"$python" "$lib/tiny_reader.py" "$1" >"$2.tiny"
}

for file; do
	cp "$file" "$made/trace.weir"
	read_all "$made/trace.weir" "$made/little"
	for kind in '' --mixed; do
		# shellcheck disable=SC2086
		"$python" "$lib/big_endian.py" "$file" "$made/trace.weir" $kind
		if cmp -s "$file" "$made/trace.weir"; then
			echo "$file: nothing was turned round" >&2
			exit 1
		fi
		read_all "$made/trace.weir" "$made/big"
		for format in $formats tiny; do
			test -s "$made/big.$format"
			cmp "$made/big.$format" "$made/little.$format"
		done
	done
done
