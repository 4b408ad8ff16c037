#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir run --forward: what users see of it.

load common
bats_require_minimum_version 1.5.0

setup() {
	setup_services
}

teardown() {
	end_services
}

@test "what is written is in the file, and the service is gone" {
	run weir run --forward=. -o t -- sh -c \
		'dd if=/dev/zero bs=1k count=100 status=none >f'
	status_is 0
	[ "$(stat -c %s f)" = 102400 ]
	[ -z "$(ls "$XDG_RUNTIME_DIR")" ]
}

@test "all of it is recorded" {
	weir run -q --forward=. -o t -- dd if=/dev/zero of=f bs=1k count=10 \
		status=none
	for call in write serve_write; do
		[ "$(weir dump t | grep -c "\\b$call(")" = 10 ]
	done
}

@test "programs are told of the service, the host and the directories" {
	mkdir a b
	run weir run -q --forward=a,b -o t -- sh -c 'echo "$WEIR_FORWARD"'
	status_is 0
	says "$XDG_RUNTIME_DIR/weir-forward-"
	says "|$(cat /proc/sys/kernel/random/boot_id)|$PWD/a:$PWD/b"
}

@test "a local directory that is not named is left alone" {
	cd /dev/shm
	run weir run -q --forward -o "$BATS_TEST_TMPDIR/t" -- sh -c \
		'echo "[$WEIR_FORWARD]"'
	status_is 0
	says 'nothing is forwarded: this directory is on tmpfs'
	says '[]'
}

@test "files that are left to the kernel are counted" {
	run weir run --forward=. -o t -- python3 -c '
import mmap, os
for name in "mapped", "written":
    with open(name, "w+b", buffering=0) as file:
        file.write(bytes(4096))
        if name == "mapped":
            mmap.mmap(file.fileno(), 4096)[0] = 1'
	status_is 0
	says 'forwarded 2 writes'
	says '1 file was left to the kernel'
}

@test "files that were never created are counted" {
	run weir run --forward=. --defer . -o t -- python3 -c '
import os
for step in range(3):
    with open("piece", "wb") as file:
        file.write(bytes(1024))
    os.unlink("piece")'
	status_is 0
	says 'never created, as removed in time: 3 files with 3.0 KiB'
	[[ $output != *'forwarded 0'* ]]
	[[ $output != *'created later'* ]]
}

@test "deferred files that were created are counted" {
	run weir run --forward=. --defer . -o t -- python3 -c '
with open("piece", "wb") as file:
    file.write(bytes(2048))'
	status_is 0
	says 'created later: 1 file with 2.0 KiB'
	[[ $output != *'forwarded 0'* ]]
}

@test "the status of the command stays" {
	run weir run -q --forward=. -o t -- sh -c 'echo x >f; exit 7'
	status_is 7
	[ "$(cat f)" = x ]
	run weir run -q --forward=. -o t2 -- nothing-of-that-name
	status_is 127
}

@test "what cannot be stored is listed, and 8 returned" {
	run weir run -q --forward=. --backend faulty:errno=ENOSPC \
		--on-close later --rescue . -o t -- sh -c \
		'dd if=/dev/zero of=f bs=1k count=4 status=none; true'
	status_is 8
	says 'could not all be stored'
	says "$PWD/f: bytes 0-4095: No space left on device"
	[ -n "$(ls ./*.weir-rescue 2>/dev/null)" ]
	weir serve recover ./*.weir-rescue
	[ "$(stat -c %s f)" = 4096 ]
}

@test "a command that fails keeps its status, but the list is told" {
	run weir run -q --forward=. --backend faulty:errno=EIO \
		--on-close later --rescue . -o t -- sh -c \
		'dd if=/dev/zero of=f bs=1k count=4 status=none; exit 3'
	status_is 3
	says 'could not all be stored'
	rm ./*.weir-rescue
}

@test "errors of a service are listed, and given up" {
	export WEIR_SERVER=$(weir serve start --backend faulty:errno=ENOSPC \
		--on-close later 2>/dev/null)
	write='dd if=/dev/zero bs=1k count=2 status=none'
	run weir run -q --forward=. -o t -- sh -c "$write of=a; $write of='b}\"'"
	status_is 8
	says "$PWD/a: bytes 0-2047: No space left on device"
	says "$PWD/b}\": bytes 0-2047: No space left on device"
	run weir serve drain
	status_is 8
	says 'what was written could not all be stored'
	run weir serve errors
	status_is 8
	[ "${#lines[@]}" = 2 ]
	run weir serve errors --discard a
	status_is 0
	run weir serve errors --discard a
	status_is 5
	run weir serve errors
	status_is 8
	[ "${#lines[@]}" = 1 ]
	weir serve errors --discard all
	run weir serve errors
	status_is 0
	weir serve stop
}

@test "several runs use one service" {
	place=$(weir serve start 2>/dev/null)
	weir run -q --forward=. --server "$place" -o t1 -- sh -c 'echo 1 >f'
	WEIR_SERVER=$place run weir run -q --forward=. -o t2 -- sh -c \
		'cat f; echo 2 >g; echo "$WEIR_FORWARD"'
	status_is 0
	says 1
	says "$place|"
	[ "$(cat g)" = 2 ]
	[ -d "$place" ]
	weir serve stop
}

@test "a service that is used is not stopped" {
	place=$(weir serve start 2>/dev/null)
	mkfifo go
	weir run -q --forward=. --server "$place" -o t -- sh -c \
		'exec 3>f; echo x >&3; read word <go' &
	until weir serve status | grep -q 'process.*open files'; do
		sleep 0.1
	done
	run weir serve stop
	status_is 5
	says 'programs still use the service'
	echo on >go
	wait $!
	run weir serve stop --wait
	status_is 0
	[ ! -e "$place" ]
}

@test "a run inside of a forwarded one uses its service" {
	run weir run -q --forward=. -o t -- "$WEIR" run -q --forward=. -o t2 \
		-- sh -c 'echo x >f; cat f'
	status_is 0
	says 'files are already forwarded'
	says x
}

@test "mistakes are told" {
	run weir run --forward=nowhere -- true
	status_is 2
	says '--forward: nowhere: No such file or directory'
	run weir run --forward=. --server nowhere -- true
	status_is 5
	says 'no service is at nowhere'
	run weir run --forward=. --cache 1 -- true
	status_is 2
}

@test "a rank alone has no service of its own" {
	export PMI_RANK=0 PMI_SIZE=2 PMI_JOBID=some-job
	run weir run -q --forward=. -o t -- touch ran
	status_is 2
	says '--forward has to serve all ranks'
	[ ! -e ran ]
	[ -z "$(ls "$XDG_RUNTIME_DIR")" ]
	place=$(weir serve start 2>/dev/null)
	run weir run -q --forward=. --server "$place" -o t -- touch ran
	status_is 0
	[ -e ran ]
}

@test "a rank on another host is not run" {
	elsewhere='/x|00000000-0000-0000-0000-000000000000|/'
	run weir exec --forward "$elsewhere" "$PWD/t,4M" touch ran
	status_is 5
	says 'is on another host'
	[ ! -e ran ]
}

@test "a report's time of the service is its work, not how long bytes lay there" {
	mkdir d
	weir run -q --forward=d --policy half -o t -- \
		dd if=/dev/zero of=d/f bs=512 count=3000 status=none
	weir report --json t >told.json
	python3 - <<-'END'
		import json
		told = json.load(open("told.json"))
		serve = told["layers"]["serve"]
		assert serve["written"] == 3000 * 512, serve
		assert serve["time"] < told["span"], (serve, told["span"])
	END
}
