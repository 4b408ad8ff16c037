#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir pack: completing traces where they are, and copies.

load common

# What a dump tells, but for times: a rescued trace has a tick of its own.
told() {
	weir dump --format jsonl "$1" | sed 's/"start":[0-9]*,"dur":[0-9]*//'
}

# A program that records until the file `stop` is there.
start() {
	weir run -q "$@" -o trace -- sh -c '
		echo one >one
		until [ -e stop ]; do cat one >two; sleep 0.05; done' 3>&- &
	run=$!
	until [ -e two ]; do sleep 0.05; done
}

collector() {
	weir pack trace 2>&1 | sed -n 's/.*collector \([0-9]*\).*/\1/p'
}

@test "while recording goes on nothing is done, and it says who records" {
	start
	run weir pack trace
	status_is 5
	says 'recording is still going on: collector '
	says ', process '
	touch stop
	wait $run
	run weir pack trace
	status_is 0
	says 'already complete: 1 file'
}

@test "what a killed collector left is completed where it is" {
	start
	kill -9 "$(collector)"
	run weir pack trace
	status_is 5
	says 'recording is still going on: process '
	touch stop
	wait $run || true
	live=$(readlink trace/*.live)
	[ -d "$live" ]
	told trace >before
	weir pack trace copy
	[ -d "$live" ]
	run weir pack trace
	status_is 0
	says '1 of 1 files packed'
	[ "$(ls trace)" = "$(ls copy)" ]
	[ ! -e "$live" ]
	told trace | cmp - before
	told copy | cmp - before
	run weir dump trace
	status_is 0
}

@test "rings that a killed collector left are completed too" {
	start --ring 64K
	kill -9 "$(collector)"
	touch stop
	wait $run || true
	live=$(readlink trace/*.live)
	told trace >before
	[ -s before ]
	run weir pack trace
	status_is 0
	[ ! -e "$live" ]
	told trace | cmp - before
}

@test "sums that a killed collector left are completed too" {
	start --profile
	kill -9 "$(collector)"
	touch stop
	wait $run || true
	live=$(readlink trace/*.live)
	run weir pack trace
	status_is 0
	[ ! -e "$live" ]
	run weir info trace
	status_is 0
	says ': complete'
	weir report trace | grep -q two
}

@test "a raw file is packed; before and after are told" {
	mkdir trace
	cp "$GOLDEN/raw.weir" trace/host.weir
	weir dump --format jsonl trace >before
	run weir pack trace
	status_is 0
	says "1 of 1 files packed: $(stat -c %s "$GOLDEN/raw.weir") bytes before, "
	says "$(stat -c %s trace/host.weir) after"
	[ "$(ls trace)" = host.weir ]
	weir dump --format jsonl trace | cmp - before
	run weir pack trace
	says 'already complete'
}

@test "--level squeezes harder and changes nothing else" {
	weir run -q -o trace -- sh -c 'for i in 1 2 3; do ls -lR /etc; done >x'
	weir dump --format jsonl trace >before
	size=$(stat -c %s trace/*.weir)
	weir pack --level 19 trace small
	[ "$(stat -c %s small/*.weir)" -lt "$size" ]
	weir dump --format jsonl small | cmp - before
	weir pack --level 19 trace
	cmp trace/*.weir small/*.weir
	run weir pack --level 20 trace
	status_is 2
	says 'the highest level is 19'
}

@test "a part in the memory of another host is not touched" {
	mkdir trace
	cp "$GOLDEN/raw.weir" trace/elsewhere.weir
	ln -s /dev/shm/weir-of-another-host trace/elsewhere.live
	run weir pack trace
	status_is 5
	says 'in the memory of another host'
	cmp "$GOLDEN/raw.weir" trace/elsewhere.weir
	[ -L trace/elsewhere.live ]
	run weir pack trace copy
	status_is 0
	[ "$(weir dump copy | wc -l)" = "$(weir dump trace | wc -l)" ]
}

@test "memory that was lost with the machine does not stop it" {
	mkdir trace
	cp "$GOLDEN/raw.weir" "trace/$(uname -n).weir"
	ln -s /dev/shm/weir-lost-long-ago "trace/$(uname -n).live"
	run weir pack trace
	status_is 0
	[ "$(ls trace)" = "$(uname -n).weir" ]
}

@test "memory files beside a complete trace are left alone" {
	mkdir trace trace/host.live
	chmod 700 trace/host.live
	cp "$GOLDEN/packed.weir" trace/host.weir
	run weir pack trace
	status_is 5
	says 'its memory files have new records'
	cmp "$GOLDEN/packed.weir" trace/host.weir
	[ -d trace/host.live ]
}

@test "what is no trace is refused; nothing is overwritten" {
	run weir pack nowhere
	status_is 5
	mkdir trace taken
	touch taken/file
	head -c 5000 /dev/zero >trace/garbage.weir
	run weir pack trace
	status_is 5
	says 'not a trace'
	cp "$GOLDEN/raw.weir" trace/good.weir
	run weir pack trace taken
	status_is 2
	says 'already exists'
	run weir pack trace
	status_is 4
	says 'files that are not traces: 1'
}
