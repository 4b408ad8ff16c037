#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Commands without a trace: they take the newest below the current directory.

bats_require_minimum_version 1.5.0
load common

# two_traces: an older one with `one' in it, a newer one deeper with `two'
two_traces() {
	weir run -q -o older -- sh -c 'echo hello >one'
	mkdir -p runs
	weir run -q -o runs/newer -- sh -c 'echo hello >two'
	touch -d '1 minute ago' older/*
}

@test "without a trace it is the newest below here, and that is said" {
	two_traces
	for verb in report dump info 'view bytes' query 'query latency'; do
		# shellcheck disable=SC2086 # several words
		run weir $verb
		status_is 0
		says 'weir: runs/newer: the newest trace here'
	done
	run weir dump
	says '/two'
	run weir view file two
	status_is 0
	says '/two'
	run --separate-stderr weir report --json
	python3 -c 'import json, sys; json.loads(sys.argv[1])' "$output"
}

@test "a single file, and the directory one is in, are traces too" {
	two_traces
	cd runs/newer
	run weir info
	says ': the newest trace here'
	says 'calls'
	cd ../..
	cp older/*.weir alone.weir
	run weir info
	says 'weir: alone.weir: the newest trace here'
}

@test "a trace that is named is taken, also by the name of a word" {
	two_traces
	mv older latency
	run weir query latency
	status_is 0
	case $output in *newest*) return 1 ;; esac
	mv latency bytes
	run weir view bytes bytes
	status_is 0
	case $output in *newest*) return 1 ;; esac
}

@test "hidden directories are not looked into" {
	weir run -q -o .hidden/trace -- sh -c 'echo hello >one' || {
		mkdir -p .hidden
		weir run -q -o .hidden/trace -- sh -c 'echo hello >one'
	}
	run weir info
	status_is 2
}

@test "where there is no trace, that is said, and what to do" {
	for verb in report dump info 'view bytes' query; do
		# shellcheck disable=SC2086 # several words
		run weir $verb
		status_is 2
		says 'there is no trace in this directory'
		says 'weir run'
	done
}
