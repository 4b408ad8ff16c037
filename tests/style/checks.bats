#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The checks of the house find what is planted for them.

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	mkdir -p src/low src/high tools
	printf 'low :\nhigh : low\n' >src/doors.txt
	: >tools/exceptions.txt
	plant src/low/a.c ''
	plant src/high/b.c '#include "low/a.h"'
}

# plant FILE TEXT: a file with a proper beginning
plant() {
	printf '/* SPDX-License-Identifier: BSD-3-Clause */\n/* %s. */\n%s\n' \
		"$1" "$2" >"$1"
}

# finds CHECK TEXT ARGUMENT...: the check fails and says TEXT
finds() {
	check=$1
	text=$2
	shift 2
	run "$TOOLS/$check" "$@"
	[ "$status" -ne 0 ]
	[[ $output == *"$text"* ]] || {
		echo "$output"
		return 1
	}
}

@test "a clean house passes" {
	"$TOOLS/check-doors.py" src
	"$TOOLS/measure.py" .
}

@test "doors: an include that has no door" {
	plant src/low/a.c '#include "high/b.h"'
	finds check-doors.py 'src/low/a.c:3: low has no door to high' src
}

@test "doors: an include that names no room" {
	plant src/low/a.c '#include "c.h"'
	finds check-doors.py 'write "low/c.h"' src
}

@test "doors: a ring" {
	printf 'low : high\nhigh : low\n' >src/doors.txt
	finds check-doors.py 'the doors form a ring: low > high > low' src
}

@test "doors: a room that is not on the plan" {
	mkdir src/cellar
	plant src/cellar/d.c ''
	finds check-doors.py 'room cellar is not in doors.txt' src
}

@test "doors: a room in a room shows its public headers alone" {
	mkdir src/high/in
	printf 'high : low\nhigh/in : : shown.h\nlow : high/*\n' >src/doors.txt
	plant src/high/in/shown.h '' && plant src/high/in/own.h ''
	plant src/low/a.c '#include "high/in/shown.h"'
	"$TOOLS/check-doors.py" src
	plant src/low/a.c '#include "high/in/own.h"'
	finds check-doors.py 'own.h is not a public header of high/in' src
}

@test "doors: a door that nobody uses" {
	printf 'low : high\nhigh : low\n' >src/doors.txt
	finds check-doors.py 'low never uses its door to high' src
}

@test "doors: those of all rooms in a room are used by one" {
	mkdir src/low/in src/low/out
	printf 'low :\nlow/in : : i.h\nlow/out :\nhigh : low low/*\n' >src/doors.txt
	plant src/low/in/i.h ''
	plant src/high/c.c '#include "low/in/i.h"'
	"$TOOLS/check-doors.py" src
	rm src/high/c.c
	finds check-doors.py 'high never uses its door to low/*' src
}

@test "doors: modules that include each other" {
	plant src/low/a.c '#include "low/b.h"'
	plant src/low/b.h '#include "low/a.h"'
	finds check-doors.py 'low/a > low/b > low/a' src
}

@test "limits: a long function, unless excused with a reason" {
	plant src/low/a.c "int f(void)
{
$(yes '	;' | head -n 60)
}"
	finds measure.py 'src/low/a.c:f: function 62, at most 60' .
	echo 'function src/low/a.c:f it is a test' >tools/exceptions.txt
	"$TOOLS/measure.py" .
	plant src/low/a.c ''
	finds measure.py 'function src/low/a.c:f is not needed' .
}

@test "limits: depth, parameters, columns and manners" {
	plant src/low/a.c 'int f(int a, int b, int c, int d, int e, int f)
{
	{ { { { } } } }
}'
	finds measure.py 'a.c:f: depth 5' .
	finds measure.py 'a.c:f: parameters 6' .
	plant src/low/a.c "$(printf '\tint %073d;' 0)"
	finds measure.py 'a.c:3: columns 86' .
	plant src/low/a.c '#define BAIL return 1'
	finds measure.py 'macro BAIL hides control flow' .
	plant src/low/a.h '#ifndef A_H'
	finds measure.py 'the guard should be WEIR_LOW_A_H' .
}

@test "headers: those for others are C11 and C++, and stand alone" {
	mkdir -p include/weir build
	plant include/weir/a.h 'int a(int class);'
	finds check-headers.py 'class' src build include
	plant include/weir/a.h 'uint32_t a(void);'
	finds check-headers.py 'uint32_t' src build include
	plant include/weir/a.h 'int a(int kind);'
	run "$TOOLS/check-headers.py" src build include
	[ "$output" = '1 headers stand alone' ]
}

