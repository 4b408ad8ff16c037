#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that rooms include only through the doors of src/doors.txt.

usage: check-doors.py SRC
"""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')


def read_doors(path):
    """Map each room to the rooms it may open."""
    doors = {}
    for line in path.read_text().splitlines():
        room, _, others = line.partition('#')[0].partition(':')
        if room.strip():
            doors[room.strip()] = others.split()
    return doors


def find_ring(doors):
    """Return the rooms of a ring, or None."""
    done = set()

    def walk(room, way):
        if room in way:
            return way[way.index(room):] + [room]
        if room in done:
            return None
        done.add(room)
        rings = (walk(other, way + [room]) for other in doors.get(room, []))
        return next((ring for ring in rings if ring), None)

    rings = (walk(room, []) for room in doors)
    return next((ring for ring in rings if ring), None)


def faults_of_file(path, room, allowed):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        door, slash, _ = match[1].partition('/')
        if not slash:
            yield f'{path}:{number}: write "{room}/{door}", from src/'
        elif door != room and door not in allowed:
            yield f'{path}:{number}: {room} has no door to {door}'


def faults(src):
    doors = read_doors(src / 'doors.txt')
    for room, others in doors.items():
        for other in others:
            if other != 'spec' and other not in doors:
                yield f'doors.txt: {room} opens {other}, which is no room'
    ring = find_ring(doors)
    if ring:
        yield 'doors.txt: the doors form a ring: ' + ' > '.join(ring)
    for path in sorted(src.glob('*/*.[chS]')):
        room = path.parent.name
        if room not in doors:
            yield f'{path}: room {room} is not in doors.txt'
        else:
            yield from faults_of_file(path, room, doors[room])


if __name__ == '__main__':
    found = list(faults(Path(sys.argv[1])))
    print('\n'.join(found) or 'ok')
    sys.exit(1 if found else 0)
