#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""weir run --verify of files that several write, name and change otherwise:
never status 9 when nothing is wrong, and always when a byte was spoiled of what
is verified.

Environment: WEIR, TURNS.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap  # noqa: E402

TURNS = os.path.abspath(os.environ.get("TURNS", "build/tests/verify/turns"))
DIFFERS = 9
# What may be said: it is verified (and of which file a byte is spoiled then; None:
# that is unverifiable, as the position is shared or the end asked for), or why not; EITHER: that depends on who comes first.
EITHER = {
    "threads": "wrote the same bytes at once",
    "thread_parts": "wrote the same bytes at once",
    "thread_overtakes": "wrote the same bytes at once",
    "thread_position": "several wrote at one shared position",
    "thread_append": "several wrote at one shared position",
    "processes_append": "several wrote at one shared position",
}
VERIFIED = {
    "threads_apart": "out", "append_in_turn": "out", "inherited": None,
    "recreated": "out", "two_names": "out.new", "named_later": "out",
    "renamed_open": "out", "replaced_by_other": "out", "through_link": "out",
    "below": "out.new/three", "temporary": "out", "descriptors": "out",
    "reserved": "out", "mapped_to_read": "out", "vectors": None,
    "streams": None, "child_elsewhere": "out", "written_by_vfork": "out",
    "copied_nameless": "out", "handed_by_vfork": None, "handed_by_spawn": None,
}
DOUBTFUL = {
    "in_turn": "several processes wrote the same bytes",
    "at_once": "several processes wrote the same bytes",
    "emptied_by_other": "truncated while others wrote",
    "emptied_by_vfork": "overwritten",
    "shortened_by_other": "truncated while others wrote",
    "cut_and_grown": "truncated",
    "punched": "overwritten", "zeroed": "overwritten",
    "collapsed": "overwritten", "inserted": "overwritten",
    "sent": "the kernel copied", "copied": "the kernel copied",
    "spliced": "the kernel copied", "mapped_too": "mmap",
    "buffered": "a stream had bytes",
}


def verify(work, case, spoiled=None):
    """What is said; spoiled: of this file a byte is changed by who is not
    recorded, before it ends."""
    command = f"'{TURNS}' {case} '{work}/out'"
    if spoiled:
        command += (f"; printf '\\377' | env -u LD_PRELOAD -u WEIR_TRACE dd "
                    f"of='{work}/{spoiled}' bs=1 seek=20 conv=notrunc")
    return subprocess.run(
        [WEIR, "run", "--verify", "-o", work / "trace", "--", "sh", "-c",
         command], text=True, stdin=subprocess.DEVNULL, capture_output=True)


def is_verified(done):
    return not done.returncode and "all as written" in done.stderr and \
        "verified 0" not in done.stderr


def check(tap, case, holds, text, **kwargs):
    with tempfile.TemporaryDirectory(prefix="weir-turns-") as work:
        done = verify(Path(os.path.realpath(work)), case, **kwargs)
    fine = holds(done)
    tap.result(fine, f"{case} {text}", [] if fine else [
        f"status {done.returncode}", *done.stderr.splitlines()])


def doubts(why):
    return lambda done: not done.returncode and re.search(
        "unverifiable: .*" + why, done.stderr)


def main():
    tap = Tap()
    for case, spoiled in VERIFIED.items():
        check(tap, case, is_verified, "is verified")
        if not spoiled:
            continue
        check(tap, case, lambda done: done.returncode == DIFFERS and
              "DIFFERS" in done.stderr, "differs when spoiled",
              spoiled=spoiled)
    for case, why in DOUBTFUL.items():
        check(tap, case, doubts(why), f"is unverifiable: {why}")
    for case, why in EITHER.items():
        check(tap, case, lambda done, why=why: is_verified(done) or
              doubts(why)(done), f"is verified, or unverifiable: {why}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
