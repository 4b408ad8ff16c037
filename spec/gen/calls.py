#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Read spec/kinds and spec/*.calls; write the wrappers and all their lists."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import diverts  # noqa: E402
import families  # noqa: E402
import layers  # noqa: E402
import meaning  # noqa: E402
import opens  # noqa: E402
import ring  # noqa: E402
from syscalls import Syscall, syscalls_c  # noqa: E402

ROLES = """
open close sweep dup control pipe read write seek fd plain resize shorten copy
cwd spawn found how print
dir dir_open dir_close dir_list dir_walk dir_tree
map map_use map_cut map_move
put get scan unget purge write_entry stray
fopen adopt unnamed freopen fclose fpopen fseek ftell fflush buffer
submit done poll lio iosubmit ioevents
ring ring_look ring_wait ring_open ring_close ring_setup
""".split()
QUIET = """
fresh fresh_socket fresh_event fresh_pair fresh_message fresh_messages
fresh_terminal fresh_login
unseen
""".split()  # of calls that are not recorded
CONDITIONS = ("creates", "any", "takes", "backed", "mapped")
PLACES = ("handle", "size", "off", "detail", "none", "result")
WIRES = "usotpvxhfr-"
FAILURES = {
    "minus": ("ret == -1", "weir_gate_errno()", "-1"),
    "map": ("ret == (void *)-1", "weir_gate_errno()", "(void *)-1"),
    "null": ("ret == 0", "weir_gate_errno()", "NULL"),
    "number": ("ret != 0", "ret", "WEIR_GATE_ENOSYS"),
    "negative": ("ret < 0", "(int)-ret", "-WEIR_GATE_ENOSYS"),
    "zero": ("0", "0", "0"),
    "never": ("0", "0", None),
    # of streams: nothing moved and the stream has its error flag set
    "fewer": ("!args.ret && args.size && weir_stream_erred(args.stream)",
              "weir_gate_errno()", "0"),
    "scant": ("!args.ret && args.size && weir_stream_broke(args.stream)",
              "weir_gate_errno()", "0"),
    "eof": ("ret == -1 && weir_stream_broke(args.stream)",
            "weir_gate_errno()", "-1"),
    "noline": ("!ret && weir_stream_broke(args.stream)",
               "weir_gate_errno()", "NULL"),
    "plain": ("0", "0", "-1"),
    "hushed": ("ret == 0 && weir_gate_said()", "weir_gate_errno()", "NULL"),
}
WORDS = ("as", "also", "at", "gives", "derived", "when", "va", "on", "asks",
         "moves", "sys", "names", "having", "sets", "large", "collective",
         "brief", "with", "adjust", "divert", "around", "unless")


def die(where, what):
    sys.exit(f"{where}: {what}")


class Kind:
    def __init__(self, where, words):
        if len(words) not in (6, 7):
            die(where, "a kind has six or seven columns")
        self.name, ctype, self.wire, self.place, self.show, self.fills = \
            words[:6]
        self.swapped = self.fills.startswith("=")  # the role may change it
        self.fills = self.fills.lstrip("=")
        self.encoder = words[6] if len(words) == 7 else None
        self.ctype = ctype.replace("_p", " *").replace("_", " ")
        if ctype == "va_list":
            self.ctype = "__builtin_va_list"
        if self.wire not in WIRES:
            die(where, f"unknown wire '{self.wire}'")
        if self.place not in PLACES:
            die(where, f"unknown place '{self.place}'")

    @property
    def is_result(self):
        return self.place == "result"

    def declare(self, name):
        gap = "" if self.ctype.endswith("*") else " "
        return f"{self.ctype}{gap}{name}"


class Argument:
    def __init__(self, where, text, kinds):
        text, _, condition = text.partition(" if ")
        self.told = text.startswith("+")  # by the role; C does not pass it
        words = text.lstrip("+").split()
        if len(words) != 2:
            die(where, f"'{text}' is not 'kind name'")
        if words[0] not in kinds or kinds[words[0]].is_result:
            die(where, f"unknown kind '{words[0]}'")
        if condition and condition.split("(")[0] not in CONDITIONS:
            die(where, f"unknown condition '{condition}'")
        self.kind, self.name, self.condition = kinds[words[0]], words[1], condition


