#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that rooms include only through the doors of src/doors.txt.

usage: check-doors.py SRC

A room is a folder of SRC or of another room. A line of doors.txt names it, the
rooms whose headers it may include (ROOM/* are the rooms in ROOM) and, for a
room in a room, its public headers: nobody else may include another one.
Doors that nobody uses, rooms in a ring and modules (NAME.c and NAME.h) that
include each other in a ring are faults.
"""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
GENERATED = 'spec'  # headers that the build makes: they include nothing


class Room:
    def __init__(self, doors, public):
        self.named, self.public = doors, public
        self.doors = []
        self.used = set()


def read_rooms(path):
    """Map the name of each room to the room."""
    rooms = {}
    for line in path.read_text().splitlines():
        columns = [c.split() for c in line.partition('#')[0].split(':')]
        if columns[0]:
            rooms[columns[0][0]] = Room(columns[1], columns[2:])
    for name, room in rooms.items():
        room.doors = [other for door in room.named
                      for other in rooms_named(door, rooms) if other != name]
    return rooms


def rooms_named(door, rooms):
    if not door.endswith('/*'):
        return [door]
    return [name for name in rooms if name.startswith(door[:-1])]


def find_ring(edges):
    """Return the members of a ring, or None. EDGES maps each to its next."""
    done = set()

    def walk(place, way):
        if place in way:
            return way[way.index(place):] + [place]
        if place in done:
            return None
        done.add(place)
        rings = (walk(other, way + [place])
                 for other in edges.get(place, ()))
        return next((ring for ring in rings if ring), None)

    rings = (walk(place, []) for place in edges)
    return next((ring for ring in rings if ring), None)


def includes_of(path):
    """Yield (line, header) of what PATH includes."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1]


def fault_of_include(header, name, rooms):
    """What is wrong with including HEADER in room NAME, or None."""
    where, _, file = header.rpartition('/')
    if not where:
        return f'write "{name}/{file}", from src/'
    if where == name:
        return None
    room = rooms[name]
    room.used.add(where)
    if where not in room.doors:
        return f'{name} has no door to {where}'
    there = rooms.get(where)
    if there and '/' in where and file not in sum(there.public, []):
        return f'{file} is not a public header of {where}'
    return None


def faults_of_files(src, rooms):
    for path in sorted(src.rglob('*.[chS]')):
        name = str(path.parent.relative_to(src))
        if name not in rooms:
            yield f'{path}: room {name} is not in doors.txt'
            continue
        for number, header in includes_of(path):
            fault = fault_of_include(header, name, rooms)
            if fault:
                yield f'{path}:{number}: {fault}'


def faults_of_doors(src, rooms):
    for name, room in rooms.items():
        for door in room.named:
            behind = rooms_named(door, rooms)
            if door != GENERATED and not rooms.keys() & behind:
                yield f'doors.txt: {name} opens {door}, which is no room'
            elif not room.used.intersection(behind):
                yield f'doors.txt: {name} never uses its door to {door}'
        for header in sum(room.public, []):
            if not (src / name / header).exists():
                yield f'doors.txt: {name} has no {header}'
    ring = find_ring({name: room.doors for name, room in rooms.items()})
    if ring:
        yield 'doors.txt: the doors form a ring: ' + ' > '.join(ring)


def modules(src):
    """Map each module to the modules that it includes."""
    edges = {}
    for path in sorted(src.rglob('*.[ch]')):
        module = str(path.relative_to(src).with_suffix(''))
        edges.setdefault(module, []).extend(
            str(Path(header).with_suffix(''))
            for _, header in includes_of(path)
            if not header.endswith(f'/{path.stem}.h'))
    return edges


def faults(src):
    rooms = read_rooms(src / 'doors.txt')
    yield from faults_of_files(src, rooms)
    yield from faults_of_doors(src, rooms)
    ring = find_ring(modules(src))
    if ring:
        yield 'modules include each other: ' + ' > '.join(ring)


if __name__ == '__main__':
    found = list(faults(Path(sys.argv[1])))
    print('\n'.join(found) or 'ok')
    sys.exit(1 if found else 0)
