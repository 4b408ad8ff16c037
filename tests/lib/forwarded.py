# SPDX-License-Identifier: BSD-3-Clause
"""Starts programs whose files go through the service, and finds the service's
processes."""
import os
import time
from pathlib import Path

from weirtool import WEIR


def command(place, program, options=(), scratch=None, buffer="64M"):
    """What to start, to forward the files below `place`; None: nothing is."""
    if options is None:
        return [str(word) for word in program]
    return [WEIR, "run", "-q", "--buffer", buffer,
            "-o", str(Path(scratch) / "trace"),
            f"--forward={place}", *options, "--",
            *(str(word) for word in program)]


def environment(scratch):
    """A sanitizer in the service writes beside, and does not end it."""
    told = f"log_path={scratch}/sanitizer:exitcode=0"
    return {**os.environ, "WEIR_TRIAL": str(scratch),
            "TSAN_OPTIONS": told, "ASAN_OPTIONS": f"{told}:detect_leaks=0",
            "UBSAN_OPTIONS": f"{told}:print_stacktrace=1"}


def complaints(scratch):
    """What sanitizers wrote."""
    return "".join(path.read_text(errors="replace") for path in
                   sorted(Path(scratch).glob("sanitizer*")))


def is_ours(pid, marker):
    """One of the service's processes, started by whom `marker` shows."""
    try:
        return os.path.samefile(f"/proc/{pid}/exe", WEIR) and \
            marker in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def service(marker, name):
    """The process of this name (weir-supervise, weir-serve) whose environment
    has this word; 0: there is none now."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if (place / "comm").read_text().strip() != name:
                continue
        except OSError:
            continue
        if is_ours(place.name, marker.encode()):
            return int(place.name)
    return 0


def is_alive(pid):
    """A zombie is not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def wait_for(what, limit):
    """What `what()` returns when that is true; False after `limit` seconds."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.002)
    return False
