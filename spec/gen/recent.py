# SPDX-License-Identifier: BSD-3-Clause
"""Read spec/recent: the kinds of short records, and which call is of which."""
import re

import layers
import meaning

FIRST_ID = 1000  # kind k is call FIRST_ID + k in the dictionary
OTHER, FILLER, NONE = 13, 15, 14
DATA = ("ret", "off", "size", "flags")
POSITIONED = ("off", "curoff")


class Recent:
    pattern = re.compile(r"(\d+)\s+(\w+)\s+(\w+)\((.*)\)"
                         r"\s+(\w+)\s+([\w+-]+)\s+(\w+)$")

    def __init__(self, where, line, kinds, argument, classes):
        match = self.pattern.match(line)
        if not match:
            raise ValueError(f"{where}: not 'kind result name(…) role class data'")
        number, self.result, self.name, args, self.role, means, data = \
            match.groups()
        self.number, self.data = int(number), DATA.index(data)
        self.means, self.names = meaning.Meaning(classes, means), None
        self.ident = FIRST_ID + self.number
        self.args = [argument(where, a.strip(), kinds)
                     for a in args.split(",") if a.strip()]

    def line(self):
        args = [f"{a.name}:{a.kind.name}" for a in self.args]
        return " ".join(["call", str(self.ident), self.name,
                         self.result, self.role] + args)


def read(rows, kinds, argument, classes):
    """The kinds, and the kind of each role, class (where the role says nothing)
    and =call; NONE: it is not kept."""
    recents, kind_of, now = [], {}, None
    for where, line in rows:
        words = line.split()
        if words[0].isdigit():
            recents.append(Recent(where, line, kinds, argument,
                                  classes))
            now = recents[-1].number
            continue
        if words[0] == "-":
            now = NONE
            words = words[1:]
        for word in words:
            if word in kind_of:
                raise ValueError(f"{where}: '{word}' stands twice")
            kind_of[word] = now
    if [r.number for r in recents] != list(range(FILLER)):
        raise ValueError("spec/recent: kinds are 0 to 14, in order")
    return recents, kind_of


def check(kind_of, calls):
    known = {kept_by(c) for c in calls} | {f"={c.name}" for c in calls}
    unknown = set(kind_of) - known
    if unknown:
        raise ValueError(f"spec/recent: no role or call {sorted(unknown)}")


def kept_by(call):
    return call.means.name if call.role in meaning.PLAIN else call.role


def is_positioned(call):
    return kept_by(call) in ("read", "write") and \
        any(a.kind.fills in POSITIONED for a in call.args)


def recent_h(banner, recents, kind_of, calls):
    return "\n".join([
        banner("The kinds of short records."),
        "#ifndef WEIR_SPEC_RECENT_H\n#define WEIR_SPEC_RECENT_H\n",
        "/* Kind k is this + k in the dictionary. */",
        f"#define WEIR_RECENT_CALL {FIRST_ID}\n",
        "enum weir_recent_kind {",
        "\tWEIR_RECENT_WRITE = 1,", "\tWEIR_RECENT_LSEEK = 5,",
        f"\tWEIR_RECENT_UNWRITTEN = {NONE},",
        f"\tWEIR_RECENT_FILLER = {FILLER},", "};\n",
        "/* What the data are. */", "enum weir_recent_data {",
        *[f"\tWEIR_RECENT_{word.upper()}," for word in DATA], "};\n",
        "/*",
        " * Of each call: kind, data << 4, and whether it says where. Here, so",
        " * that the wrappers, which know their call, need not look it up.",
        " */",
        "#define WEIR_RECENT_POSITIONED 0x80",
        "static const unsigned char weir_recent_calls[] = {",
        *form_lines(recents, kind_of, calls), "};\n",
        "/* Of each kind. */",
        f"extern const unsigned char weir_recent_data[{FILLER + 1}];\n",
        "#endif\n"])


def form_lines(recents, kind_of, calls):
    for call in calls:
        if call.ident is None:
            continue
        kind = kind_of.get(f"={call.name}", kind_of.get(kept_by(call), OTHER))
        if layers.is_layer(call):  # short records tell of descriptors
            kind = NONE
        bits = 0x80 if is_positioned(call) else 0
        form = kind | recents[kind].data << 4 | bits
        yield f"\t[{call.ident}] = {form}, /* {call.name} */"


def recent_c(banner, recents):
    data = [r.data for r in recents] + [0]
    return "\n".join([
        banner("What the data of short records are."),
        '#include "spec/recent.h"\n',
        f"const unsigned char weir_recent_data[{FILLER + 1}] = {{",
        "\t" + ", ".join(map(str, data)), "};\n"])
