#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of objects to preload into C.

usage: objects.py TABLE OUT.c
"""
import sys

from launchers import c_list, logical_lines

# A row's first word: how many words it has, and what stands below it.
ROWS = {
    "object": (3, ("title", "libraries")),
    "together": (2, ()),
    "anything": (1, ("programs", "libraries")),
}


class Part:
    def __init__(self, where, words):
        self.where, self.head, self.words = where, words, {}


def read(path):
    parts = []
    for number, indented, words in logical_lines(path):
        where = f"{path}:{number}"
        if not indented:
            if ROWS.get(words[0], (0,))[0] != len(words):
                sys.exit(f"{where}: 'object NAME FILE', 'together FILE' or"
                         " 'anything' is expected")
            parts.append(Part(where, words))
        elif not parts:
            sys.exit(f"{where}: no object stands above")
        else:
            parts[-1].words[words[0]] = words[1:]
    for part in parts:
        check(part)
    return parts


def check(part):
    expected = ROWS[part.head[0]][1]
    if set(part.words) != set(expected):
        sys.exit(f"{part.where}: needs {', '.join(expected)}")


def c_object(part):
    return [
        "\t{",
        f'\t\t.name = "{part.head[1]}",',
        f'\t\t.file = "{part.head[2]}",',
        f'\t\t.title = "{" ".join(part.words["title"])}",',
        f"\t\t.libraries = {c_list(part.words['libraries'])},",
        "\t},",
    ]


def main(table, out_c):
    parts = read(table)
    objects = [part for part in parts if part.head[0] == "object"]
    together, anything = ([part for part in parts if part.head[0] == word]
                          for word in ("together", "anything"))
    if not objects or len(objects) > 8 or \
            (len(together), len(anything)) != (1, 1):
        sys.exit(f"{table}: one to eight objects, one 'together' and one"
                 " 'anything'")
    with open(out_c, "w", encoding="utf-8") as file:
        print("/* Made from spec/objects. */",
              '#include "launch/programs/preloads.h"\n\n#include <stddef.h>',
              "\nconst struct weir_object weir_preloads[] = {",
              *[line for part in objects for line in c_object(part)],
              "\t{ 0 },\n};",
              "\nconst char *const weir_preloads_together ="
              f' "{together[0].head[1]}";',
              "\nconst char *const *const weir_preloads_programs =",
              f"\t{c_list(anything[0].words['programs'])};",
              "const char *const *const weir_preloads_libraries =",
              f"\t{c_list(anything[0].words['libraries'])};",
              sep="\n", file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
