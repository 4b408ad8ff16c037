#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir report on a terminal: one screen, and colours where there are some.

load common

# on_terminal COMMAND...: standard output and error are a terminal; no CR
on_terminal() {
	TERM=${TERM:-xterm} script -qec "$(printf '%q ' "$@")" /dev/null |
		tr -d '\r'
}

# Many files, processes and findings: more than a screen takes.
record_much() {
	weir run -q -o trace -- sh -c '
		for i in $(seq 40); do
			echo $i >f$i; cat f$i f$i >>all; mv f$i g$i
		done
		dd if=all of=small bs=1 count=3000 conv=fsync
		dd if=/dev/zero of=sync bs=16 count=100 oflag=sync' 2>dd.txt
}

@test "on a terminal it is one screen, in a pipe all of it" {
	record_much
	weir report trace >pipe.txt
	on_terminal "$WEIR" report trace >screen.txt
	[ "$(wc -l <pipe.txt)" -gt 40 ]
	[ "$(wc -l <screen.txt)" -le 40 ]
	grep -q '^shortened to one screen: --details shows all' screen.txt
	[ "$(grep -c shortened pipe.txt)" = 0 ]
	for part in command 'in I/O' 'findings, largest' 'files by time' \
		'processes by time' 'not in these figures'; do
		grep -q "$part" screen.txt
	done
	grep -m1 -A1 ': saves ' pipe.txt >first
	TERM=dumb on_terminal "$WEIR" report trace |
		grep -m1 -A1 ': saves ' | diff first -
}

@test "what is asked for is shown, also on a terminal" {
	record_much
	TERM=dumb on_terminal "$WEIR" report --details trace >screen.txt
	weir report --details trace >pipe.txt
	diff pipe.txt screen.txt
	TERM=dumb on_terminal "$WEIR" report --top 7 trace >screen.txt
	weir report --top 7 trace >pipe.txt
	diff pipe.txt screen.txt
}

@test "a short report is the same on a terminal and in a pipe" {
	weir run -q -o trace -- true
	TERM=dumb on_terminal "$WEIR" report trace >screen.txt
	weir report trace >pipe.txt
	diff pipe.txt screen.txt
}

@test "a terminal with a plan, several layers and damage: one screen too" {
	for i in $(seq 30); do
		printf '<fadvise file="*/f%s">random</fadvise>' "$i"
	done >settings
	printf '<plan>%s</plan>' "$(cat settings)" >plan.xml
	weir run -q --plan plan.xml -o trace -- sh -c '
		for i in $(seq 30); do echo $i >f$i; cat f$i; done' >/dev/null
	truncate -s -64 trace/*.weir
	on_terminal "$WEIR" report trace >screen.txt || true
	[ "$(wc -l <screen.txt)" -le 40 ]
	head -n 1 screen.txt | grep -q damaged
}

# colours COMMAND...: how many lines of what it prints on a terminal have some
colours() {
	on_terminal "$@" | grep -c $'\033' || true
}

@test "colours: on terminals that have them, if nobody objects" {
	record_much
	unset NO_COLOR
	[ "$(TERM=xterm colours "$WEIR" report trace)" -gt 5 ]
	[ "$(TERM=dumb colours "$WEIR" report trace)" = 0 ]
	[ "$(TERM=xterm NO_COLOR=1 colours "$WEIR" report trace)" = 0 ]
	[ "$(TERM=xterm colours "$WEIR" report --color never trace)" = 0 ]
	[ "$(TERM=dumb colours "$WEIR" report --color=always trace)" -gt 5 ]
	[ "$(weir report trace | grep -c $'\033')" = 0 ]
	[ "$(weir report --color always trace | grep -c $'\033')" -gt 5 ]
	[ "$(weir report --color always --json trace | grep -c $'\033')" = 0 ]
}

@test "forwarding that is not advised takes one line, which says why" {
	weir run -q -o trace -- sh -c '
		for i in $(seq 30); do echo $i; done >file'
	weir report trace >pipe.txt
	[ "$(grep -c '^forwarding  Not advised: ' pipe.txt)" = 1 ]
	[ "$(grep -c 'would an I/O service' pipe.txt)" = 0 ]
}
