#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that --help, man pages and completion all tell what the table tells.

usage: test-options.py WEIR TABLE PAGES COMPLETION

PAGES is the folder of the man pages; '' when they were not made.
"""
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import bash  # noqa: E402
import pages  # noqa: E402
import table  # noqa: E402

HELP = {'--help': ('-h', '', 'flag')}


def told(text):
    """Options of a list: what stands at the beginning of a line."""
    found = {}
    for match in re.finditer(
            r'^ +(?:(-\w), )?(--[a-z-]+)(?:(?: |\[=)([A-Z][\w-]*)\]?)?(?:  .*)?$',
            text, re.M):
        found[match[2]] = (match[1] or '', match[3] or '')
    return found


def from_help(weir, verb):
    command = [weir, 'help', verb] if verb else [weir, '--help']
    text = subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout
    yield from (f'weir help {verb}: wider than 80 columns: {line}'
                for line in text.splitlines() if len(line) > 80)
    return told(text.partition('Options:\n')[2].partition('\nExamples:')[0])


def differences(place, expected, found):
    for name in sorted(set(expected) | set(found)):
        if name not in found:
            yield f'{place} does not tell of {name}'
        elif name not in expected:
            yield f'{place} tells of {name}, which is not in the table'
        elif expected[name] != found[name]:
            yield f'{place}: {name} is {found[name]}, not {expected[name]}'


def faults_of_help(weir, verbs):
    for name, verb in verbs.items():
        expected = {option: row[:2]
                    for option, row in {**verb.options, **HELP}.items()}
        found = yield from from_help(weir, name)
        yield from differences(f'weir help {name}', expected, found)


def faults_of_pages(folder, verbs):
    there = pages.find(folder)
    for name, verb in verbs.items():
        title = f'weir-{name}(1)' if name else 'weir(1)'
        if title not in there:
            yield f'{title}: there is no such page'
            continue
        text = pages.sections(pages.show(there[title])).get('OPTIONS', '')
        expected = {option: row[:2]
                    for option, row in {**verb.options, **HELP}.items()}
        yield from differences(title, expected, told(text))


def faults_of_completion(completion, verbs):
    names = list(verbs)
    answers = bash.complete(completion, [
        ['weir'] + [name] * bool(name) + ['-'] for name in names] +
        [['weir', '']])
    if sorted(answers[-1]) != sorted(name for name in names if name):
        yield f'completion offers the verbs {answers[-1]}'
    for name, answer in zip(names, answers):
        rows = {**verbs[name].options, **HELP}
        expected = set(rows) | {row[0] for row in rows.values() if row[0]}
        if set(answer) != expected:
            yield f'completion of weir {name}: {set(answer) ^ expected}'


def main(weir, path, folder, completion):
    verbs = table.shown(path)
    found = [*faults_of_help(weir, verbs),
             *faults_of_completion(completion, verbs)]
    if folder:
        found += faults_of_pages(folder, verbs)
    count = sum(len(verb.options) for verb in verbs.values())
    print('\n'.join(found) or 'ok')
    print(f'{len(verbs) - 1} verbs, {count} options, {len(found)} faults' +
          ('' if folder else '; the man pages were not made'))
    return 1 if found or not count else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
