#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plug-ins as users meet them: chosen by name or file, built from the header.

usage: test-plugins.py ROOT BUILD"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / 'lib'))
from weirtool import Tap, run  # noqa: E402

USAGE = 2
WRITE = '''
import os
fd = os.open("data/out", os.O_RDWR | os.O_CREAT, 0o600)
for i in range(100):
    os.write(fd, b"%099d\\n" % i)
print(len(os.pread(fd, 20000, 0).strip(b"\\0")))
os.close(fd)
'''
WHOLE = b''.join(b'%099d\n' % i for i in range(100))


class Place:
    """A weir as it is installed, and a directory to write to."""

    def __init__(self, scratch, root, build):
        self.root, self.here = Path(root), Path(scratch)
        for folder in 'data', 'bin', 'lib/weir':
            (self.here / folder).mkdir(parents=True)
        self.weir = shutil.copy(Path(build) / 'weir', self.here / 'bin')
        for part in [Path(build) / 'libweir.so',
                     *Path(build).glob('weir-backend-*.so')]:
            shutil.copy(part, self.here / 'lib/weir')

    def write(self, backend):
        """Status, what is said, and what is in the file then."""
        out = self.here / 'data' / 'out'
        out.unlink(missing_ok=True)
        done = subprocess.run(
            [self.weir, 'run', '-q', '-o',
             tempfile.mkdtemp(dir=self.here) + '/trace',
             '--forward=data', '--backend', backend, '--',
             sys.executable, '-c', WRITE],
            cwd=self.here, capture_output=True, text=True, timeout=60)
        return done, out.read_bytes() if out.exists() else None


def names(place):
    for backend, whole in (('posix', WHOLE), ('null', bytes(len(WHOLE))),
                           ('throttle', WHOLE),
                           ('throttle:rate=1G,latency=1ms', WHOLE),
                           ('faulty:every=0', WHOLE),
                           ('faulty:short=1', WHOLE)):
        done, stored = place.write(backend)
        if done.returncode or stored != whole:
            yield f'{backend}: {done.returncode} {done.stderr} {stored}'


def refused(place):
    """Nothing is run with a plug-in that cannot be used."""
    for backend, why in (('nosuch', "no backend 'nosuch'"),
                         ('./nosuch.so', "no backend './nosuch.so'"),
                         ('throttle:rate=soon', 'rate=soon'),
                         ('posix:fast=1', 'has no options'),
                         (str(place.root / 'meson.build') + '/x.so', '')):
        done, stored = place.write(backend)
        if done.returncode != USAGE or stored is not None or \
           why not in done.stderr or len(done.stderr.splitlines()) > 2:
            yield f'{backend}: {done.returncode} {done.stderr} {stored}'


def example(place):
    """The one of the documents, built with the header alone."""
    counts = place.here / 'counts'
    run('gcc', '-D_GNU_SOURCE', '-Wall', '-Wextra', '-Werror', '-shared',
        '-fPIC', f'-I{place.root / "include"}',
        place.root / 'examples' / 'backend_counted.c',
        '-o', place.here / 'counted.so')
    for name in './counted.so', 'counted.so', place.here / 'counted.so':
        counts.unlink(missing_ok=True)
        done, stored = place.write(f'{name}:{counts}')
        said = counts.read_text() if counts.exists() else ''
        told = re.fullmatch(r'(\d+) requests, (\d+) bytes\n', said)
        if done.returncode or stored != WHOLE or not told or \
           int(told[2]) != len(WHOLE) or int(told[1]) > 100:
            yield f'{name}: {done.returncode} {done.stderr} {said}'


def fields(place):
    """`weir serve status` and the page about it have the same fields."""
    at = place.here / 'service'
    run(place.weir, 'serve', 'start', '--at', at)
    done = run(place.weir, 'serve', 'status', '--at', at, '--json')
    run(place.weir, 'serve', 'stop', '--at', at)
    page = (place.root / 'doc' / 'forward.md').read_text()
    table = page.partition('| field | means |')[2].partition('\n\n')[0]
    first = ''.join(line.split('|')[1] for line in table.splitlines()
                    if line.startswith('|'))
    wanted = set(re.findall('`(\\w+)`', first)) | {'weir_status'}
    for name in wanted ^ json.loads(done.stdout).keys():
        yield f'{name}: only the page, or only the status, has it'


def main(root, build):
    tap = Tap()
    os.environ.pop('WEIR_LIBRARY', None)
    with tempfile.TemporaryDirectory(prefix='weir-plugins-') as scratch:
        place = Place(scratch, root, build)
        for check in names, refused, example, fields:
            faults = list(check(place))
            tap.result(not faults, check.__name__, faults)
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
