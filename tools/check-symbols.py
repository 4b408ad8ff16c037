#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check what libweir.so gives to and takes from a recorded program.

usage: check-symbols.py LIBRARY SYMBOLS.TXT SPEC [LAYER OBJECT SYMBOLS.TXT]...

1. every symbol of the call tables is exported, with the versions it is for,
   and exists with them in libc or in the library whose versions they are;
   nothing else is exported but, with a reason, what is in
   SPEC/private-symbols, or SPEC/private-symbols-LAYER;
2. every function of libc is in a table or, with a reason, in SPEC/ignored, or
   does no I/O and is in SPEC/libc-other-symbols: one that a newer libc brings
   is in none of them;
3. nothing is imported that could end the program, print or allocate;
4. nothing but libc is needed, and no libc newer than the floor;
5. the same of the objects for other libraries' calls: every function of such a
   library that its layer is about is in the layer's table or in its list of
   those that are ignored (HDF5: tools/check-layer.py).
"""
import fnmatch
import re
import subprocess
import sys
from pathlib import Path

FLOOR = (2, 28)
LIBRARIES = {'GLIBC': 'libc.so.6', 'LIBAIO': 'libaio.so.1',
             'LIBURING': 'liburing.so.2'}
NEEDED = {'libweir.so', 'libc.so.6', 'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'}
# Layers: what their functions are called, those that must be known, which
# libraries have them, and the list of those that are ignored.
LAYERS = {
    'mpi': ('P?MPI_', 'MPI_File_', ('libmpich.so.12', 'libmpi.so.40'),
            'ignored'),
    'pnetcdf': ('ncmpi_', 'ncmpi_', ('libpnetcdf.so',), 'ignored-pnetcdf'),
}
FORBIDDEN = re.compile(r'(_?exit|quick_exit|abort|__assert\w*|'
                       r'malloc|calloc|realloc|free|'
                       r'(__)?v?[fds]?n?printf(_chk)?|puts|fputs|perror|'
                       r'syslog|raise)$')
# A sanitizer's would watch our memory; ours are in src/preload/unwatched.c.
WATCHED = re.compile(r'(__)?(mem|str)[a-z]+(_chk)?$')


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def dynamic(path, which):
    """Dynamic symbols without their versions; `which` is an nm option."""
    out = output('nm', '-D', '-f', 'posix', which, path)
    return {line.split()[0].split('@')[0] for line in out.splitlines()}


def versioned(path):
    """Defined functions as (symbol, version); '-' where there is none."""
    out = output('nm', '-D', '-f', 'posix', '--defined-only', path)
    for name, kind, *_ in map(str.split, out.splitlines()):
        symbol, _, version = name.replace('@@', '@').partition('@')
        if kind in 'TWi':
            yield symbol, version or '-'


def rows(path):
    lines = (line.partition('#')[0].strip()
             for line in path.read_text().splitlines())
    return [line for line in lines if line]


def words(path):
    return {word for row in rows(path) for word in row.split()}


def first_words(path):
    """Map the first word of each row to the rest of it."""
    return {first: rest.strip() for first, _, rest in
            (row.partition(' ') for row in rows(path))}


def private_doors(spec, layer=''):
    path = spec / f'private-symbols{layer and "-"}{layer}'
    return first_words(path) if path.exists() else {}


def system_library(name):
    return output('gcc', f'-print-file-name={name}').strip()


def read_table(path):
    """The tables' symbols, each with its versions or '-'."""
    return {(symbol, version) for row in rows(path)
            for symbol, *_, versions in [row.split()]
            for version in versions.split(',')}


def check_exports(library, table, private):
    """Our own objects' door is exported too, and never a call."""
    exported = set(versioned(library))
    for name, reason in private.items():
        found = {pair for pair in exported if fnmatch.fnmatch(pair[0], name)}
        if not found:
            yield f'{name}: in spec/private-symbols but not exported'
        if not reason:
            yield f'{name}: exported without a reason'
        if {version for _, version in found} - {'-'}:
            yield f'{name}: has a version, which nobody asks for'
        exported -= found
    for symbol, version in sorted(table - exported):
        yield f'{symbol}@{version}: in the tables but not exported'
    for symbol, version in sorted(exported - table):
        yield f'{symbol}@{version}: exported but in no table'


def check_library(table, prefix, name):
    """Every symbol of a version family is there; of its versions, one is:
    which ones a libc has depends on the processor."""
    there = set(versioned(system_library(name)))
    known = {symbol for symbol, _ in there}
    ours = {pair for pair in table if pair[1].startswith(prefix + '_')}
    if prefix == 'GLIBC':
        ours |= {(s, v) for s, v in table if v == '-' and s not in known}
    for symbol in sorted({symbol for symbol, _ in ours}):
        if not {p for p in ours if p[0] == symbol} & there:
            yield f'{symbol}: in the tables but not in {name}'


