#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of other libraries' errors into C.

usage: errors.py TABLE OUT.h
"""
import sys


def read(path):
    """{layer: {number: name}}"""
    found = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 3 or not words[1].isdigit():
                sys.exit(f"{path}:{number}: LAYER, NUMBER and NAME are"
                         " expected")
            rows = found.setdefault(words[0], {})
            if int(words[1]) in rows or words[2] in rows.values():
                sys.exit(f"{path}:{number}: {words[2]} or its number is there"
                         " twice")
            rows[int(words[1])] = words[2]
    return found


def c_layer(layer, rows):
    return [f"#define WEIR_ERRORS_{layer.upper()} \\",
            *(f'\t{{ {number}, "{name}" }}, \\'
              for number, name in rows.items()), ""]


def main(table, out_h):
    with open(out_h, "w", encoding="utf-8") as file:
        print("/* Made from spec/errors: number, name */",
              *(line for layer, rows in read(table).items()
                for line in c_layer(layer, rows)), sep="\n", file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
