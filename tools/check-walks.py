#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that doc/walks.md leads somewhere, and count the files of each walk.

usage: check-walks.py ROOT BUILD

Each row names a file, and what is found in it.
"""
import re
import sys
from pathlib import Path

ROW = re.compile(r'\| `([^`]+)` \| (.+) \|')
NAME = re.compile(r'`([^`]+)`')


def walks(text):
    """Yield (title, rows) of each walk; a row is (file, names)."""
    for part in re.split(r'^## ', text, flags=re.M)[1:]:
        title, _, body = part.partition('\n')
        yield title, [(file, NAME.findall(what))
                      for file, what in ROW.findall(body)]


def place(root, build, file):
    inside, _, rest = file.partition('/')
    return build / rest if inside == 'build' else root / file


def faults_of_row(path, file, names):
    if not path.is_file():
        yield f'doc/walks.md: {file} is not there'
        return
    text = re.sub(r'\s+', ' ', path.read_text(encoding='utf-8'))
    for name in names:
        if re.fullmatch(r'[\w ]+', name) and \
           not re.search(rf'\b{name}\b', text):
            yield f'doc/walks.md: {name} is not in {file}'


def main(root, build):
    root, build = Path(root), Path(build)
    found = []
    for title, rows in walks((root / 'doc' / 'walks.md').read_text()):
        for file, names in rows:
            found += faults_of_row(place(root, build, file), file, names)
        print(f'{title}: {len({file for file, _ in rows})} files')
    print('\n'.join(found) or 'ok')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
