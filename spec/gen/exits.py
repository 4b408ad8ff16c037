#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of exit codes into exits.h.

usage: exits.py TABLE EXITS.H
"""
import sys

sys.dont_write_bytecode = True
from options import logical_lines  # noqa: E402


def read(path):
    """(code, name, meaning) of each row."""
    found = []
    for number, row in logical_lines(path):
        code, name, meaning = row.split(None, 2)
        if not code.isdigit() or any(code == other[0] for other in found):
            sys.exit(f'{path}:{number}: {code} is no new code')
        found.append((code, name, meaning))
    return found


def main(table, out):
    rows = [f'\tWEIR_EXIT_{name.upper()} = {code},'
            for code, name, _ in read(table)]
    text = ['/* What weir returns. Made from spec/exits by spec/gen/exits.py. */',
            '#ifndef WEIR_SPEC_EXITS_H', '#define WEIR_SPEC_EXITS_H\n',
            'enum weir_exit {', *rows, '};\n', '#endif\n']
    with open(out, 'w', encoding='utf-8') as file:
        file.write('\n'.join(text))


if __name__ == '__main__':
    main(*sys.argv[1:])
