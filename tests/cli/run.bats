#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir run: what the user sees of it, and what the program does not.

bats_require_minimum_version 1.5.0
load common

@test "the status of the command is returned" {
	run weir run -o ok -- true
	status_is 0
	run weir run -o three -- sh -c 'exit 3'
	status_is 3
	run weir run -o killed -- sh -c 'kill -TERM $$'
	status_is 143
}

@test "a command that cannot be started says so" {
	run -127 weir run -o missing -- ./no-such-program
	says 'no-such-program'
	touch not-executable
	run weir run -o refused -- ./not-executable
	status_is 126
	says 'not-executable'
}

@test "the summary tells what was seen and where the trace is" {
	run weir run -o trace -- sh -c 'echo hello >file'
	status_is 0
	says trace
	says call
	[ -d trace ]
}

@test "--quiet prints nothing" {
	run weir run --quiet -o trace -- true
	status_is 0
	[ -z "$output" ]
	[ -d trace ]
}

@test "standard input, output and arguments pass through" {
	[ "$(echo text | weir run -q -o trace -- cat)" = text ]
	run weir run -q -o trace2 -- printf '%s.' one '' 'two words' --help
	[ "$output" = 'one..two words.--help.' ]
}

@test "without -o the directory is new each time" {
	weir run -q -- true
	weir run -q -- true
	[ "$(ls -d weir-* | wc -l)" = 2 ]
}

@test "a directory with something in it is refused and left alone" {
	mkdir trace
	echo precious >trace/file
	run weir run -o trace -- touch done
	[ "$status" -ne 0 ]
	says trace
	[ ! -e done ]
	[ "$(ls trace)" = file ]
}

@test "signals reach the command" {
	"$WEIR" run -q -o trace -- sh -c \
		'trap "exit 9" TERM; touch ready; while :; do sleep 0.05; done' &
	pid=$!
	while [ ! -e ready ]; do sleep 0.05; done
	kill -TERM $pid
	rc=0
	wait $pid || rc=$?
	[ $rc = 9 ]
}

@test "programs that the command starts are recorded" {
	weir run -q -o trace -- sh -c 'echo a >one; cat one >two'
	run weir dump --process cat trace
	status_is 0
	says one
}

@test "a lossless run passes --strict" {
	run weir run -q --strict -o trace -- true
	status_is 0
}

@test "the preloaded library does nothing when not asked" {
	LD_PRELOAD=$LIBWEIR sh -c 'echo hello >file'
	[ "$(ls)" = file ]
}

@test "the preloaded library alone records" {
	echo data >file
	WEIR_TRACE=$PWD/trace,4M LD_PRELOAD=$LIBWEIR cat file
	settle trace
	run weir dump trace
	status_is 0
	says "$PWD/file"
}

@test "a full disk is told before the command runs" {
	[ "$(id -u)" = 0 ] || skip "mounting needs root"
	run unshare -m sh -c 'mkdir full && mount -t tmpfs -o size=16k weir full &&
		"$1" run -o full/trace -- echo done' sh "$WEIR"
	status_is 0
	says "No space left on device"
	says "without being recorded"
	says done
}

@test "a tiny limit of file sizes does not keep the command from running" {
	run sh -c 'ulimit -f 4; "$1" run -o trace -- echo done' sh "$WEIR"
	status_is 0
	says "File too large"
	says "without being recorded"
	says done
	[ ! -e trace ]
}

@test "processes that cannot be recorded are counted and told" {
	run sh -c 'ulimit -f 200; "$1" run --strict -o trace -- cat /dev/null' \
		sh "$WEIR"
	status_is 6
	says '1 process not recorded: the file size limit is too low'
	says 'calls seen'
	run weir dump trace
	status_is 0
	says 'processes not recorded (the file size limit is too low): 1'
	says 'calls counted in processes that were not recorded: '
}

@test "a process without the control file leaves a mark" {
	run weir run --strict -o trace -- sh -c \
		'cd "$WEIR_LIVE" && mv control aside && cat /dev/null;
		mv aside control'
	status_is 6
	says 'not recorded: the memory file could not be made'
	run weir dump trace
	says 'processes not recorded (the memory file could not be made): 2'
}

@test "a child that comes late is waited for" {
	echo data >file
	# the one that is left executes another program: for a moment, nobody is
	for round in 1 2 3 4; do
		weir run -q -o "trace$round" -- sh -c '(sleep 0.2; cat file) & :'
		settle "trace$round"
		run weir dump --process cat "trace$round"
		says 'open("file"'
	done
}

@test "the memory of a process that ended serves the next ones" {
	strace -f -qq -e trace=renameat2 -o calls \
		"$WEIR" run -q --all -o trace -- sh -c '
			for i in 1 2 3 4 5 6; do
				cat /dev/null
				sleep 0.1
			done'
	grep -q '[0-9].reserve.*live.* = 0' calls
	run weir info trace
	says 'cat 6'
	says 'missing    nothing'
	run weir dump --process cat trace
	[ "$(grep -c 'open("/dev/null"' <<<"$output")" = 6 ]
	[ -z "$(find trace -name '*.live' -o -name '*.lock')" ]
}

# A fault that is worth a line: small unbuffered writes, synced all the time.
many_faults='
import os
f = os.open("out", os.O_CREAT | os.O_WRONLY)
for i in range(3000):
    os.write(f, b"x" * 16)
    if i % 10 == 0:
        os.fsync(f)
'

@test "the end of a run names what would save most, and the next step" {
	run weir run -o trace -- python3 -c "$many_faults"
	status_is 0
	says 'weir:  high'
	[ "$(grep -c '^weir:  [hm]' <<<"$output")" -le 2 ]
	[[ ${lines[-1]} == *'to see it: weir report trace' ]]
	run weir run --quiet -o silent -- python3 -c "$many_faults"
	[ -z "$output" ]
}

@test "what costs nothing is left to the report" {
	run weir run -o trace -- sh -c 'echo hello >file'
	status_is 0
	[ "$(grep -c ': saves' <<<"$output")" = 0 ]
}

@test "the next step can be pasted, whatever the trace is called" {
	run weir run -o 'my trace' -- sh -c 'echo hello >file'
	[[ ${lines[-1]} == *"weir report 'my trace'" ]]
}

@test "--progress tells each second on a terminal how the run goes on" {
	cat >work <<-'END'
		#!/bin/sh
		for i in 1 2 3; do
			dd if=/dev/zero of=file bs=16 count=60000
			sleep 1
		done
	END
	chmod +x work
	TERM=xterm script -qec "$WEIR run --progress -o trace -- ./work" \
		/dev/null >shown 2>&1
	grep -aq $'\r''.*weir: [0-9]* s: [0-9.]* *[kKM]* *calls or more, .* of trace, [0-9]* process.* 0 lost' shown
	grep -aq '[1-9][0-9.]*.* calls or more' shown
	[ "$(weir info --json trace | python3 -c \
		'import json, sys; print(json.load(sys.stdin)["calls"])')" \
		-gt 100000 ]
	run weir run -o other -- sh -c 'sleep 1.5'
	status_is 0
	case $output in *'calls or more'*) return 1 ;; esac
	run weir run --progress -o third -- sh -c 'sleep 2; exit 3'
	status_is 3
	says 'weir: 1 s: '
}
