# SPDX-License-Identifier: BSD-3-Clause
"""Says who made a system call, by its stack.

The innermost frames that lie in libc are its *run*; the function of libc
that was called from outside it is the run's last, the *entry*."""
import bisect
import re
import subprocess
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path

LIBC = re.compile(r"/(libc|libpthread|librt|libdl)[-.]")
LOADER = re.compile(r"/ld[-.]")
WEIR = re.compile(r"/libweir\.so$")
DEBUG = Path("/usr/lib/debug/.build-id")


class Missing(Exception):
    """Something on this machine; the message says what."""


class Symbols:
    """Names of all functions of libc, static ones too."""

    def __init__(self, rows):
        """rows: (address, size, name)"""
        by_place = {}
        for address, size, name in rows:
            by_place.setdefault((address, size), set()).add(name)
        self.places = sorted(by_place)
        self.starts = [start for start, _ in self.places]
        self.names = by_place

    def at(self, address):
        """All names of the function that has this return address."""
        found = set()
        i = bisect.bisect_left(self.starts, address)
        while i > 0 and not found and address - self.starts[i - 1] < 1 << 16:
            i -= 1
            start, size = self.places[i]
            if address - start <= size:
                found |= self.names[start, size]
        return found or {"?"}


def read_symbols(libc):
    """From the separate debug file, found by the build id."""
    notes = subprocess.run(["readelf", "-n", libc], capture_output=True,
                           text=True, check=True).stdout
    build = re.search(r"Build ID: (..)(\w+)", notes)
    path = DEBUG / build[1] / f"{build[2]}.debug"
    if not path.exists():
        raise Missing(f"{path}: the debug symbols of libc (libc6-dbg)")
    table = subprocess.run(["nm", "-S", "--defined-only", path], check=True,
                           capture_output=True, text=True).stdout
    rows = (line.split() for line in table.splitlines())
    return Symbols((int(row[0], 16), int(row[1], 16), own_name(row[3]))
                   for row in rows if len(row) == 4 and row[2] in "TtWi")


def own_name(symbol):
    """Without its version and the mark of libc's inner calls."""
    return symbol.split("@")[0].replace("__GI_", "")


class Words:
    """The lists of the file `classes`: a class, then names and patterns."""

    def __init__(self, path):
        self.exact, self.patterns = defaultdict(set), defaultdict(list)
        name = None
        for line in Path(path).read_text().splitlines():
            words = line.split("#")[0].split()
            if words and not line[0].isspace():
                name = words.pop(0)
            for word in words:
                if "*" in word:
                    self.patterns[name].append(word)
                else:
                    self.exact[name].add(word)

    def has(self, name, word):
        return word in self.exact[name] or any(
            fnmatchcase(word, pattern) for pattern in self.patterns[name])

    def has_one(self, name, words):
        return any(self.has(name, word) for word in words)


def is_loader(line):
    return bool(line.stack) and bool(LOADER.search(line.stack[0].object))


class Origin:
    """What is known of the maker of one line.

    kind: wrapper (of `symbol`), or the name of a class, or None."""
    __slots__ = ("kind", "symbol", "entry")

    def __init__(self, kind, symbol=None, entry=None):
        self.kind, self.symbol, self.entry = kind, symbol, entry


class Judge:
    def __init__(self, symbols, words, wrapped, ignored):
        """wrapped: every symbol of the tables; ignored: of spec/ignored."""
        self.symbols, self.words = symbols, words
        self.wrapped, self.ignored = wrapped, ignored

    def of(self, line):
        stack = line.stack
        if not stack:
            return Origin(None)
        place = stack[0].object
        if LOADER.search(place):
            return Origin("ld.so")
        if WEIR.search(place):
            symbol = stack[0].symbol
            return (Origin("wrapper", symbol) if symbol in self.wrapped
                    else Origin("weir"))
        if LIBC.search(place):
            return self.of_libc(stack)
        return Origin("raw")

    def of_libc(self, stack):
        run = list(self.run_of(stack))
        beyond = stack[len(run)] if len(run) < len(stack) else None
        if "syscall" in run[0]:
            return self.of_syscall(beyond)
        entry = plain(run[-1])
        if any(self.words.has_one("memory", names) for names in run):
            return Origin("libc", None, "malloc")
        if beyond is not None and WEIR.search(beyond.object):
            # calls with a variable list have an inner half
            symbol = beyond.symbol.removeprefix("listed_")
            if symbol in self.wrapped:
                return Origin("wrapper", symbol, entry)
            return Origin("weir")
        return Origin(self.inside_libc(run), None, entry)

    def of_syscall(self, beyond):
        """syscall(): numbers of the tables come through a wrapper too."""
        if beyond is not None and WEIR.search(beyond.object):
            return Origin("wrapper", "syscall", "syscall")
        return Origin("raw", None, "syscall")

    def run_of(self, stack):
        for frame in stack:
            if not LIBC.search(frame.object):
                return
            yield self.symbols.at(frame.address)

    def inside_libc(self, run):
        """stdio, libc, ignored; None: nobody has thought of it."""
        entry = run[-1]
        if any(self.words.has_one("flush", names) for names in run):
            return "stdio"
        if entry & self.wrapped:
            return None     # it went past the wrapper
        if self.words.has_one("libc", entry):
            return "libc"
        return "ignored" if entry & self.ignored else None


def plain(names):
    """The name that people know, among those of one function."""
    return min(names, key=lambda name: (name[0] == "_", len(name), name))
