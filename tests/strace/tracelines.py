# SPDX-License-Identifier: BSD-3-Clause
"""Reads what strace wrote: one file a thread, a stack after each line.

The options that make it so are OPTIONS. Strings are hexadecimal, so nothing
in a line can be mistaken for its structure."""
import re
from pathlib import Path

OPTIONS = ["-f", "-ff", "-k", "-y", "-v", "-T", "-xx", "-s", "80", "-X", "raw",
           "--absolute-timestamps=format:unix,precision:ns",
           "--seccomp-bpf"]

LINE = re.compile(r"(\d+)\.(\d+) (\w+)\((.*)$")
RESUMED = re.compile(r"(\d+)\.(\d+) <\.\.\. \w+ resumed>(.*)$")
RESULT = re.compile(r"^(.*)\)\s+= (\?|-?\w+)(<[^>]*>(?:\(deleted\))?)?(.*)$")
TOOK = re.compile(r"<(\d+\.\d+)>$")
UNFINISHED = re.compile(r"\s*<unfinished \.\.\.>(\)\s+= \?)?$")
FRAME = re.compile(r" > (.*?)\((.*)\) \[0x([0-9a-f]+)\]$")
SUFFIX = re.compile(r"(\.\w+)*(\+0x[0-9a-f]+)?$")


class Frame:
    """One level of a stack: the object, its symbol and the address in it."""
    __slots__ = ("object", "symbol", "address")

    def __init__(self, text):
        parts = FRAME.match(text)
        self.object, self.symbol, self.address = "?", "", 0
        if parts:
            self.object = parts[1]
            self.symbol = SUFFIX.sub("", parts[2])
            self.address = int(parts[3], 16)

    def __repr__(self):
        return f"{Path(self.object).name}:{self.symbol or '?'}"


class Line:
    """One system call of one thread."""

    def __init__(self, tid, time, name, text):
        self.tid, self.time, self.name, self.text = tid, time, name, text
        self.ret = self.error = None     # no result: it never returned
        self.took = None
        self.ret_path = None
        self.stack = []
        self.args_cache = None

    def finish(self):
        """Take the result from the end of the text."""
        parts = RESULT.match(self.text)
        if UNFINISHED.search(self.text) or not parts:
            self.text = UNFINISHED.sub("", self.text)
            return
        self.text, value, path, rest = parts.groups()
        took = TOOK.search(rest)
        if took:
            self.took = int(float(took[1]) * 1e9)
        word = rest.split()[0] if rest.split() else ""
        if value != "?":
            self.ret = int(value, 0)
            self.ret_path = path and unhex_name(path[1:path.rindex(">")])
        if word.startswith("E") and (value == "?" or self.ret == -1):
            self.error = word

    @property
    def args(self):
        if self.args_cache is None:
            self.args_cache = parse_arguments(self.text)
        return self.args_cache

    def places(self):
        return [frame.address for frame in self.stack]

    def is_restarted(self):
        return (self.error or "").startswith("ERESTART")

    def __repr__(self):
        end = self.error or self.ret
        text = re.sub(r"(?:\\x[0-9a-f]{2})+", unhex_match, self.text)
        return (f"{self.tid} {self.name}({text[:300]}) = {end}   "
                f"[{' < '.join(map(repr, self.stack[:8]))}]")


def unhex_match(match):
    return unhex(match[0]).decode(errors="backslashreplace")


def unhex(text):
    return bytes.fromhex(text.replace("\\x", ""))


# --- arguments -----------------------------------------------------------

class Fd(int):
    """A descriptor, with the name that the kernel has for it."""
    path = None


class Text(bytes):
    """A string of the program; is_cut: only its beginning is shown."""
    is_cut = False


TOKEN = re.compile(r"""\s*(?:
    (?P<comment>/\*.*?\*/) |
    "(?P<text>(?:\\x[0-9a-f]{2})*)"(?P<cut>\.\.\.)? |
    (?P<fd>-?\d+)<(?P<path>[^>]*)>(?:\(deleted\))? |
    (?P<number>-?(?:0x[0-9a-f]+|\d+)) |
    (?P<word>[A-Za-z_]\w*) |
    (?P<mark>=>|\.\.\.|.)
    )""", re.VERBOSE)


