#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No setting changes what is in a file, written or never written.

usage: run-sweep.py FLAVOUR PROGRAM

Settings that decide which ranges libraries read, change and write, and where
data of several ranks are kept. All parameters: ./dev soak params."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import sweeping  # noqa: E402
from weirtool import Tap  # noqa: E402

OPT_IN = {"opt-in": "yes"}
# Headers are each rank's own. Metadata lie between data, and pieces have gaps:
# whole ranges are written.
COMPACT, TOGETHER = ("layout", "compact"), ("coll_metadata_write", "true",
                                            OPT_IN)
SETTINGS = {
    "serial": [COMPACT],
    "mpich": [COMPACT, TOGETHER, ("romio_cb_write", "enable"),
              ("ind_wr_buffer_size", "1M")],
    "openmpi": [COMPACT, TOGETHER, ("fcoll", "two_phase")],
    "openmpi+romio321": [("romio_cb_write", "enable")],
}
LEFT_ALONE = "left alone, not proven safe"


def main(flavour, program):
    tap = Tap()
    for stage in sweeping.stages({flavour: program}):
        for setting in SETTINGS[stage.name]:
            wrong, told = stage.run([setting])
            name = f"{stage.name}: {setting[0]} = {setting[1]}"
            tap.result(not wrong, name, wrong)
            if setting == COMPACT:
                tap.result((LEFT_ALONE in told) == (stage.name != "serial"),
                           f"{name} is left alone where ranks write", [told])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
