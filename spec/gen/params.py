#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of parameters into C.

usage: params.py TABLE LAYOUT.h OUT.c OUT.h

LAYOUT.h is src/plan/plan_layout.h, which says what targets there are.
"""
import re
import sys

sys.dont_write_bytecode = True
from options import logical_lines  # noqa: E402

KEYS = ("also", "target", "type", "range", "multiple", "spelt", "tried",
        "default",
        "via", "seen", "bytes", "tier", "risk", "inert", "stand-in", "about")
USUAL = {"also": "", "range": "", "multiple": "1", "spelt": "true false",
         "tried": "",
         "bytes": "none", "tier": "transparent", "risk": "", "inert": "",
         "stand-in": ""}
BYTES = ("none", "layout", "content")
WORDS = ("hosts", "directory")  # of which the table says what to try
PLAIN = ("size", "number", "bool", "real", *WORDS)
TESTS = ("without", "with", "small-threshold", "beyond-memory",
         "no-parallel-fs")
MOST = 8  # WEIR_PLAN_NUMBERS
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

HEAD = """/* Made from spec/params by spec/gen/params.py. */
#ifndef WEIR_SPEC_PARAMS_H
#define WEIR_SPEC_PARAMS_H

#include <stdint.h>

/* Numbers are for ever. */
enum weir_param {
%s
};

enum weir_param_type {
	WEIR_PARAM_IS_SIZE,
	WEIR_PARAM_IS_NUMBER,
	WEIR_PARAM_IS_BOOL,
	WEIR_PARAM_IS_REAL,
	WEIR_PARAM_IS_HOSTS,
	WEIR_PARAM_IS_DIRECTORY,
	WEIR_PARAM_IS_CHOICE,
};

enum weir_param_bytes {
	WEIR_PARAM_CHANGES_NONE,
	WEIR_PARAM_CHANGES_LAYOUT,
	WEIR_PARAM_CHANGES_CONTENT,
};

/* One of the values, which commas part. */
struct weir_param_part {
	enum weir_param_type type;
	int64_t low, high;
	const char *const *choices; /* the last is NULL */
};

struct weir_param_row {
	enum weir_param param;
	const char *part; /* of the manual */
	const char *name;
	const char *const *also; /* the last is NULL */
	int target; /* enum weir_plan_target */
	unsigned least, most; /* values */
	const struct weir_param_part *parts; /* the last is for all further */
	unsigned part_count;
	int64_t multiple;
	const char *yes, *no; /* as who gets it spells them */
	const char *type, *range, *initial, *via, *seen;
	enum weir_param_bytes bytes;
	const char *opt_in; /* NULL: no; "": always; words: with these values */
	const char *risk; /* of what is opted in; "": nothing is */
	const char *inert, *stand_in, *about;
};

#define WEIR_PARAM_ROWS %d
extern const struct weir_param_row weir_params[WEIR_PARAM_ROWS];

/* What a plan may not set; value NULL: whatever the value. */
struct weir_param_excluded {
	const char *name, *value, *why;
};

#define WEIR_PARAM_EXCLUDED %d
extern const struct weir_param_excluded
	weir_params_excluded[WEIR_PARAM_EXCLUDED];

enum weir_param_test {
%s
};

/* A value or other_value that is NULL: whichever. */
struct weir_param_warning {
	enum weir_param param;
	const char *value;
	enum weir_param_test test;
	int target; /* 0: none */
	int other; /* enum weir_param; 0: none */
	const char *other_value;
	const char *what;
};

#define WEIR_PARAM_WARNINGS %d
extern const struct weir_param_warning
	weir_params_warnings[WEIR_PARAM_WARNINGS];

