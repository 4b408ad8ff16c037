#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that every header of SRC compiles alone.

usage: check-headers.py SRC BUILD
"""
import subprocess
import sys
from pathlib import Path

FLAGS = ['-std=gnu11', '-D_GNU_SOURCE', '-fsyntax-only', '-Wall', '-Wextra',
         '-Wno-unused-function',
         '-Wno-unused-parameter', '-Werror', '-x', 'c']


def complaint(header, src, build):
    # by #include, so that gcc does not warn of a header as the main file
    result = subprocess.run(['gcc', *FLAGS, f'-I{src}', f'-I{build}', '-'],
                            input=f'#include "{header.relative_to(src)}"\n',
                            capture_output=True, text=True)
    return result.stderr if result.returncode else ''


def main(src, build):
    headers = sorted(Path(src).glob('*/*.h'))
    found = [text for text in (complaint(header, Path(src), build)
                               for header in headers) if text]
    print('\n'.join(found) or f'{len(headers)} headers stand alone')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
