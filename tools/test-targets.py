#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print what must be built for the tests of some suites, one file a line.

usage: test-targets.py BUILD-FOLDER SUITE...

Tests must say what they use (depends, arguments), as they must for meson.
"""
import json
import os
import subprocess
import sys


def main(folder, *suites):
    told = json.loads(subprocess.run(
        ['meson', 'introspect', '--tests', '--targets', folder], check=True,
        stdout=subprocess.PIPE, text=True).stdout)
    wanted = {'weir:' + suite for suite in suites}
    needed = {target for test in told['tests'] if wanted & set(test['suite'])
              for target in test['depends']}
    for target in told['targets']:
        if target['id'] in needed:
            print(os.path.relpath(target['filename'][0], folder))
    return 0 if needed else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
