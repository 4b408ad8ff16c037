#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir merge: many traces become one, and nothing is lost.

load common

record() {
	for i in 1 2 3; do
		weir run -q -o "part$i" -- sh -c "echo $i >file$i; cat file$i"
	done >/dev/null
	host=$(basename part1/*.weir .weir)
}

count() {
	weir dump --format jsonl "$1" | wc -l
}

@test "every event of every trace is there, in order of time" {
	record
	sum=$(($(count part1) + $(count part2) + $(count part3)))
	run weir merge all part3 part1 part2
	status_is 0
	says "all: $sum calls in 3 files"
	[ "$(echo $(ls all))" = "$host.1.weir $host.2.weir $host.weir" ]
	[ "$(count all)" = "$sum" ]
	weir dump --format jsonl all >events
	python3 - <<'END'
import json

starts = [json.loads(line)["start"] for line in open("events")]
assert starts == sorted(starts)
END
	cmp all/"$host.weir" part3/"$host.weir"
}

@test "what is merged can be merged again, and is taken once" {
	record
	weir merge two part1 part2
	run weir merge all two part2/*.weir part3 part3
	status_is 0
	says 'in 3 files'
	says 'files given twice, taken once: 2'
	[ "$(ls all | wc -l)" = 3 ]
}

@test "files that only look the same are both taken" {
	mkdir a b
	cp "$GOLDEN/packed.weir" a/host.weir
	cp a/host.weir b/host.weir
	python3 - <<'END'
# bytes that belong to no block, far from both ends
for name, byte in (("a", b"A"), ("b", b"B")):
    with open(f"{name}/host.weir", "r+b") as file:
        data = file.read()
        file.write(b"-" * 8000 + byte * 8 + b"-" * 8000 + data)
END
	run weir merge all a b
	status_is 4
	says 'in 2 files'
	[[ $output != *twice* ]]
}

@test "what a killed recorder left is packed on the way" {
	record
	mkdir raw
	cp "$GOLDEN/raw.weir" raw/other.weir
	run weir merge all part1 raw
	status_is 0
	says '1 packed'
	[ "$(count all)" = $(($(count part1) + $(count raw))) ]
	run weir info all
	says ': complete'
}

@test "--one makes one file that tells the same" {
	record
	mkdir raw
	cp "$GOLDEN/raw.weir" raw/other.weir
	weir merge all part1 part2 raw
	run weir merge --one all.weir part1 part2 raw part1
	status_is 0
	says "calls in 3 parts"
	[ -f all.weir ]
	[ ! -e all.weir.parts ]
	for trace in all all.weir; do
		weir dump --format jsonl $trace |
			sed 's/"start":[0-9]*,"dur":[0-9]*//; s/"proc":[0-9]*//' |
			sort >told.$trace
	done
	[ -s told.all ]
	cmp told.all told.all.weir
	weir merge --one again.weir all.weir part3
	[ "$(count again.weir)" = $(($(count all) + $(count part3))) ]
	run weir dump again.weir
	status_is 0
}

@test "--one refuses what cannot be a part, and leaves nothing" {
	record
	mkdir -p marked/lost-12-3-0
	cp part1/*.weir marked
	run weir merge --one all.weir marked part2
	status_is 5
	says 'merge without --one'
	(dd if=/dev/zero bs=64 count=1; tail -c +65 part1/*.weir) \
		>headless.weir 2>/dev/null
	run weir merge --one all.weir part2 headless.weir
	status_is 5
	says 'its beginning is damaged'
	touch taken
	run weir merge --one taken part1
	status_is 2
	[ "$(echo *.weir*)" = headless.weir ]
}

@test "files of other names keep them; marks are kept too" {
	record
	mkdir -p one/lost-12-3-0 two/lost-12-3-0
	cp part1/*.weir one/rank0.weir
	cp part2/*.weir two/rank1.weir
	run weir merge all one two
	status_is 0
	[ "$(echo $(ls all))" = "lost-12-3-0 lost-12-3-1 rank0.weir rank1.weir" ]
}

@test "damage stays what it was, and is told with status 4" {
	record
	file=$(ls part2/*.weir)
	head -c $(($(stat -c %s "$file") - 20)) "$file" >cut.weir
	run weir merge all part1 cut.weir
	status_is 4
	says 'some of it is damaged'
	says 'files cut short: 1'
	cmp all/cut.weir cut.weir
}

@test "nothing is overwritten; what is no trace leaves nothing" {
	record
	mkdir taken
	touch taken/x
	run weir merge taken part1
	status_is 2
	says 'taken already exists'
	run weir merge all part1 nowhere
	status_is 5
	says nowhere
	[ ! -e all ]
	mkdir garbage
	head -c 5000 /dev/zero >garbage/a.weir
	run weir merge all garbage part1
	status_is 5
	says 'garbage: not a trace'
	[ ! -e all ]
	run weir merge all
	status_is 2
}
