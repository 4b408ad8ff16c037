#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The text of catamount/ in full, of raw, packed and big-endian traces, what
# filters leave of it, and the dictionary that these traces carry.
# usage: catamount.sh WEIR PYTHON LIB DIRECTORY
set -eu
weir=$1 python=$2 lib=$3 golden=$4
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

dump() {
	"$weir" dump --format catamount "$@" 2>/dev/null
}

for file in raw packed; do
	dump "$golden/$file.weir" >"$made/text"
	cmp "$made/text" "$golden/expected.txt"
	"$python" "$lib/big_endian.py" "$golden/$file.weir" "$made/big.weir"
	dump "$made/big.weir" >"$made/text"
	cmp "$made/text" "$golden/expected.txt"
	for format in text jsonl csv; do
		"$weir" dump --dictionary --format "$format" \
			"$golden/$file.weir" | cmp - "$golden/dictionary.$format"
	done
done

# One process is its part of the whole: from its header to the next.
sed -n '/nid00012\.4018/,$p' "$golden/expected.txt" | sed '2,${/^header/,$d}' \
	>"$made/part"
dump --process 4018 "$golden/packed.weir" | cmp - "$made/part"
test "$(wc -l <"$made/part")" = 5
# Nothing of a process: no header of it.
test -z "$(dump --process 19 "$golden/packed.weir")"
dump --file '/path/*' "$golden/packed.weir" >"$made/text"
test "$(grep -c ^header "$made/text")" = 1
test "$(grep -c 'str(open)' "$made/text")" = 2
test "$(wc -l <"$made/text")" = 3
dump --time 0-0.000002 "$golden/packed.weir" >"$made/text"
test "$(grep -c 'str(sync)' "$made/text")" = 4
test "$(grep -c ^header "$made/text")" = 2
