#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir report: what it says of traces and profiles, and refusals.

load common

record() {
	weir run -q "$@" -o trace -- \
		sh -c 'echo hello >one; cat one >two; rm one'
}

@test "a report on a trace names files, programs and sizes" {
	record
	run weir report --details trace
	status_is 0
	says 'command    sh -c'
	says '/two'
	says '6 B written'
	says '0-100'
	says 'posix'
	says 'not in these figures'
}

@test "a report on a profile says the same of what was moved" {
	record
	full=$(weir report trace | grep '^moved')
	rm -r trace
	record --profile
	run weir report trace
	status_is 0
	says "$full"
}

@test "weir run --profile points to weir report" {
	run weir run --profile -o trace -- sh -c 'echo hello >one'
	status_is 0
	says '6 bytes written'
	says 'to see it: weir report trace'
}

@test "json is one object, with names in safe form" {
	printf 'x' >"$(printf 'odd\nname')"
	weir run -q --profile -o trace -- sh -c 'cat odd*'
	weir report --format json trace >found
	python3 - <<'END'
import json

found = json.load(open("found"))
assert found["manner"] == "profile"
names = [row["name"] or "" for row in found["files"]]
assert any(name.endswith("/odd\\x0aname") for name in names), names
END
}

@test "--top bounds the lists, --file chooses" {
	record
	[ "$(weir report --top 1 trace | grep -c '/two$')" -le 2 ]
	run weir report --top 1 trace
	says 'and '
	run weir report --file '*/two' trace
	status_is 0
	says '/two'
	case $output in *'/one'*) return 1 ;; esac
}

@test "a damaged profile is read as far as it is whole" {
	record --profile
	file=$(echo trace/*.weir)
	size=$(stat -c %s "$file")
	truncate -s $((size - 8)) "$file"
	run weir report trace
	status_is 4
	says damaged
	says '/two'
}

@test "what is no trace is refused" {
	run weir report missing
	status_is 5
	echo text >text.weir
	run weir report text.weir
	status_is 5
}

@test "--profile and --ring exclude each other" {
	run weir run --profile --ring 1M -o trace -- true
	status_is 2
	says 'choose one'
	[ ! -e trace ]
}

@test "the sums of files that are left out are not kept" {
	weir run -q --profile --exclude '*/two' -o trace -- \
		sh -c 'echo hello >one; echo hello >two'
	run weir report trace
	says '/one'
	says 'left out'
	case $output in *'/two'*) return 1 ;; esac
}

@test "the verdict fits a screen, and --fail-on makes it an exit code" {
	weir run -q -o trace -- python3 -c '
import os
f = os.open("out", os.O_CREAT | os.O_WRONLY)
for i in range(5000):
    os.write(f, b"x" * 16)
'
	run weir report trace
	status_is 0
	says 'small-writes: saves about'
	says '/out'
	[ "${#lines[@]}" -le 50 ]
	run weir report --fail-on low trace
	status_is 3
	run weir report --json trace
	status_is 0
	says '"id":"small-writes"'
}

@test "what is found can be shown" {
	weir run -q -o trace -- python3 -c '
import os
f = os.open("out", os.O_CREAT | os.O_WRONLY)
for i in range(2000):
    os.write(f, b"x" * 16)
'
	# Python's own files, or what starts it, may have findings, too
	of=$(weir report --file '*/out' trace |
		sed -n 's/.*see weir dump --of \([0-9.]*\).*/\1/p' | head -1)
	run weir dump --of "$of" trace
	status_is 0
	says 'write('
	says '/out'
}

@test "a run without faults has no findings, and fails on none" {
	record
	run weir report --fail-on low trace
	status_is 0
	says '  none'
}

@test "a finding names the line of the program, where that was recorded" {
	cat >small.c <<'END'
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	int fd = open("out", O_CREAT | O_WRONLY, 0600);

	for (int i = 0; i < 2000; i++)
		if (write(fd, "0123456789", 10) != 10)
			return 1;
	return 0;
}
END
	cc -g -O1 -fno-omit-frame-pointer small.c -o small
	weir run -q --backtrace -o trace -- ./small
	run weir report trace
	status_is 0
	says 'made at main (small.c:9)'
}

@test "all files together: size, who shares them, what is read once more" {
	weir run -q --include "$PWD/*" -o trace -- sh -c '
		echo hello >one; cat one one | cat >two; cat two | wc -c >/dev/null
		cat two two | cat >/dev/null; echo lone >three'
	run weir report trace
	status_is 0
	says 'files      23 B in 3 files; 2 used by several processes, 2 written by one and read by another; 30 B read once more'
	weir report --json trace >json
	python3 - <<'END'
import json

found = json.load(open("json"))["all_files"]
assert found == {"count": 3, "size": 23, "shared": 2, "across_nodes": 0,
                 "passed_on": 2, "read_again": 30}, found
END
	run weir view trace files
	status_is 0
	says '        3  files, 23 B as far as they were used'
	says '        2  written by one process, read by another'
	weir view --format jsonl trace files >rows
	python3 - <<'END'
import json

rows = {row["file"].rsplit("/", 1)[1]: row
        for row in map(json.loads, open("rows"))}
assert sorted(rows) == ["one", "three", "two"], rows
two = rows["two"]
assert (two["size"], two["read"], two["written"], two["read_again"]) == (
    12, 36, 12, 24), two
assert (two["readers"], two["writers"], two["across_nodes"]) == (2, 1, 0), two
assert rows["three"]["readers"] == 0, rows
END
	run weir view --layer posix trace files
	status_is 2
	says 'files takes only --process, --file and --format'
}
