#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes what is needed to build and run weir for a big-endian machine:
# libraries of Debian's s390x below DIR/root, without a change of this system,
# and meson's cross file DIR/cross.
# usage: s390x.sh DIR
set -eu
mkdir -p "$1/lists/partial" "$1/debs/partial"
dir=$(cd "$1" && pwd)
root=$dir/root
libraries=$root/usr/lib/s390x-linux-gnu
packages='libzstd-dev libzstd1 libxxhash-dev libsodium-dev libsodium23
	zlib1g-dev zlib1g libcmocka-dev libcmocka0 libaio-dev libaio1
	liburing-dev liburing2'

# apt's own lists stay as they are, and so do the packages of this machine
foreign() {
	verb=$1
	shift
	apt-get -qq -o APT::Architectures::=amd64 \
		-o APT::Architectures::=s390x -o Dir::State::Lists="$dir/lists" \
		-o Dir::Cache="$dir/debs" -o APT::Sandbox::User=root \
		"$verb" "$@"
}

unpack() {
	foreign update
	# shellcheck disable=SC2046,SC2086 # lists of words
	(cd "$dir/debs" && rm -f ./*.deb &&
		foreign download $(printf '%s:s390x ' $packages))
	for deb in "$dir"/debs/*.deb; do
		dpkg -x "$deb" "$root"
	done
	# links to places of a whole system
	find "$root" -type l -lname '/*' | while read -r link; do
		ln -sf "$root$(readlink "$link")" "$link"
	done
	rm -rf "$dir/lists" "$dir/debs"
}

[ -f "$dir/cross" ] && exit
unpack
cat >"$dir/cross.new" <<FILE
[binaries]
c = 's390x-linux-gnu-gcc'
ar = 's390x-linux-gnu-ar'
strip = 's390x-linux-gnu-strip'
nm = 's390x-linux-gnu-nm'
objdump = 's390x-linux-gnu-objdump'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-s390x-static', '-L', '/usr/s390x-linux-gnu']
[properties]
sys_root = '$root'
pkg_config_libdir = '$libraries/pkgconfig'
[built-in options]
c_args = ['-I$root/usr/include', '-Wno-format-truncation']
c_link_args = ['-L$libraries', '-Wl,-rpath,$libraries:$root/lib/s390x-linux-gnu']
[host_machine]
system = 'linux'
cpu_family = 's390x'
cpu = 's390x'
endian = 'big'
FILE
mv "$dir/cross.new" "$dir/cross"
