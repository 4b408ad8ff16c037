# SPDX-License-Identifier: BSD-3-Clause
"""A service that forwards, for loads that run outside of `weir run`."""
import json
import os
import subprocess
from pathlib import Path

from lib.bench import LIBRARY, WEIR


def boot_id():
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def stat(pid):
    """The fields behind the name: state, parent and so on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


class Service:
    """One that loads use, one after the other or several at once; nothing is
    recorded."""

    def __init__(self, backend, prefix, *options):
        self.place = self.tool("start", "--backend", backend, *options)
        self.env = dict(os.environ, LD_PRELOAD=str(LIBRARY),
                        WEIR_FORWARD=f"{self.place}|{boot_id()}|{prefix}")

    def delaying(self, directory):
        """The environment of a load whose files below it are created late."""
        return dict(self.env, WEIR_FORWARD=f"{self.env['WEIR_FORWARD']}|"
                    f"{directory}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tool("stop", "--wait", "--at", self.place)

    @staticmethod
    def tool(*words):
        return subprocess.run([WEIR, "serve", *words], check=True,
                              capture_output=True, text=True,
                              stdin=subprocess.DEVNULL).stdout.strip()

    def status(self):
        return json.loads(self.tool("status", "--json", "--at", self.place))

    def pids(self):
        """Of the daemon, and of the supervisor that started it."""
        daemon = self.status()["daemon"]
        return daemon, int(stat(daemon)[1])
