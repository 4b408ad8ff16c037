#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A row of a table that cannot be meant is refused with its place.

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# refused ROW TEXT: a verb with this option row is refused, saying TEXT
refused() {
	cat >table <<END
verb try  tries
  usage     x
  operands  1
  about     x
  $1
  example   weir try x # tries
END
	run python3 "$SPEC/gen/options.py" table out.c out.h
	[ "$status" -ne 0 ]
	[[ $output == table:*": $2"* ]] || {
		echo "$output"
		return 1
	}
}

@test "the real table is accepted" {
	python3 "$SPEC/gen/options.py" "$SPEC/options" out.c out.h
	grep -q WEIR_RUN_OUTPUT out.h
}

@test "rows that cannot be meant are refused" {
	refused '-  --size N  weight 1  help' 'unknown type weight'
	refused '-  --size N  size   -  help' 'a size needs a default'
	refused '-  --size -  size   1  help' 'a flag has no argument word'
	refused '-  --mode M  a|b    c  help' 'the default is none'
	refused '-  size   N  size   1  help' 'size is no option name'
	refused '-ab --size N size   1  help' '-ab is no option letter'
	refused '-h --size N  size   1  help' 'every verb has --help'
	refused 'wish more' 'wish is neither a field nor an option'
}

@test "an option may stand only once" {
	refused '-s --size N  size  1  help
  -s --span A-B span  -  help' 'option span is already there'
}

# op_refused ROW TEXT: a table of ops with this row is refused, saying TEXT
op_refused() {
	printf '%s\n' "$1" '   What it does.' >ops
	: >layout.h
	run python3 "$SPEC/gen/forward.py" ops layout.h layout.h .
	[ "$status" -ne 0 ]
	[[ $output == ops:*": $2"* ]] || {
		echo "$output"
		return 1
	}
}

@test "ops that cannot be meant are refused" {
	op_refused '1 try(u32 a) : by slot' 'id NAME'
	op_refused '1 try(a) -> () : by slot' "'a' is no kind and name"
	op_refused '1 try(word a) -> () : by slot' 'word is no kind'
	op_refused '1 try(u32 a, u64 a) -> () : by slot' 'a is there twice'
	op_refused '1 try(data a, text b) -> () : by socket' 'only one part'
	op_refused '1 try(fd a) -> () : by slot' 'a slot takes no'
	op_refused '1 try(text a) -> () : by slot' 'a slot takes no'
	op_refused '1 try() -> () : by mail' 'mail is none of'
	op_refused '1 try() -> () : by slot twice' 'twice is none of'
	op_refused '256 try() -> () : by slot' '256 is no number'
	op_refused "1 try($(seq -s, -f 'u64 a%g' 13)) -> () : by slot" \
		'104 bytes do not fit'
	op_refused '1 a() -> () : by slot
1 b() -> () : by slot' 'b or its number is there twice'
	op_refused '1 a() -> () : by slot
2 b() -> () : by slot' 'a does not say what it does'
}

@test "what changes the meaning of ops changes their hash" {
	cp "$SPEC/forward.ops" ops
	: >a.h
	hash() {
		python3 "$SPEC/gen/forward.py" ops "$1" "$1" . &&
			grep -o 'INTERFACE UINT64_C(.*' forward.h
	}
	first=$(hash a.h)
	echo '/* a comment */' >b.h
	[ "$(hash b.h)" = "$first" ]
	echo '# a comment' >>ops
	[ "$(hash a.h)" = "$first" ]
	echo 'int more;' >c.h
	[ "$(hash c.h)" != "$first" ]
	sed -i 's/commit(file file, u32 turn/commit(file file, u64 turn/' ops
	[ "$(hash a.h)" != "$first" ]
}

# calls_read TABLE ROW: reads a table of one row, with the real kinds and classes
calls_read() {
	cp "$SPEC/kinds" "$SPEC/classes" .
	printf '%s\n' "$2" >"$1.calls"
	run python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1] + "/gen")
import calls, meaning
from pathlib import Path
_, found = calls.read_tables(Path("kinds"), [Path(sys.argv[2])])
print(*meaning.lines(found), sep="\n")' "$SPEC" "$1.calls"
}

# call_refused ROW TEXT: a table of calls with this row is refused, saying TEXT
call_refused() {
	calls_read posix "$1"
	[ "$status" -ne 0 ]
	[[ $output == posix.calls:*": $2"* ]] || {
		echo "$output"
		return 1
	}
}

