#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hints of a plan reach the files that HDF5 opens.

usage: run-hdf5.py PROGRAM FLAVOUR
"""
import sys

import planned
from weirtool import Tap

ROWS, WIDE = 4096, 64  # of columns.c
WHOLE = 2 * ROWS * WIDE
SIEVED = WHOLE - WIDE  # from a rank's first byte to its last
VULCAN = {"fcoll": "vulcan"}
# flavour: how it writes, settings, of each rank how many writes of which size
CASES = {
    "mpich": [
        ("collective", {}, [{WHOLE: 1}, {}]),
        ("collective", {"cb_config_list": "*:*"},
         [{WHOLE // 2: 1}, {WHOLE // 2: 1}]),
        ("collective", {"cb_buffer_size": "65536"}, [{65536: 8}, {}]),
        ("collective", {"romio_cb_write": "disable"},
         [{SIEVED: 1}, {SIEVED: 1}]),
    ],
    "openmpi": [
        ("collective", VULCAN, [{WHOLE: 1}, {}]),
        ("collective", {**VULCAN, "cb_nodes": "2"},  # it begins at 2048
         [{WHOLE // 2 - 2048: 1}, {WHOLE // 2: 1}]),
        ("collective", {"fcoll": "individual"},
         [{WIDE: ROWS}, {WIDE: ROWS}]),
        ("collective", {"io": "romio321"}, [{WHOLE: 1}, {}]),
        ("alone", VULCAN, [{WIDE: ROWS}, {WIDE: ROWS}]),
    ],
}


def large(facts, expected):
    """Writes of data: those of metadata have other sizes."""
    return [{size: n for size, n in of.items() if size in right or
             size >= 4096} for of, right in zip(facts.writes, expected)]


def main(program, flavour):
    tap = Tap()
    for how, settings, expected in CASES[flavour]:
        facts = planned.play(flavour, program, [how], settings)
        title = f"{how}, {settings or 'without a plan'}"
        tap.result(large(facts, expected) == expected, title,
                   [facts.writes, facts.text])
        tap.result({key: count for key, count in facts.verdicts.items()} ==
                   {(name, "took", value): 2
                    for name, value in settings.items()},
                   f"{title}: took effect", [facts.verdicts])
        tap.result(facts.bytes == planned.bare(flavour, program, [how]),
                   f"{title}: the bytes")
    return tap.done()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
