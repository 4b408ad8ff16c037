#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check the text of every file: licence line, blanks, traces of a machine.

usage: check-text.py ROOT
"""
import re
import subprocess
import sys
from pathlib import Path

CODE = re.compile(r'(\.[chS]|\.m?js|\.css|\.py|\.sh|\.bats|/run|^dev)$')
# golden traces, fuzz corpora and pictures are bytes; licences are quoted, not
# written
BYTES = re.compile(r'^tests/(golden|fuzz/corpus)/|^examples/traces/.*\.weir$|'
                   r'^doc/pictures/|^LICENSE$')
RULES = [
    (re.compile(r'[ \t]+$'), 'blanks at the end of the line'),
    (re.compile(r'(?<![\w.$}*])/(home|root|work|Users)/(?!user\b)\w'),
     'a path of somebody\'s machine'),
    (re.compile(r'\b(TODO|FIXME|XXX)\b(?!\|)'), 'unfinished work'),
    (re.compile(r'^(<<<<<<<|>>>>>>>) '), 'a conflict'),
]
SELF = 'tools/check-text.py'


def files(root):
    """What is or would be committed."""
    out = subprocess.run(
        ['git', '-C', root, 'ls-files', '-co', '--exclude-standard'],
        check=True, capture_output=True, text=True).stdout
    return [name for name in out.splitlines() if (root / name).is_file()]


def faults_of_file(name, text):
    if CODE.search(name) and \
       'SPDX-License-Identifier: BSD-3-Clause' not in text[:200]:
        yield f'{name}:1: no SPDX line'
    if text and not text.endswith('\n'):
        yield f'{name}: no newline at the end'
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in RULES:
            if name != SELF and pattern.search(line):
                yield f'{name}:{number}: {what}'


def faults(root):
    for name in files(root):
        if BYTES.search(name):
            continue
        try:
            text = (root / name).read_text(encoding='utf-8')
        except UnicodeDecodeError:
            yield f'{name}: not text'
            continue
        yield from faults_of_file(name, text)


if __name__ == '__main__':
    found = list(faults(Path(sys.argv[1])))
    print('\n'.join(found) or 'ok')
    sys.exit(1 if found else 0)
