#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Settings of a plan for libc's opens, with strace as the judge.

usage: run-posix.py OPENER CROWD

Each setting must be seen as the system call that it stands for, on the files
that it is for and no others; programs must leave the same bytes and tell the
same as without us.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import planned  # noqa: E402
from weirtool import Tap  # noqa: E402

PYTHON = "/usr/bin/python3"
SEEN = "openat,open,creat,read,write,fadvise64,readahead,fallocate,execve"
LINE = re.compile(r"(\d+) +(\w+)\((\d+)<([^>]*)>(?:, (.*))?\) += (-?\d+)")
OURS = {"fadvise64", "readahead", "fallocate"}
PIECE = 1000
MOST = 1024  # streams that have buffers of ours at a time


class Seen:
    """What the kernel was asked to do with one file, in order."""

    def __init__(self, lines, file):
        matches = [LINE.match(line) for line in lines]
        self.calls = [(m[2], m[5] or "", int(m[6])) for m in matches
                      if m and m[4] == str(file)]

    def of(self, name):
        return [(rest, ret) for call, rest, ret in self.calls if call == name]

    def sizes(self, name):
        return [ret for _, ret in self.of(name) if ret > 0]

    def ours(self):
        return [(call, rest) for call, rest, _ in self.calls if call in OURS]


def masked(name):
    """Names that the program made up are all the same."""
    return re.sub(r"-\w{6}$", "", name)


