#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Machines of both byte orders understand each other: the tool and the unit
# tests of s390x, which is big-endian, emulated; and traces that one of the two
# machines wrote, read by both with the same output, byte for byte.
set -eu
machine=build-s390x/weir
libraries=/usr/s390x-linux-gnu
for command in s390x-linux-gnu-gcc qemu-s390x-static; do
	command -v $command >/dev/null || {
		echo "skipped: $command is not there: ./dev deps soak"
		exit 0
	}
done
tools/s390x.sh build-s390x
[ -f $machine/build.ninja ] || CC=gcc meson setup $machine \
	--cross-file build-s390x/cross -Doptimization=0 -Dkernels=disabled \
	-Dpage=disabled -Dman=disabled >/dev/null
ninja -C $machine --quiet build.ninja
# shellcheck disable=SC2046 # a list of words
ninja -C $machine --quiet weir libweir.so $(tools/test-targets.py $machine unit)

# Not under emulation: what begins itself anew, and what loses a page (the
# emulator gives no address with that signal).
# shellcheck disable=SC2046 # a list of words
CI='' meson test -C $machine --no-rebuild --print-errorlogs --quiet \
	--timeout-multiplier 10 \
	$(meson test -C $machine --list --suite unit | sed -n 's/.*:unit . //p' |
		grep -v -e '^capture/capture$' -e '^launch/live$')

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '%064d\n' 7 >"$scratch/key"
chmod 600 "$scratch/key"

here() {
	build/weir "$@"
}

there() {
	qemu-s390x-static -L $libraries $machine/weir "$@"
}

# same VERB [ARGUMENT]...: what both print, and the status they return
same() {
	for side in here there; do
		status=0
		$side "$@" >"$scratch/$side" 2>&1 || status=$?
		echo "status $status" >>"$scratch/$side"
	done
	cmp "$scratch/here" "$scratch/there" || {
		echo "not the same: weir $*"
		diff "$scratch/here" "$scratch/there" | head -20
		exit 1
	}
	# a refusal would be the same everywhere
	grep -q -e '^status 0$' -e '^status 4$' "$scratch/here" || {
		cat "$scratch/here"
		exit 1
	}
}

read_by_both() {
	echo "   $1"
	for format in text jsonl csv catamount; do
		same dump --format $format "$1"
	done
	same info "$1"
	same report "$1"
	same report --json "$1"
	[ -z "${2:-}" ] || return 0 # no calls, or without their layers
	same dump --tree "$1"
	same view "$1" sizes
	same query "$1" 'latency percentiles by call'
	same query "$1" 'bytes by file'
	for side in here there; do
		$side export -q --to csv -o "$scratch/csv-$side" "$1"
		$side anon --key "$scratch/key" "$1" \
			"$scratch/anon-$side" >/dev/null 2>&1
		here dump "$scratch/anon-$side" >"$scratch/dump-$side"
	done
	diff -r "$scratch/csv-here" "$scratch/csv-there"
	cmp "$scratch/dump-here" "$scratch/dump-there"
	rm -r "$scratch/csv-here" "$scratch/csv-there" \
		"$scratch/anon-here" "$scratch/anon-there"
}

echo '== written here'
kernel='build/kernels/columns-serial'
here run -q -o "$scratch/serial" -- $kernel "$scratch/columns.h5" >/dev/null
here run -q --ring 1M -o "$scratch/ring" -- $kernel "$scratch/columns.h5" \
	>/dev/null
here run -q --profile -o "$scratch/profile" -- $kernel \
	"$scratch/columns.h5" >/dev/null
here run -q -o "$scratch/mpi" -- mpirun.mpich -n 2 build/kernels/vpic-mpich \
	"$scratch/vpic.h5" >/dev/null
for trace in serial mpi; do
	read_by_both "$scratch/$trace"
done
for trace in ring profile; do
	read_by_both "$scratch/$trace" short
done
for trace in tests/golden/v1/*.weir; do
	read_by_both "$trace"
done

echo '== written there'
s390x-linux-gnu-gcc -O1 -o "$scratch/load" tests/soak/endian_load.c
for manner in '' ,ring=64K ,profile; do
	trace=$scratch/there-${manner#,}
	mkdir "$trace"
	WEIR_TRACE=$trace$manner qemu-s390x-static -L $libraries \
		-E LD_PRELOAD="$PWD/$machine/libweir.so" \
		"$scratch/load" "$scratch/file"
	there pack "$trace" >/dev/null
	read_by_both "$trace" "$manner"
done
echo 'the same everywhere'
