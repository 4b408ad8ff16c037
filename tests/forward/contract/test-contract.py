#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every line of the contract is kept.

usage: test-contract.py CONTRACT [FIRST [LAST]]    (numbers of lines)

The page and the tests are one list: a line without a function line_NUMBER, or a
function without a line, is a fault."""
import re
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cast  # noqa: E402, F401
import deaths  # noqa: E402
import lasts  # noqa: E402
import later  # noqa: E402
import seen  # noqa: E402
import unstored  # noqa: E402
from weirtool import Tap  # noqa: E402

LINE = re.compile(r'^(\d+)\. (.+)$', re.M)


def functions():
    found = {}
    for module in seen, lasts, unstored, deaths, later:
        for name, function in vars(module).items():
            number = re.fullmatch(r'line_(\d+)', name)
            if number:
                found[int(number[1])] = function
    return found


def attempt(function):
    try:
        function()
        return []
    except cast.Missing as missing:
        return missing
    except Exception:
        return traceback.format_exc().splitlines()


def main(page, first=1, last=10_000):
    lines = {int(number): text
             for number, text in LINE.findall(Path(page).read_text())}
    tests, tap = functions(), Tap()
    tap.result(lines.keys() == tests.keys() and sorted(lines) == list(lines),
               'each line has a test', [
                   f'{number}: only the page, or only a test, has it'
                   for number in sorted(lines.keys() ^ tests.keys())])
    for number in sorted(lines.keys() & tests.keys()):
        if not int(first) <= number <= int(last):
            continue
        faults = attempt(tests[number])
        if isinstance(faults, cast.Missing):
            tap.skip(f'{number}. {lines[number]}', faults)
        else:
            tap.result(not faults, f'{number}. {lines[number]}', faults)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
