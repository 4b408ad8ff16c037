#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A row of spec/options that cannot be meant is refused with its place.

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
