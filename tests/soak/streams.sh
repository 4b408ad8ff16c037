#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Streams used at random beside strace: [FIRST SEED [SEEDS]].
set -eu
first=${1:-$(date +%s)}
seeds=${2:-3000}
for words in 150 '400 crowd'; do
	# shellcheck disable=SC2086 # a list of words
	tests/trace/run-scribbler.py build/tests/trace/scribbler \
		build/spec/symbols.txt "$first" "$seeds" $words
done
