#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write C that makes every transfer PnetCDF has, of every type, and tells it.

usage: make_every.py SPEC OUTPUT

The functions of the output are declared in every.h: they use its variables.
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(sys.argv[1]) / "gen"))
from families import TYPES  # noqa: E402

# shape: arguments for one variable, for several, elements, runs, extent
SHAPES = {
    "var": ("", "", 24, 1, "all"),
    "var1": ("one, ", "ones, ", 1, 1, "one"),
    "vara": ("start, count, ", "starts, counts, ", 12, 1, "box"),
    "vars": ("from, some, stride, ", "froms, somes, strides, ", 4, 4,
             "strided"),
    "varm": ("from, some, stride, map, ", "froms, somes, strides, maps, ",
             4, 4, "strided"),
    "varn": ("2, pieces, lengths, ", None, 6, 2, "pieces"),
    "vard": ("filetype, ", None, 6, 0, "none"),
}


def variables(element):
    """Text goes into variables of letters, numbers into those of doubles."""
    return ("letters", "more_letters", 1) if element == "text" else \
        ("numbers", "more_numbers", 8)


def members(shape):
    """The type of each call of a family; None: told by an MPI datatype."""
    return [None] if shape == "vard" else [None, *TYPES]


def symbol_of(verb, shape, element, end):
    middle = f"_{element}" if element else ""
    return f"ncmpi_{verb}_{shape}{middle}{end}", f"ncmpi_{verb}_{shape}{end}"


def told(call, symbol, shape, element, many=1, request="-1"):
    first, second, width = variables(element)
    _, _, elements, runs, extent = SHAPES[shape]
    if many > 1:
        first, extent = "NULL", "none"
    return (f'\ttell(&(struct told){{ "{call}", "{symbol}", '
            f'{first if many > 1 else chr(34) + first + chr(34)}, '
            f'{many * elements * width}, {many * elements}, {many * runs}, '
            f'"{element or "flexible"}", '
            f'{"text_" + extent}, {request} }});')


def single(verb, shape, end):
    for element in members(shape):
        symbol, call = symbol_of(verb, shape, element, end)
        first = variables(element)[0]
        args = SHAPES[shape][0]
        count = SHAPES[shape][2]
        buffer = f"b_{element}" if element else \
            f"b_double, {count}, MPI_DOUBLE"
        yield f"\tDO({symbol}, file, {first}, {args}{buffer});"
        yield told(call, symbol, shape, element)


def posted(verb, shape, wait):
    """Each with a wait of its own: two must not use the same memory."""
    for element in members(shape):
        symbol, call = symbol_of(verb, shape, element, "")
        first = variables(element)[0]
        args, count = SHAPES[shape][0], SHAPES[shape][2]
        buffer = f"b_{element}" if element else \
            f"b_double, {count}, MPI_DOUBLE"
        yield (f"\tDO({symbol}, file, {first}, {args}{buffer},"
               " &requests[posted]);")
        yield told(call, symbol, shape, element, request="requests[posted++]")
        yield f"\tfinish({wait});"


def several(verb, shape, end):
    for element in members(shape):
        symbol, call = symbol_of(verb, shape, element, end)
        ids = "both_letters" if element == "text" else "both_numbers"
        count = SHAPES[shape][2]
        buffer = f"(void *)both_{element}" if element else \
            f"(void *)both_double, (MPI_Offset[]){{ {count}, {count} }}, " \
            "two_doubles"
        yield (f"\tDO({symbol}, file, 2, {ids}, {SHAPES[shape][1]}{buffer});")
        yield told(call, symbol, shape, element, many=2)


def function(name, bodies):
    yield f"void {name}(void)\n{{"
    for body in bodies:
        yield from body
    yield "}\n"


def all_lines():
    yield '#include "every.h"\n'
    for name, end in (("every_alone", ""), ("every_together", "_all")):
        bodies = [single(verb, shape, end) for shape in SHAPES
                  for verb in ("put", "get")]
        bodies += [several(verb, shape, end) for shape in SHAPES
                   if SHAPES[shape][1] is not None
                   for verb in ("mput", "mget")]
        yield from function(name, bodies)
    for name, wait in (("every_posted_alone", "0"),
                       ("every_posted_together", "1")):
        yield from function(name, [
            posted(verb, shape, wait) for shape in SHAPES if shape != "vard"
            for verb in ("iput", "bput", "iget")])


def main():
    Path(sys.argv[2]).write_text("\n".join(all_lines()) + "\n")


if __name__ == "__main__":
    main()
