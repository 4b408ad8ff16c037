#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `./dev demo` shows works, and shows what it is for.
# usage: run-demo.sh ROOT BUILD
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
sh "$1/tools/demo.sh" "$2" "$place/demo" >"$place/shown" 2>&1 || {
	cat "$place/shown"
	exit 1
}
for text in 'See: ' 'Explain: ' 'Smooth: ' ' saves ' 'I/O took less time'; do
	grep -qF "$text" "$place/shown" || {
		cat "$place/shown"
		echo "the demo does not show '$text'"
		exit 1
	}
done
if grep -q '^== Steer' "$place/shown"; then
	grep -q 'took effect' "$place/shown"
	grep -q 'all as written' "$place/shown"
fi
