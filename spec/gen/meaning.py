# SPDX-License-Identifier: BSD-3-Clause
"""What calls mean: read spec/classes, check each row's class against it, and
tell which argument is the name, the offset, the length."""

# Classes whose calls take a place in a file as their offset, and a number of
# its bytes as their length.
PLACED = ("read", "write", "print", "submit", "copy", "stream-fill",
          "stream-flush", "stream-read", "stream-write", "sync", "advise",
          "allocate", "map", "part", "untold")
# Classes whose calls are told the length that a file is to have.
CUT = ("truncate", "resize")
# Classes of calls on two names, or an old and a new one.
TWO_NAMES = ("rename", "link", "symlink")
NAMES = ("h5name", "ncname")
SECOND = ("path2", "h5name2", "ncname2")
WAYS = ("reads", "writes")
TOLD = "told"  # the role of records that the roles of other calls write
# Roles that say nothing but how a call is recorded: readers that know no classes
# are told a word for the class instead.
PLAIN = (TOLD, "fd", "plain", "resize", "shorten", "poll")
# Classes that say the way of their bytes only by a trait.
NEEDS_WAY = ("copy", "untold")


class Classes:
    """The table: classes with their roles, and traits."""

    def __init__(self, rows):
        self.role, self.about, self.traits = {}, {}, {}
        for where, line in rows:
            words = line.split(None, 3)
            if words[0] == "class" and len(words) == 4:
                self.add(where, words[1], self.about, words[3])
                self.role[words[1]] = None if words[2] == "-" else words[2]
            elif words[0] == "trait" and len(words) > 2:
                self.add(where, words[1], self.traits,
                         " ".join(line.split()[2:]))
            else:
                raise ValueError(f"{where}: not 'class NAME ROLE about' or"
                                 " 'trait NAME about'")

    def add(self, where, name, to, about):
        if name in self.about or name in self.traits:
            raise ValueError(f"{where}: '{name}' stands twice")
        to[name] = about


class Meaning:
    """`CLASS+TRAIT+…` of a row; `-` is that of a call without a record."""

    def __init__(self, classes, text):
        self.name, *self.traits = text.split("+")
        self.about = classes.about.get(self.name)
        self.role = classes.role.get(self.name)
        if text == "-":
            return
        if self.name not in classes.about:
            raise ValueError(f"unknown class '{self.name}'")
        for trait in self.traits:
            if trait not in classes.traits:
                raise ValueError(f"unknown trait '{trait}'")
        if len(set(self.traits)) < len(self.traits):
            raise ValueError(f"'{text}' says a trait twice")
        if self.name in NEEDS_WAY and not set(self.traits) & set(WAYS):
            raise ValueError(f"a call of class {self.name} reads or writes")

    def has(self, *traits):
        return bool(set(traits) & set(self.traits))

    def add(self, trait):
        if trait not in self.traits:
            self.traits.append(trait)


def place_of(kind):
    return kind.place if kind.show == "bytes" else None


def first(args, wanted):
    return next((a.name for a in args if wanted(a.kind)), None)


def named(call):
    """(what, argument) of those that say which file, and where in it."""
    name, means = call.means.name, []
    told = call.args
    means.append(("name", call.names or first(
        told, lambda k: k.wire == "p" and k.name not in SECOND or
        k.name in NAMES)))
    if name in TWO_NAMES:
        means.append(("to", first(told, lambda k: k.name in SECOND)))
    if name in PLACED:
        means.append(("off", first(told, lambda k: place_of(k) == "off")))
        means.append(("len", first(told, lambda k: place_of(k) == "size")))
    if name in CUT:
        means.append(("len", first(told, lambda k: place_of(k) in
                                   ("off", "size"))))
    return [(what, arg) for what, arg in means if arg and arg != "-"]


def check(call, base):
    """What a row says of its class fits the rest of it; `base`: the call that
    its record is of."""
    recorded = not call.quiet and \
        not (call.by_hand and call.ident is None)
    if (call.means.name != "-") != recorded:
        raise ValueError("a call with a record has a class, and no other")
    if base and base is not call and \
            (base.means.name, set(base.means.traits)) != \
            (call.means.name, set(call.means.traits)):
        raise ValueError(f"{base.name} is of another class")
    if call.names not in (None, "-") and \
            call.names not in [a.name for a in call.args]:
        raise ValueError(f"'{call.names}' is none of its arguments")
    if call.means.name == "truncate" and "len" not in dict(named(call)):
        raise ValueError("no argument is the length")


def lines(calls):
    """Of a dictionary: what means the same stands in one line."""
    alike = {}
    for call in calls:
        if call.ident is not None:
            words = [call.means.name] + sorted(call.means.traits)
            words += [f"{what}={arg}" for what, arg in named(call)]
            alike.setdefault(" ".join(words), []).append(call.ident)
    return [f"class {words} {' '.join(map(str, idents))}"
            for words, idents in alike.items()]


def constant(name):
    return name.replace("-", "_").upper()


def classes_h(banner, classes):
    return "\n".join([
        banner("What calls mean."),
        "#ifndef WEIR_SPEC_CLASSES_H", "#define WEIR_SPEC_CLASSES_H\n",
        "enum weir_means {", "\tWEIR_MEANS_NOTHING, /* that is known */",
        *[f"\tWEIR_MEANS_{constant(name)}, /* {about} */"
          for name, about in classes.about.items()],
        "\tWEIR_MEANS_COUNT,", "};\n", "enum weir_trait {",
        *[f"\tWEIR_TRAIT_{constant(name)} = {1 << at}, /* {about} */"
          for at, (name, about) in enumerate(classes.traits.items())],
        "};\n", f"#define WEIR_TRAIT_COUNT {len(classes.traits)}\n",
        "/* Their words, by number; of traits by the number of the bit. */",
        "extern const char *const weir_means_words[WEIR_MEANS_COUNT];",
        "extern const char *const weir_trait_words[WEIR_TRAIT_COUNT];\n",
        "#endif\n"])


def classes_c(banner, classes):
    return "\n".join([
        banner("The words for what calls mean."),
        '#include "spec/classes.h"\n',
        "const char *const weir_means_words[WEIR_MEANS_COUNT] = {",
        '\t"nothing",', *[f'\t"{name}",' for name in classes.about], "};\n",
        "const char *const weir_trait_words[WEIR_TRAIT_COUNT] = {",
        *[f'\t"{name}",' for name in classes.traits], "};\n"])
