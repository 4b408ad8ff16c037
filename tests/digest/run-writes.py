#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What events say was written is what is in the file, whatever call wrote it;
and what cannot be known is doubted.

usage: run-writes.py PROGRAM
"""
import sys
from pathlib import Path

import oracle

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import weirtool  # noqa: E402
from weirtool import Tap  # noqa: E402

OVERWRITTEN, TRUNCATED, MAPPED, COPIED, SHARED = 4, 8, 16, 32, 64
WIDE, SHORT, COARSE = 512, 2048, 16384
# case: doubts that it may have though the sums are equal
ALLOWED = {"appended": SHARED, "at_the_end": SHARED, "by_aio": SHORT,
           "cut": TRUNCATED, "holes": COARSE, "in_a_child": SHARED}
# case: the doubt that it must have, for the sums cannot be right
DOUBTED = {"mapped": MAPPED, "copied": COPIED, "wide": WIDE, "purged": SHORT,
           "punched": OVERWRITTEN}
# those that do not write each byte just once, or not to the end
GAPPED = {"by_write", "by_vectors", "by_syscall", "cut", "holes", "emptied",
          "shortened", "left_open", "left_at_once", "sought", "by_aio"}


def play(scratch, program, case):
    done = weirtool.record(scratch / "trace", [program, scratch, case],
                           options=["--verify", "--strict"],
                           capture_output=True, text=True)
    if done.returncode == weirtool.LOST:
        raise weirtool.Lost(done.stderr)
    events = weirtool.events(scratch / "trace", allowed=(0, 4))
    file = scratch / case
    return file.read_bytes(), after_emptying(events, str(file))


def after_emptying(events, file):
    """Of a file that was opened to be emptied again: what came then."""
    own = [e for e in events if e.get("file") == file]
    starts = [n for n, e in enumerate(own) if e["call"] == "open"
              and e["args"]["flags"] & 0o1000]
    return oracle.told(own[starts[-1] if starts else 0:]).get(file)


def faults(case, data, told):
    if told is None:
        return ["nothing was told"]
    found = []
    equal = oracle.digest(data) == told.sum
    if case == "killed":
        return [] if told.vanished else ["it is not seen to have vanished"]
    if told.vanished:
        found.append("sums were not told")
    if not told.fresh:
        found.append("the file was new")
    if case in DOUBTED:
        wanted = DOUBTED[case]
        if not (told.doubts & wanted or equal):
            found.append(f"doubts are {told.doubts:#x}, not {wanted:#x}")
        return found
    if not equal:
        found.append("the sum is not that of the file")
    if told.doubts & ~ALLOWED.get(case, 0):
        found.append(f"doubts are {told.doubts:#x}")
    whole = told.cover == oracle.ones(len(data))
    if whole != (case not in GAPPED):
        found.append(f"all was written once: {whole}")
    return found


def main(program):
    tap = Tap()
    for case in weirtool.run(program).stdout.split():
        data, told = weirtool.in_whole(
            lambda scratch: play(scratch, program, case))
        found = faults(case, data, told)
        tap.result(not found, f"{case}: {len(data)} bytes", found)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