class Parser:
    """Values as Python has them: lists, dictionaries, numbers, Text."""

    def __init__(self, text):
        self.tokens = [m for m in TOKEN.finditer(text)
                       if m.lastgroup and not m["comment"]]
        self.at = 0

    def peek(self):
        if self.at < len(self.tokens):
            return self.tokens[self.at]["mark"]
        return None

    def is_over(self):
        return self.at >= len(self.tokens)

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def until(self, end):
        """Values between commas; NAME=VALUE ones as one dictionary."""
        values, named = [], {}
        while not self.is_over() and self.peek() != end:
            name, value = self.member()
            if name:
                named[name] = value
            else:
                values.append(value)
            if self.peek() == ",":
                self.take()
        if not self.is_over():
            self.take()
        return values + [named] if values and named else named or values

    def member(self):
        token = self.tokens[self.at]
        if token["mark"] == ",":        # flags of which none is set
            return None, 0
        if token["word"] and self.at + 1 < len(self.tokens) and \
                self.tokens[self.at + 1]["mark"] == "=":
            self.at += 2
            return token["word"], self.value()
        return None, self.value()

    def value(self):
        """One value; `A => B` (before and after) is A; `A|B` a sum."""
        value = self.simple()
        while self.peek() in ("=>", "|", "*", "&", "~"):
            mark = self.take()["mark"]
            other = self.simple()
            if mark == "|" and isinstance(value, int):
                value |= other if isinstance(other, int) else 0
        return value

    def simple(self):
        if self.is_over():
            return None
        token = self.take()
        if token["text"] is not None:
            text = Text(unhex(token["text"]))
            text.is_cut = bool(token["cut"])
            return text
        if token["fd"]:
            value = Fd(token["fd"])
            value.path = unhex_name(token["path"])
            return value
        if token["number"]:
            return number(token["number"])
        if token["word"]:
            return self.word(token["word"])
        if token["mark"] == "|":        # before a sum whose first is 0
            return self.simple()
        if token["mark"] in "[{(":
            return self.until({"[": "]", "{": "}", "(": ")"}[token["mark"]])
        return token["mark"]

    def word(self, word):
        if self.peek() == "(":
            self.take()
            return self.until(")")
        return None if word == "NULL" else word


def number(text):
    if len(text) > 1 and text[0] == "0" and text[1] in "01234567":
        return int(text, 8)
    return int(text, 0)


def unhex_name(text):
    return unhex(text).decode(errors="surrogateescape") \
        if text.startswith("\\x") else text


def parse_arguments(text):
    """The arguments of a call; named ones (of clone) as one dictionary."""
    values = Parser(text + ")").until(")")
    return values if isinstance(values, list) else [values]


# --- files ---------------------------------------------------------------

def read_thread(path):
    """The system calls of one thread, in order."""
    tid, lines, line = int(path.suffix[1:]), [], None
    for text in path.read_text(errors="surrogateescape").splitlines():
        if text.startswith(" >"):
            if line is not None:
                line.stack.append(Frame(text))
            continue
        parts, rest = LINE.match(text), RESUMED.match(text)
        if parts:
            time = int(parts[1]) * 10**9 + int(parts[2])
            line = Line(tid, time, parts[3], parts[4])
            lines.append(line)
        elif rest and lines:
            line = lines[-1]
            line.text = UNFINISHED.sub("", line.text) + rest[3]
        else:
            line = None     # a signal, or the end
    for line in lines:
        line.finish()
    return lines


def read_threads(prefix):
    """What `strace -ff -o PREFIX` left, by thread."""
    folder, stem = Path(prefix).parent, Path(prefix).name
    return {int(path.suffix[1:]): read_thread(path)
            for path in sorted(folder.glob(stem + ".*"))
            if path.suffix[1:].isdigit()}
