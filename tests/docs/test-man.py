#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that each man page is there, whole and without a warning.

usage: test-man.py ROOT PAGES
"""
import re
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import pages  # noqa: E402
import table  # noqa: E402

COMMON = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXIT STATUS',
          'EXAMPLES', 'SEE ALSO']
OTHERS = {'weir-calls(7)', 'weir-findings(7)', 'weir-format(5)', 'weir-mark(7)',
          'weir-params(7)', 'weir-protocol(7)', 'weirtrace(3)'}
CALL = re.compile(r'^\s*\d+\s+\w+\s+(\w+)\(', re.M)
VARIABLE = re.compile(r'"(WEIR_[A-Z]+)=?"')


def faults_of_page(title, path, there):
    text = pages.show(path)
    for line in text.splitlines():
        if len(line) > 80:
            yield f'{title}: wider than 80 columns: {line}'
    for line in pages.warnings(path).splitlines():
        yield f'{title}: {line}'
    wanted = ['NAME', 'DESCRIPTION', 'SEE ALSO'] if title in OTHERS \
        else COMMON
    parts = pages.sections(text)
    for heading in wanted:
        if not parts.get(heading, '').strip():
            yield f'{title}: nothing below {heading}'
    for page in re.findall(r'[\w.-]+\(\d\)', parts.get('SEE ALSO', '')):
        if page.startswith('weir') and page not in there:
            yield f'{title}: refers to {page}, which is not there'
    if re.search(r'\\[*_]|(?<!\w)[*_]\w+[*_](?!\w)',
                 text.replace('_exit', '')):
        yield f'{title}: a mark of the source can be seen'


def faults_of_calls(root, path):
    text = pages.show(path)
    for calls in sorted((root / 'spec').glob('*.calls')):
        for name in CALL.findall(calls.read_text()):
            if not re.search(rf'^ +{name}(\(|$)', text, re.M):
                yield f'weir-calls(7) does not tell of {name}'


def faults_of_findings(root, path):
    text = pages.show(path)
    for name in re.findall(r'^rule (\S+)', (root / 'spec/findings').read_text(),
                           re.M):
        if not re.search(rf'^ +{name}$', text, re.M):
            yield f'weir-findings(7) does not tell of {name}'


def faults_of_params(root, path):
    text = pages.show(path)
    for name in re.findall(r'^param \d+ (\S+)',
                           (root / 'spec/params').read_text(), re.M):
        if not re.search(rf'^ +{name}$', text, re.M):
            yield f'weir-params(7) does not tell of {name}'


def faults_of_protocol(root, path):
    text = pages.show(path)
    rows = re.findall(r'^ ?(\d+) (\w+)\(',
                      (root / 'spec/forward.ops').read_text(), re.M)
    for number, name in rows:
        if not re.search(rf'^ +{name}\(.*?^ +Op {number},', text,
                         re.M | re.S):
            yield f'weir-protocol(7) does not tell of {name}'
    if not rows:
        yield 'no op was found in the table'


def faults_of_library(root, path):
    text = pages.show(path)
    header = re.sub(r'/\*.*?\*/', '',
                    (root / 'include/weir/trace.h').read_text(), flags=re.S)
    for name in re.findall(r'\b(?:weirtrace_\w+(?=\()|WEIRTRACE_\w+)', header):
        if not re.search(rf'\b{name}\b', text):
            yield f'weirtrace(3) does not tell of {name}'


def faults_of_environment(root, path):
    """What the sources look for is documented."""
    text = pages.sections(pages.show(path)).get('ENVIRONMENT', '')
    names = {name for source in (root / 'src').glob('*/*.c')
             for name in VARIABLE.findall(source.read_text())}
    for name in sorted(names):
        if name not in text:
            yield f'weir(1) does not tell of {name}'
    if not names:
        yield 'no variable was found in the sources'


def main(root, folder):
    if not folder or not shutil.which('man'):
        print('skipped: scdoc or man is not installed')
        return 77
    root, there = Path(root), pages.find(folder)
    verbs = table.shown(root / 'spec' / 'options')
    wanted = OTHERS | {f'weir-{verb}(1)'.replace('weir-(', 'weir(')
                       for verb in verbs}
    found = [f'{title}: there is no such page'
             for title in sorted(wanted - set(there))]
    found += [f'{title}: a page of nothing'
              for title in sorted(set(there) - wanted)]
    for title in sorted(wanted & set(there)):
        found += faults_of_page(title, there[title], there)
    found += faults_of_calls(root, there['weir-calls(7)'])
    found += faults_of_findings(root, there['weir-findings(7)'])
    found += faults_of_params(root, there['weir-params(7)'])
    found += faults_of_protocol(root, there['weir-protocol(7)'])
    found += faults_of_library(root, there['weirtrace(3)'])
    found += faults_of_environment(root, there['weir(1)'])
    print('\n'.join(found) or 'ok')
    print(f'{len(there)} pages, {len(found)} faults')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