def read_ignored(path):
    """Yield (name or pattern, reason)."""
    for names, reason in first_words(path).items():
        for name in names.split(','):
            yield name, reason


def check_ignored(ignored, table, functions):
    for name, reason in ignored:
        if name in table:
            yield f'{name}: ignored and in a table'
        if not fnmatch.filter(functions, name):
            yield f'{name}: ignored, but not in libc'
        if not reason:
            yield f'{name}: ignored without a reason'


def check_others(others, intercepted, ignored, functions):
    """What is said to do no I/O must not hide what does."""
    named = intercepted | {name for name, _ in ignored if '*' not in name}
    for pattern in sorted(others):
        for symbol in sorted(fnmatch.filter(named, pattern)):
            yield f'{symbol}: does I/O, but {pattern} says it does not'
        if not fnmatch.filter(functions, pattern):
            yield f'{pattern}: no function of libc is like it'


def check_libc(table, spec):
    """What is for other programs to use: no private versions."""
    functions = {symbol for symbol, version
                 in versioned(system_library('libc.so.6'))
                 if version != 'GLIBC_PRIVATE'}
    ignored = [(name, reason)
               for name, reason in read_ignored(spec / 'ignored')
               if not any(re.match(prefix, name)
                          for prefix, *_ in LAYERS.values())]
    others = words(spec / 'libc-other-symbols')
    yield from check_ignored(ignored, table, functions)
    yield from check_others(others, table & functions, ignored, functions)
    unknown = functions - table
    for pattern in others | {name for name, _ in ignored}:
        unknown -= set(fnmatch.filter(unknown, pattern))
    for symbol in sorted(unknown):
        yield (f'{symbol}: a function of libc, neither in a table nor in '
               'spec/ignored nor in spec/libc-other-symbols')


def layer_functions(names):
    """Of the libraries that are installed; empty when none is."""
    paths = [Path(system_library(name)) for name in names]
    return {symbol for path in paths if path.is_absolute()
            for symbol, _ in versioned(path)}


def check_layer(layer, table, spec):
    prefix, covered, names, listed = LAYERS[layer]
    there = layer_functions(names)
    ignored = {name: reason for name, reason in read_ignored(spec / listed)
               if re.match(prefix, name)}
    if not there:
        return
    for symbol in sorted(table - there):
        yield f'{symbol}: in the tables but in none of {" ".join(names)}'
    for symbol in sorted(set(ignored) & table):
        yield f'{symbol}: ignored and in a table'
    for symbol in sorted(set(ignored) - there):
        yield f'{symbol}: ignored, but in none of {" ".join(names)}'
    for symbol in sorted(there - table - set(ignored)):
        if symbol.startswith(covered):
            yield f'{symbol}: neither in a table nor in spec/{listed}'
    yield from (f'{name}: ignored without a reason'
                for name, reason in ignored.items() if not reason)


def check_object(layer, library, symbols, spec):
    pairs = read_table(Path(symbols))
    yield from check_exports(library, pairs, private_doors(spec, layer))
    if layer in LAYERS:
        yield from check_layer(layer, {symbol for symbol, _ in pairs}, spec)
    yield from check_imports(library)
    yield from check_floor(library)


def check_imports(library):
    for symbol in sorted(dynamic(library, '--undefined-only')):
        if FORBIDDEN.match(symbol):
            yield f'{symbol}: must not be called inside a recorded program'
        if WATCHED.match(symbol):
            yield f'{symbol}: taken from libc, not from preload/unwatched.c'


def check_floor(library):
    for line in output('objdump', '-p', library).splitlines():
        match = re.match(r'\s*NEEDED\s+(\S+)', line)
        if match and match[1] not in NEEDED:
            yield f'{match[1]}: needed, but only libc may be'
    for line in output('objdump', '-T', library).splitlines():
        match = re.search(r'UND.*GLIBC_(\d+)\.(\d+)\S*\s+(\S+)$', line)
        if match and (int(match[1]), int(match[2])) > FLOOR:
            yield (f'{match[3]}: needs glibc {match[1]}.{match[2]}; '
                   f'the floor is {FLOOR[0]}.{FLOOR[1]}')


def main(library, symbols, spec, *objects):
    pairs = read_table(Path(symbols))
    table = {symbol for symbol, _ in pairs}
    found = [*check_exports(library, pairs,
                            private_doors(Path(spec))),
             *(fault for family in LIBRARIES.items()
               for fault in check_library(pairs, *family)),
             *check_libc(table, Path(spec)),
             *check_imports(library), *check_floor(library)]
    for at in range(0, len(objects), 3):
        found += check_object(*objects[at:at + 3], Path(spec))
    print('\n'.join(found) or 'ok')
    print(f'{len(table)} symbols intercepted, {len(found)} faults')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
