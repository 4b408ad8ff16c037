# SPDX-License-Identifier: BSD-3-Clause
"""Calls on files that are forwarded: where the next function would be called,
a function of src/forward/divert/divert.h is asked first (words `divert`, `around`)."""
import re


class Station:
    """`NAME` or `NAME(value, …)`: values are C over the row's arguments."""

    def __init__(self, call, text, around):
        match = re.match(r"(\w+)(?:\s*\((.*)\))?$", text)
        if not match:
            raise ValueError(f"'{text}' is no station")
        self.call, self.name, self.around = call, match[1], around
        named = [a.name for a in call.passed] if match[2] is None else \
            [value.strip() for value in match[2].split(",")]
        self.given = [value for value in named if value]

    def values(self, changed):
        return ", ".join(changed.get(value, value) for value in self.given)

    def asked(self):
        """When: nothing but one look at a flag where nothing is forwarded."""
        tests = ["weir_link_is_on"]
        kinds = {a.name: a.kind.name for a in self.call.passed}
        if not self.around and kinds.get(self.given[0]) == "fd":
            tests.append(f"weir_fdtable_peek({self.given[0]}) >= 0")
        if self.call.unless:
            tests.append(f"!({self.call.unless})")
        return " && ".join(tests)


# Which calls a file can do before it is created (src/forward/deferred/deferral.h), or see
# to it themselves: those whose place a station takes, but for what is done to a
# file by its name alone, and of those with a station around them these classes.
OPENED_BY_NAME = ("open", "unlink")
ITSELF_AROUND = ("dup", "control", "stat")
NAMES = ("path", "path2", "latepath", "instring", "template")


def sees_to_handle(call):
    """The station does what is to be done with the descriptor of such a file."""
    return call.station is not None and \
        (not call.station.around or call.means.name in ITSELF_AROUND)


def sees_to_name(call):
    return call.station is not None and not call.station.around and \
        call.means.name in OPENED_BY_NAME


def tells_contents(call):
    """What is in a directory, what may be created there, or its times."""
    return call.means.name == "alter" or call.means.has("contents")


def verb_for(call, kind):
    """A directory that gets another's name must be empty."""
    replaces = kind == "path2" and call.means.name == "rename"
    return "list" if replaces or tells_contents(call) else "name"


def is_named(call, kind):
    is_exec = call.station is not None and call.station.name == "exec"
    return kind in NAMES and not sees_to_name(call) and \
        (kind != "instring" or is_exec)


def meetings(call):
    """What is asked first where some files are created later."""
    directory = "-100"
    kinds = [a.kind.name for a in call.passed]
    if call.means.has("contents") and \
            not {"fd", "dirp", *NAMES} & set(kinds):
        yield "weir_deferral_materialise_all()"
    for arg in call.passed:
        kind = arg.kind.name
        if kind in ("dirfd", "dirfd2") or (kind, arg.name) == ("ver", "dir"):
            directory = arg.name
        elif kind in ("fd", "otherfd") and tells_contents(call):
            yield f"weir_deferral_before_list_fd({arg.name})"
        elif kind in ("fd", "otherfd") and not sees_to_handle(call):
            yield f"weir_deferral_before_fd({arg.name})"
        elif is_named(call, kind):
            yield f"weir_deferral_before_{verb_for(call, kind)}({directory}, {arg.name})"
        elif kind == "dirp" and tells_contents(call):
            yield f"weir_deferral_before_list_fd(weir_real.dirfd({arg.name}))"


def stream_meetings(call):
    """What is asked first where a forwarded file is below libc's stream."""
    streams = [a.name for a in call.passed if a.kind.name == "stream"]
    for name in streams or ([call.on] if call.on else []):
        yield f"weir_cookiestream_meet({name})"


def meeting(call, expression):
    """`expression`, after what is asked first."""
    for flag, asked in (("weir_link_is_deferring", list(meetings(call))),
                        ("weir_cookiestream_is_below", list(stream_meetings(call)))):
        if asked:
            expression = (f"(weir_gate_unlikely({flag}) ?\n\t\t"
                          f"({', '.join(asked)}) : (void)0,"
                          f"\n\t\t{expression})")
    return expression


# How a call fails of which `before` says that it cannot be done; by what its
# result's kind says.
REFUSED = {"number": "-err", "negative": "err", "null": "0",
           "noline": "0", "map": "(void *)-1", "never": ""}


def refusal(call, result):
    """Lines for the case that it is not made."""
    fails = "-1" if result else REFUSED.get(call.result.fills, "-1")
    return ["\tif (err) {",
            *(["\t\tweir_gate_set_errno(-err);"] if "err" not in fails
              else []),
            f"\t\treturn {fails};".replace(" ;", ";"), "\t}"]


def through(call, real, symbol, changed=None, first=()):
    """`real` as an expression in C, or what takes its place. `changed`: names
    of arguments that have become others; `first`: what goes before them."""
    station = call.station
    if not station:
        return meeting(call, real)
    changed = changed or {}
    if station.around:
        values = [changed.get(a.name, a.name) for a in call.passed]
        values = [*first, *values] + (["list"] if call.va else [])
        other = f"around_{symbol}({', '.join(values)})"
    else:
        other = f"weir_divert_{station.name}({station.values(changed)})"
    return meeting(call, f"(weir_gate_unlikely({station.asked()}) ?"
                         f"\n\t\t{other} :\n\t\t{real})")


def around(call, real, symbol, result=None, first=()):
    """The function with what is done before and after the call."""
    station = call.station
    if not station or not station.around:
        return []
    params = [*first, *(a.kind.declare(a.name) for a in call.passed)]
    params += ["__builtin_va_list list"] if call.va else []
    refused = refusal(call, result)
    result = result or call.result.declare("").strip()
    before = ", ".join(["&hold"] + station.given)
    after = f"weir_divert_{station.name}_after(&hold, "
    gives = result != "void"
    return [f"static WEIR_PLANNED {result} around_{symbol}("
            f"{', '.join(params) or 'void'})", "{",
            *([f"\t{result} ret;"] if gives else []),
            "\tstruct weir_divert hold;",
            f"\tint err = weir_divert_{station.name}_before({before});\n",
            *[f"\t(void){a.name};" for a in call.passed],
            *refused,
            f"\t{'ret = ' if gives else ''}{real};",
            *([f"\treturn ({result}){after}(long)ret);"] if gives
              else [f"\t{after}0);"]), "}\n"]
