#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Names that try to be more than names come through every format unharmed.

usage: run-hostile.py PROGRAM

The program uses each file by several calls. In text, CSV and JSON its name
must stand in the safe form of doc/format.md, from which the name is taken
back byte for byte; no output has a byte that a terminal would obey, a line
that is not an event, or anything but UTF-8.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import weirtool  # noqa: E402
from hostilenames import WORDS, long_path, take_back  # noqa: E402

CALLS = {"open", "fopen", "stat", "rename", "write", "fputs", "fclose",
         "close"}


def harmful(text):
    """Characters in the output that do something instead of being shown."""
    return {c for c in text if c != "\n" and
            unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")}


def dump(trace, form):
    done = subprocess.run([weirtool.WEIR, "dump", "--format", form, trace],
                          capture_output=True, check=True)
    text = done.stdout.decode()  # raises unless it is UTF-8
    bad = harmful(text)
    assert not bad, f"{form}: {bad}"
    return text


def names_in_json(text):
    lines = [json.loads(line) for line in text.splitlines()]
    seen = [(e["call"], take_back(e["file"])) for e in lines if "file" in e]
    given = [take_back(e["args"]["path"]) for e in lines
             if e["call"] in ("open", "fopen") and "path" in e["args"]]
    listed = [take_back(e["args"]["entry"]["name"]) for e in lines
              if e["call"] == "readdir" and e["args"].get("entry")]
    return seen, given, listed


def names_in_csv(text):
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert all(None not in row and None not in row.values() for row in rows)
    return [(row["call"], take_back(row["file"])) for row in rows
            if row["file"]]


def names_in_text(text):
    """fopen("NAME", "a") = FD</PATH>: between the quotes, and < and >."""
    quoted = re.findall(r' fopen\("((?:[^"\\]|\\.)*)", "a"\) = ', text)
    return [take_back(name.replace('\\"', '"')) for name in quoted]


def check(tap, what, wrong):
    """Nothing is wrong, or some of it is shown."""
    lines = [repr(item)[:100] for item in list(wrong)[:3]]
    tap.result(not wrong, what, lines)


def main(program):
    program = Path(program).resolve()
    tap = weirtool.Tap()
    with tempfile.TemporaryDirectory(prefix="weir-hostile-") as scratch:
        trace, work = Path(scratch) / "trace", Path(scratch) / "work"
        work.mkdir()
        names = WORDS + [long_path(work)]
        paths = {os.path.join(os.fsencode(work), name) for name in names}
        done = weirtool.record(trace, [program], cwd=work, capture_output=True,
                               stdin=None, input=b"\0".join(names) + b"\0")
        check(tap, f"{len(names)} names are used",
              [done.stderr] if done.returncode else [])
        seen, given, listed = names_in_json(dump(trace, "jsonl"))
        for call in sorted(CALLS):
            check(tap, f"JSON has every name for {call}",
                  paths - {name for who, name in seen if who == call})
        check(tap, "JSON has every name as it was given",
              set(names) ^ set(given))
        check(tap, "JSON has every directory entry",
              {name for name in names if b"/" not in name} - set(listed))
        in_csv = names_in_csv(dump(trace, "csv"))
        check(tap, "CSV says the same as JSON",
              [] if in_csv == seen else set(seen) ^ set(in_csv) or ["order"])
        texts = names_in_text(dump(trace, "text"))
        check(tap, "text has every name", set(names) ^ set(texts))
        one = subprocess.run(
            [weirtool.WEIR, "dump", "--format", "csv", "--file", "*new?line",
             trace], capture_output=True, text=True, check=True)
        found = one.stdout.count("new\\x0aline")
        check(tap, "a pattern finds such a file",
              [] if found >= len(CALLS) else [found])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