@test "calls whose class cannot be meant are refused" {
	call_refused '1 err try(fd fd) : fd' 'not '
	call_refused '1 err try(fd fd) : sync sync' "unknown role 'sync'"
	call_refused '1 err try(fd fd) : fd wish' "unknown class 'wish'"
	call_refused '1 err try(fd fd) : fd stat+wish' "unknown trait 'wish'"
	call_refused '1 err try(fd fd) : fd stat+looks+looks' \
		"'stat+looks+looks' says a trait twice"
	call_refused '1 err try(fd fd) : fd -' 'a call with a record has a class'
	call_refused '- err try(fd fd) : unseen stat' \
		'a call with a record has a class'
	call_refused '1 err try(fd fd) : copy copy' \
		'a call of class copy reads or writes'
	call_refused '1 err try(fd fd) : resize truncate' \
		'no argument is the length'
	call_refused '1 err try(path path) : plain stat names file' \
		"'file' is none of its arguments"
	call_refused '1 err try(fd fd) : told stat' 'only what is derived'
	call_refused '1 err try(fd fd) : fd stat
- err again(fd fd) : fd sync as try' 'try is of another class'
}

@test "what a call means tells its arguments by their kinds" {
	calls_read posix '1 count try(fd fd, data buf, size len, off off) : write write'
	[ "$output" = 'class write off=off len=len 1' ]
	calls_read posix '1 pos try(fd fd, off off, whence whence) : seek seek'
	[ "$output" = 'class seek 1' ]
	calls_read posix '1 err try(fd fd, off len) : resize truncate'
	[ "$output" = 'class truncate len=len 1' ]
	calls_read posix '1 err try(path from, path2 to) : plain rename'
	[ "$output" = 'class rename name=from to=to 1' ]
	calls_read posix '1 err try(text tag, path path) : plain unlink names tag'
	[ "$output" = 'class unlink name=tag 1' ]
	calls_read posix '1 err try(path path) : plain unlink names -
2 err other(fd fd) : fd unlink'
	[ "$output" = 'class unlink 1 2' ]
	calls_read mpiio '1 mpi MPI_try(mfile fh) : ask flush collective'
	[ "$output" = 'class flush together 1' ]
	calls_read mpiio '1 mpi MPI_try(mfile fh) : ask flush+maybe collective'
	[ "$output" = 'class flush maybe 1' ]
}

@test "classes that cannot be meant are refused" {
	cp "$SPEC/kinds" .
	: >posix.calls
	for row in 'class stat' 'wish stat - asks' 'class stat - asks
class stat - asks' 'class stat - asks
trait stat asks'; do
		echo "$row" >classes
		run python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1])
import calls
from pathlib import Path
calls.read_tables(Path("kinds"), [Path("posix.calls")])' "$SPEC/gen"
		[ "$status" -ne 0 ]
		[[ $output == classes:* ]]
	done
}

# stations ROW...: the check of a spec with these calls; no call is excused
stations() {
	mkdir -p spec
	cp "$SPEC/kinds" "$SPEC/classes" spec
	printf '%s\n' "$@" >spec/posix.calls
	[ -e spec/unforwarded ] || : >spec/unforwarded
	run "$TOOLS/check-stations.py" spec
}

@test "a call on a descriptor has a station or a reason" {
	stations '1 err try(fd fd) : fd stat'
	[ "$status" -eq 1 ]
	[[ $output == *'posix.calls:1: try: takes a descriptor, and has neither'* ]]
	stations '1 err try(fd fd) : fd stat around stat(st, fd, 0)' \
		'2 err other(path path) : plain stat' \
		'3 err third(fd fd) : told stat derived'
	[ "$status" -eq 0 ]
	echo 'try never of a file' >spec/unforwarded
	stations '1 err try(fd fd) : fd stat'
	[ "$status" -eq 0 ]
	stations '1 err try(fd fd) : fd stat around stat(st, fd, 0)'
	[[ $output == *'unforwarded:1: try: has a station'* ]]
	stations '1 err other(path path) : plain stat'
	[[ $output == *'unforwarded:1: try: no call that takes'* ]]
	echo 'try' >spec/unforwarded
	stations '1 err try(fd fd) : fd stat'
	[[ $output == *'unforwarded:1: try: no reason'* ]]
}

@test "the page of the format lists every class and trait" {
	for kind in class trait; do
		sed -n "s/^$kind *\([a-z-]*\) .*/\1/p" "$SPEC/classes" | sort >told
		sed -n '/^### What calls mean/,/^## /s/^| `\([a-z-]*\)` |.*/\1/p' \
			"$SPEC/../doc/format.md" | sort >listed
		run comm -23 told listed
		[ -z "$output" ]
	done
	[ "$(wc -l <listed)" -eq "$(grep -c '^class \|^trait ' "$SPEC/classes")" ]
}
