#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir dump: formats, filters and refusals.

load common

record() {
	weir run -q -o trace -- sh -c 'echo hello >one; cat one >two; rm one'
}

@test "text has a line per call" {
	record
	run weir dump trace
	status_is 0
	says '/one'
	says '/two'
	says open
	says write
}

@test "jsonl is one JSON object a line, in order of time" {
	record
	weir dump --format jsonl trace >events
	[ "$(wc -l <events)" -gt 5 ]
	python3 - <<'END'
import json

starts = [json.loads(line)["start"] for line in open("events")]
assert starts == sorted(starts)
END
}

@test "csv has a heading and rows of one length" {
	record
	weir dump --format csv trace >events
	python3 - <<'END'
import csv

rows = list(csv.reader(open("events")))
assert len(rows) > 5
assert {len(row) for row in rows} == {len(rows[0])}
assert "call" in rows[0]
END
}

@test "all formats tell the same number of events" {
	record
	text=$(weir dump trace | wc -l)
	json=$(weir dump --format jsonl trace | wc -l)
	csv=$(weir dump --format csv trace | wc -l)
	[ "$json" = $((csv - 1)) ]
	[ "$text" -ge "$json" ]
}

@test "--file keeps only the calls on matching files" {
	record
	weir dump --format jsonl --file '*/two' trace >events
	[ -s events ]
	! grep -v two events
}

@test "--process takes a number or a part of the name" {
	record
	weir dump --format jsonl --process cat trace >events
	[ -s events ]
	pid=$(sed -n '1s/.*"pid":\([0-9]*\).*/\1/p' events)
	weir dump --format jsonl --process "$pid" trace | cmp - events
	[ -z "$(weir dump --format jsonl --process nobody trace)" ]
}

@test "--time keeps what overlaps" {
	record
	all=$(weir dump --format jsonl trace | wc -l)
	[ "$(weir dump --format jsonl --time 0- trace | wc -l)" = "$all" ]
	[ -z "$(weir dump --format jsonl --time 1000-2000 trace)" ]
}

@test "one .weir file is read as well as its directory" {
	record
	weir dump trace >a
	weir dump trace/*.weir >b
	cmp a b
}

@test "reading changes nothing" {
	record
	find trace -type f -exec md5sum {} + >before
	weir dump trace >/dev/null
	find trace -type f -exec md5sum {} + | cmp - before
}

@test "what is no trace is refused" {
	run weir dump nowhere
	status_is 5
	says nowhere
	head -c 5000 /dev/zero >garbage.weir
	run weir dump garbage.weir
	status_is 5
	says garbage.weir
	mkdir empty
	run weir dump empty
	status_is 5
	says empty
}

@test "a damaged trace is read as far as possible, status 4" {
	record
	file=$(ls trace/*.weir)
	head -c $(($(stat -c %s "$file") - 20)) "$file" >cut.weir
	run weir dump cut.weir
	status_is 4
	says cut.weir
}

@test "a closed pipe is no error worth a message" {
	record
	run bash -c '"$WEIR" dump trace 2>err | head -n 1; cat err'
	[ "${#lines[@]}" = 1 ]
}

@test "a file that was stopped at once is told, not passed over" {
	mkdir trace
	: >trace/host.weir
	run weir dump trace
	status_is 4
	says "files cut short: 1"
}
