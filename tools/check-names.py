#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that a name tells its file: weir_<file>_<verb>.

Roles of one family stand in a file of their own, role_<family>.c; those of a
layer in LAYER_<family>.c; what is done to a plan in plan_<part>.c; calls on
forwarded files in divert_<family>.c; what concerns deferred files in
deferred_<part>.c and deferral_<part>.c.

usage: check-names.py SRC BUILD

Looks at every symbol that the objects compiled from SRC define for others;
what intercepts a call is named by the tables (BUILD/spec/*symbols.txt), what
libweirtrace exports begins with weirtrace_; a plug-in of room backends exports
weir_backend. A file's name is there once in all rooms, those in rooms too.
"""
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

FAMILIES = ('role', 'mpi', 'hdf5', 'pnetcdf', 'plan', 'divert', 'deferred',
            'deferral')


def objects(src, build):
    """Yield (source, object) for what was compiled from SRC."""
    commands = json.loads((build / 'compile_commands.json').read_text())
    seen = set()
    for command in commands:
        source = (build / command['file']).resolve()
        output = build / command['output']
        if src in source.parents and source not in seen and output.exists():
            seen.add(source)
            yield source, output


def defined(path):
    out = subprocess.run(['nm', '-g', '--defined-only', '-f', 'posix', path],
                         check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in out.splitlines()
            if len(line.split()) > 1]


def tells(symbol, stem):
    if stem == 'unwatched':  # it stands in for names of the C library
        return symbol.startswith(('mem', 'str'))
    family = stem.partition('_')[0]
    stem = family if family in FAMILIES else stem
    # files of the library for others are called like what it exports
    name = stem if stem.startswith('weirtrace') else f'weir_{stem}'
    return symbol == name or symbol.startswith(f'{name}_')


def wrong_names(src, build):
    interposed = {line.split()[0]
                  for path in (build / 'spec').glob('*symbols.txt')
                  for line in path.read_text().splitlines()}
    count = 0
    for source, output in objects(src, build):
        for symbol in defined(output):
            count += 1
            if not (symbol in interposed or symbol == 'main' or
                    (symbol == 'weir_backend' and
                     source.parent.name == 'backends') or
                    tells(symbol, source.stem)):
                yield (f'{source.relative_to(src)}: {symbol} should be '
                       f'weir_{source.stem}_<verb>, or static')
    if not count:
        yield f'{build}: no object of {src} found; is it built?'


def repeated_files(src):
    rooms = defaultdict(set)
    for path in src.rglob('*.[chS]'):
        rooms[path.stem].add(str(path.parent.relative_to(src)))
    for stem, places in sorted(rooms.items()):
        if len(places) > 1:
            yield f'{stem}: a file of this name is in ' + ', '.join(sorted(places))


def main(src, build):
    src, build = Path(src).resolve(), Path(build).resolve()
    found = [*repeated_files(src), *wrong_names(src, build)]
    print('\n'.join(found) or 'ok')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
