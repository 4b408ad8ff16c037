#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn a file into the C source that src/report/page/pageblob.h declares.

usage: embed.py FILE OUT.C
"""
import sys
from pathlib import Path

STEP = 64  # bytes a line: hexadecimal digits would run on, octal ones do not

HEAD = '''/* Made by web/embed.py. */
#include "report/page/pageblob.h"

const char weir_pageblob_bytes[] =
'''


def literals(data):
    for at in range(0, len(data), STEP):
        yield '"' + ''.join(spelled(byte) for byte in data[at:at + STEP]) + '"'


def spelled(byte):
    plain = 0x20 <= byte < 0x7f and chr(byte) not in '"\\?'
    return chr(byte) if plain else f'\\{byte:03o}'


def main(source, out):
    data = Path(source).read_bytes()
    Path(out).write_text(
        HEAD + '\n'.join(literals(data)) + ';\n'
        f'const size_t weir_pageblob_size = {len(data)};\n', encoding='ascii')


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
