#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measure the C code and check it against the limits of the house.

usage: measure.py ROOT

Prints one row per room and the faults. A fault that has its reasons is a
line in tools/exceptions.txt: `LIMIT FILE[:FUNCTION] reason`.
"""
import re
import statistics
import sys
from collections import Counter
from pathlib import Path

LIMITS = {
    'file': 600,       # lines
    'function': 60,    # lines, braces included
    'depth': 4,        # nested braces, the function's own included
    'parameters': 5,
    'macro': 8,        # lines
    'columns': 80,
    'repeats': 5,      # files of src that have a static function of one name
    'folder': 44,      # files of C in a folder of src
}
TAB = 8
PARTS = ('src', 'include', 'examples', 'tests', 'bench')
LITERAL = re.compile(
    r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
NAME = re.compile(r'(\w+)\s*\(([^;{}]*)\)[^;{}()]*$')
STATIC = re.compile(r'^static\b[^;={}()]*?\b(\w+)\(', re.M)
# What a module does is said in words that do not ask.
ASKS = re.compile(r'/\*\s+(?:\*\s+)?(What|How|Which|Who|Where|When)\b')
HIDDEN = re.compile(r'\b(return|goto|break|continue)\b')


def blank(match):
    """A literal or comment as blanks, so that lines keep their numbers."""
    return re.sub(r'[^\n]', ' ', match[0])


class Function:
    def __init__(self, signature, start):
        match = NAME.search(signature)
        self.name = match[1] if match else '?'
        words = match[2].strip() if match else ''
        self.parameters = words.count(',') + 1 if words else 0
        self.start, self.lines, self.depth = start, 0, 0


def functions(code):
    """Find bodies: in kernel style they begin and end in column 0."""
    current, signature, depth = None, '', 0
    for number, line in enumerate(code.splitlines(), 1):
        if current is None:
            if line == '{' and not signature.rstrip().endswith('='):
                current, depth = Function(signature, number), 0
            elif not line or line[0] in '#}':
                signature = ''
                continue
            else:
                signature += ' ' + line
                continue
        for brace in re.findall(r'[{}]', line):
            depth += 1 if brace == '{' else -1
            current.depth = max(current.depth, depth)
        if line.startswith('}'):
            current.lines = number - current.start + 1
            yield current
            current, signature = None, ''


def macros(code):
    """Yield (name, lines, body) of each macro."""
    for match in re.finditer(r'^#\s*define\s+(\w+)((?:.*\\\n)*.*)$', code,
                             re.M):
        yield match[1], match[2].count('\n') + 1, match[2]


class File:
    def __init__(self, root, path):
        self.name = str(path.relative_to(root))
        parts = self.name.split('/')[:-1]
        self.room = '/'.join(parts if parts[0] == 'src' else parts[:2])
        self.is_test = self.name.startswith('tests/')
        self.text = path.read_text(encoding='utf-8')
        self.code = LITERAL.sub(blank, self.text)
        self.lines = self.text.count('\n')
        self.functions = list(functions(self.code))

    def statics(self):
        return set(STATIC.findall(self.code)) - {'__attribute__'}

    def comment_lines(self):
        return sum(match[0].count('\n') + 1 for match in
                   re.finditer(r'/\*.*?\*/', self.text, re.S))

    def code_lines(self):
        return sum(1 for line in self.code.splitlines() if line.strip())

    def measures(self):
        """Yield (limit, place, value)."""
        yield 'file', self.name, self.lines
        for f in self.functions:
            place = f'{self.name}:{f.name}'
            yield 'function', place, f.lines
            yield 'depth', place, f.depth
            if not self.is_test: # they may mirror what they call
                yield 'parameters', place, f.parameters
        for name, lines, _ in macros(self.code):
            yield 'macro', f'{self.name}:{name}', lines
        for number, line in enumerate(self.text.splitlines(), 1):
            yield 'columns', f'{self.name}:{number}', \
                len(line.expandtabs(TAB))

    def manners(self):
        """Yield what is wrong whatever the limits."""
        for name, _, body in macros(self.code):
            if HIDDEN.search(body):
                yield f'{self.name}: macro {name} hides control flow'
        if '//' in self.code:
            yield f'{self.name}: a // comment'
        second = self.text.split('\n', 2)[1]
        if not second.startswith('/*'):
            yield f'{self.name}: line 2 should say its purpose'
        purpose = self.text.split('\n', 1)[1]
        if self.name.startswith('src/') and ASKS.match(purpose):
            yield f'{self.name}: say what it does, not "{ASKS.match(purpose)[1]}"'
        guard = 'WEIR_' + re.sub(r'\W', '_', '_'.join(
            Path(self.name.removeprefix('include/weir/')).parts[-2:])).upper()
        if self.name.endswith('.h') and not self.is_test and \
           f'#ifndef {guard}\n' not in self.text:
            yield f'{self.name}: the guard should be {guard}'


def read_exceptions(path):
    exceptions = {}
    for line in path.read_text().splitlines():
        words = line.partition('#')[0].split(None, 2)
        if len(words) == 3:
            exceptions[words[0], words[1]] = words[2]
        elif words:
            sys.exit(f'{path}: an exception needs a reason: {line}')
    return exceptions


def measures_of_all(files):
    """What no file has by itself; as File.measures()."""
    sources = [file for file in files if file.name.startswith('src/')]
    repeats = Counter(name for file in sources if file.name.endswith('.c')
                      for name in file.statics())
    yield from (('repeats', name, count) for name, count in repeats.items())
    folders = Counter(file.room for file in sources)
    yield from (('folder', room, count) for room, count in folders.items())


def faults(files, exceptions):
    unused = set(exceptions)
    for file in files:
        yield from file.manners()
    for measures in (*(file.measures() for file in files),
                     measures_of_all(files)):
        for limit, place, value in measures:
            if value <= LIMITS[limit]:
                continue
            if (limit, place) in exceptions:
                unused.discard((limit, place))
            else:
                yield f'{place}: {limit} {value}, at most {LIMITS[limit]}'
    for limit, place in sorted(unused):
        yield f'tools/exceptions.txt: {limit} {place} is not needed'


def table(files):
    print(f'{"room":22} files  lines  median  longest  comments/code')
    for room in sorted({file.room for file in files}):
        mine = [file for file in files if file.room == room]
        sizes = [f.lines for file in mine for f in file.functions] or [0]
        code = sum(file.code_lines() for file in mine)
        notes = sum(file.comment_lines() for file in mine)
        print(f'{room:22} {len(mine):5} {sum(f.lines for f in mine):6} '
              f'{statistics.median(sizes):7g} {max(sizes):8} '
              f'{100 * notes // max(code, 1):12} %')


def main(root):
    root = Path(root).resolve()
    files = [File(root, path) for part in PARTS
             for path in sorted((root / part).rglob('*.[ch]'))]
    found = list(faults(files, read_exceptions(root / 'tools/exceptions.txt')))
    table(files)
    print('\n'.join(found) or 'ok')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
