#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir dump --format catamount: the same calls as in the other formats.

load common

record() {
	weir run -q -o trace -- python3 - <<'END'
import os
import subprocess

fd = os.open("a (strange)\nname", os.O_RDWR | os.O_CREAT, 0o640)
os.writev(fd, [b"abc", b"defg"])
os.pwritev(fd, [b"abc", b"defg"], 100)
os.pread(fd, 10, 2)
os.fstat(fd)
try:
    os.read(77, 5)
except OSError:
    pass
for _ in range(3):
    subprocess.run(["sh", "-c", "echo hello >one; cat one >two; rm one two"])
END
}

@test "entries, exits and sets are as many as csv tells" {
	record
	weir dump --format catamount trace >text
	weir dump --format csv trace >table
	python3 - <<'END'
import collections
import csv
import re

LINE = re.compile(r"tracetype\((ENTER|EXIT)\)time:\((\d+)\)time:\((\d{1,6})\)"
                  r"str\(([^()]+)\)(.*)")
HEADER = re.compile(r"header\(65279,headernode\(.+\.(\d+)\)"
                    r"headerlength\((\d+)\)\)")


def spaced(rest):
    """Words with values, nested, and nothing else."""
    while True:
        shorter = re.sub(r"[a-z_]+\([^()]*\)", "", rest)
        if shorter == rest:
            return rest
        rest = shorter


rows = list(csv.DictReader(open("table")))
assert all(row["call"] != "weir:loss" for row in rows)
sets = collections.OrderedDict()
for row in sorted(rows, key=lambda row: int(row["proc"])):
    sets.setdefault(row["proc"], []).append(row)
assert len(sets) > 6
expected = iter(sets.values())
told, lines = [], open("text", encoding="utf-8").read().splitlines()
for line in lines:
    header = HEADER.fullmatch(line)
    if header:
        assert int(header[2]) == len(line) + 1
        told.append((header[1], []))
        continue
    kind, seconds, micro, call, rest = LINE.fullmatch(line).groups()
    assert spaced(rest).strip(",") == "", line
    time = int(seconds) * 1000000 + int(micro)
    assert not told[-1][1] or told[-1][1][-1][1] <= time, line
    told[-1][1].append((kind, time, call, rest))
assert len(told) == len(sets)
for (pid, events), rows in zip(told, sets.values()):
    assert pid == rows[0]["pid"]
    for kind, skip in ("ENTER", None), ("EXIT", "entered"):
        assert collections.Counter(e[2] for e in events if e[0] == kind) == \
            collections.Counter(row["call"] for row in rows
                                if row["flags"] != skip)
    returns = sorted(e[3] for e in events
                     if e[0] == "EXIT" and e[2] in ("read", "write", "open"))
    assert returns == sorted(
        f'return({row["ret"]})' + (f'errno({row["err"]})' * bool(row["err"]))
        for row in rows if row["call"] in ("read", "write", "open"))
END
}

@test "what a program does is there in the old words" {
	record
	run weir dump --format catamount --process python trace
	status_is 0
	says 'str(open)str(a \x28strange\x29\x0aname)flags('
	says ')mode(416)'
	says 'str(writev)fd('
	says ')len(3),base(0x'
	says ')len(4))count(1)yxtvec(off(100)len(7))'
	says ')ziovec(base(0x0)len(10))off(2)'
	says 'str(read)return(-1)errno(9)'
	says 'str(fstat)return(0)stat(st_dev('
}

@test "many processes are read once, not once each" {
	echo some >file
	weir run -q -o trace -- sh -c \
		'i=0; while [ $i -lt 300 ]; do cat file >>to; i=$((i + 1)); done'
	python3 - "$WEIR" <<'END'
import os
import subprocess
import sys

size = sum(entry.stat().st_size for entry in os.scandir("trace"))
with open("text", "w") as text:
    dump = subprocess.Popen([sys.argv[1], "dump", "--format", "catamount",
                             "trace"], stdout=text)
os.waitid(os.P_PID, dump.pid, os.WEXITED | os.WNOWAIT)
facts = dict(line.split(": ") for line in open(f"/proc/{dump.pid}/io"))
assert dump.wait() == 0
sets = sum(line.startswith("header(") for line in open("text"))
assert sets > 300
# Once for the index and once for the events; the loader reads, too.
assert int(facts["rchar"]) < 3 * size + 200000, (facts, size)
END
}

@test "transfers tell their memory, whatever the call" {
	weir run -q -o trace -- python3 - <<'END'
import os

fd = os.open("plain", os.O_RDWR | os.O_CREAT, 0o640)
os.write(fd, b"thirteen byte")
os.pwrite(fd, b"thirteen byte", 100)
os.lseek(fd, 0, 0)
os.read(fd, 20)
os.pread(fd, 7, 3)
END
	weir dump --file '*/plain' --format catamount trace |
		sed -n 's/^tracetype(ENTER).*str(\(p*[rw][a-z]*\))fd([0-9]*)/\1 /p' >told
	diff told - <<'END'
write ziovec(base(0x0)len(13))
pwrite ziovec(base(0x0)len(13))off(100)
read ziovec(base(0x0)len(20))
pread ziovec(base(0x0)len(7))off(3)
END
}
