#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A table of parameters that cannot be meant is refused, with the line.

usage: run-table.py ROOT
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(sys.argv[1])
sys.path.insert(0, str(ROOT / 'tests/lib'))
from weirtool import Tap  # noqa: E402

GOOD = '''part One
param 1 first
  target   hint
  type     size, number?
  range    1..1K, 0..9
  default  1
  via      first
  seen     calls
  about    The first.

param 2 second
  also     other
  target   environment
  type     a|b
  default  a
  via      SECOND
  seen     calls
  tier     opt-in b
  risk     it breaks
  about    The second.

excluded third: it is bad
warn first without second=a: both are needed
'''
# What becomes of the table, the line that is told, and the words there.
CASES = (
    ('param 2 second', 'param 1 second', 11, '1 is the number of first'),
    ('param 2 second', 'param two second', 11, 'two is no number'),
    ('param 2 second', 'param 2 First', 11, 'First is there twice'),
    ('target   hint', 'target   hints', 2, 'hints is no target'),
    ('type     size, number?', 'type     sizes, number?', 2, 'is no type'),
    ('range    1..1K, 0..9', 'range    1..1K', 2, 'as many ranges as types'),
    ('range    1..1K, 0..9', 'range    9..1, 0..9', 2, 'nothing is in 9..1'),
    ('range    1..1K, 0..9', 'range    -, 0..9', 2, 'a size wants a range'),
    ('  seen     calls\n  about    The first', '  about    The first', 2,
     'first says no seen'),
    ('tier     opt-in b', 'tier     opt-in c', 11, 'c is no value of second'),
    ('tier     opt-in b', 'tier     risky', 11, 'risky is no tier'),
    ('  risk     it breaks\n', '', 11, 'opt-in and risk go together'),
    ('type     size, number?', 'type     hosts, number?', 2,
     'says nothing to be tried'),
    ('via      SECOND', 'through  SECOND', 16, 'through is no part'),
    ('via      SECOND', 'type     c|d', 16, 'type is there twice'),
    ('also     other', 'also     first', 11, 'is a name of two parameters'),
    ('excluded third: it is bad', 'excluded third', 22, 'wants a reason'),
    ('excluded third', 'excluded first', 23, 'is a parameter and excluded'),
    ('excluded third', 'excluded third=4', 23, 'is no parameter'),
    ('without second=a', 'without third', 23, 'third is no parameter'),
    ('without second=a', 'beside second', 23, 'warn NAME CONDITION: WHAT'),
    ('without second=a', 'beyond-memory second', 23, 'as many words'),
)


def make(text, where):
    table = Path(where, 'params')
    table.write_text(text)
    return subprocess.run(
        [sys.executable, ROOT / 'spec/gen/params.py', table,
         ROOT / 'src/plan/plan_layout.h', f'{where}/c', f'{where}/h'],
        stderr=subprocess.PIPE, text=True)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as where:
        done = make(GOOD, where)
        made = Path(where, 'h').read_text() if not done.returncode else ''
        tap.result(re.search(r'WEIR_PARAM_SECOND = 2,', made),
                   'a good table', [done.stderr])
        for old, new, line, words in CASES:
            assert GOOD.count(old) == 1, old
            done = make(GOOD.replace(old, new), where)
            right = done.returncode == 1 and re.match(
                rf'{where}/params:{line}: .*{re.escape(words)}', done.stderr)
            tap.result(right, f'{new.strip()}'.replace('\n', ' '),
                       [] if right else [f'{line}: {words}', done.stderr])
    return tap.done()


if __name__ == '__main__':
    sys.exit(main())
