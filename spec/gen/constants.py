#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of constants into constants.h.

usage: constants.py TABLE CONSTANTS.H
"""
import re
import sys

sys.dont_write_bytecode = True
from options import logical_lines  # noqa: E402

UNITS = {'': 1, 'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30,
         'ms': 10**6, 's': 10**9}


def read(path):
    """Map each name to its value, in bytes or nanoseconds, and its meaning."""
    found = {}
    for number, row in logical_lines(path):
        name, value, meaning = row.split(None, 2)
        parts = re.fullmatch(r'(\d+)(\w*)', value)
        if not parts or parts[2] not in UNITS or name in found:
            sys.exit(f'{path}:{number}: {name} {value} is no new number')
        found[name] = int(parts[1]) * UNITS[parts[2]], meaning
    return found


def main(table, out):
    rows = [f'/* {meaning} */\n#define WEIR_{name.upper()} UINT64_C({value})'
            for name, (value, meaning) in read(table).items()]
    text = ['/* Made from spec/constants by spec/gen/constants.py. */',
            '#ifndef WEIR_SPEC_CONSTANTS_H',
            '#define WEIR_SPEC_CONSTANTS_H\n', '#include <stdint.h>\n',
            *rows, '\n#endif\n']
    with open(out, 'w', encoding='utf-8') as file:
        file.write('\n'.join(text))


if __name__ == '__main__':
    main(*sys.argv[1:])
