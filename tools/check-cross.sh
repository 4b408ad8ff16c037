#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles the inside half for aarch64: check-cross.sh SOURCE_ROOT BUILD_ROOT
set -eu
compiler=aarch64-linux-gnu-gcc
command -v "$compiler" >/dev/null || {
	echo "skipped: $compiler is not installed"
	exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for source in "$1"/src/gate/*.c "$1"/src/capture/*.c "$1"/src/capture/*/*.c \
	"$1"/src/preload/*.[cS] \
	"$1"/src/layers/*.c "$1"/src/layers/*/*.c \
	"$2"/spec/*_wrappers.c "$1"/src/base/number.c "$2"/spec/real.c \
	"$2"/spec/syscalls.c "$2"/spec/wrappers.c; do
	"$compiler" -c -O0 -std=gnu11 -D_GNU_SOURCE -DWEIR_VERSION='"0"' \
		-Wall -Wextra -Werror \
		-Wno-unused-parameter -fPIC -ftls-model=initial-exec \
		-fexceptions -I"$1/src" -I"$2" -o "$scratch/object" "$source"
done