class Call:
    pattern = re.compile(r"(\d+|-)\s+(\w+)\s+(\w+)\((.*)\)\s*:"
                         r"\s*(\w+)\s+([\w+-]+)\s*(.*)$")

    def __init__(self, where, line, kinds, layer, classes):
        self.layer = layer
        match = self.pattern.match(line)
        if not match:
            die(where,
                "not 'id result name(kind arg, …) : role class words'")
        ident, result, self.name, args, self.role, means, words = \
            match.groups()
        if result not in kinds or not kinds[result].is_result:
            die(where, f"unknown result '{result}'")
        roles = layers.ROLES.get(layer, ROLES + QUIET)
        if self.role not in roles + [meaning.TOLD]:
            die(where, f"unknown role '{self.role}'")
        self.where, self.result = where, kinds[result]
        self.means = self.meant(classes, means)
        self.ident = None if ident == "-" else int(ident)
        self.args = [Argument(where, a.strip(), kinds)
                     for a in args.split(",") if a.strip()]
        self.by_hand = "by hand" in words
        words = words.replace("by hand", "").split()
        self.twins, self.base, self.given = [], self.name, []
        self.versions, self.derived, self.when = [], False, None
        self.syscalls = []
        # of streams: the v-form that takes the variable arguments, which
        # stream when no argument says, and what is asked for and moved
        self.va = self.on = self.asks = self.moves = None
        self.names = None  # the argument that says which file
        # of layers: see spec/README.md
        self.having, self.sets = [], []
        self.second = self.adjust = None
        self.station = self.unless = None  # of files that are forwarded
        self.large = self.collective = self.brief = False
        self.read_words(words, kinds)
        if (self.role == meaning.TOLD) > self.derived:
            die(where, "only what is derived is told by others")

    def meant(self, classes, text):
        try:
            return meaning.Meaning(classes, text)
        except ValueError as fault:
            die(self.where, str(fault))

    def read_words(self, words, kinds):
        while words:
            word, values = words.pop(0), []
            while words and words[0] not in WORDS:
                values.append(words.pop(0))
            if word == "as" and len(values) == 1:
                self.base = values[0]
            elif word == "also" and values:
                self.twins = values
            elif word == "gives" and len(values) == 2:
                self.given.append(Argument(self.where, " ".join(values),
                                           kinds))
            elif word == "at" and values:
                self.versions = values
            elif word == "when" and self.is_condition(" ".join(values)):
                self.when = " ".join(values)
            elif word == "sys" and values:
                self.add_syscall(" ".join(values))
            elif word in ("derived", "large", "collective", "brief") and \
                    not values:
                setattr(self, word, True)
            elif word == "having" and values:
                self.having = values
            elif word == "sets" and len(values) == 2:
                self.sets.append(values)
            elif word in ("va", "on", "names", "adjust") and len(values) == 1:
                setattr(self, word, values[0])
            elif word == "with" and len(values) == 1:
                self.second = values[0]
            elif word in ("divert", "around") and values:
                self.add_station(" ".join(values), word == "around")
            elif word in ("asks", "moves", "unless") and values:
                setattr(self, word, " ".join(values))
            else:
                die(self.where, f"unknown word '{word}'")

    def add_syscall(self, text):
        try:
            self.syscalls.append(Syscall(self, text))
        except ValueError as fault:
            die(self.where, str(fault))

    def add_station(self, text, around):
        try:
            self.station = diverts.Station(self, text, around)
        except ValueError as fault:
            die(self.where, str(fault))

    @property
    def quiet(self):
        """It leaves no record."""
        return self.role in QUIET or \
            layers.is_layer(self) and self.means.name == "-"

    @property
    def told(self):
        """The role for readers of traces that know no classes."""
        if not layers.is_layer(self) and self.role not in meaning.PLAIN:
            return self.role
        return self.means.role or "meta"

    @staticmethod
    def is_condition(text):
        return text.split("(")[0] in CONDITIONS

    @property
    def symbols(self):
        return [] if self.derived else [self.name] + self.twins

    def known_as(self, symbol):
        """Its name in C: a symbol may stand at several versions."""
        if not self.versions:
            return symbol
        return f"{symbol}_at_{self.versions[0].replace('.', '_')}"

    @property
    def passed(self):
        return [a for a in self.args if not a.told]

    @property
    def variadic(self):
        return bool(self.args) and bool(self.args[-1].condition)

    def fixed(self):
        return [a for a in self.passed if not a.condition]

    def prototype(self, name):
        params = [a.kind.declare(a.name) for a in self.fixed()]
        if self.variadic or self.va:
            params.append("...")
        return f"{self.result.declare(name)}({', '.join(params) or 'void'})"

    def values(self):
        return ", ".join(a.name for a in self.passed)


