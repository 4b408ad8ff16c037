#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of launchers into C.

usage: launchers.py TABLE OUT.c OUT.h
"""
import sys

WORDS = ("also", "helpers", "dashes", "next", "flags", "one", "two", "unclear")
LISTS = ("helpers", "flags", "one", "two", "unclear")
DASHES = ("one", "both", "gnu")


class Launcher:
    def __init__(self, name, programs):
        self.name, self.programs = name, programs
        self.words = {}


def logical_lines(path):
    """(number, indented, words); deeper lines join the one above."""
    last = None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.split("#")[0].rstrip()
            if not text:
                continue
            depth = len(text) - len(text.lstrip())
            if depth > 2 and last:
                last[2].extend(text.split())
                continue
            if last:
                yield last
            last = (number, depth > 0, text.split())
    if last:
        yield last


def read(path):
    launchers, seen = [], set()
    for number, indented, words in logical_lines(path):
        where = f"{path}:{number}"
        if not indented:
            if words[0] != "launcher" or len(words) < 3:
                sys.exit(f"{where}: 'launcher NAME PROGRAM...' is expected")
            launchers.append(Launcher(words[1], words[2:]))
            names = words[2:]
        elif words[0] not in WORDS or not launchers:
            sys.exit(f"{where}: '{words[0]}' is none of {', '.join(WORDS)}")
        else:
            launchers[-1].words[words[0]] = words[1:]
            names = words[1:] if words[0] == "helpers" else []
        for name in names:
            if name in seen:
                sys.exit(f"{where}: {name} is there twice")
            seen.add(name)
    for launcher in launchers:
        check(path, launcher)
    return launchers


def check(path, launcher):
    options = [o for word in LISTS[1:] for o in launcher.words.get(word, [])]
    twice = {o for o in options if options.count(o) > 1}
    if twice:
        sys.exit(f"{path}: {launcher.name}: told twice: {', '.join(twice)}")
    if launcher.words.get("dashes", [""])[0] not in DASHES:
        sys.exit(f"{path}: {launcher.name}: dashes are {', '.join(DASHES)}")


def c_list(words):
    return "(const char *const[]){ " + "".join(
        f'"{word}", ' for word in words) + "NULL }"


def c_rows(launchers):
    for launcher in launchers:
        words = launcher.words
        following = words.get("next", ["-"])[0]
        yield "\t{"
        yield f'\t\t.name = "{launcher.name}",'
        yield f"\t\t.programs = {c_list(launcher.programs)},"
        yield f"\t\t.dashes = WEIR_DASHES_{words['dashes'][0].upper()},"
        yield f"\t\t.also = {c_list(words.get('also', []))},"
        if following != "-":
            yield f'\t\t.next = "{following}",'
        for word in LISTS[1:]:
            yield f"\t\t.{word} = {c_list(words.get(word, []))},"
        yield "\t},"


def main(table, out_c, out_h):
    launchers = read(table)
    with open(out_c, "w", encoding="utf-8") as file:
        print('/* Made from spec/launchers. */\n#include "launch/programs/launcher.h"\n\n#include <stddef.h>\n'
              "\nconst struct weir_launcher weir_launchers[] = {",
              *c_rows(launchers), "\t{ 0 },\n};", sep="\n", file=file)
    silent = [name for l in launchers
              for name in l.programs + l.words.get("helpers", [])]
    with open(out_h, "w", encoding="utf-8") as file:
        print("/* Made from spec/launchers. */",
              "/* Programs that start others and are never recorded. */",
              "#define WEIR_LAUNCHERS_SILENT \\",
              *[f'\t"{name}", \\' for name in silent], "\tNULL", sep="\n",
              file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