#endif
"""


class Wrong(Exception):
    """What is wrong with a row; in which line, if not the last one read."""

    def __init__(self, what, line=None):
        super().__init__(what)
        self.line = line


class Table:
    """What the file says."""

    def __init__(self, targets):
        self.targets, self.part = targets, ""
        self.params, self.excluded, self.warnings = [], [], []

    def names(self):
        return {name: param for param in self.params
                for name in [param["name"], *param["also"].split()]}


def constant(word):
    return re.sub(r"\W", "_", word).upper()


def integer(text):
    """A number with an optional unit."""
    found = re.fullmatch(r"(-?\d+)([KMGT]?)", text)
    if not found:
        raise Wrong(f"{text} is no number")
    return int(found[1]) * UNITS.get(found[2], 1)


def one_part(word):
    """Its type, choices, and whether it may be left out or goes on."""
    goes_on = word.endswith("...")
    optional = word.endswith("?")
    word = word.removesuffix("...").removesuffix("?").strip()
    if word in PLAIN:
        return {"type": word, "choices": [], "optional": optional,
                "goes_on": goes_on}
    if not re.fullmatch(r"[\w:^]+(\|[\w:^]+)+", word):
        raise Wrong(f"{word} is no type")
    return {"type": "choice", "choices": word.split("|"),
            "optional": optional, "goes_on": goes_on}


def parts_of(param):
    """The parts of its type, with their ranges."""
    parts = [one_part(word.strip()) for word in param["type"].split(",")]
    ranges = [word.strip() for word in param["range"].split(",")]
    if param["range"] and len(ranges) != len(parts):
        raise Wrong("there are as many ranges as types, or none")
    for place, part in enumerate(parts):
        said = ranges[place] if param["range"] else "-"
        part["low"], part["high"] = 0, 0
        if part["type"] in ("size", "number", "real"):
            low, dots, high = said.partition("..")
            if not dots:
                raise Wrong(f"a {part['type']} wants a range")
            part["low"], part["high"] = integer(low), integer(high)
            if part["low"] > part["high"]:
                raise Wrong(f"nothing is in {said}")
    if any(part["goes_on"] for part in parts[:-1]) or len(parts) > MOST:
        raise Wrong("only the last may go on, to eight in all")
    return parts


def complete(table, param):
    """Checks a parameter that has all its rows."""
    for key in KEYS:
        param.setdefault(key, USUAL.get(key))
        if param[key] is None:
            raise Wrong(f"{param['name']} says no {key}")
    if param["target"] not in table.targets:
        raise Wrong(f"{param['target']} is no target")
    if param["bytes"] not in BYTES:
        raise Wrong(f"{param['bytes']} is none of {BYTES}")
    if param["tier"].split()[0] not in ("transparent", "opt-in"):
        raise Wrong(f"{param['tier']} is no tier")
    if (param["tier"] == "transparent") != (not param["risk"]):
        raise Wrong(f"{param['name']}: opt-in and risk go together")
    if len(param["spelt"].split()) != 2:
        raise Wrong("yes and no have a word each")
    param["parts"] = parts_of(param)
    if any(part["type"] in WORDS for part in param["parts"]) and \
            not param["tried"]:
        raise Wrong(f"{param['name']} says nothing to be tried")
    known = [word for part in param["parts"] for word in part["choices"]]
    for word in param["tier"].split()[1:]:
        if word not in known + param["spelt"].split():
            raise Wrong(f"{word} is no value of {param['name']}")


def begin(table, value, line):
    number, _, name = value.partition(" ")
    name = name.strip()
    if not number.isdigit() or not 0 < int(number) < 65536:
        raise Wrong(f"{number} is no number for a parameter")
    for other in table.params:
        if other["number"] == int(number):
            raise Wrong(f"{number} is the number of {other['name']}")
        if constant(other["name"]) == constant(name):
            raise Wrong(f"{name} is there twice")
    table.params.append({"number": int(number), "name": name,
                         "part": table.part, "line": line})


def exclude(table, value):
    names, colon, why = value.partition(": ")
    if not colon:
        raise Wrong("an excluded name wants a reason")
    for name in names.split():
        name, _, value = name.partition("=")
        table.excluded.append((name, value, why.strip()))


def finish(table):
    """The last parameter has all its rows."""
    if not table.params or "parts" in table.params[-1]:
        return
    try:
        complete(table, table.params[-1])
    except Wrong as wrong:
        raise Wrong(str(wrong), table.params[-1]["line"]) from None


def row_of_param(table, key, value):
    if not table.params or "parts" in table.params[-1]:
        raise Wrong(f"{key} is no row")
    if key not in KEYS:
        raise Wrong(f"{key} is no part of a parameter")
    if key in table.params[-1]:
        raise Wrong(f"{key} is there twice")
    table.params[-1][key] = value


def take(table, waiting, number, row):
    key, _, value = row.strip().partition(" ")
    value = value.strip()
    if key in ("part", "param", "excluded", "warn"):
        finish(table)
    if key == "part":
        table.part = value
    elif key == "param":
        begin(table, value, number)
    elif key == "excluded":
        exclude(table, value)
    elif key == "warn":
        waiting.append((number, value))
    else:
        row_of_param(table, key, value)


def known(table, name):
    param = table.names().get(name)
    if not param:
        raise Wrong(f"{name} is no parameter")
    return param["number"]


def warn(table, row):
    """A warning, once all parameters are known."""
    said, colon, what = row.partition(": ")
    words = said.split()
    if not colon or len(words) < 2 or words[1] not in TESTS:
        raise Wrong("warn NAME CONDITION: WHAT")
    if (len(words) == 3) != (words[1] in ("with", "without")):
        raise Wrong(f"{words[1]} has as many words as the head says")
    name, _, value = words[0].partition("=")
    other, _, other_value = (words[2:] or [""])[0].partition("=")
    target = other if other in table.targets else ""
    table.warnings.append({
        "param": known(table, name), "value": value, "test": words[1],
        "target": target, "what": what.strip(), "other_value": other_value,
        "other": known(table, other) if other and not target else 0})


def check_all(table):
    seen = {}
    for param in table.params:
        for name in [param["name"], *param["also"].split()]:
            if name.lower() in seen:
                raise Wrong(f"{name} is a name of two parameters",
                            param["line"])
            seen[name.lower()] = param
    for name, value, _ in table.excluded:
        if not value and name.lower() in seen:
            raise Wrong(f"{name} is a parameter and excluded")
        if value and name.lower() not in seen:
            raise Wrong(f"{name} has a value excluded and is no parameter")


def targets_of(path):
    """The words of enum weir_plan_target."""
    with open(path, encoding="utf-8") as file:
        body = re.search(r"enum weir_plan_target {(.*?)};", file.read(), re.S)
    words = re.findall(r"^\s*WEIR_PLAN_(\w+)", body[1], re.M)
    return [word.lower() for word in words]


def read(path, layout):
    """The table, or the end of the program."""
    table, waiting, number = Table(targets_of(layout)), [], 0
    try:
        for number, row in logical_lines(path):
            take(table, waiting, number, row)
        finish(table)
        check_all(table)
        for number, row in waiting:
            warn(table, row)
    except Wrong as wrong:
        sys.exit(f"{path}:{wrong.line or number}: {wrong}")
    return table


def text(value):
    """A C string, or NULL."""
    if value is None:
        return "NULL"
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{value}"'


def words(values):
    return "(const char *const[]){ " + "".join(
        text(value) + ", " for value in values) + "NULL }"


def c_part(part):
    choices = words(part["choices"]) if part["choices"] else "NULL"
    return (f"\t\t\t{{ WEIR_PARAM_IS_{part['type'].upper()}, "
            f"INT64_C({part['low']}), INT64_C({part['high']}),\n"
            f"\t\t\t  {choices} }},\n")


def c_param(param):
    parts = param["parts"]
    least = sum(not part["optional"] for part in parts)
    most = MOST if parts[-1]["goes_on"] else len(parts)
    yes, no = param["spelt"].split()
    tier, _, only = param["tier"].partition(" ")
    fields = [
        ("param", f"WEIR_PARAM_{constant(param['name'])}"),
        ("part", text(param["part"])), ("name", text(param["name"])),
        ("also", words(param["also"].split())),
        ("target", f"WEIR_PLAN_{param['target'].upper()}"),
        ("least", least), ("most", most), ("part_count", len(parts)),
        ("parts", "(const struct weir_param_part[]){\n"
         + "".join(map(c_part, parts)) + "\t\t}"),
        ("multiple", integer(param["multiple"])),
        ("yes", text(yes)), ("no", text(no)),
        ("bytes", f"WEIR_PARAM_CHANGES_{param['bytes'].upper()}"),
        ("opt_in", text(only.strip() if tier == "opt-in" else None)),
        ("initial", text(param["default"])),
        ("stand_in", text(param["stand-in"])),
        *((key, text(param[key])) for key in (
            "type", "range", "via", "seen", "risk", "inert", "about"))]
    return "\t{\n" + "".join(
        f"\t\t.{name} = {value},\n" for name, value in fields) + "\t},"


def c_excluded(row):
    name, value, why = row
    return f"\t{{ {text(name)}, {text(value or None)}, {text(why)} }},"


def c_warning(row):
    target = f"WEIR_PLAN_{row['target'].upper()}" if row["target"] else 0
    return (f"\t{{ {row['param']}, {text(row['value'] or None)}, "
            f"WEIR_PARAM_TEST_{constant(row['test'])},\n\t  {target}, "
            f"{row['other']}, {text(row['other_value'] or None)},\n"
            f"\t  {text(row['what'])} }},")


def lines_of_enum(prefix, pairs):
    return "\n".join(f"\t{prefix}{constant(word)} = {number},"
                     for word, number in pairs)


def write_h(table, path):
    pairs = [(param["name"], param["number"]) for param in table.params]
    tests = zip(TESTS, range(len(TESTS)))
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD % (
            lines_of_enum("WEIR_PARAM_", pairs), len(table.params),
            len(table.excluded), lines_of_enum("WEIR_PARAM_TEST_", tests),
            len(table.warnings)))


def write_c(table, path):
    parts = (("weir_param_row", "weir_params", "ROWS", c_param, table.params),
             ("weir_param_excluded", "weir_params_excluded", "EXCLUDED",
              c_excluded, table.excluded),
             ("weir_param_warning", "weir_params_warnings", "WARNINGS",
              c_warning, table.warnings))
    with open(path, "w", encoding="utf-8") as file:
        print("/* Made from spec/params by spec/gen/params.py. */",
              '#include "spec/params.h"\n',
              '#include "plan/plan_layout.h"\n',
              "#include <stddef.h>", sep="\n", file=file)
        for struct, name, count, c_row, rows in parts:
            print(f"\nconst struct {struct} {name}[WEIR_PARAM_{count}] = {{",
                  *map(c_row, rows), "};", sep="\n", file=file)


def main(path, layout, out_c, out_h):
    table = read(path, layout)
    write_h(table, out_h)
    write_c(table, out_c)


if __name__ == "__main__":
    main(*sys.argv[1:])
