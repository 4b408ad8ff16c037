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

@test "--dictionary tells every call that was recorded, and its kinds" {
	record
	weir dump --format jsonl trace >events
	weir dump --dictionary --format jsonl trace >words
	weir dump --dictionary --format csv trace >table
	weir dump --dictionary trace >text
	python3 - <<'END'
import csv
import json

words = [json.loads(line) for line in open("words")]
calls = {(word["layer"], word["call"]): word for word in words
         if "call" in word}
kinds = {word["kind"]: word for word in words if "kind" in word}
assert len(calls) > 100 and len(kinds) > 50
for call in calls.values():
    assert call["result"] in kinds
    assert all(arg["kind"] in kinds for arg in call["args"])
    names = [arg["name"] for arg in call["args"]]
    assert call["class"] and isinstance(call["traits"], list)
    assert all(call.get(what, names[0]) in names
               for what in ("name", "to", "off", "len") if names)
pwrite, rename = calls["posix", "pwrite"], calls["posix", "renameat"]
assert (pwrite["class"], pwrite["off"], pwrite["len"]) == ("write", "off", "len")
assert (rename["class"], rename["name"], rename["to"]) == ("rename", "from", "to")
assert calls["posix", "fstat"]["class"] == "stat"
assert calls["posix", "sync"]["class"] == "sync"
for event in map(json.loads, open("events")):
    call = calls[event["layer"], event["call"]]
    assert set(event["args"]) <= {arg["name"] for arg in call["args"]}
rows = list(csv.DictReader(open("table")))
assert [(row["name"], int(row["id"])) for row in rows
        if row["what"] == "call"] == [(call["call"], call["id"])
                                      for call in calls.values()]
assert [row["name"] for row in rows if row["what"] == "kind"] == list(kinds)
lines = open("text").read().splitlines()
assert len(lines) == len(calls) + len(kinds) + 5
assert "newfd" in lines[3] and "open(path path, oflags flags" in lines[3]
END
}

@test "--dictionary has no form for what tells events only" {
	run weir dump --dictionary --format catamount nowhere
	status_is 2
	says 'only text, jsonl or csv'
}

@test "a trace without a dictionary says so" {
	record
	python3 - <<'END'
import glob

data = open(glob.glob("trace/*.weir")[0], "rb").read()
out, at = b"", 0
while at < len(data):
    kind = int.from_bytes(data[at + 8:at + 12], "little")
    stored = int.from_bytes(data[at + 12:at + 16], "little")
    end = (at + 64 + stored + 7) & ~7
    out += data[at:end] if kind != 2 else b""
    at = end
open("bare.weir", "wb").write(out)
END
	run weir dump --dictionary bare.weir
	status_is 4
	says 'has no dictionary'
	run weir dump --format catamount bare.weir
	status_is 0
	says 'str(call#'
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
	: >nothing.weir
	run weir dump nothing.weir
	status_is 5
	says 'nothing.weir: not a trace'
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
