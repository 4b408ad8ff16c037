#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles for other machines: the inside half for aarch64, everything for
# s390x, which is big-endian. check-cross.sh SOURCE_ROOT BUILD_ROOT
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for machine in aarch64 s390x; do
	command -v $machine-linux-gnu-gcc >/dev/null || {
		echo "skipped: $machine-linux-gnu-gcc is not installed"
		exit 77
	}
done

# compile MACHINE OPTION... SOURCE
compile() {
	machine=$1
	shift
	"$machine-linux-gnu-gcc" -O0 -std=gnu11 -D_GNU_SOURCE \
		-DWEIR_VERSION='"0"' -Wall -Wextra -Werror \
		-Wno-unused-parameter -fPIC -I"$root/src" -I"$built" \
		-I"$root/include" "$@"
}

root=$1
built=$2
for source in "$root"/src/gate/*.c "$root"/src/capture/*.c \
	"$root"/src/capture/*/*.c "$root"/src/preload/*.[cS] \
	"$root"/src/layers/*.c "$root"/src/layers/*/*.c \
	"$built"/spec/*_wrappers.c "$root"/src/base/number.c \
	"$built"/spec/real.c "$built"/spec/syscalls.c "$built"/spec/wrappers.c; do
	compile aarch64 -c -ftls-model=initial-exec -fexceptions \
		-o "$scratch/object" "$source"
done

# Warnings alone, which is ten times as fast: ./dev soak endian runs it. What
# headers of libraries say is the same for all machines.
for source in "$root"/src/*/*.c "$root"/src/*/*/*.c; do
	compile s390x -fsyntax-only -Wno-format-truncation \
		-idirafter /usr/include \
		-idirafter "/usr/include/$(gcc -print-multiarch)" "$source"
done
for source in "$root"/src/*/*.S "$root"/src/*/*/*.S; do
	compile s390x -c -o "$scratch/object" "$source"
done
