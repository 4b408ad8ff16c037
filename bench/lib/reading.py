# SPDX-License-Identifier: BSD-3-Clause
"""Reading ahead: cold reads in several orders, direct and forwarded."""
import os
from contextlib import contextmanager
from typing import NamedTuple

from lib.bench import BUILD, Run, median, row, table
from lib.places import gluster
from lib.service import Service

LOAD = BUILD / "read_load"
KIB, MIB = 1 << 10, 1 << 20
FILE = 256 * MIB
THROTTLE = "throttle:latency=1ms,rate=1G"


class Order(NamedTuple):
    """How a file is read; `asked`: at least so many times as fast."""
    what: str
    how: str
    record: int
    count: int
    compute: int = 0  # ns between two
    asked: float = 2

    def load(self, path, part):
        return [LOAD, path, self.how, self.record,
                max(self.count // part, 8), self.compute]


ORDERS = (
    Order("in a row, 4 KiB", "seq", 4 * KIB, 16384),
    Order("the same, 15 µs of computing each", "seq", 4 * KIB, 16384, 15000),
    Order("in a row, 64 KiB", "seq", 64 * KIB, 2048),
    Order("the same, 0.2 ms of computing", "seq", 64 * KIB, 2048, 200_000),
    Order("in a row, 1 MiB", "seq", MIB, 192),
    Order("4 KiB of each 64 KiB", f"stride={64 * KIB}", 4 * KIB, 2000),
    Order("the same, backwards", f"stride=-{64 * KIB}", 4 * KIB, 2000),
    Order("64 KiB of each 256 KiB", f"stride={256 * KIB}", 64 * KIB, 1000),
    Order("at random, 4 KiB", "random", 4 * KIB, 1000, asked=0.9))


class Ways(NamedTuple):
    """Two ways to the same file."""
    name: str
    path: object
    direct: object   # environments
    ahead: object
    service: Service


def fill(path):
    with open(path, "wb") as out:
        for _ in range(FILE // MIB):
            out.write(os.urandom(MIB))
        os.fsync(out.fileno())
    return path


@contextmanager
def on_gluster(bench):
    with gluster(bench.scratch) as mount:
        if not mount:
            print("\nGlusterFS: this machine can have none")
            yield None
            return
        path = fill(mount / "data")
        with Service("posix", mount) as service:
            yield Ways("GlusterFS", path, None, service.env, service)


@contextmanager
def on_throttle(bench):
    path = fill(bench.files / "data")
    with Service(THROTTLE, bench.files, "--prefetch", "off") as direct, \
            Service(THROTTLE, bench.files) as ahead:
        yield Ways(THROTTLE, path, direct.env, ahead.env, ahead)
    path.unlink()


def used_since(service, before):
    now = service.status()
    brought, used = (now[key] - before[key] for key in (
        "read_ahead_bytes", "read_ahead_used"))
    return f"{brought / MIB:.0f} MiB, {100 * used / brought:.0f} %" \
        if brought else "nothing"


def measure(ways, order, rounds, part):
    before = ways.service.status()
    command = order.load(ways.path, part)
    turns = [[Run(command, env) for env in (ways.direct, ways.ahead)]
             for _ in range(rounds)]
    if len({run["sum"] for turn in turns for run in turn}) != 1:
        raise SystemExit(f"{order.what}: other bytes were read")
    direct, ahead = (median(run["ns"] for run in runs)
                     for runs in zip(*turns))
    mib = int(command[4]) * order.record / MIB
    times = direct / ahead
    row(order.what, f"{mib / direct * 1e9:.0f}", f"{mib / ahead * 1e9:.0f}",
        f"{times:.1f} ×", f"≥ {order.asked} ×",
        "yes" if times >= order.asked else "NO",
        used_since(ways.service, before))


def prefetch(bench):
    """Direct and forwarded in turns; each begins cold."""
    part = 8 if bench.options.quick else 1
    for place in on_gluster, on_throttle:
        with place(bench) as ways:
            if not ways:
                continue
            table(f"Reads on {ways.name}, MiB/s, medians of {bench.rounds} "
                  "rounds in turns, computing included", "reads", "direct",
                  "forwarded", "times", "asked", "kept", "read ahead, used")
            for order in ORDERS:
                measure(ways, order, bench.rounds, part)