def filled(place, files):
    place.mkdir()
    for name, size in files:
        (place / name).write_bytes(b"0123456789abcde\n" * (size // 16))
    return place


def content(place):
    return {masked(path.name): path.read_bytes() for path in place.iterdir()}


class Play:
    """One run of a command without us, and one with some settings."""

    def __init__(self, scratch, settings, command, files, options):
        bare = filled(scratch / "bare", files)
        plain = subprocess.run(command, cwd=bare, capture_output=True,
                               text=True, stdin=subprocess.DEVNULL)
        self.place = filled(scratch / "planned", files)
        log = scratch / "strace.log"
        done, self.events = planned.run(
            scratch, settings, ["strace", "-f", "-y", "-e", f"trace={SEEN}",
                                "-o", log, *command], options, cwd=self.place)
        self.lines = log.read_text().splitlines()
        self.stderr = done.stderr
        self.same = (plain.stdout, content(bare)) == \
            (done.stdout, content(self.place))
        self.outputs = [plain.stdout, done.stdout, done.stderr]
        self.names = {masked(path.name): path for path in self.place.iterdir()}
        self.blocks = {name: path.stat().st_blocks * 512
                       for name, path in self.names.items()}

    def seen(self, name):
        return Seen(self.lines, self.names.get(name, name))

    def effects(self, name):
        return planned.effects(self.events, self.names[name])

    def told(self, name, call):
        return [e for e in self.events if e["call"] == call and
                e.get("file") == str(self.names[name])]


class Posix:
    def __init__(self, tap, opener):
        self.tap, self.opener, self.last = tap, opener, None

    def play(self, settings, *words, files=(), command=None, options=()):
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            self.last = Play(Path(scratch), settings, command or
                             [self.opener, *map(str, words)], files, options)
        return self.last

    def check(self, passed, name):
        play = self.last
        self.tap.result(bool(passed), name, () if passed else
                        [f"same: {play.same}", *play.outputs, *play.lines[-30:],
                         *planned.effects(play.events)])

    # after an open

    def advice(self):
        for word in ("normal", "random", "sequential", "willneed", "dontneed",
                     "noreuse"):
            play = self.play([("fadvise", word)], "read", "in", 0,
                             files=[("in", 64000)])
            seen = play.seen("in")
            wanted = [(f"0, 0, POSIX_FADV_{word.upper()}", 0)]
            verdicts = {v for _, _, v, _ in play.effects("in")}
            self.check(seen.of("fadvise64") == wanted and play.same and
                       seen.calls[0][0] == "fadvise64" and
                       len(verdicts) == 1 and verdicts <= {"given", "inert"},
                       f"fadvise {word}")
            self.check(not play.told("in", "posix_fadvise"),
                       f"fadvise {word} is not taken for the program's own")

    def reading_ahead(self):
        play = self.play([("readahead", "64K")], "read", "in", 0, "create",
                         "out", 3, files=[("in", 640000)])
        seen = play.seen("in")
        self.check(seen.of("readahead") == [("0, 65536", 0)] and
                   seen.calls[0][0] == "readahead" and play.same,
                   "readahead")
        self.check(not play.seen("out").ours() and
                   not play.effects("out") and
                   not play.told("in", "readahead"),
                   "readahead: not of a file that is written")

    def preallocation(self):
        play = self.play([("preallocate", "1M")], "create", "new", 3, "append",
                         "there", 2, "read", "there", 0, "creat", "old", 1,
                         files=[("there", 1600), ("old", 8000)])
        wanted = [("FALLOC_FL_KEEP_SIZE, 0, 1048576", 0)]
        self.check(play.seen("new").of("fallocate") == wanted and
                   play.seen("old").of("fallocate") == wanted and play.same
                   and not play.told("new", "fallocate"), "preallocate")
        self.check(play.blocks["new"] >= 1 << 20 and play.effects("new") ==
                   [("preallocate", "1048576", "took", "1048576")],
                   "preallocate: the file has its blocks")
        self.check(not play.seen("there").ours() and
                   not play.effects("there"),
                   "preallocate: a file with data is left alone")

    def too_much(self):
        play = self.play([("preallocate", "64T")], "create", "new", 3)
        self.check(play.same and not play.seen("new").ours() and
                   [e[2] for e in play.effects("new")] == ["refused"],
                   "preallocate: more than there is")

    # of streams

    def buffer(self):
        count = 300
        whole = count * PIECE
        play = self.play([("stdio_buffer", "64K")], "fwrite", "out", count)
        writes = play.seen("out").sizes("write")
        flushes = [e["ret"] for e in play.told("out", "stream_flush")]
        self.check(writes == [65536] * 4 + [whole - 4 * 65536] and play.same
                   and flushes == writes, "stdio_buffer: writes")
        self.check(play.effects("out") ==
                   [("stdio_buffer", "65536", "took", "65536")] and
                   not play.told("out", "setvbuf"), "stdio_buffer: told")
        bare = self.play([], "fwrite", "out", count)
        self.check(len(bare.seen("out").sizes("write")) > 70 and
                   bare.same, "stdio_buffer: many more without a plan")
        play = self.play([("stdio_buffer", "64K")], "fread", "in", 0,
                         files=[("in", 200000)])
        self.check(play.seen("in").sizes("read") == [65536] * 3 + [3392]
                   and play.same, "stdio_buffer: reads")

    def own_ways(self):
        plan = [("stdio_buffer", "64K")]
        play = self.play(plan, "own-buffer", "a", 10, "lines", "b", 2,
                         "fdopen", "c", 100, "freopen", "d", 100,
                         "fopen-a", "e", 100, "fopen-x", "f", 100)
        wanted = [65536, 100 * PIECE - 65536]
        self.check(play.same and play.seen("a").sizes("write") ==
                   [2 * PIECE] * 5, "a buffer of the program's own wins")
        self.check(len(play.seen("b").sizes("write")) >= 2,
                   "a stream that is flushed by lines stays so")
        for name, way in zip("cdef", ("fdopen", "freopen", "append",
                                      "exclusive")):
            self.check(play.seen(name).sizes("write") == wanted,
                       f"stdio_buffer: {way}")

    # for which files

    def patterns(self):
        plan = [("fadvise", "sequential", {"file": "*.dat"}),
                ("fadvise", "random", {"file": "*/sub*.dat"}),
                ("stdio_buffer", "8K", {"file": "out*"})]
        play = self.play(plan, "read", "a.dat", 0, "read", "subset.dat", 0,
                         "read", "a.log", 0, "fwrite", "out1", 20, "fwrite",
                         "put", 20, files=[("a.dat", 160), ("subset.dat", 160),
                                           ("a.log", 160)])
        self.check(play.same and play.seen("a.dat").ours() ==
                   [("fadvise64", "0, 0, POSIX_FADV_SEQUENTIAL")],
                   "a pattern")
        self.check(play.seen("subset.dat").ours() ==
                   [("fadvise64", "0, 0, POSIX_FADV_RANDOM")],
                   "the later of two patterns")
        self.check(not play.seen("a.log").ours(), "other files")
        self.check(max(play.seen("out1").sizes("write")) == 8192 and
                   max(play.seen("put").sizes("write")) == 4096,
                   "streams by pattern")

    def spellings(self):
        """Of one name, in plans and programs."""
        ways = ("a.dat", "./a.dat", "x/../a.dat", ".//a.dat",
                '"$PWD/a.dat"', '"/$PWD/x/..//a.dat"')
        for pattern in ("*/planned/a.dat", "planned/a.dat", "./a.dat",
                        "*/planned//x/../a.dat"):
            play = self.play([("fadvise", "random", {"file": pattern})],
                             command=["sh", "-c", "mkdir x\n" +
                                      "".join(f"cat {way}\n" for way in ways)
                                      + "rmdir x"],
                             files=[("a.dat", 160)])
            found = planned.effects(play.events)
            self.check(len(found) == len(ways),
                       f"{pattern} is for each spelling")

    def ways(self):
        """All calls that open, each seen once."""
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as other:
            there = Path(other, "o")
            there.write_bytes(b"x" * 100)
            play = self.play(
                [("fadvise", "random")], "syscall", "s", 0, "openat", there, 0,
                "temporary", "t", 1, "creat", "c", 1, "exclusive", "x", 1,
                "syscall-creates", "y", 1, "fread", "s", 0,
                files=[("s", 160)])
        advice = ("fadvise64", "0, 0, POSIX_FADV_RANDOM")
        self.check(play.same, "every way to open: the same comes out")
        for name, times in {"s": 2, "t": 1, "c": 1, "x": 1, "y": 1,
                            there: 1}.items():
            self.check(play.seen(name).ours() == [advice] * times,
                       f"every way to open: {Path(name).name}")

    def failures(self):
        play = self.play([("fadvise", "random"), ("stripe_count", "4"),
                          ("stdio_buffer", "64K")],
                         "absent", "none", 0, "nowhere", "none", 0, "fread",
                         "none", 0, "exclusive", "there", 0, "fopen-x",
                         "there", 0, files=[("there", 160)])
        self.check(play.same and not play.effects("there") and
                   not any(play.seen(name).ours() for name in play.names),
                   "what cannot be opened fails as before")

    def children(self):
        play = self.play([("fadvise", "random"), ("stdio_buffer", "16K")],
                         "read", "a", 0, "fork", "-", 0, "read", "b", 0,
                         "fwrite", "c", 50, files=[("a", 160), ("b", 160)])
        advice = [("fadvise64", "0, 0, POSIX_FADV_RANDOM")]
        self.check(play.same and play.seen("a").ours() == advice and
                   play.seen("b").ours() == advice, "a child's files")
        self.check(play.seen("c").sizes("write") ==
                   [16384] * 3 + [50 * PIECE - 3 * 16384],
                   "a child's streams")

    # other programs

    def others(self):
        files = [("in", 64000)]
        play = self.play([("readahead", "32K")], files=files,
                         command=["cat", "in"])
        self.check(play.same and play.seen("in").of("readahead") ==
                   [("0, 32768", 0)], "cat")
        script = "open('out', 'w').write(str(len(open('in').read())))"
        play = self.play([("fadvise", "willneed", {"file": "*/in"}),
                          ("preallocate", "64K", {"file": "*/out"})],
                         command=[PYTHON, "-c",
                                  "open('in', 'w').write('x' * 9);" + script])
        self.check(play.same and play.seen("in").ours() ==
                   [("fadvise64", "0, 0, POSIX_FADV_WILLNEED")] * 2 and
                   play.seen("out").ours() ==
                   [("fallocate", "FALLOC_FL_KEEP_SIZE, 0, 65536")],
                   "Python")

    def unrecorded(self):
        """What is not recorded is adjusted and counted all the same."""
        play = self.play([("fadvise", "random", {"file": "*/in"})], "read",
                         "in", 0, files=[("in", 160)],
                         options=["--exclude", "**/in"])
        self.check(play.same and len(play.seen("in").ours()) == 1 and
                   not play.effects("in") and
                   "fadvise" in play.stderr, "a file left out")

    def system_files(self):
        play = self.play([("fadvise", "random")], "read", "/usr/lib/os-release", 0,
                         "read", "in", 0, files=[("in", 160)])
        self.check(play.same and
                   not play.seen("/usr/lib/os-release").ours() and
                   play.seen("in").ours(), "files of the system")

    def crowd(self, program):
        """From many threads, and more streams than there are buffers."""
        count = MOST + 50
        with tempfile.TemporaryDirectory(prefix="weir-plan-") as scratch:
            place = Path(scratch) / "files"
            place.mkdir()
            done, events = planned.run(
                scratch, [("stdio_buffer", "4K", {"file": f"{place}/**"})],
                [program, place, str(count)], ["--buffer", "64M"])
        verdicts = [effect[2] for effect in planned.effects(events)]
        self.tap.result(verdicts.count("refused") == 50 and
                        set(verdicts) == {"took", "refused"},
                        "a crowd of streams", [done.stderr])

    def all(self):
        for check in (self.advice, self.reading_ahead, self.preallocation,
                      self.too_much, self.buffer, self.own_ways,
                      self.patterns, self.spellings, self.ways, self.failures,
                      self.children, self.others, self.unrecorded,
                      self.system_files):
            check()


def main():
    tap = Tap()
    if not shutil.which("strace"):
        print("strace is not installed")
        return 77
    posix = Posix(tap, os.path.abspath(sys.argv[1]))
    posix.all()
    posix.crowd(os.path.abspath(sys.argv[2]))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
