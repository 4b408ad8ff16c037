#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir run: which files are recorded, and what is told of the others.

bats_require_minimum_version 1.5.0
load common

# record [OPTION]...: the same commands each time
record() {
	rm -rf trace
	run weir run "$@" -o trace -- sh -c '
		echo one >a.txt
		echo two >b.log
		mkdir -p sub
		echo three >sub/c.txt
		cat a.txt b.log sub/c.txt >/dev/null
		cd sub && cat c.txt >/dev/null
		cat /proc/self/comm >/dev/null'
	status_is 0
}

# files: what the trace knows of, a path a line
files() {
	weir dump --format jsonl trace | python3 -c '
import json, sys
names = {json.loads(line).get("file") for line in sys.stdin}
print("\n".join(sorted(name for name in names if name)))'
}

@test "files of the system are counted, not recorded" {
	record
	says 'counted, not recorded: on files of the system'
	run files
	says "$PWD/a.txt"
	says "$PWD/sub/c.txt"
	[[ $output != */proc/* ]]
	[[ $output != */dev/null* ]]
	[[ $output != */usr/lib/* ]]
}

@test "--all records them" {
	record --all
	[[ $output != *'counted, not recorded'* ]]
	run files
	says /proc/self/comm
	says /dev/null
}

@test "nothing that is shown depends on what is hidden" {
	record --all
	all=$(weir dump --format csv trace | wc -l)
	record
	few=$(weir dump --format csv trace | wc -l)
	hidden=$(sed -n 's/^weir: \([0-9]*\) calls* counted.*/\1/p' <<<"$output")
	[ "$hidden" -gt 0 ]
	[ $((few + hidden)) = "$all" ]
}

@test "--exclude leaves files out, by last component or by path" {
	record --exclude '*.log' --exclude 'sub/*'
	says 'counted, not recorded: on files that --include and --exclude'
	run files
	says "$PWD/a.txt"
	[[ $output != *b.log* ]]
	[[ $output != *c.txt* ]]
}

@test "--include records these files alone, of any kind" {
	record --include '*.log' --include '/proc/self/*'
	run files
	says "$PWD/b.log"
	says /proc/self/comm
	[[ $output != *a.txt* ]]
	[[ $output != *c.txt* ]]
}

@test "--exclude is stronger than --include" {
	record --include '*.txt' --exclude a.txt
	run files
	says c.txt
	[[ $output != *a.txt* ]]
}

@test "names that point nowhere are judged without being read" {
	cat >nowhere.py <<'END'
import ctypes
libc = ctypes.CDLL(None)
for nowhere in (None, ctypes.c_void_p(8)):
    for call in (libc.access, libc.open, libc.chdir, libc.unlink, libc.rmdir):
        assert call(nowhere, 0) == -1
END
	python3 nowhere.py
	run weir run --strict -o trace -- python3 nowhere.py
	status_is 0
	run weir run --strict --exclude '*.log' -o ruled -- python3 nowhere.py
	status_is 0
}

@test "an empty pattern is refused" {
	run weir run --exclude '' -o trace -- true
	status_is 2
	says 'not an empty word'
}

@test "many patterns all count, too many are refused" {
	many=()
	for i in $(seq 400); do many+=(--exclude "x$i.log"); done
	touch x400.log
	run weir run "${many[@]}" -o trace -- cat x400.log
	says 'on files that --include and --exclude'
	for i in $(seq 2000); do many+=(--exclude "another$i.log"); done
	run weir run "${many[@]}" -o more -- true
	status_is 2
	says 'too many'
}

@test "--max-size keeps the trace small and tells what is missing" {
	run weir run --max-size 256K --strict -o trace -- python3 -c '
import os, random
fd = os.open("data", os.O_RDWR | os.O_CREAT)
for i in range(60000):
    os.pwrite(fd, b"x" * random.randrange(1, 50), random.randrange(1 << 40))'
	status_is 6
	says 'the trace has reached its --max-size'
	[ "$(du -sb trace | cut -f1)" -lt 600000 ]
	run weir dump trace
	status_is 0
	says pwrite
}

# A program that tells when it wants to be recorded, and waits until it is.
switching='
import os, signal, sys, time
weir = os.getppid()
def is_pending():
    with open(f"/proc/{weir}/status") as status:
        sets = [line.split()[1] for line in status if "Pnd:" in line]
    return any(int(one, 16) >> signal.SIGUSR2 - 1 & 1 for one in sets)
def switch():
    os.kill(weir, signal.SIGUSR2)
    while is_pending():
        time.sleep(0.01)
    time.sleep(0.3)
def write(name):
    with open(name, "w") as out:
        out.write(name)
kept = open("kept", "w")
write("first")
switch()
write("second")
other = open("other", "w")
switch()
write("third")
kept.write("now")
kept.flush()
other.write("now")
other.flush()'

@test "--switch turns recording off and on" {
	run weir run --switch USR2 -o trace -- python3 -c "$switching"
	status_is 0
	says 'recording is switched off'
	says 'recording is switched on'
	says 'counted, not recorded: while recording was switched off'
	run files
	says "$PWD/first"
	says "$PWD/third"
	[[ $output != *second* ]]
	# opened while it was off, used while it is on
	run weir dump --file '*/other' trace
	says 'write('
	says '@0 = 3'
	run weir dump --file '*/kept' trace
	says '@0 = 3'
}

@test "--paused begins with recording off" {
	run weir run --paused --switch SIGUSR2 -o trace -- \
		python3 -c "$switching"
	status_is 0
	run files
	says "$PWD/second"
	[[ $output != *first* ]]
	[[ $output != *third* ]]
}

@test "--switch wants a signal that can be had" {
	run weir run --switch KILL -o trace -- true
	status_is 2
	says 'USR1'
}

@test "without weir run, WEIR_FILES chooses" {
	echo data >a.txt
	echo data >b.log
	WEIR_FILES=all:-*.log WEIR_TRACE=$PWD/trace LD_PRELOAD=$LIBWEIR \
		cat a.txt b.log /proc/self/comm
	settle trace
	run files
	says a.txt
	says /proc/self/comm
	[[ $output != *b.log* ]]
}

@test "names below the root directory's descriptor are whole names" {
	run weir run -o trace -- python3 -c '
import os
root = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
sys = os.open("sys", os.O_RDONLY | os.O_DIRECTORY, dir_fd=root)
os.close(os.open("class", os.O_RDONLY, dir_fd=sys))
os.close(os.open("etc/passwd", os.O_RDONLY, dir_fd=root))'
	status_is 0
	run weir dump trace
	says 'etc/passwd'
	[[ $output != *'"sys"'* ]]
	[[ $output != *'"class"'* ]]
}

@test "sockets and events are no files" {
	talking='
import os, select, socket
a, b = socket.socketpair()
c = socket.socket()
os.write(a.fileno(), b"x")
os.read(b.fileno(), 1)
select.epoll().close()
c.close()'
	run weir run -o trace -- python3 -c "$talking"
	status_is 0
	run weir dump trace
	[[ $output != *socket:* ]]
	run weir run --all -o all -- python3 -c "$talking"
	run weir dump all
	says 'socket:'
}