@test "text: licence, blanks and machine paths" {
	git init -q .
	"$TOOLS/check-text.py" .
	printf 'int x; \n' >src/low/a.c
	finds check-text.py 'src/low/a.c:1: no SPDX line' .
	finds check-text.py 'src/low/a.c:1: blanks at the end' .
	plant src/low/a.c "/* see /${nothing}home/somebody */"
	finds check-text.py "a path of somebody's machine" .
}

@test "names: a file whose name is in another room, too" {
	mkdir -p src/low/in build
	plant src/low/in/b.c ''
	echo '[]' >build/compile_commands.json
	finds check-names.py 'b: a file of this name is in high, low/in' src build
}

@test "names: a symbol that does not tell its file" {
	mkdir -p src/low/in build
	plant src/low/in/deferred_c.c 'int weir_deferred_is; int weir_c_is;'
	gcc -c -o build/c.o src/low/in/deferred_c.c
	echo '[{"file": "../src/low/in/deferred_c.c", "output": "c.o"}]' \
		>build/compile_commands.json
	finds check-names.py \
		'low/in/deferred_c.c: weir_c_is should be' src build
	[[ $output != *weir_deferred_is* ]]
}

@test "count-tests: adds up, names failures, ends with one line" {
	cat >log.xml <<'END'
<testsuites><testsuite name="s" errors="0" failures="1">
<testcase name="good"/>
<testcase name="bad"><failure/></testcase>
<testcase name="later"><skipped/></testcase>
</testsuite></testsuites>
END
	finds count-tests.py 'FAILED: log.xml: s: bad' 2 0 '' log.xml
	[ "${lines[-1]}" = '3 passed, 1 failed, 1 skipped' ]
	echo s >unstable
	run "$TOOLS/count-tests.py" 2 0 '' log.xml
	[ "$status" = 0 ]
	[ "${lines[0]}" = 'UNSTABLE: log.xml: s: bad' ]
	[ "${lines[-1]}" = '4 passed, 0 failed, 1 skipped' ]
	finds count-tests.py '0 passed, 1 failed' 0 0 '' missing.xml
	finds count-tests.py 'b: a test that left no result' 4 0 ' b'
	run "$TOOLS/count-tests.py" 4 0 ''
	[ "$output" = '4 passed, 0 failed, 0 skipped' ]
}

# A library that exports one call, and tables that say so.
plant_symbols() {
	mkdir -p spec
	echo 'long write(void) { return 0; }' |
		gcc -shared -fPIC -x c - -o libtry.so
	echo 'write write write made -' >symbols.txt
	grep -v '^isatty\|^_flushlbf' "$SPEC/ignored" >spec/ignored
	cp "$SPEC/libc-other-symbols" spec/
}

@test "symbols: a function of libc that nobody has heard of" {
	plant_symbols
	finds check-symbols.py 'isatty: a function of libc, neither in a table' \
		libtry.so symbols.txt spec
	[[ $output == *'readv: a function of libc, neither'* ]]
	[[ $output != *$'\nwrite: a function of libc'* ]]
	echo 'isatty a reason' >>spec/ignored
	run "$TOOLS/check-symbols.py" libtry.so symbols.txt spec
	[[ $output != *'isatty'* ]]
}

@test "symbols: what is exported and intercepts nothing has a reason" {
	plant_symbols
	echo 'long write(void) { return 0; } void more_of_it(void) { }' |
		gcc -shared -fPIC -x c - -o libtry.so
	finds check-symbols.py 'more_of_it@-: exported but in no table' \
		libtry.so symbols.txt spec
	echo 'more_* a reason' >spec/private-symbols
	run "$TOOLS/check-symbols.py" libtry.so symbols.txt spec
	[[ $output != *'more_of_it'* ]]
	echo 'less_of_it' >>spec/private-symbols
	finds check-symbols.py 'less_of_it: in spec/private-symbols but not' \
		libtry.so symbols.txt spec
	[[ $output == *'less_of_it: exported without a reason'* ]]
}

@test "symbols: lists that say what cannot be" {
	plant_symbols
	echo 'isatty' >>spec/ignored
	echo 'write it does I/O' >>spec/ignored
	echo 'no_such_thing it is not there' >>spec/ignored
	echo 'wri* isat* nothing_like_it*' >>spec/libc-other-symbols
	finds check-symbols.py 'isatty: ignored without a reason' \
		libtry.so symbols.txt spec
	[[ $output == *'write: ignored and in a table'* ]]
	[[ $output == *'no_such_thing: ignored, but not in libc'* ]]
	[[ $output == *'write: does I/O, but wri* says it does not'* ]]
	[[ $output == *'isatty: does I/O, but isat* says it does not'* ]]
	[[ $output == *'nothing_like_it*: no function of libc is like it'* ]]
}

