#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: programs.sh [OPTION]...: servers, interpreters, debuggers, test suites
# and tools, bare and in every mode of weir; options of tools/judge/judge.py.
# ./dev deps soak installs what they need; what is missing is skipped.
set -eu
export SOAK="$PWD/build/soak"
tests/soak/programs/fetch "$SOAK" ||
	echo "the tests of Python and perl could not be had: see doc/judge.md"
exec tools/judge/judge.py --weir build/weir --timeout 120 --jobs 2 \
	--modes records,forwards --json "$SOAK/programs.json" "$@" \
	tests/soak/programs
