# SPDX-License-Identifier: BSD-3-Clause
"""Rows that stand for many calls which differ in little.

    let NAME = TEXT              <NAME> in the rows below means TEXT
    2740 … f_put<type><all>(… <buffer>) : write …

`<type>` in a name: the call as it is, with an id, and for each type of the
elements in memory another symbol of it that sets what type it is. Arguments
between `<type: ` and `>` are those of the first alone. `<all>` at the end of a
name: the same twice, the second, with the next id, for all ranks together.
`<types>` in a name: symbols with the same arguments whatever the type; a type
behind a minus is left out.
"""
import re

TYPES = ("text schar uchar short ushort int uint long float double longlong"
         " ulonglong").split()
LET = re.compile(r"let (\w+) = (.*)$")
ROW = re.compile(r"(\d+|-)(\s+\w+\s+)([\w<> -]+)\((.*)\)(\s*:.*)$")
FLEXIBLE = re.compile(r",\s*<type: ([^>]*)>")
ALIKE = re.compile(r"<types((?: -\w+)*)>")


class Families:
    """The definitions of one table, and what its rows become."""

    def __init__(self):
        self.lets = {}

    def expand(self, line):
        """The rows that this line stands for; of a definition, none."""
        let = LET.match(line)
        if let:
            self.lets[let[1]] = self.filled_in(let[2])
            return []
        row = ROW.match(self.filled_in(line))
        if not row or "<" not in row[3] + row[4]:
            return [self.filled_in(line)]
        return [r for one in for_all(*row.groups()) for r in by_type(*one)]

    def filled_in(self, line):
        for name, text in self.lets.items():
            line = line.replace(f"<{name}>", text)
        return line


def expanded(rows):
    """Of (where, line) of a table: the same with each family's members."""
    families = Families()
    for where, line in rows:
        for row in families.expand(line):
            yield where, row


def for_all(ident, result, name, args, words):
    """One, or one alone and one of all ranks together."""
    if not name.endswith("<all>"):
        return [(ident, result, name, args, words, "")]
    name = name.removesuffix("<all>")
    after = str(int(ident) + 1)
    return [(ident, result, name, args, words, ""),
            (after, result, name, args, words + " collective", "_all")]


def by_type(ident, result, name, args, words, end):
    alike = ALIKE.search(name)
    if alike:
        left_out = alike[1].replace("-", "").split()
        base = ALIKE.sub("", name)
        names = [f"{base}_{t}" for t in TYPES if t not in left_out]
        return [f"{ident}{result}{base}({args}){words} also "
                + " ".join(names)]
    if "<type>" not in name:
        return [f"{ident}{result}{name}{end}({args}){words}"]
    base = name.replace("<type>", "") + end
    flexible, plain = FLEXIBLE.sub(r", \1", args), FLEXIBLE.sub("", args)
    rows = [f"{ident}{result}{base}({flexible}){words}"]
    for element in TYPES:
        symbol = name.replace("<type>", f"_{element}") + end
        rows.append(f"-{result}{symbol}({plain}){words} as {base}"
                    f" sets element WEIR_PNETCDF_{element.upper()}")
    return rows
