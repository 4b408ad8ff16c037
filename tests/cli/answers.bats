#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What is asked for and is not there: a clear answer, the same of each verb.

bats_require_minimum_version 1.5.0
load common

record() {
	weir run -q "$@" -o trace -- sh -c 'echo hello >one; cat one >two'
}

@test "a directory without a trace is told as one, and what to do" {
	mkdir empty
	for verb in report dump info query 'export -o x.db' pack 'anon -x'; do
		case $verb in
		export*) run weir export empty -o x.db ;;
		anon*) run weir anon empty out ;;
		*) run weir "$verb" empty ;;
		esac
		status_is 5
		says 'weir: empty: there is no trace in this directory'
		says 'weir run -o DIR -- COMMAND'
	done
	run weir view empty bytes
	status_is 5
	says 'weir: empty: there is no trace in this directory'
	run weir report nowhere
	status_is 5
	says 'weir: nowhere: No such file or directory'
}

# refuses WHAT COMMAND...: with 5, nothing printed, and what there is instead
refuses() {
	local what=$1
	shift
	run --separate-stderr weir "$@"
	status_is 5
	[ -z "$output" ]
	case $stderr in
	*"no $what matches \`nosuch'"*) ;;
	*)
		printf 'printed: %s\n' "$stderr"
		return 1
		;;
	esac
}

@test "a filter that nothing matches is refused alike by all verbs" {
	record
	for verb in dump report 'report --json' 'export -o x.db' 'dump --tree'
	do
		# shellcheck disable=SC2086 # several words
		refuses process $verb --process nosuch trace
		[[ $stderr == *', '*' cat'* ]]
		# shellcheck disable=SC2086 # several words
		refuses file $verb --file nosuch trace
		[[ $stderr == */one* ]]
	done
	refuses process view --process nosuch trace bytes
	refuses file view --file nosuch trace sizes
	refuses process compare --process nosuch trace trace
	[ ! -e x.db ]
	run weir dump --process cat trace
	status_is 0
	says /two
	run weir report --file '*/two' trace
	status_is 0
}

@test "the ending of an export's name says its format, or is refused" {
	record
	for ending in json jsonl xml txt html h5; do
		run weir export trace -o "x.$ending"
		status_is 2
		says "x.$ending ends in .$ending"
		says 'end OUT in .db (sqlite)'
		[ ! -e "x.$ending" ]
	done
	run weir export trace --to sqlite -o x.pftrace
	status_is 2
	says 'x.pftrace ends in .pftrace, which is no name for sqlite'
	weir export trace -o tables.csv/
	[ -s tables.csv/events.csv ]
	run weir export trace -o x.DB
	[ "$status" = 5 ] || head -c 15 x.DB | grep -q 'SQLite format 3'
	run weir export trace -o x.pftrace
	[ "$status" = 5 ] || head -c 1 x.pftrace | grep -q $'\n'
}

@test "sums are refused where single calls are wanted, and leave nothing" {
	record --profile
	run --separate-stderr weir dump trace
	status_is 5
	[ -z "$output" ]
	[[ $stderr == *'trace has sums instead of calls'*'weir report trace'* ]]
	run weir export trace -o x.csv
	status_is 5
	says 'trace has sums instead of calls (weir run --profile)'
	[ ! -e x.csv ]
	run weir dump --dictionary trace
	status_is 0
}

@test "damage is said first" {
	weir run -q -o trace -- sh -c 'for i in $(seq 200); do
		echo $i >f$i; done'
	truncate -s -64 trace/*.weir
	run --separate-stderr weir report trace
	status_is 4
	[[ ${lines[0]} == damaged* ]]
	[[ ${lines[1]} == *'1 file cut short'* ]]
	run --separate-stderr weir info trace
	status_is 4
	[[ ${lines[0]} == damaged* ]]
	weir dump trace >both 2>&1 || true
	head -n 1 both | grep -q 'weir: trace: damaged'
}

@test "calls that never returned are named in report and info" {
	mkfifo wait
	weir run -q -o trace -- sh -c 'echo $$ >pid; read x <wait' &
	for _ in $(seq 100); do
		sleep 0.1
		run weir dump trace
		case $output in *wait*) break ;; esac
	done
	kill -9 "$(cat pid)"
	wait
	run weir report trace
	says '1 calls that never returned: open'
	run weir info trace
	says 'missing    the results of 1 call that never returned'
}

@test "info of a run that goes on counts its time up to now" {
	weir run -q -o trace -- sh -c 'echo $$ >pid; exec sleep 60' &
	for _ in $(seq 100); do
		sleep 0.1
		[ ! -s pid ] || break
	done
	sleep 1.2
	run weir info trace
	says 'recording by'
	says ' s so far'
	[[ $output =~ for\ ([0-9]+)\.[0-9]+\ s\ so\ far ]]
	[ "${BASH_REMATCH[1]}" -ge 1 ]
	kill "$(cat pid)"
	wait || true
}

@test "info counts each file of a profile once, and those of one file" {
	weir run -q --profile --include '*/f*' -o trace -- sh -c '
		for i in 1 2 3 4 5; do echo $i >f$i; done
		cat f1 f2 >/dev/null; cat f3 f4 >/dev/null'
	run weir info trace
	[[ $output =~ files\ +([0-9]+) ]]
	[ "${BASH_REMATCH[1]}" = 5 ]
	run weir info trace/*.weir
	[[ $output =~ files\ +([0-9]+) ]]
	[ "${BASH_REMATCH[1]}" = 5 ]
}
