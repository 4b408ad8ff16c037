# SPDX-License-Identifier: BSD-3-Clause
"""Shows man pages as a reader with 80 columns sees them."""
import os
import re
import subprocess
from pathlib import Path

ENVIRONMENT = dict(os.environ, MANWIDTH='80', LC_ALL='C.UTF-8',
                   MAN_KEEP_FORMATTING='', MANOPT='')


def find(directory):
    """Map names like weir-run(1) to files."""
    return {f'{path.stem}({path.suffix[1:]})': path
            for path in Path(directory).rglob('weir*.[1-8]')}


def show(path):
    return subprocess.run(['man', '-l', str(path)], env=ENVIRONMENT,
                          check=True, capture_output=True, text=True).stdout


def warnings(path):
    """What groff has to say against a page."""
    return subprocess.run(
        ['man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', str(path)],
        env=ENVIRONMENT, check=True, capture_output=True, text=True).stderr


def sections(text):
    """Map each heading to the text below it."""
    parts = re.split(r'^(\S.*)\n', text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))
