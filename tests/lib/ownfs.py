# SPDX-License-Identifier: BSD-3-Clause
"""A file system of ours for a while, in mounts that nobody else sees."""
import contextlib
import os
import subprocess
import sys
import time

from weirtool import Failure

PYTHON = os.environ.get("PYTHON", "/usr/bin/python3")  # finds Debian's modules


def what_is_missing():
    if os.getuid():
        return "mounting needs root"
    if not os.path.exists("/dev/fuse"):
        return "there is no /dev/fuse"
    for command in ([PYTHON, "-c", "import fusepy"], ["unshare", "-m", "true"]):
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return f"{' '.join(command)} does not work"
    return None


def main(test):
    """Calls test(*arguments) with mounts of its own, which go with it."""
    if sys.argv[1] == "--inside":
        sys.exit(test(*sys.argv[2:]))
    why = what_is_missing()
    if why:
        print(f"1..0 # SKIP {why}")
        sys.exit(0)
    os.execvp("unshare", ["unshare", "-m", "--propagation", "private",
                          sys.executable, sys.argv[0], "--inside",
                          *sys.argv[1:]])


@contextlib.contextmanager
def mounted(place, program, *words):
    """PROGRAM PLACE WORD...: serves it until it is unmounted."""
    place.mkdir()
    server = subprocess.Popen([PYTHON, "-B", program, place, *words])
    try:
        while not os.path.ismount(place):
            if server.poll() is not None:
                raise Failure("the file system could not be mounted")
            time.sleep(0.05)
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=False)
        server.wait()
