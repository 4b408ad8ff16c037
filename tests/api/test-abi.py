#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that the library exports what its header declares, for ever.

usage: test-abi.py LIBRARY ROOT [--write]

1. exported, declared and listed in the map are the same functions, each
   under a version; nothing else is exported;
2. against tests/abi/libweirtrace.ARCH.abi nothing was removed or changed
   (abidiff). --write makes that file anew, at a release that adds something.
"""
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

KINDS = ['--headers-dir', 'include/weir']
DUMP = ['--no-show-locs', '--no-corpus-path', '--no-comp-dir-path',
        '--drop-undefined-syms', '--drop-private-types',
        '--no-elf-needed'] + KINDS


def exported(library):
    out = subprocess.run(['nm', '-D', '--defined-only', '-f', 'posix',
                          library], check=True, capture_output=True,
                         text=True).stdout
    return {line.split()[0] for line in out.splitlines()
            if line.split()[1] != 'A'}


def declared(root):
    text = (root / 'include/weir/trace.h').read_text()
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    return set(re.findall(r'\b(weirtrace_\w+)\(', text))


def listed(root):
    """Map each function of the version map to its node."""
    text = (root / 'src/api/libweirtrace.map').read_text()
    nodes = re.findall(r'^(\w[\w.]*) \{(.*?)^\}', text, re.M | re.S)
    return {name: node for node, body in nodes
            for name in re.findall(r'\t(weirtrace_\w+);', body)}


def faults_of_names(library, root):
    nodes = listed(root)
    wanted = {f'{name}@@{node}' for name, node in nodes.items()}
    for name in sorted(exported(library) ^ wanted):
        yield f'{name}: exported or in the map, but not both'
    for name in sorted(declared(root) ^ set(nodes)):
        yield f'{name}: declared or in the map, but not both'


def compare(library, root, stored):
    result = subprocess.run(
        ['abidiff', '--no-added-syms', '--headers-dir2', 'include/weir',
         str(stored), library], cwd=root, capture_output=True, text=True)
    if result.returncode:
        return [result.stdout + result.stderr]
    return []


def main(library, root, *options):
    root, library = Path(root), str(Path(library).resolve())
    stored = root / 'tests/abi' / f'libweirtrace.{platform.machine()}.abi'
    found = list(faults_of_names(library, root))
    if '--write' in options:
        subprocess.run(['abidw', *DUMP, '--out-file', stored, library],
                       cwd=root, check=True)
    if not shutil.which('abidiff'):
        print('not compared with the stored ABI: no abidiff')
    elif not stored.exists():
        print(f'not compared with the stored ABI: no {stored.name}')
    else:
        found += compare(library, root, stored)
    print('\n'.join(found) or 'ok')
    print(f'{len(declared(root))} functions, {len(found)} faults')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
