#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark's cost model says what doc/forward.md says."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests/lib")]
from lib.costmodel import BULK, Course, Rates, forecast  # noqa: E402
from weirtool import Tap  # noqa: E402

MIB = 1 << 20
RATES = Rates(new=2000 * MIB, used=4000 * MIB, store=200 * MIB, anyway=0)
PHASES = 20


def near(one, other, part=0.02):
    return abs(one - other) <= part * other


def told(mib, compute=0, cache=512):
    return forecast(Course(PHASES, mib * MIB, compute, cache * MIB), RATES)


def main():
    tap = Tap()

    hidden = told(16, 0.2)
    tap.result(near(hidden.write, 16 / 2000 + 19 * 16 / 4000),
               "a phase that is stored in time takes as long as memory",
               [hidden])
    tap.result(near(hidden.close, 16 / 200),
               "the close waits for the last one", [hidden])

    late = told(48, 0.2)
    behind = 48 + (PHASES - 1) * (48 - 0.2 * 200)
    tap.result(near(late.close, behind / 200 - late.write, 0.05),
               "what is not stored in time is left for the close", [late])

    full = told(200, cache=512)
    tap.result(near(full.write, (200 * PHASES - 512) / 200 + 512 / 2000),
               "without a pause it is as fast as what is stored", [full])

    fits = told(10)
    aside = (BULK // MIB) / 200  # of the time that writing takes
    tap.result(near(fits.write, 200 / 2000) and
               near(fits.close, 1 - fits.write * (1 - aside)),
               "what fits is seen as memory, and stored meanwhile and by the "
               "close", [fits])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
