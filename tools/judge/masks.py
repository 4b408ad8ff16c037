# SPDX-License-Identifier: BSD-3-Clause
"""What may differ between any two runs of a program is replaced by a word."""
import re

MASKS = [
    (r"0x[0-9a-fA-F]+", "ADDRESS"),
    (r"\b\d{4}-\d\d-\d\d\b", "DATE"),
    (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d+\b", "DATE"),
    (r"\b\d{1,2}:\d\d:\d\d\b", "CLOCK"),
    (r"[\d.]+(e[-+]?\d+)? *([mun]?s|secs?|seconds?|[KMGT]?i?B/s(ec)?)\b",
     "FIGURE"),
    (r"(?i)(\bpid\b|\bprocess\b)(\D{0,8})\d{3,}", r"\1\2PID"),
    (r"\[\w[\w.-]*:\d{3,}\]", "[HOST:PID]"),
]
TIMED = re.compile(r"(?i)\btimes?\b|seconds?\b|bandwidth|\brate\b|elapsed")
FIGURE = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")
DECIMAL = re.compile(r"[-+]?\d*\.\d+([eE][-+]?\d+)?|\d+\.(?=\s|$)|\d[eE][-+]\d+")


def mask(text, places, masks=()):
    """Lines of `text`; `places` are directories of one run, `masks` pairs of
    a pattern and a word of the program's own table, which come first."""
    for place in places:
        text = text.replace(str(place), "HERE")
    for pattern, word in (*masks, *MASKS):
        text = re.sub(pattern, word, text)
    return [FIGURE.sub("FIGURE", line) if TIMED.search(line) else line
            for line in text.splitlines()]


def without_decimals(lines):
    return [DECIMAL.sub("FIGURE", line) for line in lines]
