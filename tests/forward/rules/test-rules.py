#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The list of what programs do with files is whole: what each rule names as
its test is there, and each script is named.

usage: test-rules.py RULES CONTRACT SCRIPT"""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "lib"))
sys.path.insert(0, str(HERE.parent / "programs"))
from programs import PROGRAMS  # noqa: E402
from weirtool import Tap, run  # noqa: E402

ROW = re.compile(r"^\| (.+) \| (.+) \|$", re.M)


def rules(page):
    """[(rule, [test, ...]), ...]"""
    return [(rule, tests.split(", ")) for rule, tests in ROW.findall(page)
            if rule != "rule"]


def there_are(contract, script):
    """Each test by its name, and those that must be of some rule."""
    scripts = {f"posix {name}" for name in
               run(script, "--list").stdout.split()}
    scripts |= {f"program {name}" for name in PROGRAMS}
    lines = re.findall(r"^(\d+)\. ", contract, re.M)
    return scripts | {f"contract {number}" for number in lines} | \
        {"posix --kernel"}, scripts


def main(page, contract, script):
    tap = Tap()
    found = rules(Path(page).read_text())
    known, needed = there_are(Path(contract).read_text(), script)
    for rule, tests in found:
        missing = [test for test in tests if test not in known]
        tap.result(not missing, rule, missing)
    idle = needed - {test for _, tests in found for test in tests}
    tap.result(not idle and found, "each script is of a rule", sorted(idle))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
