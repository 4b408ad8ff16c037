# SPDX-License-Identifier: BSD-3-Clause
"""The wrappers of other libraries' calls: MPI-IO, HDF5, PnetCDF.

They are made of the same rows as libc's, but each table has an object of its
own, the next function depends on who calls, and what a call is about is in a
struct that the layer's roles share (src/layers/LAYER/LAYER.h)."""
import copy

# table: what the layer is called in src/layers, and the prefixes under which
# its library has a second set of names
TABLES = {"mpiio": ("mpi", {"MPI_": "PMPI_"}), "hdf5": ("hdf5", {}),
          "pnetcdf": ("pnetcdf", {})}
# table: its roles; the second row, those of calls that leave no record
ROLES = {
    "mpiio": """open close name set ask hint view seek read write submit done
        wait init finalize abort
        sends receives exchanges probes hides gathers frees""".split(),
    "hdf5": """plain file reopen flush file_close object nameless close
        release transfer multi chunk_write chunk_read extent attribute link
        fapl_mpio dxpl_mpio setting events ended events_close shut
        select alter retype unseen""".split(),
    "pnetcdf": """open close file name object fill rename attribute wait
        transfer submit several""".split(),
}
# layers whose stations ask the library what came of it, within the call
LOOKING = ("hdf5",)
# how a result tells failure; what is returned when there is no next function
FAILURES = {
    "code": ("ret != 0", "weir_{}_missing()"),
    "below": ("ret < 0", "-1"),
    "nothing": ("!ret", "0"),
    "never": ("0", "0"),
}
DETAIL = {
    "u": "weir_encode_unsigned(detail, ({2}){0});",
    "s": "weir_encode_signed(detail, {0});",
    "o": "weir_encode_optional(detail, {1}, (unsigned long){0});",
    "t": "weir_encode_text(detail, {0});",
    "p": "weir_encode_path(detail, &on.args, {0});",
}


def is_layer(call):
    return call.layer in TABLES


def complete(call, kinds, argument):
    """What a row of these tables says by a word alone."""
    if call.collective:
        if not call.means.has("maybe"):
            call.means.add("together")
        call.args += [argument(call.where, "+collkey coll", kinds),
                      argument(call.where, "+collseq seq", kinds)]
    for prefix, second in TABLES[call.layer][1].items():
        if call.name.startswith(prefix) and not call.derived:
            call.twins.append(second + call.name[len(prefix):])


def large_twin(call, kinds):
    """The same call with larger counts: NAME_c, kinds KIND_c."""
    twin = copy.copy(call)
    twin.ident, twin.name = None, call.name + "_c"
    twin.twins = [name + "_c" for name in call.twins]
    twin.args = []
    for arg in call.args:
        arg = copy.copy(arg)
        arg.kind = kinds.get(arg.kind.name + "_c", arg.kind)
        twin.args.append(arg)
    return twin


def filled(call):
    """Initialisers of the layer's struct, as the call begins."""
    if not call.quiet:
        yield f".call = WEIR_CALL_{call.base.upper()}"
        yield ".frame = __builtin_frame_address(0)"
    yield ".from = (void *)next"
    if call.adjust or call.quiet and call.layer == "mpiio":
        yield ".caller = __builtin_return_address(0)"
    if call.collective:
        yield ".collective = true"
    for word in call.having:
        yield f".{word} = true"
    for member, value in call.sets:
        yield f".{member} = {value}"
    for arg in call.passed:
        if arg.kind.fills != "-":
            yield f".{arg.kind.fills} = {arg.name}"


def handed_on(call):
    """What the next function gets: a role may have put something else."""
    return ", ".join(f"args.{a.kind.fills}" if a.kind.swapped else a.name
                     for a in call.passed)


def detail_line(arg):
    kind = arg.kind
    value = arg.name if kind.fills == "-" else f"args.{kind.fills}"
    if kind.encoder:
        return f"weir_{kind.encoder}(detail, &args, {value});"
    narrow = kind.ctype in ("int", "unsigned")
    return DETAIL[kind.wire].format(
        value, f"args.has_{kind.fills}",
        "unsigned" if narrow else "unsigned long")


def detail_lines(call):
    told = [arg for arg in call.args + call.given
            if arg.kind.place == "detail"]
    if not told:
        return []
    lines = [f"\t{detail_line(arg)}" for arg in told]
    if call.collective:  # the last ones, which may be left out
        lines[-2:] = ["\tif (args.coll || args.seq) {", "\t" + lines[-2],
                      "\t" + lines[-1], "\t}"]
    head = ["\tstruct weir_encoded *detail = weir_layer_detail(&on);\n"]
    if call.brief:
        return ["if (!args.brief) {"] + head + lines + ["}"]
    return ["{"] + head + lines + ["}"]


def next_lines(symbol):
    return [f'\t\tweir_layers_next(&slot, "{symbol}", (void *){symbol},',
            "\t\t\t\t __builtin_return_address(0));"]


