#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spec/params says to be the default is what the libraries do.

usage: run-facts.py ROOT KIND [PROGRAM]

PROGRAM prints NAME VALUE, what a library does when nobody tells it anything;
without one, ompi_info is asked. KIND is hdf5, romio, pnetcdf or openmpi.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(sys.argv[1])
sys.path[:0] = [str(ROOT / 'tests/lib'), str(ROOT / 'spec/gen')]
import params  # noqa: E402
from weirtool import Tap, mpi_environment  # noqa: E402

UNITS = {'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}
TRUTHS = {'true': 1, 'false': 0}
# Told, but no fixed value: by the number of ranks; and another word for 0.
OTHERS = {'cb_nodes', 'romio_cb_fr_types'}
LEAST = {'hdf5': 25, 'romio': 11, 'pnetcdf': 5, 'openmpi': 14}


def one(word):
    """A value, however it is spelt."""
    word = word.strip()
    found = re.fullmatch(r'(-?[\d.]+)([KMG]?)', word)
    if found:
        return float(found[1]) * UNITS.get(found[2], 1)
    return TRUTHS.get(word, word)


def plain(text):
    """The values of a default, without the words around them."""
    text = re.split(r' \(|, or ', text)[0]
    return [one(word) for word in text.split(',')]


def told_by_program(program):
    with tempfile.TemporaryDirectory() as where:
        printed = subprocess.run(
            [os.path.abspath(program), f'{where}/file'], check=True, stdout=subprocess.PIPE,
            text=True, env=mpi_environment()).stdout
    return dict(line.split(None, 1) for line in printed.splitlines())


def told_by_ompi():
    if not shutil.which('ompi_info'):
        print('1..0 # SKIP ompi_info is not installed')
        sys.exit(0)
    printed = subprocess.run(['ompi_info', '--all', '--parsable'], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    return {name: value for name, value in re.findall(
        r'^mca:.*?:param:(\w+):value:(.+)$', printed, re.M)}


def main(kind, program=None):
    table = params.read(ROOT / 'spec/params', ROOT / 'src/plan/plan_layout.h')
    told = told_by_program(program) if program else told_by_ompi()
    names, tap, seen = table.names(), Tap(), 0
    for name, value in sorted(told.items()):
        if name not in names or name in OTHERS:
            continue
        said = names[name]['default']
        seen += 1
        tap.result(plain(said) == plain(value), name,
                   [] if plain(said) == plain(value) else
                   [f'the table says {said}, the library {value}'])
    tap.result(seen >= LEAST[kind], f'{seen} parameters were compared')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[2:]))
