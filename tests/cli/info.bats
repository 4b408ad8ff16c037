#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir info: what it tells is what the trace says.

load common

# field NAME: of the JSON in the file `json`
field() {
	python3 -c 'import json, sys
print(json.load(open("json"))[sys.argv[1]])' "$1"
}

@test "a complete trace: counts are those of its events" {
	weir run -q -o trace -- \
		sh -c 'for i in 1 2 3; do echo hello >f$i; cat f$i; done' >/dev/null
	weir dump --format jsonl trace >events
	run weir info trace
	status_is 0
	says 'trace      trace: complete; format 1, weir '
	says "host       $(uname -n)"
	says "calls      $(wc -l <events): "
	says 'processes  4, 4 threads, 2 programs: cat 3, '
	says 'missing    nothing'
	says "left out   "
	weir info --format json trace >json
	[ "$(field state)" = complete ]
	[ "$(field calls)" = "$(wc -l <events)" ]
	[ "$(field sampled)" = False ]
	[ "$(field bytes)" = "$(stat -c %s trace/*.weir)" ]
	python3 - <<'END'
import collections
import json

info = json.load(open("json"))
events = [json.loads(line) for line in open("events")]
assert info["layers"] == collections.Counter(e["layer"] for e in events)
assert info["failed"] == sum("err" in e for e in events)
assert info["bytes_written"] == sum(
    e["ret"] for e in events if e["call"] == "write"), info
span = max(e["start"] + e["dur"] for e in events)
assert abs(info["end_ns"] - info["begin_ns"] - span) <= 1
assert info["names"] == len({e["file"] for e in events if "file" in e}), info
END
}

@test "every key of the JSON is in the document, and the other way round" {
	echo '<plan><fadvise>random</fadvise></plan>' >plan.xml
	weir run -q --plan plan.xml -o trace -- true
	weir info --format json trace >json
	python3 - "$BATS_TEST_DIRNAME/../../doc/format.md" <<'END'
import json
import re
import sys

page = open(sys.argv[1]).read()
section = re.search(r"## What weir info prints\n(.*?)\n## ", page, re.S)[1]
words = set(re.findall(r"`([a-z_]+)`", section))
words -= {"complete", "raw", "recording", "damaged", "unknown"}
info = json.load(open("json"))
verdicts = {"took", "changed", "ignored", "kept", "inert", "refused", "given",
            "unsafe"}
keys = set(info) | set(info["plan"]) | set(info["plan"]["settings"][0])
keys |= {"pid", "rank", "program", "signal", "core"} # of `killed`
keys -= verdicts
assert keys == words, keys ^ words
END
}

@test "of a large trace some is read, and that is marked" {
	weir run -q -o trace -- dd if=/dev/zero of=x bs=1 count=1500000
	run weir info trace
	status_is 0
	says ': about '
	says 'data       about '
	weir info --format json trace >json
	[ "$(field sampled)" = True ]
	[ "$(field calls_exact)" = True ]
	run weir info --exact trace
	[[ $output != *about* ]]
	weir info --exact --format json trace >json
	[ "$(field sampled)" = False ]
	[ "$(field bytes_written)" -ge 1500000 ]
}

@test "a trace of rings, in one file with parts" {
	for i in 1 2; do
		weir run -q --ring 64K --single-file -o trace -- \
			dd if=/dev/zero of=x bs=1 count=10000
	done
	run weir info trace
	status_is 0
	says "calls      $(weir dump --format csv trace | sed 1d | wc -l)"
	says 'processes  2, '
	says ' calls that later ones overwrote (--ring)'
	weir info --format json trace >json
	weir dump --format jsonl trace >events
	python3 - <<'END'
import json

info = json.load(open("json"))
last = max(json.loads(line)["start"] for line in open("events"))
assert abs(info["end_ns"] - info["begin_ns"] - last) < 1e6, (info, last)
END
}

