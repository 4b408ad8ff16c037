#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Name the tests that failed in the last run of a build, one a line.

usage: failed-tests.py BUILD
"""
import json
import sys
from pathlib import Path

WELL = {"OK", "SKIP", "EXPECTEDFAIL"}


def main(build):
    log = Path(build, "meson-logs/testlog.json")
    for line in log.read_text().splitlines():
        test = json.loads(line)
        if test["result"] not in WELL:
            print(test["name"].split(" / ")[-1])


if __name__ == "__main__":
    main(*sys.argv[1:])
