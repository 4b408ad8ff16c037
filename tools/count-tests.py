#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sum up test logs; name what failed or was skipped.

usage: count-tests.py PASSED FAILED UNHAPPY [JUNIT.XML]...

The numbers are counted in first. UNHAPPY names the builds whose tests did
not all end well: a log may say nothing of a test that timed out. A file
`unstable` beside a log names tests that failed there and passed when run again:
they are named, and counted as passed. The last line printed is
`N passed, N failed, N skipped`; the status is 1 unless all is well.
"""
import os
import sys
import xml.etree.ElementTree as ElementTree


def outcome(case):
    if case.find('failure') is not None or case.find('error') is not None:
        return 'failed'
    return 'passed' if case.find('skipped') is None else 'skipped'


def title(*names):
    """`suite / test / case` without the project's own name."""
    parts = ' / '.join(names).split(' / ')
    return ': '.join(part for part in parts if not part.startswith('weir'))


def results(path):
    """Yield (test, outcome) for each test of a log."""
    build = path.split(os.sep)[0]
    try:
        suites = ElementTree.parse(path).getroot().iter('testsuite')
    except (OSError, ElementTree.ParseError) as error:
        print(f'no test log: {error}')
        yield f'{build}: all', 'failed'
        return
    for suite in suites:
        cases = list(suite.iter('testcase'))
        for case in cases:
            name = title(suite.get('name', ''), case.get('name', ''))
            yield f'{build}: {name}', outcome(case)
        # a program that died, or timed out, may have no failed case
        died = int(suite.get('errors', 0)) + int(suite.get('failures', 0))
        if died and all(outcome(case) != 'failed' for case in cases):
            yield f'{build}: {title(suite.get("name", ""))}', 'failed'


def unstable_beside(path):
    try:
        with open(os.path.join(os.path.dirname(path), 'unstable'),
                  encoding='utf-8') as names:
            return names.read().split()
    except OSError:
        return []


def settled(path):
    """The results, of which failures that did not come again are unstable."""
    unstable = unstable_beside(path)
    for test, result in results(path):
        again = any(name in test.split(': ') for name in unstable)
        yield test, 'unstable' if again and result == 'failed' else result


def main(passed, failed, unhappy, *paths):
    count = {'passed': int(passed), 'failed': int(failed), 'skipped': 0}
    unhappy = set(unhappy.split())
    for path in paths:
        for test, result in settled(path):
            count['passed' if result == 'unstable' else result] += 1
            if result != 'passed':
                print(f'{result.upper()}: {test}')
            if result == 'failed':
                unhappy.discard(path.split(os.sep)[0])
    for build in sorted(unhappy):
        count['failed'] += 1
        print(f'FAILED: {build}: a test that left no result, see above')
    print(', '.join(f'{number} {word}' for word, number in count.items()))
    return 1 if count['failed'] or not count['passed'] else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
