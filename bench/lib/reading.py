# SPDX-License-Identifier: BSD-3-Clause
"""Reading ahead: cold reads in several orders, direct and forwarded."""
import os
from contextlib import contextmanager
from typing import NamedTuple

from lib.bench import BUILD, Run, median, row, table
from lib.places import FAR, gluster
from lib.service import Service

LOAD = BUILD / "read_load"
KIB, MIB = 1 << 10, 1 << 20
READERS = 8  # as the service has
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

    def reads(self, part):
        return max(self.count // part, 8)

    def load(self, path, part):
        return [LOAD, path, self.how, self.record, self.reads(part),
                self.compute]

    def mib(self, part):
        return self.reads(part) * self.record / MIB


ORDERS = (
    Order("in a row, 4 KiB", "seq", 4 * KIB, 16384),
    Order("the same, 15 µs of computing each", "seq", 4 * KIB, 16384, 15000,
          0.9),
    Order("in a row, 64 KiB", "seq", 64 * KIB, 2048),
    Order("the same, 0.2 ms of computing", "seq", 64 * KIB, 2048, 200_000,
          0.9),
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
    share: int = 1  # of the reads: where direct ones take long, fewer


def fill(path):
    with open(path, "wb") as out:
        for _ in range(FILE // MIB):
            out.write(os.urandom(MIB))
        os.fsync(out.fileno())
    return path


@contextmanager
def on_gluster(bench, name="GlusterFS", options=(), share=1):
    with gluster(bench.scratch, *options) as mount:
        if not mount:
            print("\nGlusterFS: this machine can have none")
            yield None
            return
        path = fill(mount / "data")
        with Service("posix", mount) as service:
            yield Ways(name, path, None, service.env, service, share)


def on_far_gluster(bench):
    return on_gluster(bench, "GlusterFS whose brick takes 0.5 ms for each "
                      "read (debug/delay-gen)", FAR, 4)


@contextmanager
def on_throttle(bench):
    path = fill(bench.files / "data")
    with Service(THROTTLE, bench.files, "--prefetch", "off") as direct, \
            Service(THROTTLE, bench.files) as ahead:
        yield Ways(THROTTLE, path, direct.env, ahead.env, ahead, 8)
    path.unlink()


def used_since(service, before):
    now = service.status()
    brought, used = (now[key] - before[key] for key in (
        "prefetched_bytes", "prefetched_used"))
    return f"{brought / MIB:.0f} MiB, {100 * used / brought:.0f} %" \
        if brought else "nothing"


def most(ways, order, rounds, part):
    """MiB/s that readers at once get of it, who need no order."""
    if order.compute or ways.direct:
        return ""
    command = [*order.load(ways.path, part), READERS]
    ns = median(Run(command)["ns"] for _ in range(rounds))
    return f"{order.mib(part) / ns * 1e9:.0f}"


def measure(ways, order, rounds, part):
    part *= ways.share
    before = ways.service.status()
    command = order.load(ways.path, part)
    turns = [[Run(command, env) for env in (ways.direct, ways.ahead)]
             for _ in range(rounds)]
    if len({run["sum"] for turn in turns for run in turn}) != 1:
        raise SystemExit(f"{order.what}: other bytes were read")
    direct, ahead = (median(run["ns"] for run in runs)
                     for runs in zip(*turns))
    mib = order.mib(part) * 1e9
    times = direct / ahead
    row(order.what, f"{mib / direct:.0f}", f"{mib / ahead:.0f}",
        f"{times:.1f} ×", f"≥ {order.asked} ×",
        "yes" if times >= order.asked else "NO",
        most(ways, order, rounds, part), used_since(ways.service, before))


PLACES = {"gluster": (on_gluster, on_far_gluster), "throttle": (on_throttle,)}


def prefetch(bench):
    """Direct and forwarded in turns; each begins cold."""
    part = 8 if bench.options.quick else 1
    names = bench.options.places.split(",")
    for place in sum((PLACES.get(name, ()) for name in names), ()):
        with place(bench) as ways:
            if not ways:
                continue
            table(f"Reads on {ways.name}, MiB/s, medians of {bench.rounds} "
                  "rounds in turns, computing included", "reads", "direct",
                  "forwarded", "times", "asked", "kept",
                  f"by {READERS} threads at once", "read ahead, used")
            for order in ORDERS:
                measure(ways, order, bench.rounds, part)
