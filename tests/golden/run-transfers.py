#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What dump --format catamount prints of real recordings, line by line.

usage: run-transfers.py TRANSFERS

The program says at its end where its memory is; times alone are not
compared."""
import os
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, events, run  # noqa: E402

TRANSFERS = os.path.abspath(sys.argv[1])
TIMES = re.compile(r"time:\(\d+\)time:\(\d+\)")

# Of a write, what Klundt, Ward and Weston printed of iwritev; of a pwritev,
# what they printed of iwritex.
MUST = """\
ENTER str(open)str(plain)flags(578)mode(420)
EXIT str(open)return(3)
ENTER str(write)fd(3)ziovec(base({0})len(524288))
EXIT str(write)return(524288)
ENTER str(pwrite)fd(3)ziovec(base({1})len(300))off(4096)
EXIT str(pwrite)return(300)
ENTER str(pread)fd(3)ziovec(base({2})len(77))off(11)
EXIT str(pread)return(77)
ENTER str(lseek)fd(3)off(0)whence(0)
EXIT str(lseek)return(0)
ENTER str(read)fd(3)ziovec(base({3})len(5))
EXIT str(read)return(5)
ENTER str(read)fd(77)ziovec(base({0})len(10))
EXIT str(read)return(-1)errno(9)
ENTER str(writev)fd(3)ziovec(base({10})len(10),base({100})len(10),base({30})\
len(10),base({50})len(17))
EXIT str(writev)return(47)
ENTER str(readv)fd(3)ziovec(base({10})len(10),base({100})len(10))
EXIT str(readv)return(20)
ENTER str(pwritev)fd(3)count(4)ziovec(base({10})len(10),base({100})len(10),\
base({30})len(10),base({50})len(17))count(1)yxtvec(off(50)len(47))
EXIT str(pwritev)return(47)
ENTER str(preadv)fd(3)count(2)ziovec(base({10})len(10),base({100})len(10))\
count(1)yxtvec(off(1)len(20))
EXIT str(preadv)return(20)
ENTER str(aio_write)fd(3)ziovec(base({3})len(13))off(100)
EXIT str(aio_write)ptr({block})
ENTER str(aio_return)ptr({block})
EXIT str(aio_return)return(13)
ENTER str(aio_read)fd(3)ziovec(base({5})len(15))off(7)
EXIT str(aio_read)ptr({block})
ENTER str(aio_return)ptr({block})
EXIT str(aio_return)return(15)
ENTER str(lio_listio)mode(0)n(2)
ENTER str(aio_op)op(1)fd(3)ziovec(base({8})len(18))off(100)
EXIT str(aio_op)ptr({first})
ENTER str(aio_op)op(0)fd(3)ziovec(base({40})len(50))off(20)
EXIT str(aio_op)ptr({second})
ENTER str(aio_done)ptr({first})
EXIT str(aio_done)return(18)
ENTER str(aio_done)ptr({second})
EXIT str(aio_done)return(50)
EXIT str(lio_listio)return(0)
ENTER str(fopen)str(stream)str(w+)
EXIT str(fopen)return(4)
ENTER str(fwrite)fd(4)ziovec(base({9})len(200))
EXIT str(fwrite)return(200)
ENTER str(rewind)fd(4)
ENTER str(stream_flush)fd(4)len(200)
EXIT str(stream_flush)return(200)
EXIT str(rewind)
ENTER str(fread)fd(4)ziovec(base({7})len(100))
ENTER str(stream_fill)fd(4)len(200)
EXIT str(stream_fill)return(200)
EXIT str(fread)return(100)
ENTER str(fclose)fd(4)
EXIT str(fclose)return(0)
ENTER str(close)fd(3)
EXIT str(close)return(0)
"""
MAY = ("aio_error", "aio_suspend")  # as often as it takes


def expected(addresses):
    """With the addresses that the program told, as the text writes them."""
    memory, block, first, second = (int(word, 16) for word in addresses)
    named = {"block": block, "first": first, "second": second}
    return re.sub(r"\{(\w+)\}", lambda m: "0x%X" % (
        named.get(m[1]) or memory + int(m[1])), MUST).splitlines()


def told(trace):
    """The lines of a trace of one process, without their times."""
    text = run(WEIR, "dump", "--format", "catamount", trace).stdout
    head, *lines = text.splitlines()
    own = next(i for i, line in enumerate(lines) if "(printf)" in line)
    lines = [re.sub(r"tracetype\((\w+)\)", r"\1 ", TIMES.sub("", line, 1))
             for line in lines[:own]]
    return head, [line for line in lines
                  if not line.split("str(")[1].startswith(MAY)]


def record(trace, *options):
    return run(WEIR, "run", "-q", *options, "-o", trace, "--",
               TRANSFERS).stdout.split()


def with_pointers(tap):
    must = expected(record("with", "--pointers"))
    head, lines = told("with")
    wrong = [f"{a}\n  must be {b}" for a, b in zip(lines, must) if a != b]
    tap.result(lines == must, f"{len(must)} lines are those of old",
               wrong[:5] + [f"{len(lines)} lines"])
    tap.result(re.fullmatch(r"header\(65279,headernode\([^.]+\.\d+\)"
                            rf"headerlength\({len(head) + 1}\)\)", head),
               "so is the header", [head])


def without(tap):
    must = expected(record("without"))
    plain = [line if "v)fd" in line else
             re.sub(r"base\(0x\w+\)", "base(0x0)", line) for line in must]
    _, lines = told("without")
    tap.result(lines == plain, "without --pointers only vectors have them",
               [f"{a}\n  must be {b}" for a, b in zip(lines, plain)
                if a != b][:5])
    tap.result(all("buf" not in e.get("args", {}) for e in events("without")),
               "and no field is there")


def given_away(tap):
    run(WEIR, "anon", "with", "public")
    _, lines = told("public")
    bases = set(re.findall(r"base\((\w+)\)", "\n".join(lines)))
    tap.result(bases == {"0x0"}, "weir anon drops them", sorted(bases)[:5])


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-transfers-") as name:
        os.chdir(name)
        for part in (with_pointers, without, given_away):
            part(tap)
        os.chdir("/")
    return tap.done()


sys.exit(main())
