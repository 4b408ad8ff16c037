#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that what the maps of the house name is there.

usage: check-maps.py ROOT

The maps are ARCHITECTURE.md and src/ROOM/README.md. Each room has one, which
lists all its sub-rooms; each room is a row of ARCHITECTURE.md. A word in
backquotes that looks like a file (`name.*`, `name*.c`, `sub/`, `spec/calls`)
must be one: in the room, or from the root. Links of all documents lead
somewhere, and doc/README.md has one to each document.
"""
import re
import sys
from pathlib import Path

WORD = re.compile(r'`([^`\n]+)`')
FILE = re.compile(r'[\w.*-]+\*|[\w*-]+\.(?:\*|[chS]|py|md|map|json)')
PATH = re.compile(r'[\w.*-]+(?:/[\w.*-]*)+')
LINK = re.compile(r'\]\(([^)#:]+)(?:#[^)]*)?\)')


def rooms(root):
    """Folders of src, from its plan: only outer rooms."""
    for line in (root / 'src' / 'doors.txt').read_text().splitlines():
        name = line.partition(':')[0].strip()
        if name and name[0] != '#' and '/' not in name:
            yield name


def is_there(root, place, word):
    """A file of the room, or a path from the root or from src."""
    if PATH.fullmatch(word):
        return any(next(base.glob(word.rstrip('/')), None)
                   for base in (place, root, root / 'src'))
    return next(place.rglob(word), None) is not None


def faults_of_map(root, path, place):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for word in WORD.findall(line):
            if word.startswith('build/') or \
               not (PATH.fullmatch(word) or FILE.fullmatch(word)):
                continue
            if not is_there(root, place, word):
                yield f'{path.relative_to(root)}:{number}: no file {word}'


def faults_of_room(root, room):
    place = root / 'src' / room
    path = place / 'README.md'
    if not path.is_file():
        yield f'src/{room}: no README.md'
        return
    yield from faults_of_map(root, path, place)
    for sub in sorted(place.iterdir()):
        if sub.is_dir() and f'`{sub.name}/`' not in path.read_text():
            yield f'src/{room}/README.md: no row for {sub.name}/'


def faults_of_links(root):
    linked = set()
    for pattern in ('*.md', 'doc/**/*.md', 'src/*/*.md', 'bench/*.md'):
        for path in sorted(root.glob(pattern)):
            for link in LINK.findall(path.read_text(encoding='utf-8')):
                target = (path.parent / link).resolve()
                if not target.exists():
                    yield f'{path.relative_to(root)}: {link} is not there'
                if path == root / 'doc' / 'README.md':
                    linked.add(target)
    for path in sorted((root / 'doc').rglob('*.md')):
        if path.name != 'README.md' and path.resolve() not in linked:
            yield f'doc/README.md: no link to {path.relative_to(root)}'


def faults(root):
    whole = root / 'ARCHITECTURE.md'
    yield from faults_of_map(root, whole, root / 'src')
    for room in rooms(root):
        if not re.search(rf'^\| \[?`?{room}\b', whole.read_text(), re.M):
            yield f'ARCHITECTURE.md: no row for room {room}'
        yield from faults_of_room(root, room)
    yield from faults_of_links(root)


if __name__ == '__main__':
    found = list(faults(Path(sys.argv[1])))
    print('\n'.join(found) or 'ok')
    sys.exit(1 if found else 0)