@test "a trace of sums" {
	weir run -q --profile -o trace -- \
		dd if=/dev/zero of=x bs=1 count=10000
	run weir info trace
	status_is 0
	says ': complete'
	says ', in sums (--profile)'
	weir info --format json trace >json
	[ "$(field calls)" -gt 10000 ]
	[ "$(field calls_exact)" = True ]
}

@test "files are counted by the mount that they lie on" {
	unshare -m true || skip "mounting needs root"
	mkdir -p 'early ones' late
	unshare -m --propagation private sh -c '
		mount -t tmpfs early "early ones" &&
		"$WEIR" run -q -o trace -- sh -c "
			echo 1 >here; echo 2 >\"early ones/a\"
			mount -t tmpfs late late; echo 3 >late/b; echo 4 >late/c"'
	weir info --format json trace >json
	weir anon trace public 2>/dev/null
	weir info --format json public >hidden
	python3 - <<'END'
import json
import os

told = json.load(open("json"))["mounts"]
hidden = json.load(open("hidden"))["mounts"]
assert [(m["type"], m["files"]) for m in told] == [
    (m["type"], m["files"]) for m in hidden]
mounts = {m["point"]: m for m in told}
early, late = (mounts[os.path.realpath(n)] for n in ("early ones", "late"))
assert (early["type"], early["files"]) == ("tmpfs", 1), mounts
# mount(8) itself may have looked at the point
assert late["type"] == "tmpfs" and late["files"] in (2, 3), mounts
assert "/proc" in mounts and sum(m["files"] for m in mounts.values()) > 3
END
	run weir info trace
	says "tmpfs $(realpath late) ("
	says "tmpfs $(realpath 'early ones') (1 file)"
}

@test "a trace that is being recorded" {
	weir run -q -o trace -- sh -c '
		echo one >one
		until [ -e stop ]; do cat one >two; sleep 0.05; done' 3>&- &
	run=$!
	until [ -e two ]; do sleep 0.05; done
	run weir info trace
	status_is 0
	says 'trace: recording by '
	says 'calls      about '
	says 'not ended)'
	touch stop
	wait $run
	run weir info trace
	says 'trace: complete'
}

@test "raw, damaged and single files" {
	run weir info "$GOLDEN/raw.weir"
	status_is 0
	says ': raw; weir pack completes it'
	says 'calls      about '
	run weir info "$GOLDEN/packed.weir"
	status_is 0
	says ': complete'
	says "calls      $(weir dump --format jsonl "$GOLDEN/packed.weir" |
		grep -cv '"weir:loss"\|"entered"'): "
	head -c $(($(stat -c %s "$GOLDEN/packed.weir") - 20)) \
		"$GOLDEN/packed.weir" >cut.weir
	run weir info cut.weir
	status_is 4
	says ': damaged'
	says 'missing    1 files without their end'
}

@test "settings in the HEAD that are not known are shown" {
	weir run -q -o trace -- true
	python3 - trace/*.weir <<'END'
import ctypes
import struct
import sys

xxh3 = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
xxh3.restype = ctypes.c_uint64


def check(data):
    return xxh3(data, ctypes.c_size_t(len(data)))


text = b"format=1\nmult=4294967296\nmode=ring\n".ljust(40, b"\n")
head = b"WEIRblk1" + struct.pack("<6I2QI", 1, 40, 0, 0, 0, 0, 0, 0, 0)
head += struct.pack("<IQ", check(head) & 0xffffffff, check(text))
with open(sys.argv[1], "ab") as out:
    out.write(head + text)
END
	run weir info trace
	status_is 0
	says 'settings   mode=ring'
}

@test "what is no trace is refused" {
	run weir info nowhere
	status_is 5
	head -c 5000 /dev/zero >garbage.weir
	run weir info garbage.weir
	status_is 5
	says 'not a trace'
	: >nothing.weir
	run weir info nothing.weir
	status_is 5
	says 'nothing.weir: not a trace'
	mkdir empty
	run weir info empty
	status_is 5
	run weir info --format xml nowhere
	status_is 2
}
