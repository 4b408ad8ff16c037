#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What weir run --verify says of files that are renamed, emptied, shared, …

Environment: WEIR, FATES.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap  # noqa: E402

FATES = os.path.abspath(os.environ.get("FATES", "build/tests/verify/fates"))
LIBRARY = os.path.join(os.path.dirname(WEIR), "libweir.so")
# fate: what is said, and the status
EXPECTED = {
    "existing": (r"verified 1 file, 9\.8 KiB: all as written", 0),
    "overwritten": (r"verified 1 file, 7\.3 KiB: all as written", 0),
    "emptied": (r"verified 1 file, 5\.0 KiB: all as written", 0),
    "replaced": (r"verified 1 file, 4\.9 KiB: all as written; 1 removed", 0),
    "carried": (r"verified 1 file, 5\.0 KiB: all as written", 0),
    "nameless": (r"verified 1 file, 4\.9 KiB: all as written", 0),
    "linked": (r"verified 1 file, 4\.9 KiB: all as written", 0),
    "swapped": (r"verified 2 files, 9\.9 KiB: all as written", 0),
    "removed": (r"verified nothing", 0),
    "same": (r"verified 1 file, 7\.1 KiB: all as written", 0),
    "other": (r"unverifiable: .*several processes wrote the same bytes", 0),
    "killed": (r"unverifiable: .*was killed before it could tell", 137),
    "mapped": (r"unverifiable: .*mmap", 0),
}
REFUSED = (["--ring", "1M"], ["--profile"], ["--paused"], ["--switch", "USR1"])


def verify(work, *command, options=()):
    return subprocess.run([WEIR, "run", "--verify", "-o", work / "trace",
                           *options, "--", *command], text=True,
                          stdin=subprocess.DEVNULL, capture_output=True)


def check_fate(tap, fate, text, status):
    with tempfile.TemporaryDirectory(prefix="weir-fate-") as work:
        out = Path(work) / "output"
        if fate == "existing":
            out.write_bytes(b"x" * 10000)
        done = verify(Path(work), FATES, fate, out)
    fine = re.search(text, done.stderr) and done.returncode == status
    tap.result(fine, f"{fate}: {text}", [] if fine else [
        f"status {done.returncode}", *done.stderr.splitlines()])


def check_refusal(tap, options):
    with tempfile.TemporaryDirectory(prefix="weir-fate-") as work:
        done = verify(Path(work), "true", options=options)
        left = (Path(work) / "trace").exists()
    tap.result(done.returncode == 2 and options[0] in done.stderr and
               not left, f"{options[0]} is refused",
               done.stderr.splitlines())


def check_quiet(tap):
    with tempfile.TemporaryDirectory(prefix="weir-fate-") as work:
        done = verify(Path(work), FATES, "linked", Path(work) / "output",
                      options=["-q"])
    tap.result(not done.returncode and not done.stderr,
               "-q says nothing when all is well", done.stderr.splitlines())


def check_harm_afterwards(tap):
    """A program that is not recorded changes a byte: it is not what was
    written any more. Here one of the same run does, without weir."""
    with tempfile.TemporaryDirectory(prefix="weir-fate-") as work:
        out = Path(work) / "output"
        script = (f"'{FATES}' linked '{out}'; "
                  f"env -u LD_PRELOAD -u WEIR_TRACE dd if=/dev/zero "
                  f"of='{out}' bs=1 seek=777 count=1 conv=notrunc")
        done = verify(Path(work), "sh", "-c", script)
    tap.result(done.returncode == 9 and f"DIFFERS: {out}" in done.stderr,
               "a byte changed behind our back differs",
               [f"status {done.returncode}", *done.stderr.splitlines()])


def check_alone(tap):
    """As on a host that weir run did not prepare: by the words alone."""
    with tempfile.TemporaryDirectory(prefix="weir-fate-") as work:
        trace = Path(work) / "trace"
        env = dict(os.environ, LD_PRELOAD=LIBRARY,
                   WEIR_TRACE=f"{trace},4M,verify")
        subprocess.run([FATES, "linked", Path(work) / "output"], env=env,
                       check=True)
        told = ""
        until = time.monotonic() + 60  # nobody waits for the collector
        while "bytes=5000" not in told and time.monotonic() < until:
            time.sleep(0.1)
            told = subprocess.run([WEIR, "dump", trace], capture_output=True,
                                  text=True).stdout
    tap.result("proof(" in told and "bytes=5000" in told,
               "a process without weir run tells its sums", told.splitlines())


def main():
    tap = Tap()
    for fate, (text, status) in EXPECTED.items():
        check_fate(tap, fate, text, status)
    for options in REFUSED:
        check_refusal(tap, options)
    check_quiet(tap)
    check_alone(tap)
    check_harm_afterwards(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
