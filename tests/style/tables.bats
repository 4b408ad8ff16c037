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
