#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir doctor: its words and statuses. tests/doctor stages the causes.

bats_require_minimum_version 1.5.0
load common

@test "nothing is found where nothing is wrong, and nothing is left" {
	run weir doctor
	status_is 0
	says 'found nothing that prevents or cuts a trace'
	run weir doctor -- cat file
	status_is 0
	[ -z "$(ls -A)" ]
}

@test "a finding says what, where and what to do" {
	run weir doctor -- env -i cat file
	status_is 3
	[ "${lines[0]}" = 'prevents the trace: a wrapper takes away the environment by which weir is preloaded [environment-cleared]' ]
	[ "${lines[1]}" = '  where: env -i' ]
	[ "${lines[2]}" = '  do:    put weir inside: WRAPPER weir run -- PROGRAM' ]
	[[ ${lines[3]} == '1 finding; fine: '*' checks (-v shows them)' ]]
}

@test "-v tells what is fine" {
	run weir doctor -v -- cat
	status_is 0
	says 'fine: the program is not static'
	says 'fine: a small program of weir'
}

@test "the command is run by --try alone" {
	run weir doctor -- touch made
	status_is 0
	[ ! -e made ]
	run weir doctor --try -- touch made
	status_is 0
	[ -e made ]
	[ "$(ls -A)" = made ]
}

@test "--try tells what is missing in the trace of the command" {
	run weir doctor --try --exclude '*' -- cat /dev/null
	status_is 3
	says 'all calls were on files that --include and --exclude leave out'
}

@test "json is one object" {
	run weir doctor --format json --exclude '*' -- cat
	status_is 3
	echo "$output" | python3 -c '
import json, sys
said = json.load(sys.stdin)
assert said["findings"][0]["name"] == "exclude-all", said
assert said["findings"][0]["weight"] == "prevents", said
assert {"name", "fine"} == set(said["fine"][0]), said'
}

@test "what cannot be meant is refused" {
	run weir doctor --try
	status_is 2
	says '--try needs a COMMAND'
	run weir doctor --try --trace x -- true
	status_is 2
	says 'leave out --trace'
	run weir doctor --buffer much
	status_is 2
}

@test "names cannot play with the terminal" {
	run weir doctor -- $'./no\e[31m'
	status_is 3
	says './no\x1b[31m'
}

@test "weir run points here when nothing was recorded" {
	run weir run -o trace -- env -i true "it's" 'a b'
	says "nothing was recorded; to see why: weir doctor --trace trace -- env -i true 'it'\\''s' 'a b'"
	run weir doctor --trace trace -- env -i cat
	status_is 3
	[[ ${lines[0]} == *'[environment-cleared]' ]]
	run weir run -o other -- cat /dev/null
	[[ $output != *doctor* ]]
}
