#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that every header of SRC compiles alone; those for others, in
INCLUDE, also as plain C11 and as C++, and without a macro of ours.

usage: check-headers.py SRC BUILD INCLUDE
"""
import subprocess
import sys
from pathlib import Path

FLAGS = ['-std=gnu11', '-D_GNU_SOURCE', '-fsyntax-only', '-Wall', '-Wextra',
         '-Wno-unused-function',
         '-Wno-unused-parameter', '-Werror', '-x', 'c']
PUBLIC = ['-fsyntax-only', '-Wall', '-Wextra', '-pedantic', '-Werror']
LANGUAGES = [['gcc', '-std=c11', '-x', 'c'], ['g++', '-std=c++11', '-x', 'c++']]


def complaint(header, src, build, include):
    # by #include, so that gcc does not warn of a header as the main file
    result = subprocess.run(['gcc', *FLAGS, f'-I{src}', f'-I{build}',
                             f'-I{include}', '-'],
                            input=f'#include "{header.relative_to(src)}"\n',
                            capture_output=True, text=True)
    return result.stderr if result.returncode else ''


def public_complaint(header, include, language):
    result = subprocess.run([*language, *PUBLIC, f'-I{include}', '-'],
                            input=f'#include <{header.relative_to(include)}>\n',
                            capture_output=True, text=True)
    return result.stderr if result.returncode else ''


def main(src, build, include):
    headers = sorted(Path(src).rglob('*.h'))
    public = sorted(Path(include).glob('*/*.h'))
    found = [text for text in (complaint(header, src, build, include)
                               for header in headers) if text]
    found += [text for header in public for language in LANGUAGES
              if (text := public_complaint(header, include, language))]
    headers += public
    print('\n'.join(found) or f'{len(headers)} headers stand alone')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
