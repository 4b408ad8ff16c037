#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Install into an empty place; build and run programs against that alone.

usage: test-install.py ROOT BUILD

1. the tool, its library, pages, completion, header and the files by which
   other builds find the library are where they belong;
2. the header compiles as C11 and C++11 with every warning on;
3. the example is built by pkg-config and by CMake, and what it says of a trace
   that the installed weir recorded is what `weir dump --format csv` says.
"""
import csv
import io
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'lib'))
from installed import Installed  # noqa: E402

READS, WRITES = ('read', 'stream-fill'), ('write', 'stream-flush')
WARNINGS = ['-Wall', '-Wextra', '-pedantic', '-Werror']


def cited():
    """Documents that help, messages and man pages send a reader to."""
    root = Path(__file__).resolve().parents[2]
    places = [root / 'spec/options', root / 'spec/exits',
              *root.glob('doc/man/*.scd'), *root.glob('src/**/*.c')]
    return {name for place in places for name in
            re.findall(r'\bdoc/([a-z-]+\.md)', place.read_text())}


WANTED = [
    'bin/weir', '**/weir/libweir.so', '**/libweirtrace.so',
    '**/weir/weir-backend-posix.so', 'include/weir/backend.h',
    '**/libweirtrace.so.0', 'include/weir/trace.h', 'include/weir/mark.h',
    'include/weir/weir_mark.f90',
    '**/pkgconfig/weirtrace.pc', '**/cmake/weirtrace/weirtraceConfig.cmake',
    '**/cmake/weirtrace/weirtraceConfigVersion.cmake',
    'share/bash-completion/completions/weir', 'share/doc/weir/format.md',
    *sorted('share/doc/weir/' + name for name in cited()),
]
PAGES = ['share/man/man1/weir.1', 'share/man/man1/weir-run.1',
         'share/man/man7/weir-calls.7', 'share/man/man7/weir-findings.7',
         'share/man/man7/weir-mark.7', 'share/man/man7/weir-params.7',
         'share/man/man7/weir-protocol.7',
         'share/man/man5/weir-format.5', 'share/man/man3/weirtrace.3']
WORK = '''
import os
for name, size in ("a", 10), ("b", 20000):
    with open(name, "wb") as out:
        out.write(b"x" * size)
    fd = os.open(name, os.O_RDWR)
    os.read(fd, 7)
    os.pwrite(fd, b"yy", 100)
    os.close(fd)
'''


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True,
                          stdout=subprocess.PIPE, text=True, **more).stdout


def check_header(installed):
    """C++ knows types without `struct`: no function may hide one."""
    include = installed.prefix / 'include'
    header = '#include <weir/trace.h>\n' * 2
    kinds = re.findall(r'^(?:struct|enum) (\w+)[; ]',
                       (include / 'weir/trace.h').read_text(), re.M)
    for words, uses in (
            (['gcc', '-std=c11', '-x', 'c'], ''),
            (['g++', '-std=c++11', '-x', 'c++'],
             ''.join(f'extern {kind} *a_{kind};\n' for kind in kinds))):
        run(*words, *WARNINGS, '-fsyntax-only', f'-I{include}', '-',
            input=header + uses)


def by_pkg_config(installed, root, out):
    pc = installed.one('**/pkgconfig/weirtrace.pc').parent
    flags = run('pkg-config', '--cflags', '--libs', 'weirtrace',
                env=dict(os.environ, PKG_CONFIG_PATH=str(pc),
                         PKG_CONFIG_SYSROOT_DIR=installed.root))
    program = out / 'by_pkg_config'
    run('gcc', '-std=gnu11', *WARNINGS,
        root / 'examples/bytes_per_file.c', '-o', program, *flags.split())
    return program


def by_cmake(installed, root, out):
    run('cmake', '-S', root / 'examples', '-B', out / 'cmake',
        f'-DCMAKE_PREFIX_PATH={installed.prefix}', '-Wno-dev')
    run('cmake', '--build', out / 'cmake')
    return out / 'cmake' / 'bytes_per_file'


def faults_of_version(installed, out):
    """CMake takes the versions that programs can use, and no other."""
    config = installed.one('**/weirtraceConfig.cmake').parent
    for version, fits in ('', True), ('0.1', True), ('0.1.0', True), \
            ('0.2', False), ('1', False), ('0.0', False):
        where = out / f'version-{version}'
        where.mkdir()
        (where / 'CMakeLists.txt').write_text(
            'cmake_minimum_required(VERSION 3.16)\nproject(try NONE)\n'
            f'find_package(weirtrace {version} REQUIRED)\n')
        done = subprocess.run(
            ['cmake', '-S', where, '-B', where / 'build',
             f'-DCMAKE_PREFIX_PATH={config}'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if fits != (done.returncode == 0):
            yield f'find_package(weirtrace {version}): {done.returncode}'


def classes(root):
    """Map calls to what they mean, from the tables' text."""
    found = {}
    for table in (root / 'spec').glob('*.calls'):
        found.update(re.findall(
            r'^\s*\d+\s+\w+\s+(\w+)\(.*?\)\s*:\s*\w+\s+([\w-]+)',
            table.read_text(), re.M))
    return found


def sums_of_dump(installed, trace, class_of):
    sums = Counter()
    text = run(installed.weir, 'dump', '--format', 'csv', trace)
    for row in csv.DictReader(io.StringIO(text)):
        means = class_of.get(row['call'])
        if row['file'] and row['ret'] and int(row['ret']) > 0:
            way = 0 if means in READS else 1 if means in WRITES else None
            if way is not None:
                sums[row['file'], way] += int(row['ret'])
    return {key: value for key, value in sums.items() if value}


def sums_of_example(program, trace, installed):
    library = installed.one('**/libweirtrace.so.0').parent
    text = run(program, trace,
               env=dict(os.environ, LD_LIBRARY_PATH=str(library)))
    sums = {}
    for line in text.splitlines():
        read, written, name = line.split(None, 2)
        sums[name, 0], sums[name, 1] = int(read), int(written)
    return {key: value for key, value in sums.items() if value}


def main(root, build):
    root = Path(root)
    with tempfile.TemporaryDirectory() as scratch:
        installed = Installed(build, os.path.join(scratch, 'place'))
        pages = (Path(build) / 'spec' / 'weir.1').exists()
        found = installed.missing(WANTED + PAGES * pages)
        found += [f'bin/{tool.name}: does not belong there'
                  for tool in installed.weir.parent.iterdir()
                  if tool.name != 'weir']
        if found:
            print('\n'.join(found))
            return 1
        check_header(installed)
        out, trace = Path(scratch), os.path.join(scratch, 'trace')
        found = list(faults_of_version(installed, out))
        if found:
            print('\n'.join(found))
            return 1
        run(installed.weir, 'run', '-q', '-o', trace, '--', sys.executable,
            '-c', WORK, cwd=scratch)
        expected = sums_of_dump(installed, trace, classes(root))
        for program in (by_pkg_config(installed, root, out),
                        by_cmake(installed, root, out)):
            sums = sums_of_example(program, trace, installed)
            print(f'{program.name}: {sums}')
            if sums != expected or not expected:
                print(f'weir dump says {expected}')
                return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
