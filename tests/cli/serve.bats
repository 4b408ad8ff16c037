#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir serve: a service is started, asked and ended.

load common
bats_require_minimum_version 1.5.0

setup() {
	setup_services
}

teardown() {
	end_services
}

@test "start prints where it is, and stop leaves nothing" {
	run --separate-stderr weir serve start
	status_is 0
	place=$output
	[ -d "$place" ]
	[ "$(stat -c %a "$place")" = 700 ]
	run weir serve stop
	status_is 0
	[ -z "$output" ]
	[ ! -e "$place" ]
}

@test "the only service needs no name; of two one must be named" {
	one=$(weir serve start 2>/dev/null)
	run weir serve status
	status_is 0
	says "service   $one"
	two=$(weir serve start 2>/dev/null)
	run weir serve status
	status_is 5
	says "$one"
	says "$two"
	run weir serve status --at "$two"
	status_is 0
	WEIR_SERVER=$one run weir serve status
	status_is 0
	says "$one"
}

@test "where there is no service, that is told" {
	run weir serve status
	status_is 5
	says 'no service is running: weir serve start'
	run weir serve drain --at nowhere
	status_is 5
	says 'no service is at nowhere'
}

@test "it can be made at a place, which must be new" {
	weir serve start --at "$XDG_RUNTIME_DIR/mine"
	[ -S "$XDG_RUNTIME_DIR/mine/door" ]
	run weir serve start --at "$XDG_RUNTIME_DIR/mine"
	status_is 1
	says 'File exists'
	run weir serve status --at "$XDG_RUNTIME_DIR/mine"
	status_is 0
}

@test "status tells how it was started" {
	weir serve start --cache 8M --policy half --on-close later \
		--backend null
	run weir serve status
	status_is 0
	says 'cache 8.0 MiB, backend null, policy half, on close later'
	says 'nobody uses it'
	weir serve status --json | python3 -c '
import json, sys
told = json.load(sys.stdin)
assert told["weir_status"] == 1
assert told["cache_bytes"] == 8 << 20
assert told["policy"] == "half" and told["on_close"] == "later"
assert told["sessions"] == [] and told["restarts"] == 0
'
}

@test "drain and errors have nothing to tell of a new service" {
	weir serve start
	run weir serve drain
	status_is 0
	[ -z "$output" ]
	run weir serve errors
	status_is 0
	[ -z "$output" ]
	weir serve errors --json | python3 -c '
import json, sys
assert json.load(sys.stdin)["entries"] == []'
}

@test "mistakes are told" {
	run weir serve begin
	status_is 2
	says "there is no \`weir serve begin'"
	run weir serve start --cache 1M
	status_is 2
	says '--cache takes a size from 4M to 1T'
	run weir serve start --backend nothing
	status_is 2
	says "there is no backend 'nothing'"
	run weir serve start --rescue nowhere
	status_is 2
	says 'nowhere: No such file or directory'
	run weir serve recover
	status_is 2
	run weir serve recover nothing
	status_is 5
}
