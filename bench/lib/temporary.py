# SPDX-License-Identifier: BSD-3-Clause
"""Files that do not live long: created, written, read, removed."""
from lib.bench import BUILD, Run, median, row, table
from lib.places import gluster
from lib.service import Service

LOAD = BUILD / "forward_load"
SIZES = ((4 << 10, "4 KiB"), (64 << 10, "64 KiB"), (1 << 20, "1 MiB"))
FILES = 200


def measure(service, place, size, rounds):
    """Medians of ms a file: direct, forwarded, and created late; and which
    part of these never was."""
    ways = (None, service.env, service.delaying(place))
    command = [LOAD, "temporary", FILES, place / "file", size]
    before = service.status()
    turns = [[Run(command, env)["median"] for env in ways]
             for _ in range(rounds)]
    now = service.status()
    never, made = (now[key] - before[key] for key in ("never_created", "deferred"))
    return [median(runs) / 1e6 for runs in zip(*turns)], never / made


def temporary(bench):
    with gluster(bench.scratch) as mount:
        if not mount:
            print("\nGlusterFS: this machine can have none")
            return
        place = mount / "late"
        place.mkdir()
        table(f"ms a temporary file on GlusterFS, medians of {bench.rounds} "
              f"rounds of {FILES}", "bytes", "direct", "forwarded",
              "with --defer", "times direct", "never created")
        with Service("posix", mount) as service:
            for size, name in SIZES:
                took, share = measure(service, place, size, bench.rounds)
                row(name, *(f"{ms:.2f}" for ms in took),
                    f"{took[0] / took[2]:.1f} ×", f"{100 * share:.1f} %")
