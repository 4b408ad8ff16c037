# SPDX-License-Identifier: BSD-3-Clause
"""Starts programs whose files go through the service, and finds the service's
processes."""
import os
import time
from pathlib import Path

from weirtool import WEIR


def command(place, program, options=(), scratch=None):
    """What to start, to forward the files below `place`; None: nothing is."""
    if options is None:
        return [str(word) for word in program]
    return [WEIR, "run", "-q", "-o", str(Path(scratch) / "trace"),
            f"--forward={place}", *options, "--",
            *(str(word) for word in program)]


def children(pid):
    try:
        return [int(word) for task in Path(f"/proc/{pid}/task").iterdir()
                for word in (task / "children").read_text().split()]
    except OSError:
        return []


def is_ours(pid):
    try:
        return os.path.samefile(f"/proc/{pid}/exe", WEIR)
    except OSError:
        return False


def service(pid):
    """(supervisor, daemon) below a `weir run`; 0: there is none now."""
    for supervisor in children(pid):
        if not is_ours(supervisor):
            continue
        for daemon in children(supervisor):
            if is_ours(daemon):
                return supervisor, daemon
    return 0, 0


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