@test "symbols: a layer's function that is neither in its table nor ignored" {
	[ -f "$(gcc -print-file-name=libpnetcdf.so)" ] || skip 'no PnetCDF'
	plant_symbols
	grep -v '^ncmpi_inq_libvers' "$SPEC/ignored-pnetcdf" \
		>spec/ignored-pnetcdf
	echo 'int ncmpi_open(void) { return 0; } int ncmpi_no(void) { return 0; }' |
		gcc -shared -fPIC -x c - -o libtry-nc.so
	printf '%s write write made -\n' ncmpi_open ncmpi_no >nc-symbols.txt
	finds check-symbols.py 'ncmpi_no: in the tables but in none of' \
		libtry.so symbols.txt spec pnetcdf libtry-nc.so nc-symbols.txt
	[[ $output == *'ncmpi_close: neither in a table nor in'* ]]
	[[ $output == *'ncmpi_strerror: neither in a table nor in'* ]]
	[[ $output != *'ncmpi_open: '* ]]
	[[ $output != *'ncmpi_inq: '* ]]
}

@test "dead: a symbol that no other file uses" {
	mkdir build spec
	echo 'weir_a_told for programs' >spec/private-symbols
	printf 'int weir_a_told, weir_a_used, weir_a_dead;\n' >src/low/a.c
	printf 'extern int weir_a_used;\nint main(void)\n{ return weir_a_used; }\n' \
		>src/high/b.c
	for part in low/a high/b; do
		gcc -c "src/$part.c" -o "build/${part##*/}.o"
	done
	printf '[{"file": "../src/low/a.c", "output": "a.o"},
		{"file": "../src/high/b.c", "output": "b.o"}]' \
		>build/compile_commands.json
	finds check-dead.py 'low/a.c: weir_a_dead is used by no other' src build
	[[ $output != *weir_a_used* && $output != *weir_a_told* ]]
}

@test "errors: one that the table calls otherwise, and one that it has not" {
	command -v mpicc.mpich >/dev/null || skip 'no MPICH'
	mkdir spec
	sed 's/MPI_ERR_COUNT/MPI_ERR_MOUNT/; /MPI_ERR_TYPE/d' \
		"$SPEC/errors" >spec/errors
	finds check-errors.py \
		'MPI_ERR_COUNT: 2 in mpi.h, but spec/errors calls that MPI_ERR_MO' \
		spec
	[[ $output == *'MPI_ERR_TYPE: 3 in mpi.h, but spec/errors calls that no'* ]]
	[[ $output != *'MPI_ERR_TAG'* ]]
}

@test "words: one that was given up, alone and in names" {
	git init -q .
	mkdir doc
	echo '| **mask** | what hides a name |' >doc/glossary.md
	echo 'cloak,cloaked  mask' >tools/words
	"$TOOLS/check-words.py" .
	plant src/low/a.c 'int weir_cloak_begin;'
	finds check-words.py 'src/low/a.c:3: cloak: say `mask`' .
	echo 'cloak  shroud' >tools/words
	finds check-words.py '`shroud` is not in doc/glossary.md' .
}

@test "maps: a file that is gone, a sub-room and a room that are not told" {
	mkdir src/high/in
	plant src/high/in/c.c ''
	printf '| low | it |\n| high | it |\n' >ARCHITECTURE.md
	echo '`a.*` `low/a.c`' >src/low/README.md
	echo '`in/` `c.c`' >src/high/README.md
	"$TOOLS/check-maps.py" .
	echo '`b.*`' >src/low/README.md
	finds check-maps.py 'src/low/README.md:1: no file b.*' .
	echo '`c.c`' >src/high/README.md
	finds check-maps.py 'src/high/README.md: no row for in/' .
	echo '| low | it |' >ARCHITECTURE.md
	finds check-maps.py 'no row for room high' .
}

@test "walks: a file and a name that are not there" {
	mkdir doc build
	printf '## A walk\n\n| `src/low/a.c` | `here`: done |\n' >doc/walks.md
	plant src/low/a.c 'int here;'
	"$TOOLS/check-walks.py" . build
	plant src/low/a.c ''
	finds check-walks.py 'here is not in src/low/a.c' . build
	rm src/low/a.c
	finds check-walks.py 'src/low/a.c is not there' . build
}
