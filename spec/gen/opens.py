# SPDX-License-Identifier: BSD-3-Clause
"""The second form of a wrapper of libc that opens files: with a plan, what it
says about opens is applied before and after the call (src/adjust/opened.h)."""

import diverts

# kind of an argument: the member of struct weir_opened that it fills
MEMBERS = {"dirfd": "dirfd", "path": "path", "template": "path",
           "oflags": "flags", "mode": "perms", "fmode": "letters",
           "stream": "stream"}
# by the word of the row: arguments that the plan may have changed
CHANGED = {"open": {"oflags": "flags"}, "creat": {}, "temporary": {},
           "stream": {"fmode": "letters"}, "adopt": {}, "close": {}}


def changed_by(call):
    """Names of arguments, each with what the plan made of it."""
    changed = CHANGED[call.adjust]
    return {a.name: f"plan.{changed[a.kind.name]}" for a in call.passed
            if a.kind.name in changed}


def opening(call, symbol):
    """The call that opens the file."""
    changed = changed_by(call)
    values = ", ".join(changed.get(a.name, a.name) for a in call.passed)
    return diverts.through(call, f"weir_real.{symbol}({values})", symbol,
                           changed)


def members(call):
    kinds = [arg.kind.name for arg in call.passed]
    if "dirfd" not in kinds:
        yield ".dirfd = WEIR_GATE_AT_FDCWD"
    if "mode" in kinds:
        yield ".has_perms = true"
    for arg in call.passed:
        if arg.kind.name in MEMBERS:
            yield f".{MEMBERS[arg.kind.name]} = {arg.name}"


def branch(call, symbol):
    """In the wrapper: one that is hardly ever taken."""
    if not call.adjust:
        return []
    return ["\tif (weir_gate_unlikely(weir_opened_is_on))",
            f"\t\treturn planned_{symbol}({call.values()});"]


def planned(call, symbol, filled, record):
    """The wrapper with a plan; `record` is what follows a recorded call."""
    params = ", ".join(a.kind.declare(a.name) for a in call.passed)
    head = call.result.declare(f"planned_{symbol}")
    station = f"weir_opened_{call.adjust}"
    return "\n".join([
        f"static WEIR_PLANNED {head}({params})", "{",
        "\tstruct weir_opened plan = {",
        *[f"\t\t{item}," for item in members(call)], "\t};",
        "\tstruct weir_pass pass;", "\tstruct weir_args args;",
        "\tbool recorded = weir_observe_enter(&pass);",
        f"\t{call.result.declare('ret')};\n",
        "\tif (recorded) {", "\t\targs = (struct weir_args){",
        f"\t\t\t.call = WEIR_CALL_{call.base.upper()},",
        "\t\t\t.beside = &plan.beside,",
        *[f"\t\t\t{item}," for item in filled], "\t\t};",
        f"\t\tweir_role_{call.role}_before(&pass, &args);", "\t}",
        f"\t{station}_before(&plan);",
        f"\tret = {opening(call, symbol)};",
        f"\t{station}_after(&plan, ret);",
        "\tif (recorded && weir_observe_leave(&pass)) {", *record, "\t}",
        "\tweir_opened_count(&plan);", "\treturn ret;", "}\n"])
