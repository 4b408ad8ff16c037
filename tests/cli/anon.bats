#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir anon: what it writes, what it says, what it refuses.

load common

KEY=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f

record() {
	weir run -q -o trace -- \
		sh -c 'mkdir secret; echo hi >secret/run.h5; cat secret/run.h5'
	echo $KEY >key
}

@test "the new trace has the same calls and none of the names" {
	record
	run weir anon trace public
	status_is 0
	says "weir: public: $(weir dump --format jsonl trace | wc -l) calls"
	! weir dump public | grep -q 'secret\|run\.'
	weir dump public | grep -q '\.h5'
	cut='s/.*"call":"\([^"]*\)".*"ret":\([-0-9]*\).*/\1 \2/'
	weir dump --format jsonl trace | sed "$cut" >a
	weir dump --format jsonl public | sed "$cut" >b
	[ -s a ]
	cmp a b
	[ "$(ls trace)" != "$(ls public)" ]
}

@test "nothing that this version records is left out as unknown" {
	record
	run weir anon trace public
	[[ $output != *'left out'* ]]
	for i in 1 2; do
		weir run -q --ring 64K --single-file -o ring -- sh -c 'cat secret/*'
	done
	run weir anon ring circle
	status_is 0
	[[ $output != *'left out'* ]]
	[ "$(weir dump ring | wc -l)" = "$(weir dump circle | wc -l)" ]
	! weir dump circle | grep -q secret
	weir run -q --profile -o sums -- sh -c 'cat secret/*'
	run weir anon sums hidden
	status_is 0
	[[ $output != *'left out'* ]]
	says 'sums of processes (--profile): 2'
	cut='/command/d; /where/d; s/ [^ ]*\/.*//'
	weir report sums | sed "$cut" >a
	weir report hidden | sed "$cut" | cmp - a
	[ -s a ]
	! weir report hidden | grep -q secret
	run weir anon "$GOLDEN/packed.weir" golden.weir
	[[ $output != *'left out'* ]]
}

@test "a trace that is being recorded can be given away as it is now" {
	weir run -q -o trace -- sh -c '
		echo one >one
		until [ -e stop ]; do cat one >two; sleep 0.05; done' 3>&- &
	run=$!
	until [ -e two ]; do sleep 0.05; done
	run weir anon trace public
	touch stop
	wait $run
	[ "$status" = 0 ]
	run weir dump public
	status_is 0
	[ "${#lines[@]}" -gt 5 ]
}

@test "memory does not grow with the trace" {
	weir run -q -o trace -- dd if=/dev/zero of=x bs=1 count=1500000
	(
		ulimit -v 65536
		weir anon --key <(echo $KEY) trace public
	)
	[ "$(weir dump public | wc -l)" -gt 1500000 ]
}

@test "a key is made, printed once and never stored" {
	record
	weir anon trace one 2>told.one
	weir anon trace two 2>told.two
	grep -Eqx '[0-9a-f]{64}' told.one
	! cmp told.one told.two
	grep -q 'shown only this once' told.one
	key=$(grep -Ex '[0-9a-f]{64}' told.one)
	! grep -rq "$key" one
	[ "$(ls one)" != "$(ls two)" ]
}

@test "the same key hides alike, and is not printed" {
	record
	run weir anon --key key trace one
	status_is 0
	[[ $output != *$KEY* ]]
	weir anon --key key trace two
	cmp one/* two/*
}

@test "--lookup finds a name in the new trace" {
	record
	weir anon --key key trace public
	name=$(weir anon --key key --lookup "$PWD/secret/run.h5")
	[[ $name == /*/*.h5 ]]
	weir dump --file "$name" public | grep -q write
	host=$(weir anon --key key --keep none --lookup "$(uname -n)")
	[ -e "public/$host.weir" ]
	run weir anon --lookup name
	status_is 2
	says '--lookup needs --key FILE'
}

@test "--keep leaves what it names" {
	record
	weir anon --key key --keep host --keep "$PWD" trace public
	[ "$(ls public)" = "$(ls trace)" ]
	weir dump public | grep -q "$PWD/[a-z2-7]*/[a-z2-7]*\.h5"
	weir anon --key key --keep none trace bare
	! weir dump bare | grep -q '\.h5'
	run weir anon --keep nonsense trace other
	status_is 2
	says '--keep does not take nonsense'
	[ ! -e other ]
}

@test "one file becomes one file" {
	record
	weir anon --key key trace/*.weir one.weir
	weir anon --key key trace public
	cmp one.weir public/*.weir
}

@test "nothing that is there is overwritten" {
	record
	mkdir public
	weir anon trace public 2>/dev/null
	run weir anon trace public
	status_is 2
	says 'public already exists'
	echo mine >file
	run weir anon trace/*.weir file
	status_is 2
	[ "$(cat file)" = mine ]
}

@test "what is no trace and no key is refused, and leaves nothing" {
	record
	run weir anon nowhere public
	status_is 5
	says nowhere
	head -c 5000 /dev/zero >garbage.weir
	run weir anon garbage.weir public
	status_is 5
	says 'not a trace'
	mkdir only
	cp garbage.weir only
	run weir anon only public
	status_is 5
	echo password >weak
	run weir anon --key weak trace public
	status_is 2
	says '64 hexadecimal digits'
	[ ! -e public ]
	run weir anon trace
	status_is 2
	says 'usage: weir anon'
}

@test "what is whole of a damaged trace is written, status 4" {
	record
	file=$(ls trace/*.weir)
	size=$(stat -c %s "$file")
	printf 'XXXXXXXX' |
		dd of="$file" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
	run weir anon trace public
	status_is 4
	says 'damaged; only the intact part was written'
	says 'damaged blocks: 1'
	head -c $((size - 20)) "$file" >cut.weir
	run weir anon cut.weir cut
	status_is 4
	says 'files cut short: 1'
	run weir dump cut
	status_is 4
}

@test "what a killed recorder left is packed on the way" {
	cp "$GOLDEN/raw.weir" .
	run weir anon --key <(echo $KEY) raw.weir packed.weir
	status_is 0
	n=$(weir dump --format jsonl raw.weir | wc -l)
	[ "$(weir dump --format jsonl packed.weir | wc -l)" = "$n" ]
	says "$((n - 1)) calls"
}
