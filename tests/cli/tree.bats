#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir dump --tree, --of and --links on programs that were recorded.

load common

record() {
	weir run -q -o trace -- sh -c 'seq 1 3 >out; cat out >copy'
}

# Ids, parents and links of the events of `links`, checked against themselves.
check_links() {
	python3 - "$@" <<'END'
import json
import sys

events = {event["id"]: event for event in map(json.loads, open("links"))}
nested = 0
for event in events.values():
    assert event["id"] == "{proc}.{thread}.{index}".format(**event)
    if not event["depth"]:
        assert event["parent"] is None, event
        continue
    parent = events[event["parent"]]
    assert {"kind": "nested", "to": parent["id"]} in event["links"], event
    assert parent["depth"] == event["depth"] - 1, event
    assert parent["index"] > event["index"], event
    assert parent["start"] <= event["start"], event
    assert event["start"] + event["dur"] <= parent["start"] + parent["dur"]
    nested += 1
assert nested
for event in events.values():
    for link in event["links"]:
        if link["kind"] == "completes":
            submit = events[link["to"]]
            assert submit["args"]["id"] == event["args"]["id"], event
            assert submit["start"] <= event["start"], event
kinds = {link["kind"] for event in events.values() for link in event["links"]}
assert kinds == set(sys.argv[1:]), kinds
END
}

@test "a derived call stands below its call" {
	record
	run weir dump --tree trace
	status_is 0
	says '# start'
	[[ $output =~ fflush[^$'\n']*$'\n'[^$'\n']*└─\ stream_flush ]] ||
		[[ $output =~ fclose[^$'\n']*$'\n'[^$'\n']*└─\ stream_flush ]]
}

@test "every event has its line and no other has" {
	record
	weir dump --tree trace | grep -v '^ *#' >lines
	weir dump --format csv trace | tail -n +2 >events
	[ "$(wc -l <lines)" = "$(wc -l <events)" ]
	[ "$(awk '{ print ($3 ~ /^(ns|us|ms|s)$/) ? $4 : $3 }' lines |
		sort -u | wc -l)" = "$(wc -l <events)" ]
}

@test "jsonl is as ever without --links, and has more with it" {
	record
	weir dump --format jsonl trace >plain
	weir dump --format jsonl --links trace >links
	! grep -q '"links"' plain
	sed 's/,"id":.*"links":\[[^]]*\]//' links | cmp - plain
	check_links nested
}

@test "operations of a ring are completed by others" {
	weir run -q -o trace -- "$ORACLE" log uring-race 200
	weir dump --format jsonl --links trace >links 2>told
	cat told
	! grep -q 'caller' told
	check_links nested completes
	run weir dump --tree trace
	says '[completes 1.'
}

@test "--of shows an event, what is above and below it, and no more" {
	record
	id=$(weir dump --format jsonl --links trace |
		sed -n '/stream_flush/s/.*"id":"\([0-9.]*\)".*/\1/p' | head -n 1)
	run weir dump --of "$id" trace
	status_is 0
	says stream_flush
	[ "$(grep -c '└─' <<<"$output")" = 1 ]
	[ "$(grep -vc '^ *#' <<<"$output")" = 2 ]
	run weir dump --of 99.1.0 trace
	status_is 2
	says 'there is no event 99.1.0'
}

@test "--depth counts what it leaves out" {
	record
	run weir dump --tree --depth 1 trace
	status_is 0
	says '[1 below]'
	[[ $output != *└─* ]]
}

@test "selections work as without --tree" {
	record
	run weir dump --tree --file '*/copy' trace
	says /copy
	[[ $output != *'stream_flush'* ]]
	run weir dump --tree --process seq trace
	says stream_flush
	[[ $output != *'/copy'* ]]
}

@test "what cannot be meant is refused" {
	record
	for wrong in '--of 1.1' '--of x' '--tree --format csv' '--depth 2' \
		--links '--of 1.1.0 --format jsonl'; do
		# shellcheck disable=SC2086
		run weir dump $wrong trace
		status_is 2
	done
	run weir dump --of nothing trace
	says 'an id like 1.1.0'
}
