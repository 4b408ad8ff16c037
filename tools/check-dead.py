#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that what a file defines for others is used by another file.

usage: check-dead.py SRC BUILD

Looks at the symbols weir_* in the objects compiled from SRC; users are all
objects of the build, also those of tests and those made from tables. What
spec/private-symbols names is for programs.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def symbols(objects):
    """Yield (object, kind, name) of each symbol of each object."""
    with tempfile.NamedTemporaryFile('w', suffix='.list') as names:
        names.write('\n'.join(objects))
        names.flush()
        out = subprocess.run(
            ['nm', '-A', '-g', '-f', 'posix', f'@{names.name}'],
            check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in out.splitlines():
        path, _, rest = line.rpartition(': ')
        name, kind = rest.split()[:2]
        yield path, kind, name


def sources_of(build):
    """Map each object that there is to its source."""
    commands = json.loads((build / 'compile_commands.json').read_text())
    return {str(build / command['output']):
            (build / command['file']).resolve() for command in commands
            if (build / command['output']).exists()}


def exported(src):
    """What programs call that are not built here."""
    lines = (src.parent / 'spec/private-symbols').read_text().splitlines()
    return {line.split()[0] for line in lines if line.strip()}


def faults(src, build):
    sources, users, makers = sources_of(build), {}, {}
    for path, kind, name in symbols(sources):
        if not name.startswith('weir_'):
            continue
        place = users if kind in 'Uw' else makers
        place.setdefault(name, set()).add(sources[path])
    known = exported(src)
    for name, where in sorted(makers.items()):
        source = sorted(where)[0]
        if src in source.parents and name not in users.keys() | known:
            yield f'{source.relative_to(src.parent)}: {name} is used by no ' \
                  'other file: drop it, or make it static'


if __name__ == '__main__':
    found = list(faults(*(Path(path).resolve() for path in sys.argv[1:])))
    print('\n'.join(found) or 'ok')
    sys.exit(1 if found else 0)
