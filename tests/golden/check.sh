#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reads the golden files with weir and with the reader made from the document.
# usage: check.sh WEIR PYTHON TINY_READER DIRECTORY
set -eu
weir=$1 python=$2 tiny=$3 golden=$4
made=$(mktemp)
trap 'rm -f "$made"' EXIT

for file in raw packed; do
	"$weir" dump --format jsonl "$golden/$file.weir" >"$made" 2>/dev/null
	cmp "$made" "$golden/expected.jsonl"
	"$python" "$tiny" "$golden/$file.weir" >"$made"
	cmp "$made" "$golden/expected.jsonl"
	"$weir" report "$golden/$file.weir" >"$made"
	cmp "$made" "$golden/expected.report"
done