def quiet_wrapper(call, symbol):
    """The call leaves no record, but changes what the layer knows."""
    layer = TABLES[call.layer][0]
    failed, missing = FAILURES[call.result.fills]
    after = [f"\t{call.result.declare('ret')} = next({call.values()});", "",
             f"\tif (!({failed}))",
             f"\t\tweir_{layer}_{call.second}(&change);",
             "\treturn ret;"] if call.second else [
                 f"\treturn next({call.values()});"]
    return "\n".join([
        f"WEIR_EXPORT {call.prototype(symbol)}", "{",
        "\tstatic struct weir_layers_slot slot;",
        f"\t{call.prototype('(*next)')} =",
        *next_lines(symbol),
        f"\tstruct weir_{layer}_change change = {{",
        *[f"\t\t{item}," for item in filled(call)], "\t};", "",
        "\tif (!next)", f"\t\treturn {missing.format(layer)};",
        f"\tweir_{layer}_{call.role}(&change);", *after, "}\n"])


def second(call, side):
    """A second role's function, the nearer one to the call."""
    if call.second:
        layer = TABLES[call.layer][0]
        yield f"weir_{layer}_{call.second}_{side}(&on, &args);"


def passing_lines(call, layer, role):
    """The call is made, and `recorded` if its end is to be told."""
    if not call.adjust:
        return [
            f"\tif (!{role}_before(&on, &args))",
            f"\t\treturn next({call.values()});",
            *[f"\t{line}" for line in second(call, "before")],
            f"\tret = next({handed_on(call)});",
            "\tif (weir_layer_end(&on)) {"]
    failed = FAILURES[call.result.fills][0]
    station = f"weir_{layer}_adjust_{call.adjust}"
    more = "while" if layer in LOOKING else "if"
    return [
        "\tif (weir_adjust_is_on())", f"\t\t{station}_before(&args);",
        f"\trecorded = {role}_before(&on, &args);",
        *[f"\tif (recorded)\n\t\t{line}"
          for line in second(call, "before")],
        f"\tret = next({handed_on(call)});",
        f"\t{more} (args.adjusted && {failed} && {station}_again(&args))",
        f"\t\tret = next({handed_on(call)});",
        *(["\tif (args.adjusted)",
           f"\t\t{station}_look(&args, (long)ret);"]
          if layer in LOOKING else []),
        "\trecorded = recorded && weir_layer_end(&on);",
        "\tif (args.adjusted && !recorded)",
        f"\t\t{station}_after(NULL, &args, (long)ret);",
        "\tif (recorded) {"]


def adjusted_lines(call, layer):
    """How the settings went, told with the call."""
    if call.adjust:
        yield "if (args.adjusted)"
        yield (f"\tweir_{layer}_adjust_{call.adjust}_after(&on, &args, "
               "(long)ret);")


def wrapper(call, symbol):
    if call.quiet:
        return quiet_wrapper(call, symbol)
    layer = TABLES[call.layer][0]
    role = f"weir_{layer}_{call.role}"
    failed, missing = FAILURES[call.result.fills]
    pointer = call.prototype("(*next)")
    return "\n".join([
        f"WEIR_EXPORT {call.prototype(symbol)}", "{",
        "\tstatic struct weir_layers_slot slot;",
        f"\t{pointer} =",
        *next_lines(symbol),
        "\tstruct weir_layer on;",
        f"\tstruct weir_{layer}_args args = {{",
        *[f"\t\t{item}," for item in filled(call)], "\t};",
        *(["\tbool recorded;"] if call.adjust else []),
        f"\t{call.result.declare('ret')};\n",
        "\tif (!next)", f"\t\treturn {missing.format(layer)};",
        *passing_lines(call, layer, role),
        "\t\ton.args.ret = (long)ret;", f"\t\ton.args.failed = {failed};",
        f"\t\t{role}_after(&on, &args);",
        *[f"\t\t{line}" for line in second(call, "after")],
        *[f"\t\t{line}" for line in adjusted_lines(call, layer)],
        *[f"\t\t{line}" for line in detail_lines(call)],
        "\t\tweir_layer_put(&on);", "\t}",
        "\treturn ret;", "}\n"])


def wrappers_c(banner, table, calls):
    layer = TABLES[table][0]
    made = [(c, s) for c in calls if c.layer == table and not c.by_hand
            for s in c.symbols]
    return "\n".join([
        banner(f"The wrappers of {table}."),
        '#include "adjust/adjust.h"',
        '#include "layers/layers.h"', f'#include "layers/{layer}/{layer}.h"',
        '#include "spec/calls.h"\n',
        '#define WEIR_EXPORT __attribute__((visibility("default")))\n',
        *[f"{c.prototype(s)};" for c, s in made], "",
        *[wrapper(c, s) for c, s in made]])
