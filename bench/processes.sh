#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Many short processes that work on files of the current directory.
# usage: processes.sh LOAD TIMES
set -eu

# As suites of tests in shell do it.
tests() {
	echo "line $1" >f
	/bin/true
	sh -c 'exit 0'
	/usr/bin/test -f f
	stat -c %s f >out
	chmod 600 f
	chown "$(id -u)" f
	mkdir d
	cat f >g
	mv g d/h
	rm -r d f out
}

# As configure does it: a log that all inherit, answers in variables.
configure() {
	echo "checking $1" >&5
	echo "int main(void) { return $1; }" >conftest.c
	if grep -q "return $1" conftest.c 2>&5; then
		answer=$(sed -n 's/.*return \([0-9]*\).*/\1/p' conftest.c)
		echo "answer $answer" >&5
	fi
	/bin/true 5>&-
	rm -f conftest.c
}

# Each program's output goes to a file of its own.
outputs() {
	/usr/bin/printf x >out
}

load=$1 times=$2 i=0
exec 5>log
while [ "$i" -lt "$times" ]; do
	"$load" "$i"
	i=$((i + 1))
done
rm -f log out
