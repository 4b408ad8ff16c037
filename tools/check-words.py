#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that words which weir has given up occur nowhere.

usage: check-words.py ROOT

tools/words lists them with what is said instead, which has to be a word of
doc/glossary.md, or begin or end with one.
"""
import re
import subprocess
import sys
from pathlib import Path

FOLDERS = ['src', 'spec', 'doc', 'include', 'web/src', 'tests', 'examples',
           'kernels', 'bench', 'README.md', 'ARCHITECTURE.md',
           'CONTRIBUTING.md']
# golden traces and corpora are bytes that stay as they are; tmux has panes
BYTES = re.compile(r'^tests/(golden|fuzz/corpus|soak/programs)/|^doc/pictures/')
ROW = re.compile(r'([a-z]+\*?(?:,[a-z]+\*?)*)\s+(\S.*)')
TERM = re.compile(r'\*\*([^*]+)\*\*')


def words(text):
    """Map each word that is given up to what is said instead."""
    instead = {}
    for line in text.splitlines():
        match = ROW.fullmatch(line.strip())
        if match:
            instead.update(dict.fromkeys(match[1].split(','), match[2]))
    return instead


def unknown(instead, glossary):
    """What is said instead, and is not in the glossary."""
    terms = TERM.findall(glossary)
    for new in sorted(set(instead.values())):
        if not any(re.search(rf'\b{re.escape(term)}\b', new)
                   for term in terms):
            yield f'tools/words: `{new}` is not in doc/glossary.md'


def files(root):
    out = subprocess.run(
        ['git', '-C', root, 'ls-files', '-co', '--exclude-standard', '--',
         *FOLDERS], check=True, capture_output=True, text=True).stdout
    return [name for name in out.splitlines()
            if not BYTES.search(name) and (root / name).is_file()]


def rules(instead):
    """One pattern for all words, and what each group of it stands for."""
    parts = [f'({word.replace("*", "[a-z]*")})' for word in instead]
    pattern = f'(?<![A-Za-z])(?:{"|".join(parts)})(?![A-Za-z])'
    return re.compile(pattern, re.I), list(instead.values())


def used(pattern, instead, name, text):
    # a file's name consists of words, too
    for number, line in enumerate([name, *text.splitlines()]):
        for match in pattern.finditer(line):
            yield (f'{name}:{number}: {match[0]}: say '
                   f'`{instead[match.lastindex - 1]}`')


def faults(root):
    instead = words((root / 'tools' / 'words').read_text())
    yield from unknown(instead, (root / 'doc' / 'glossary.md').read_text())
    pattern, news = rules(instead)
    for name in files(root):
        try:
            text = (root / name).read_text(encoding='utf-8')
        except UnicodeDecodeError:
            continue
        yield from used(pattern, news, name, text)


if __name__ == '__main__':
    found = list(faults(Path(sys.argv[1])))
    print('\n'.join(found) or 'ok')
    sys.exit(1 if found else 0)
