#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare what the library tells of traces with what weir dump tells.

usage: test-tell.py TELL WEIR GOLDEN ORACLE CASES

Looks at the golden traces, and at what the oracle's cases leave: between them
they make every call there is.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def bytes_of(safe):
    """The bytes that a safe form (doc/format.md) stands for, as hex."""
    def plain(match):
        return '\\' if match[0] == '\\\\' else \
            chr(0xdc00 + int(match[0][2:], 16))
    text = re.sub(r'\\\\|\\x..', plain, safe)
    return text.encode('utf-8', 'surrogatepass').hex() if not re.search(
        '[\udc00-\udcff]', text) else b''.join(
            bytes([ord(c) - 0xdc00]) if '\udc00' <= c <= '\udcff'
            else c.encode() for c in text).hex()


def as_told(value, name=''):
    """A value of the dump as tell.c would put it."""
    if isinstance(value, dict):
        return {key: as_told(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_told(item) for item in value]
    return bytes_of(value) if isinstance(value, str) else value


def from_dump(line):
    event = json.loads(line)
    for key in 'host', 'file':
        if key in event:
            event[key] = bytes_of(event[key])
    if 'args' in event:
        event['args'] = as_told(event['args'])
    return event


def from_tell(line):
    """Buffers of a vector are pairs in the dump."""
    event = json.loads(line)
    for value in event.get('args', {}).values():
        if isinstance(value, list):
            value[:] = [list(item.values()) if isinstance(item, dict)
                        else item for item in value]
    return event


def lines_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.splitlines()


def compare(tell, weir, trace):
    """Says what differs first; returns how many events were compared."""
    told = [from_tell(line) for line in lines_of(tell, trace)]
    dumped = [from_dump(line) for line in
              lines_of(weir, 'dump', '--format', 'jsonl', trace)]
    for number, (one, other) in enumerate(zip(told, dumped)):
        if one != other:
            sys.exit(f'{trace}: event {number}\nlibrary {one}\ndump    '
                     f'{other}')
    if len(told) != len(dumped) or not told:
        sys.exit(f'{trace}: {len(told)} events, the dump has {len(dumped)}')
    return len(told)


def play(weir, oracle, case, where, *options):
    scenario, count, _, buffer = case
    subprocess.run([weir, 'run', '-q', '--all', '--buffer', buffer,
                    *options, '-o', 'trace', '--', oracle, 'log', scenario, count], cwd=where,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def main(tell, weir, golden, *oracle):
    tell, weir, *oracle = (os.path.abspath(path)
                           for path in (tell, weir, *oracle))
    for trace in sorted(Path(golden).glob('*.weir')):
        print(f'{trace.name}: {compare(tell, weir, trace)} events alike')
    cases = [line.split() for line in Path(oracle[1]).read_text().splitlines()
             if line.strip() and not line.startswith('#')]
    count = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as where:
            play(weir, oracle[0], case, where)
            count += compare(tell, weir, os.path.join(where, 'trace'))
    print(f'{len(cases)} cases: {count} events alike')
    with tempfile.TemporaryDirectory() as where:
        play(weir, oracle[0], cases[0], where, '--ring', '64K')
        count = compare(tell, weir, os.path.join(where, 'trace'))
    print(f'a ring: {count} events alike')
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
