# SPDX-License-Identifier: BSD-3-Clause
"""A GlusterFS of one's own for a while (tests/lib/gluster)."""
import contextlib
import subprocess
from pathlib import Path

TOOL = Path(__file__).resolve().parent / "gluster"


class Missing(Exception):
    """This machine cannot have one; the text says why."""


@contextlib.contextmanager
def mounted(work):
    """Where it is mounted; all of it lies below `work`."""
    place = Path(work) / "gluster"
    try:
        started = subprocess.run([TOOL, "start", place], text=True,
                                 stdin=subprocess.DEVNULL,
                                 capture_output=True)
        if started.returncode:
            raise Missing(started.stderr.strip())
        yield Path(started.stdout.strip())
    finally:
        subprocess.run([TOOL, "stop", place], stdin=subprocess.DEVNULL)
