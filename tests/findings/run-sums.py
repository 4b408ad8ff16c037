#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Findings of profiles: what sums show, marked as such, and nothing else.

usage: run-sums.py WORKLOAD
"""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import play  # noqa: E402
from cases import DATA, Input, case  # noqa: E402
from weirtool import WEIR, Tap, in_whole, run  # noqa: E402

CASES = [
    case("small writes", "open:wc:out 2000{ write:512 } close",
         "small-writes"),
    case("few small writes", "open:wc:out 900{ write:512 } close"),
    case("large writes", "open:wc:out 20{ write:1m } close"),
    case("small writes all over the file",
         "open:wc:out 2000{ pwrite:100:?900m } close"),
    case("small reads", "open:r:data 2000{ read:512 } close", "small-reads",
         has=DATA),
    case("of what the system makes up",
         "open:r:/proc/self/status 2000{ pread:512:%0 } close"),
    case("a sync storm", "open:wc:out 30{ write:100 fsync } close",
         "frequent-syncs"),
    case("a sync for each step", "open:wc:out 12{ write:1m fsync } close"),
    case("opens again and again", "200{ open:r:data read:100 close }",
         "repeated-opens", has=DATA),
    case("opens for much work", "110{ open:wct:out write:1m close }"),
    case("opens of a lock that is removed",
         "200{ open:wcx:lock close unlink:lock }"),
    case("buffers of streams", "fopen:w:out 8000{ fwrite:1k } fclose",
         "stream-buffers"),
    case("buffers of streams that are large",
         "fopen:w:out setvbuf:1m 8000{ fwrite:1k } fclose"),
    case("flushed streams", "fopen:w:out 2000{ fwrite:80 fflush } fclose",
         "flushed-streams"),
    case("more names than bytes", "1000{ open:r:e@ read:1 close }",
         "metadata-share", has=(Input("e@", 1, 1000),)),
    case("one rank is slow",
         "ranks:4 rank:0{ wait:160:lock@ } but:0{ wait:40:lock@ }",
         "uneven-ranks"),
]


def told(case, scratch):
    folder, trace = scratch / "files", scratch / "trace"
    play.lay_out(folder, case.has)
    subprocess.run([WEIR, "run", "--all", "-q", "--profile", "-o", trace,
                    "--", *case.command], cwd=folder, check=True,
                   stdin=subprocess.DEVNULL, capture_output=True)
    return json.loads(run(WEIR, "report", "--json", trace).stdout)


def judge(tap, case):
    found = in_whole(lambda scratch: told(case, scratch))["findings"]
    wrong = [] if {one["id"] for one in found} == case.fires else found
    wrong += [one for one in found if one["from"] != "sums" or
              not one["because"].startswith("from sums: ") or
              one["saving"] > one["time"] or one["evidence"]]
    tap.result(not wrong, case.name, [json.dumps(one) for one in wrong])


def main():
    workload, tap = os.path.abspath(sys.argv[1]), Tap()
    for one in CASES:
        judge(tap, one._replace(command=[workload, *one.command]))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
