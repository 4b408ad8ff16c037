#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of ranks' variables into C.

usage: ranks.py TABLE OUT.h
"""
import re
import sys


def read(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 4:
                sys.exit(f"{path}:{number}: LAUNCHER, rank, size and job"
                         " are expected")
            for name in re.split(r"[+()]", "+".join(words[1:])):
                if name not in ("", "-") and not re.fullmatch(
                        "[A-Z][A-Z0-9_]*", name):
                    sys.exit(f"{path}:{number}: {name} is no variable")
            if words[0] in [row[0] for row in rows]:
                sys.exit(f"{path}:{number}: {words[0]} is there twice")
            rows.append(words)
    return rows


def quote(name):
    return "NULL" if name == "-" else f'"{name}"'


def c_row(row):
    launcher, rank, size, job = row
    needed = size.startswith("(")
    job, step = (job.split("+") + ["-"])[:2]
    return (f'\t{{ "{launcher}", {quote(rank)}, {quote(size.strip("()"))}, '
            f'{quote(job)}, {quote(step)}, {str(needed).lower()} }}, \\')


def main(table, out_h):
    with open(out_h, "w", encoding="utf-8") as file:
        print("/* Made from spec/ranks. */",
              "/* launcher, rank, size, job, step, size must be there */",
              "#define WEIR_RANKS \\",
              *[c_row(row) for row in read(table)], "\t{ 0 }",
              sep="\n", file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
