# SPDX-License-Identifier: BSD-3-Clause
"""Read spec/ring: the kinds of short records, and which call is of which."""
import re

import layers
import meaning

FIRST_ID = 1000  # kind k is call FIRST_ID + k in the dictionary
OTHER, FILLER, NONE = 13, 15, 14
DATA = ("ret", "off", "size", "flags")
TRANSFERS = (0, 1)


class Short:
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
    shorts, kind_of, now = [], {}, None
    for where, line in rows:
        words = line.split()
        if words[0].isdigit():
            shorts.append(Short(where, line, kinds, argument,
                                  classes))
            now = shorts[-1].number
            continue
        if words[0] == "-":
            now = NONE
            words = words[1:]
        for word in words:
            if word in kind_of:
                raise ValueError(f"{where}: '{word}' stands twice")
            kind_of[word] = now
    if [r.number for r in shorts] != list(range(FILLER)):
        raise ValueError("spec/ring: kinds are 0 to 14, in order")
    return shorts, kind_of


def check(kind_of, calls):
    known = {kept_by(c) for c in calls} | {f"={c.name}" for c in calls}
    unknown = set(kind_of) - known
    if unknown:
        raise ValueError(f"spec/ring: no role or call {sorted(unknown)}")


def kept_by(call):
    return call.means.name if call.role in meaning.PLAIN else call.role


def ring_h(banner, shorts, kind_of, calls):
    return "\n".join([
        banner("The kinds of short records."),
        "#ifndef WEIR_SPEC_RING_H\n#define WEIR_SPEC_RING_H\n",
        "/* Kind k is this + k in the dictionary. */",
        f"#define WEIR_RING_CALL {FIRST_ID}\n",
        "enum weir_ring_kind {",
        "\tWEIR_RING_READ = 0,", "\tWEIR_RING_WRITE = 1,",
        "\tWEIR_RING_CREAT = 4,", "\tWEIR_RING_LSEEK = 5,",
        f"\tWEIR_RING_UNWRITTEN = {NONE},",
        f"\tWEIR_RING_FILLER = {FILLER},", "};\n",
        "/* What the data are. */", "enum weir_ring_data {",
        *[f"\tWEIR_RING_{word.upper()}," for word in DATA], "};\n",
        "/*",
        " * Of each call: kind, data << 4, and whether it has a place. Here, so",
        " * that the wrappers, which know their call, need not look it up.",
        " */",
        "#define WEIR_RING_HAS_PLACE 0x80",
        "static const unsigned char weir_ring_calls[] = {",
        *form_lines(shorts, kind_of, calls), "};\n",
        "/* Of each kind. */",
        f"extern const unsigned char weir_ring_data[{FILLER + 1}];\n",
        "#endif\n"])


def form_lines(shorts, kind_of, calls):
    for call in calls:
        if call.ident is None:
            continue
        kind = kind_of.get(f"={call.name}", kind_of.get(kept_by(call), OTHER))
        if layers.is_layer(call):  # short records tell of descriptors
            kind = NONE
        bits = 0x80 if kind in TRANSFERS else 0
        form = kind | shorts[kind].data << 4 | bits
        yield f"\t[{call.ident}] = {form}, /* {call.name} */"


def ring_c(banner, shorts):
    data = [r.data for r in shorts] + [0]
    return "\n".join([
        banner("What the data of short records are."),
        '#include "spec/ring.h"\n',
        f"const unsigned char weir_ring_data[{FILLER + 1}] = {{",
        "\t" + ", ".join(map(str, data)), "};\n"])
