#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Help, version and mistakes on the command line.

load common

VERBS='anon collect compare dump help info merge pack run view'

@test "weir alone explains itself on stderr and fails" {
	run weir
	status_is 2
	says 'Usage: weir VERB'
	[ -z "$(weir 2>/dev/null)" ]
}

@test "weir --help lists the verbs, but not the hidden one" {
	run weir --help
	status_is 0
	says 'run       record the I/O of a program'
	says 'dump      print each recorded call'
	[[ $output != *collect* ]]
}

@test "run, report, plan and serve come first" {
	diff <(weir help | sed -n 's/^  \([a-z]\{3,\}\)  .*/\1/p' | head -n 4) - <<-'END'
		run
		report
		plan
		serve
	END
}

@test "--json is --format json of every verb that has it" {
	local verb count=0
	for verb in $(weir help | sed -n 's/^  \([a-z]\{3,\}\)  .*/\1/p'); do
		weir help $verb | tr -s ' \n' ' ' >help
		if grep -q 'json for programs' help; then
			grep -q -e '--json short for --format json' help
			count=$((count + 1))
		else
			! grep -q -e ' --json short' help
		fi
	done
	[ $count = 6 ]
	weir run -q -o trace -- true
	for verb in info report 'compare trace'; do
		cmp <(weir $verb --json trace) <(weir $verb --format json trace)
		weir $verb --json trace | head -c 1 | grep -q '{'
	done
	run weir info --json=1 trace
	status_is 2
	says '--json takes no value'
}

@test "weir --version is one line" {
	run weir --version
	status_is 0
	[[ $output =~ ^weir\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "help VERB and VERB --help are the same" {
	for verb in $VERBS; do
		[ "$(weir help $verb)" = "$(weir $verb --help)" ]
		[ "$(weir help $verb)" = "$(weir $verb -h)" ]
	done
}

@test "every help has usage, options and examples within 80 columns" {
	for verb in $VERBS; do
		run weir help $verb
		status_is 0
		says "Usage: weir $verb"
		says 'Options:'
		says 'Examples:'
		[ -z "$(weir help $verb | grep -E '.{81}')" ]
	done
}

@test "help is still one page for the reader: exact text" {
	diff "$BATS_TEST_DIRNAME/help-dump.txt" <(weir dump --help)
}

@test "an unknown verb is refused with a guess" {
	run weir dmup
	status_is 2
	says "unknown verb \`dmup'; did you mean \`dump'?"
	run weir help nothing
	status_is 2
	says "unknown verb \`nothing'"
}

@test "an unknown option is refused with a guess" {
	run weir run --ouptut=x -- true
	status_is 2
	says 'weir run: unknown option --ouptut; did you mean --output?'
	says 'Try: weir run --help'
	run weir --verbose
	status_is 2
	says 'unknown option'
}

@test "wrong values are refused before anything is done" {
	run weir run --buffer 3X -o trace -- touch done
	status_is 2
	says 'weir run: --buffer 3X: not a size'
	[ ! -e trace ]
	[ ! -e done ]
	run weir dump --format=xml trace
	status_is 2
	says '--format does not take xml, only text, jsonl, csv, catamount'
	run weir dump --time 2-1 trace
	status_is 2
	says 'two times in order'
}

@test "missing and superfluous operands are refused" {
	run weir run
	status_is 2
	says 'usage: weir run [OPTION]... [--] COMMAND'
	run weir dump
	status_is 2
	run weir dump a b
	status_is 2
	says "do not know what to do with \`b'"
}
