#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check an object that stands before another library.

usage: check-layer.py OBJECT SYMBOLS.TXT IGNORED PATTERN [LIBRARY]...

1. the object exports the symbols of its table, and nothing else; it needs libc
   and libweir.so alone;
2. every function of the LIBRARY (a name that the loader finds; one that is not
   here is passed over) whose name matches PATTERN is in the table or, with a
   reason, in IGNORED;
3. nothing stands in both, and what is ignored is there to be ignored.
"""
import re
import subprocess
import sys
from pathlib import Path

NEEDED = re.compile(r"(libc\.so\.6|libweir\.so|ld-linux-[\w-]+\.so\.\d)$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def functions(path):
    out = output("nm", "-D", "-f", "posix", "--defined-only", path)
    return {line.split()[0].split("@")[0] for line in out.splitlines()
            if line.split()[1] in "TWi"}


def find(name):
    """Where the loader would find it."""
    for line in output("/sbin/ldconfig", "-p").splitlines():
        if line.split()[:1] == [name]:
            return line.split()[-1]
    return None


def read_ignored(path):
    names, faults = set(), []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        listed, _, reason = line.partition(" ")
        if not reason.strip():
            faults.append(f"{path}:{number}: no reason is given")
        names |= set(listed.split(","))
    return names, faults


def check_object(path, table):
    exported = functions(path)
    for symbol in sorted(table - exported):
        yield f"{path} does not export {symbol}"
    for symbol in sorted(exported - table):
        yield f"{path} exports {symbol}, which is in no table"
    for line in output("readelf", "-d", path).splitlines():
        needed = re.search(r"\(NEEDED\).*\[(.*)\]", line)
        if needed and not NEEDED.match(needed[1]):
            yield f"{path} needs {needed[1]}"


def check_libraries(names, pattern, table, ignored):
    there, seen = [find(name) for name in names], set()
    for path in filter(None, there):
        found = {s for s in functions(path) if re.match(pattern, s)}
        seen |= found
        for symbol in sorted(found - table - ignored):
            yield f"{symbol} of {path} is neither in the table nor ignored"
    if all(there):
        for symbol in sorted(ignored - seen):
            yield f"{symbol} is ignored and in no library"
    for symbol in sorted(ignored & table):
        yield f"{symbol} is ignored and in the table"


def main(path, symbols, ignored_path, pattern, *names):
    table = {line.split()[0]
             for line in Path(symbols).read_text().splitlines()}
    ignored, faults = read_ignored(Path(ignored_path))
    faults += check_object(path, table)
    faults += check_libraries(names, pattern, table, ignored)
    print("\n".join(faults) or "all is in the table, or ignored for a reason")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
