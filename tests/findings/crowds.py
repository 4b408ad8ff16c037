# SPDX-License-Identifier: BSD-3-Clause
"""Cases of several processes that are at work on one file."""
from cases import case

# Children write to what their parent has opened, so that all have it open.
MEETING = [
    case("interleaved-writes: 100 bytes of each in turns",
         "open:wc:out fork:4{ 400{ pwrite:100:%400+&100 } } close",
         "interleaved-writes strided-writes"),
    case("interleaved-writes: a part for each",
         "open:wc:out fork:4{ 400{ pwrite:100:%100+&1m } } close",
         "small-writes"),
    case("interleaved-writes: one large piece for each",
         "open:wc:out fork:4{ pwrite:40k:&64k } close"),
    case("interleaved-writes: one too few",
         "open:wc:out fork:3{ 333{ pwrite:100:%300+&100 } } close"),
    case("interleaved-writes: just enough",
         "open:wc:out fork:2{ 500{ pwrite:100:%200+&100 } } close",
         "interleaved-writes"),
    case("interleaved-writes: less than half of the file's",
         "open:wc:out fork:2{ 500{ pwrite:100:%200+&100 } "
         "510{ pwrite:8:%64k+&64m+1m } } close", "strided-writes"),
    case("interleaved-writes: just half of the file's",
         "open:wc:out fork:2{ 500{ pwrite:100:%200+&100 } "
         "500{ pwrite:8:%64k+&64m+1m } } close",
         "interleaved-writes strided-writes"),
    case("interleaved-writes: of one file among others that are fine",
         "open:wc:out fork:2{ 500{ pwrite:100:%200+&100 } open:wc:b@ "
         "999{ pwrite:100:?9m } close } close", "interleaved-writes "
         "scattered-writes"),
    case("interleaved-writes: pieces of 32 KiB",
         "open:wc:out fork:4{ 250{ pwrite:32k:%128k+&32k } } close",
         "interleaved-writes"),
    case("interleaved-writes: a block of its own for each piece",
         "open:wc:out fork:4{ 255{ pwrite:100:%256k+&64k } } close",
         "strided-writes"),
    case("interleaved-writes: large pieces",
         "open:wc:out fork:4{ 20{ pwrite:64k:%256k+&64k } } close"),
    case("interleaved-writes: one after the other, each all of the file",
         "2{ fork:1{ open:wct:out 600{ write:100 } close } }",
         "small-writes"),
    case("interleaved-writes: lines that all append",
         "fork:4{ open:wca:log 400{ write:80 } close }", "small-writes"),
    case("interleaved-writes: a file for each",
         "fork:4{ open:wc:out@ 400{ write:100 } close }", "small-writes"),
    case("misaligned-writes: 100 000 bytes of each in turns",
         "open:wc:out fork:4{ 30{ pwrite:100000:%400000+&100000 } } close",
         "misaligned-writes"),
    case("misaligned-writes: whole pages",
         "open:wc:out fork:4{ 30{ pwrite:96k:%384k+&96k } } close"),
    case("misaligned-writes: padded",
         "open:wc:out fork:4{ 30{ pwrite:100000:%400k+&100k } } close"),
    case("misaligned-writes: one too few",
         "open:wc:out fork:2{ 50{ pwrite:100000:%200000+&100000 } } close"),
    case("misaligned-writes: just enough",
         "open:wc:out fork:2{ 50{ pwrite:100000:%200000+&100000 } } "
         "pwrite:100000:10000000 close", "misaligned-writes"),
    case("misaligned-writes: less than half of the file's",
         "open:wc:out fork:4{ 30{ pwrite:100000:%400000+&100000 } "
         "31{ pwrite:64k:%64k+&4m+16m } } close"),
    case("misaligned-writes: just half of the file's",
         "open:wc:out fork:4{ 30{ pwrite:100000:%400000+&100000 } "
         "29{ pwrite:64k:%64k+&4m+16m } } close", "misaligned-writes"),
    case("misaligned-writes: a part for each, met only at its ends",
         "open:wc:out fork:4{ 30{ pwrite:100000:%100000+&3000000 } } close"),
    case("misaligned-writes: by one process",
         "fork:1{ stat:out } open:wc:out 130{ write:100000 } close"),
    case("misaligned-writes: one after the other, each all of the file",
         "3{ fork:1{ open:wct:out 50{ write:100000 } close } }"),
    case("writes-in-turns: each rank waits for the others",
         "ranks:4 3{ lock:turn open:wc:out 5{ pwrite:8m:&8m } close unlock "
         "sleep:2 }", "writes-in-turns", "uneven-ranks"),
    case("writes-in-turns: all at a time",
         "ranks:4 open:wc:out 3{ 5{ pwrite:8m:&8m } } close",
         maybe="uneven-ranks"),
    case("writes-in-turns: a file for each",
         "ranks:4 open:wc:out@ 3{ lock:turn 2{ pwrite:8m:0 } unlock "
         "sleep:2 } close", maybe="uneven-ranks"),
    case("writes-in-turns: of three ranks",
         "ranks:3 3{ lock:turn open:wc:out 2{ pwrite:8m:&8m } close unlock "
         "sleep:2 }"),
    case("writes-in-turns: processes that are no ranks",
         "fork:4{ 3{ lock:turn open:wc:out 2{ pwrite:8m:&8m } close unlock "
         "sleep:2 } }"),
    case("writes-in-turns: a few bytes each",
         "ranks:4 3{ lock:turn open:wc:out pwrite:100k:&100k close unlock "
         "sleep:2 }", maybe="uneven-ranks"),
    case("writes-in-turns: with other work between them",
         "ranks:4 2{ lock:turn open:wc:out pwrite:1m:&1m close sleep:30 "
         "unlock sleep:2 }", maybe="uneven-ranks"),
]

# Who else is at work on the bytes: parents go on when children have ended.
SHARED = [
    case("unsynced-reads: before the writer has synced",
         "open:wc:out write:4k fork:1{ open:r:out read:4k close } close",
         "unsynced-reads"),
    case("unsynced-reads: after it has closed",
         "open:wc:out write:4k close fork:1{ open:r:out read:4k close }"),
    case("unsynced-reads: of other bytes",
         "open:wc:out write:4k fork:1{ open:r:out pread:4k:8k close } close"),
    case("unsynced-reads: of what it has written itself",
         "open:+c:out write:4k pread:4k:0 close"),
    case("unsynced-writes: before the first has synced",
         "open:wc:out write:4k fork:1{ open:w:out write:4k close } close",
         "unsynced-writes"),
    case("unsynced-writes: after it has closed",
         "open:wc:out write:4k close fork:1{ open:w:out write:4k close }"),
    case("unsynced-writes: bytes of its own each",
         "open:wc:out write:4k fork:1{ open:w:out pwrite:4k:4k close } "
         "close"),
    case("stale-reads: synced, but not closed",
         "open:wc:out write:4k fsync fork:1{ open:r:out read:4k close } "
         "close", "stale-reads"),
    case("stale-reads: opened when it was closed",
         "open:wc:out write:4k fsync close fork:1{ open:r:out read:4k "
         "close }"),
    case("stale-writes: synced, but not closed",
         "open:wc:out write:4k fsync fork:1{ open:w:out write:4k close } "
         "close", "stale-writes"),
    case("stale-writes: opened when it was closed",
         "open:wc:out write:4k fsync close fork:1{ open:w:out write:4k "
         "close }"),
]

CASES = [*MEETING, *SHARED]
