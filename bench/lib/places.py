# SPDX-License-Identifier: BSD-3-Clause
"""File systems that programs are measured on."""
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

LIB = Path(__file__).resolve().parents[2] / "tests/lib"
TOOL = LIB / "gluster"
# A brick that takes half a millisecond for each read: the time of a network and
# a disk, by a translator of GlusterFS itself.
FAR = ("debug.delay-gen=posix", "delay-gen.enable=read",
       "delay-gen.delay-percentage=100", "delay-gen.delay-duration=500")
# What becomes of writes between the program and the brick.
TOLD = ("performance.write-behind ", "performance.write-behind-window-size",
        "performance.flush-behind", "performance.client-io-threads",
        "network.ping-timeout", "cluster.lookup-optimize")


def tool(*words):
    return subprocess.run([TOOL, *words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)


@contextmanager
def gluster(scratch, *options):
    """A mounted GlusterFS of one brick below the directory `scratch`; None
    when this machine can have none."""
    home = Path(tempfile.mkdtemp(prefix="gluster-", dir=scratch))
    done = tool("start", home, *options)
    try:
        yield None if done.returncode else Path(done.stdout.strip())
    finally:
        tool("stop", home)


def gluster_options(mount):
    """Those that matter here, as the volume has them: {name: value}."""
    socket = Path(mount).parent / "glusterd.sock"
    said = subprocess.run(["gluster", "--mode=script",
                           f"--glusterd-sock={socket}", "volume", "get",
                           "weir", "all"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True).stdout
    return dict(line.split(None, 1) for line in said.splitlines()
                if line.startswith(TOLD))


def type_of(path):
    """Of the file system that a directory lies on."""
    done = subprocess.run(["stat", "-f", "-c", "%T", path], check=True,
                          capture_output=True, text=True)
    return {"ext2/ext3": "ext4"}.get(done.stdout.strip(), done.stdout.strip())
