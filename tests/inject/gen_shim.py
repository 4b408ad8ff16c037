#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the functions of the shim from its table.

usage: gen_shim.py TABLE OUTPUT"""
import sys

FUNCTION = """
EXPORT long {name}(WORDS);
EXPORT long {name}(WORDS)
{{
	static const int errnos[] = {{ {errnos} }};
	static function *_Atomic real{known};

	if (fails("{name}", errnos, {count}))
		return {failure};
	return find(&real, "{name}")(a, b, c, d, e, f);
}}
"""
EARLY = ("malloc", "calloc", "realloc")  # before anything can be looked up


def main(table, output):
    with open(table) as lines, open(output, "w") as out:
        for line in lines:
            name, *rest = line.partition("#")[0].split() or [None]
            if not name:
                continue
            known = f" = __libc_{name}" if name in EARLY else ""
            out.write(FUNCTION.format(
                name=name, failure=rest[0], errnos=", ".join(rest[1:]),
                count=len(rest) - 1, known=known))


main(*sys.argv[1:])
