#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of findings into C.

usage: findings.py TABLE OUT.c OUT.h
"""
import re
import sys

sys.dont_write_bytecode = True
from options import logical_lines  # noqa: E402

LEVELS = ("by-saving", "low", "medium", "high", "what-if")
SAVES = ("unknown", "at-most", "about", "data")
FIELDS = ("count", "of", "bytes", "time", "files", "processes", "s")
TRY_FIELDS = ("ranks", "need", "cache")
CONDITIONS = ("romio", "ompio", "hdf5", "proven", "unproven", "cramped")
PER = ("run", "file")
KEYS = ("least", "share", "per", "counts", "among", "level", "saves", "title",
        "because", "advice", "try")

HEAD = """/* Made from spec/findings by spec/gen/findings.py. */
#ifndef WEIR_SPEC_FINDINGS_H
#define WEIR_SPEC_FINDINGS_H

#include <stdint.h>

enum weir_level {
	WEIR_LEVEL_BY_SAVING,
	WEIR_LEVEL_LOW,
	WEIR_LEVEL_MEDIUM,
	WEIR_LEVEL_HIGH,
	WEIR_LEVEL_WHAT_IF, /* no fault: an answer that is always told */
};

enum weir_saves {
	WEIR_SAVES_UNKNOWN,
	WEIR_SAVES_AT_MOST,
	WEIR_SAVES_ABOUT,
	WEIR_SAVES_DATA, /* not time: they may be wrong */
};

enum weir_rule_number {
%s
	WEIR_RULE_COUNT,
};

/* In texts {count} and the like stand for figures, {s} for a plural. */
struct weir_rule {
	const char *name;
	uint64_t least;
	unsigned share; /* per cent */
	int per_file; /* it is that of each file; else of all */
	enum weir_level level;
	enum weir_saves saves;
	const char *title, *because, *advice;
	const char *settings; /* "", or KEY=VALUE or --OPTION ... */
};

extern const struct weir_rule weir_rules[WEIR_RULE_COUNT];

#endif
"""


def constant(word):
    return word.upper().replace("-", "_")


def check(path, number, key, value):
    """Ends the program when a value cannot be meant."""
    if key not in KEYS:
        sys.exit(f"{path}:{number}: {key} is no part of a rule")
    if key in ("least", "share") and not value.isdigit():
        sys.exit(f"{path}:{number}: {value} is no number")
    for known, words in (("level", LEVELS), ("saves", SAVES), ("per", PER)):
        if key == known and value not in words:
            sys.exit(f"{path}:{number}: {value} is none of {words}")
    fields = TRY_FIELDS if key == "try" else FIELDS
    for field in re.findall(r"{(\w*)}", value):
        if field not in fields:
            sys.exit(f"{path}:{number}: {{{field}}} is no figure")


def check_try(path, rule):
    """Ends the program when a word of it cannot be meant."""
    for word in rule["try"].split():
        condition, colon, part = word.rpartition(":")
        if colon and condition not in CONDITIONS and "=" not in condition:
            sys.exit(f"{path}: {rule['name']}: {condition} is no condition")


def read(path):
    """A dict for each rule, with its name and part."""
    rules, part = [], ""
    for number, row in logical_lines(path):
        key, _, value = row.strip().partition(" ")
        value = value.strip()
        if key == "part":
            part = value
            continue
        if key == "rule":
            if value in [rule["name"] for rule in rules]:
                sys.exit(f"{path}:{number}: {value} is there twice")
            rules.append({"name": value, "part": part})
            continue
        check(path, number, key, value)
        rules[-1][key] = value
    for rule in rules:
        missing = [key for key in KEYS if key not in rule]
        if missing:
            sys.exit(f"{path}: {rule['name']} says no {missing[0]}")
        check_try(path, rule)
    return rules


def text(value, indent):
    """A C string of several lines."""
    words, lines = ("" if value == "-" else value).split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 60:
            lines[-1] += " "
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    quoted = ['"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'
              for line in lines]
    return ("\n" + indent).join(quoted)


def c_rule(rule):
    deep = "\t\t\t"
    return (f"\t[WEIR_RULE_{constant(rule['name'])}] = {{\n"
            f"\t\t.name = \"{rule['name']}\",\n"
            f"\t\t.least = {rule['least']}, .share = {rule['share']},\n"
            f"\t\t.per_file = {int(rule['per'] == 'file')},\n"
            f"\t\t.level = WEIR_LEVEL_{constant(rule['level'])},\n"
            f"\t\t.saves = WEIR_SAVES_{constant(rule['saves'])},\n"
            f"\t\t.title =\n{deep}{text(rule['title'], deep)},\n"
            f"\t\t.because =\n{deep}{text(rule['because'], deep)},\n"
            f"\t\t.advice =\n{deep}{text(rule['advice'], deep)},\n"
            f"\t\t.settings = {text(rule['try'], deep)},\n\t}},")


def main(table, out_c, out_h):
    rules = read(table)
    with open(out_h, "w", encoding="utf-8") as file:
        file.write(HEAD % "\n".join(
            f"\tWEIR_RULE_{constant(rule['name'])}," for rule in rules))
    with open(out_c, "w", encoding="utf-8") as file:
        print("/* Made from spec/findings by spec/gen/findings.py. */",
              '#include "spec/findings.h"\n',
              "const struct weir_rule weir_rules[WEIR_RULE_COUNT] = {",
              *[c_rule(rule) for rule in rules], "};", sep="\n", file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