def rows(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if line:
            yield f"{path}:{number}", line


def read_classes(path):
    try:
        return meaning.Classes(rows(path))
    except ValueError as fault:
        sys.exit(str(fault))


def read_tables(kinds_path, calls_paths):
    """The classes stand beside the kinds."""
    kinds, calls = {}, []
    classes = read_classes(kinds_path.with_name("classes"))
    for where, line in rows(kinds_path):
        kind = Kind(where, line.split())
        if kind.name in kinds:
            die(where, f"kind '{kind.name}' stands twice")
        kinds[kind.name] = kind
    for path in calls_paths:
        for where, line in families.expanded(rows(path)):
            call = Call(where, line, kinds, path.stem, classes)
            calls.append(call)
            if layers.is_layer(call):
                layers.complete(call, kinds, Argument)
            if call.large:
                calls.append(layers.large_twin(call, kinds))
    check_calls(calls)
    check_meanings(calls)
    return kinds, calls


def check_meanings(calls):
    bases = {(c.layer, c.name): c for c in calls if c.ident is not None}
    for call in calls:
        try:
            meaning.check(call, bases.get((call.layer, call.base)))
        except ValueError as fault:
            die(call.where, str(fault))


def check_calls(calls):
    idents, symbols = {}, {}
    for call in calls:
        if call.ident is not None:
            if call.ident in idents:
                die(call.where, f"id {call.ident} is {idents[call.ident]}'s")
            idents[call.ident] = call.name
        for symbol in call.symbols:
            for version in call.versions or [""]:
                key = symbol, version
                if key in symbols or (symbol, "") in symbols:
                    die(call.where, f"'{symbol}' stands twice")
                symbols[key] = call.name
    bases = set(idents.values())
    for call in calls:
        if call.base not in bases and not call.by_hand and not call.quiet:
            die(call.where, f"'{call.base}' is not a call with an id")
        if call.adjust and not layers.is_layer(call) and \
                call.adjust not in opens.CHANGED:
            die(call.where, f"unknown station '{call.adjust}'")
    if sum(c.by_hand for c in calls) * 20 > len(calls):
        die(calls[0].where, "more than one row in twenty is by hand")


def of_libc(calls):
    """What the library itself intercepts; the layers have their objects."""
    return [call for call in calls if not layers.is_layer(call)]


def banner(purpose):
    return (f"/* {purpose}\n * Made by spec/gen/calls.py from the tables in"
            " spec. */\n")


def calls_h(calls):
    out = [banner("Numbers of the calls in traces."),
           "#ifndef WEIR_SPEC_CALLS_H\n#define WEIR_SPEC_CALLS_H\n",
           "enum weir_call {"]
    numbered = [c for c in calls if c.ident is not None]
    out += [f"\tWEIR_CALL_{c.name.upper()} = {c.ident}," for c in numbered]
    top = max(c.ident for c in numbered)
    return "\n".join(out + [
        f"\tWEIR_CALL_TOP = {top},", "};\n",
        *question("pend", "Begins or ends an operation that goes on by itself.",
                  filter(is_pending, numbered)),
        *question("tell_size", "Moves what it asked for; its result is a code.",
                  filter(is_sized, numbered)),
        "#endif\n"])


def is_pending(call):
    return call.means.name in ("submit", "complete") or any(
        a.name == "id" and a.kind.name == "h5handed" for a in call.args)


def is_sized(call):
    return call.layer in ("hdf5", "pnetcdf") and \
        call.means.name in ("read", "write")


def question(name, comment, calls):
    """A function that says whether a call is one of these."""
    yield f"/* {comment} */"
    yield f"static inline int weir_calls_{name}(unsigned call)\n{{"
    yield "\tswitch (call) {"
    yield from (f"\tcase WEIR_CALL_{c.name.upper()}:" for c in calls)
    yield "\t\treturn 1;\n\t}\n\treturn 0;\n}\n"


def generated(calls):
    """(call, symbol, name in C) of all that have a wrapper made here."""
    return [(c, s, c.known_as(s)) for c in calls if not c.by_hand
            for s in c.symbols]


def slots(calls):
    """The same of all that call what they stand for, not a v-form of it."""
    return [row for row in generated(calls) if not row[0].va]


def real_h(calls):
    out = [banner("The functions that come after ours, one slot a symbol."),
           "#ifndef WEIR_SPEC_REAL_H\n#define WEIR_SPEC_REAL_H\n",
           '#include "gate/gate.h"\n',
           "struct weir_real {"]
    out += [f"\t{c.prototype(f'(*{n})')};" for c, _, n in slots(calls)]
    out += ["};\n", "/* A slot that is not resolved yet resolves itself. */",
            "extern struct weir_real weir_real;\n",
            "/* A library may be gone: find what is not libc's anew. */",
            "void weir_real_forget(void);\n", "#endif\n"]
    return "\n".join(out)


def first_call(call, symbol, name):
    """What a slot holds before it is resolved."""
    params = [a.kind.declare(a.name) for a in call.passed]
    head = call.result.declare(f"first_{name}")
    versions = f'"{" ".join(call.versions)}"' if call.versions else "NULL"
    missing = FAILURES[call.result.fills][2]
    value = "" if missing is None else f" {missing}"
    ret = "" if missing is None else "return "
    lines = [f"static {head}({', '.join(params) or 'void'})", "{",
             f'\tif (!weir_next_set("{symbol}", {versions},',
             f"\t\t\t   (void **)&weir_real.{name})) {{",
             "\t\tweir_gate_set_errno(WEIR_GATE_ENOSYS);",
             f"\t\treturn{value};", "\t}",
             f"\t{ret}weir_real.{name}({call.values()});", "}\n"]
    return "\n".join(lines)


def is_foreign(call):
    """From a library that a program may load and unload."""
    return any(not v.startswith("GLIBC_") for v in call.versions)


def real_c(calls):
    made = slots(calls)
    out = [banner("Resolution of the functions that come after ours."),
           '#include "spec/real.h"\n', '#include "gate/next.h"\n',
           "#include <stddef.h>\n"]
    out += [first_call(*row) for row in made]
    out += ["struct weir_real weir_real = {"]
    out += [f"\t.{n} = (void *)first_{n}," for _, _, n in made]
    out += ["};\n", "void weir_real_forget(void)", "{"]
    out += [f"\tweir_real.{n} = (void *)first_{n};" for c, _, n in made
            if is_foreign(c)] + ["}\n"]
    return "\n".join(out)


def fill_args(call):
    """Initialisers of struct weir_args that are known before the call."""
    out = []
    for arg in call.passed:
        fills = arg.kind.fills
        if fills == "curoff":  # -1 stands for the current position
            out += [f".off = {arg.name}", f".has_off = {arg.name} != -1"]
        elif fills != "-":
            out.append(f".{fills} = {arg.name}")
        if fills in ("fd", "off"):
            out.append(f".has_{fills} = {arg.condition or 1}")
        if arg.kind.encoder == "late":
            out.append(f".memory = {arg.name}")
    filled = [arg.kind.fills for arg in call.passed]
    out += [".dirfd = WEIR_GATE_AT_FDCWD"] if "dirfd" not in filled else []
    out += [".dirfd2 = WEIR_GATE_AT_FDCWD"] if "dirfd2" not in filled else []
    out += [".other = -1"] if "other" not in filled else []
    out += [f".stream = {call.on}"] if call.on else []
    out += [f".size = {call.asks}"] if call.asks else []
    return out


DETAIL = {
    "u": "weir_encode_unsigned(detail, ({3}){0});",
    "s": "weir_encode_signed(detail, {0});",
    "o": "weir_encode_optional(detail, {1}, {0});",
    "t": "weir_encode_string(detail, &args, {0});",
    "p": "weir_encode_path(detail, &args, {0});",
    "v": "weir_encode_vector(detail, &args);",
    "x": "weir_encode_{2}(detail, &args, {0});",
    "h": "weir_encode_handle(detail, {0});",
    "f": "weir_encode_pair(detail, &args, {0});",
}


def optional_value(arg):
    """(given, value) of an argument with wire o."""
    if arg.condition:
        return arg.condition, arg.name
    if arg.kind.fills == "timeout":
        return (f"weir_readable_is_there(&args, {arg.name})",
                f"weir_encode_timeout(&args, {arg.name})")
    if arg.kind.ctype.endswith("*"):
        return (f"weir_readable_is_there(&args, {arg.name})",
                f"weir_encode_before(&args, {arg.name})")
    return "1", arg.name


def detail_lines(call):
    """Arguments, then what the row says the result gives."""
    out = []
    for arg in call.passed + call.given:
        if arg.kind.place != "detail" or arg.kind.encoder == "late":
            continue
        value, given = "ret" if arg in call.given else arg.name, ""
        if arg.kind.encoder:
            out.append(f"\t\tweir_{arg.kind.encoder}(detail, &args, {value});")
            continue
        if arg.kind.wire == "o":
            given, value = optional_value(arg)
        narrow = arg.kind.ctype in ("int", "unsigned")
        whole = "unsigned" if narrow else "unsigned long"
        out.append("\t\t" + DETAIL[arg.kind.wire].format(
            value, given, arg.kind.name, whole))
    return out


def record_lines(call):
    """What happens once the call is over; details depend on the result."""
    failed, err, _ = FAILURES[call.result.fills]
    cast = "(long)" if call.result.ctype.endswith("*") else ""
    details = detail_lines(call)
    out = []
    if details:
        out.append("\t\tstruct weir_encoded *detail ="
                   " weir_observe_detail(&pass);\n")
    if call.moves:
        out.append(f"\t\targs.ret = (long)(args.moved = {call.moves});")
        out += [] if call.asks else ["\t\targs.size = args.moved;"]
    elif call.result.ctype != "void":
        out.append(f"\t\targs.ret = {cast}ret;")
    if call.result.ctype != "void":
        out += [f"\t\targs.failed = {failed};",
                f"\t\targs.err = args.failed ? {err} : 0;"]
    return out + details + [
        f"\t\tweir_role_{call.role}_after(&pass, &args);"]


def passing_lines(call, real):
    """The call is not recorded."""
    passes = (f"!{call.when} || " if call.when else "") + \
        "!weir_observe_enter(&pass)"
    if call.result.ctype != "void":
        return [f"\tif ({passes})", f"\t\treturn {real};"]
    return [f"\tif ({passes}) {{", f"\t\t{real};",
            "\t\treturn;", "\t}"]


def symbol_version(call, symbol, name):
    """It answers to those alone who ask for one of its versions."""
    newest = call.versions[:1] if call.ident is not None else []
    for version in call.versions:
        default = version in newest and version.startswith("GLIBC")
        yield (f'__asm__(".symver {name}, {symbol}{"@" * (1 + default)}'
               f'{version}");')


def va_shell(call, symbol):
    """Turns variable arguments into a list, for the function above it."""
    return [f"WEIR_EXPORT {call.prototype(symbol)}", "{",
            f"\t{call.result.declare('ret')};",
            "\t__builtin_va_list list;\n",
            f"\t__builtin_va_start(list, {call.fixed()[-1].name});",
            f"\tret = listed_{symbol}({call.values()}, list);",
            "\t__builtin_va_end(list);", "\treturn ret;", "}\n"]


def quiet_wrapper(call, symbol):
    """The call makes descriptors, perhaps, and leaves no record."""
    real = f"weir_real.{symbol}({call.values()})"
    out = diverts.around(call, real, symbol)
    real = diverts.through(call, real, symbol)
    out += [f"WEIR_EXPORT {call.prototype(symbol)}", "{"]
    if call.role == "unseen":
        return "\n".join(out + [f"\treturn {real};", "}\n"])
    return "\n".join(out + [
        f"\t{call.result.declare('ret')} = {real};\n",
        "\tif (weir_thread_recording)",
        f"\t\tweir_{call.role}(&(struct weir_args){{",
        *[f"\t\t\t{item}," for item in fill_args(call)],
        "\t\t\t.ret = ret,", "\t\t});", "\treturn ret;", "}\n"])


def wrapper(call, symbol):
    if call.quiet:
        return quiet_wrapper(call, symbol)
    real = f"weir_real.{symbol}({call.values()})"
    if call.va:
        real = f"weir_real.{call.va}({call.values()}, list)"
    around = diverts.around(call, real, symbol)
    real = diverts.through(call, real, symbol)
    planned = [opens.planned(call, symbol, fill_args(call),
                             record_lines(call))] if call.adjust else []
    head = f"WEIR_EXPORT {call.prototype(symbol)}"
    if call.va:
        head = "WEIR_GATE_HOT " + call.prototype(f"listed_{symbol}").replace(
            "...", "__builtin_va_list list")
    returns = call.result.ctype != "void"
    declared, fetched = variable_argument(call)
    out = [head, "{",
           "\tstruct weir_pass pass;", "\tstruct weir_args args;"]
    out += [f"\t{call.result.declare('ret')};"] if returns else []
    out += ["\tint hushed;"] if call.result.fills == "hushed" else []
    hush, unhush = hush_lines(call)
    out += declared + [""] + fetched + opens.branch(call, symbol)
    out += passing_lines(call, real)
    out += ["\targs = (struct weir_args){",
            f"\t\t.call = WEIR_CALL_{call.base.upper()},"]
    out += [f"\t\t{item}," for item in fill_args(call)]
    out += ["\t};"] + format_lines(call)
    out += [f"\tweir_role_{call.role}_before(&pass, &args);"] + hush
    out += [f"\t{'ret = ' if returns else ''}{real};"] + rest_lines(call)
    out += ["\tif (weir_observe_leave(&pass)) {"]
    out += record_lines(call) + ["\t}"] + unhush
    out += ["\treturn ret;"] if returns else []
    return "\n".join(around + planned + out + ["}\n"] +
                     (va_shell(call, symbol) if call.va else []))


def rest_lines(call):
    """What a short read leaves of its buffer, see src/adjust/rest.h."""
    kinds = {a.kind.name: a.name for a in call.args}
    if call.role != "read" or "fd" not in kinds:
        return []
    if "iov" in kinds and len(kinds) == 3:  # of pipes and sockets
        return []
    if "iov" in kinds:
        return ["\tif (weir_gate_unlikely(weir_rest_is_on))",
                f"\t\tweir_rest_fill_vector({kinds['iov']}, "
                f"{kinds['iovcnt']}, ret);"]
    return [f"\tif (weir_gate_unlikely((unsigned long)ret < {kinds['size']}))",
            f"\t\tweir_rest_fill({kinds['into']}, {kinds['size']}, ret);"]


def format_lines(call):
    """What it will write, when that is to be proven."""
    formats = any(a.name == "format" for a in call.args)
    if call.role not in ("put", "print") or not formats or \
            "wprintf" in call.base:
        return []
    return ["\tif (weir_digesting_wants(&pass))",
            "\t\targs.size = weir_digest_stream_format(&args.data, format, list);"]


def hush_lines(call):
    """The result alone does not tell failure: errno must, if it was set."""
    if call.result.fills != "hushed":
        return [], []
    return (["\thushed = weir_gate_hush();"],
            ["\tweir_gate_unhush(hushed);"])


def variable_argument(call):
    if not call.variadic:
        return [], []
    arg = call.args[-1]
    before = call.fixed()[-1].name
    return [f"\t{arg.kind.declare(arg.name)} = 0;",
            "\t__builtin_va_list list;"], [
            f"\tif ({arg.condition}) {{",
            f"\t\t__builtin_va_start(list, {before});",
            f"\t\t{arg.name} = __builtin_va_arg(list, {arg.kind.ctype});",
            "\t\t__builtin_va_end(list);", "\t}"]


def wrappers_c(calls):
    out = [banner("The wrappers."), '#include "adjust/opened.h"',
           '#include "adjust/rest.h"',
           '#include "capture/call/observe.h"',
           '#include "capture/record/facts.h"',
           '#include "capture/roles/fresh.h"', '#include "capture/roles/role.h"',
           '#include "capture/streams/role_stream.h"',
           '#include "forward/divert/divert.h"',
           '#include "gate/conditions.h"', '#include "gate/maps.h"',
           '#include "spec/calls.h"', '#include "spec/real.h"\n',
           "#define WEIR_EXPORT __attribute__((visibility(\"default\")))",
           "#define WEIR_PLANNED __attribute__((noinline, cold))\n",
           "extern struct weir_stream *stdin, *stdout;\n"]
    made = generated(calls)
    out += [f"{c.prototype(n)};" for c, _, n in made]
    out += [line for row in made for line in symbol_version(*row)] + [""]
    out += [wrapper(c, n) for c, _, n in made]
    return "\n".join(out)


def dictionary(kinds, calls, shorts):
    lines = [f"kind {k.name} {k.wire} {k.place} {k.show}"
             for k in kinds.values()]
    layer = None
    for call in calls:
        if call.layer != layer:
            layer = call.layer
            lines.append(f"layer {layer}")
        if call.ident is not None:
            args = [f"{a.name}:{a.kind.name}" for a in call.args + call.given]
            lines.append(" ".join(["call", str(call.ident), call.name,
                                   call.result.name, call.told] + args))
    lines += ["layer recent"] + [r.line() for r in shorts]
    return lines + meaning.lines(calls + shorts)


def dictionary_c(kinds, calls, shorts):
    out = [banner("The dictionary, as every trace carries it."),
           '#include "spec/dictionary.h"\n',
           "const char weir_dictionary_text[] ="]
    out += [f'\t"{line}\\n"' for line in dictionary(kinds, calls, shorts)]
    out[-1] += ";\n"
    out.append("const unsigned weir_dictionary_size ="
               " sizeof(weir_dictionary_text) - 1;\n")
    return "\n".join(out)


def dictionary_h(_):
    return "\n".join([banner("The dictionary, as every trace carries it."),
                      "#ifndef WEIR_SPEC_DICTIONARY_H",
                      "#define WEIR_SPEC_DICTIONARY_H\n",
                      "extern const char weir_dictionary_text[];",
                      "extern const unsigned weir_dictionary_size;\n",
                      "#endif\n"])


def map_file(calls):
    """What has no version is exported by its visibility: a node that names
    it would give it one, and nobody asks for that. The first node is taken
    for the lowest version by whoever asks for none, so it is empty."""
    versions = sorted({v for c in calls for v in c.versions})
    local = sorted(n for c, _, n in generated(calls) if c.versions)
    return "WEIR {\nlocal:\n" + "".join(f"\t{n};\n" for n in local) + \
        "};\n" + "".join(f"{v} {{ }};\n" for v in versions)


def symbols_txt(calls):
    """What leaves no record is of the role `unseen` in all layers."""
    def role(call):
        return "unseen" if call.quiet and layers.is_layer(call) else call.role
    return "".join(f"{s} {c.base} {role(c)} {'hand' if c.by_hand else 'made'}"
                   f" {','.join(c.versions) or '-'}\n"
                   for c in calls for s in c.symbols)


def all_syscalls(calls):
    """Every system call has one row."""
    found = {}
    for call in calls:
        for syscall in call.syscalls:
            if found.setdefault(syscall.name, syscall) is not syscall:
                die(call.where, f"system call '{syscall.name}' stands twice")
    return list(found.values())


def read_ring(path, kinds, calls, classes):
    try:
        shorts, kind_of = ring.read(rows(path), kinds, Argument, classes)
        ring.check(kind_of, calls)
    except ValueError as fault:
        sys.exit(str(fault))
    return shorts, kind_of


def main():
    out, kinds_path, ring_path, *calls_paths = map(Path, sys.argv[1:])
    kinds, calls = read_tables(kinds_path, calls_paths)
    classes = read_classes(kinds_path.with_name("classes"))
    shorts, kind_of = read_ring(ring_path, kinds, calls, classes)
    own = of_libc(calls)
    files = {
        "calls.h": calls_h(calls), "real.h": real_h(own),
        "real.c": real_c(own), "wrappers.c": wrappers_c(own),
        "dictionary.h": dictionary_h(calls),
        "dictionary.c": dictionary_c(kinds, calls, shorts),
        "ring.h": ring.ring_h(banner, shorts, kind_of, calls),
        "ring.c": ring.ring_c(banner, shorts),
        "classes.h": meaning.classes_h(banner, classes),
        "classes.c": meaning.classes_c(banner, classes),
        "libweir.map": map_file(own), "symbols.txt": symbols_txt(own),
        "syscalls.c": syscalls_c(banner, all_syscalls(calls), fill_args,
                                 detail_lines),
    }
    for table in layers.TABLES:
        rows_of = [call for call in calls if call.layer == table]
        if rows_of:
            files[f"{table}_wrappers.c"] = \
                layers.wrappers_c(banner, table, rows_of)
            files[f"{table}_symbols.txt"] = symbols_txt(rows_of)
    for name, text in files.items():
        (out / name).write_text(text)


if __name__ == "__main__":
    main()
