#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that every call on a descriptor is known to forwarding.

usage: check-stations.py SPEC

A row of the call tables that takes a descriptor has a station (`divert` or
`around`), where what happens with a forwarded file is decided, or its symbol is
in SPEC/unforwarded with the reason why none is needed. Streams need none: below
one of a forwarded file are functions of ours.
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
TABLES = ('posix', 'stdio', 'async')
DESCRIPTORS = {'fd', 'otherfd'}


def read_reasons(path):
    """Symbols with the lines that tell why."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split('#')[0].split(None, 1)
        if words:
            yield words[0], number, len(words) > 1


def takes_descriptor(call):
    return not call.derived and \
        any(arg.kind.name in DESCRIPTORS for arg in call.passed)


def faults(spec):
    sys.path.insert(0, str(Path(__file__).parents[1] / 'spec/gen'))
    import calls
    tables = [spec / f'{name}.calls' for name in TABLES
              if (spec / f'{name}.calls').exists()]
    _, found = calls.read_tables(spec / 'kinds', tables)
    asked = {call.name: call for call in found if takes_descriptor(call)}
    reasons = spec / 'unforwarded'
    known = set()
    for name, number, has_reason in read_reasons(reasons):
        where = f'{reasons}:{number}'
        known.add(name)
        if not has_reason:
            yield f'{where}: {name}: no reason'
        elif name not in asked:
            yield f'{where}: {name}: no call that takes a descriptor'
        elif asked[name].station:
            yield f'{where}: {name}: has a station'
    for name, call in asked.items():
        if not call.station and name not in known:
            yield (f'{call.where}: {name}: takes a descriptor, and has '
                   f'neither a station nor a reason in {reasons}')


def main():
    told = list(faults(Path(sys.argv[1])))
    print('\n'.join(told) or 'every call on a descriptor has its station')
    return bool(told)


if __name__ == '__main__':
    sys.exit(main())
