# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts on one machine: namespaces of their own for the network, mounts,
processes, the host's name and the monotonic clock.

with Hosts(scratch) as hosts:
    hosts.run(0, ["hostname"])

Needs root. They see the same files but for /dev/shm and /tmp, which are each
one's own; they are called one and two and find each other by these names."""
import os
import shutil
import subprocess
import threading
from pathlib import Path

from weirtool import WEIR

NAMES = ("one", "two")
ADDRESS = "10.111.0.{}"


def obstacle():
    """Why there can be no hosts here, or None."""
    if os.geteuid():
        return "only root may make hosts"
    for tool in ("unshare", "nsenter", "ip"):
        if not shutil.which(tool):
            return f"there is no {tool}"
    tried = subprocess.run(
        ["unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--time",
         "--monotonic", "5", "sh", "-c", "mount -t tmpfs none /dev/shm && "
         "ip link add wire type veth peer name other"], capture_output=True,
        text=True)
    if tried.returncode:
        return "namespaces are forbidden: " + tried.stderr.strip()
    return None


class Hosts:
    def __init__(self, scratch, offsets=(0, 5000000), settings=({}, {})):
        self.scratch = Path(scratch)
        self.offsets = offsets  # seconds that each monotonic clock is ahead
        self.settings = settings  # of the environment of each
        self.holders = []

    def __enter__(self):
        try:
            for number in range(len(self.offsets)):
                self.start(number)
            self.connect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for holder in self.holders:
            holder.kill()
            holder.wait()

    def start(self, number):
        table = self.scratch / "hosts"
        table.write_text("127.0.0.1 localhost\n" + "".join(
            f"{ADDRESS.format(i + 1)} {NAMES[i]}\n"
            for i in range(len(self.offsets))))
        ready = self.scratch / f"ready.{number}"
        os.mkfifo(ready)
        kept = self.scratch / f"kept.{number}"
        kept.mkdir()
        build = Path(WEIR).parent
        # What is tested may itself lie below /tmp.
        script = (f"set -e; mount --bind {build} {kept};"
                  " mount -t tmpfs none /dev/shm; mount -t tmpfs none /tmp;"
                  f" mkdir -p {build}; mount --bind {kept} {build};"
                  " mount -t sysfs none /sys;"
                  f" mount --bind {table} /etc/hosts;"
                  f" hostname {NAMES[number]}; ip link set lo up;"
                  f" echo ready > {ready}; exec sleep 100000")
        self.holders.append(subprocess.Popen(
            ["unshare", "--net", "--uts", "--mount", "--pid", "--fork",
             "--kill-child", "--mount-proc", "--time", "--monotonic",
             str(self.offsets[number]), "sh", "-c",
             f"({script}) || echo > {ready}"]))
        if ready.read_text() != "ready\n":
            raise RuntimeError(f"host {NAMES[number]} could not be made")

    def inner(self, number):
        """The first process in the host's own namespaces."""
        pid = self.holders[number].pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return children.split()[0]

    def enter(self, number):
        words = [f"{key}={value}"
                 for key, value in self.settings[number].items()]
        return ["nsenter", "-t", self.inner(number), "-a",
                f"--wd={os.getcwd()}", "env", *words]

    def connect(self):
        """One wire between two hosts; a bridge is not needed for that."""
        one, two = self.inner(0), self.inner(1)
        subprocess.run(["ip", "link", "add", "wire", "netns", one, "type",
                        "veth", "peer", "name", "wire", "netns", two],
                       check=True)
        for number in (0, 1):
            self.run(number, ["ip", "address", "add",
                              ADDRESS.format(number + 1) + "/24", "dev",
                              "wire"], check=True)
            self.run(number, ["ip", "link", "set", "wire", "up"], check=True)
        for number in (0, 1):  # it takes the kernel a second
            self.run(number, ["sh", "-c", "while ! grep -q up /sys/class/net"
                              "/wire/operstate; do sleep 0.05; done"],
                     check=True, timeout=300)

    def cut(self):
        """Host one still has its address."""
        self.run(1, ["ip", "link", "set", "wire", "down"], check=True)

    def run(self, number, command, **kwargs):
        return subprocess.run(self.enter(number) + list(map(str, command)),
                              **kwargs)

    def begin(self, number, command, **kwargs):
        return subprocess.Popen(self.enter(number) + list(map(str, command)),
                                **kwargs)


class Launcher:
    """Starts on other hosts what a launcher of MPI asks for: its remote shell
    is a script that hands the command to this process, which sees them all."""

    def __init__(self, hosts):
        self.hosts = hosts
        self.asked = hosts.scratch / "asked"
        self.ended = hosts.scratch / "ended"
        self.script = hosts.scratch / "shell"
        for path in (self.asked, self.ended):
            os.mkfifo(path)
        self.script.write_text(
            "#!/bin/sh\n[ \"$1\" = -x ] && shift\n"
            f"echo \"$*\" > {self.asked}\ncat {self.ended}\n")
        self.script.chmod(0o755)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            name, _, command = self.asked.read_text().strip().partition(" ")
            self.hosts.run(NAMES.index(name), ["sh", "-c", command],
                           stdin=subprocess.DEVNULL)
            self.ended.write_text("")
