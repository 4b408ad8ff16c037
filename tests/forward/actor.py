#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does what it is told, line by line, with system calls of its own.

usage: actor.py IN OUT      (two named pipes)

Each line is Python: an expression, whose value is the answer, or a statement.
An answer is a line too: a pair of what went wrong (None, or the name of an
errno, or another complaint) and the value."""
import errno
import mmap
import os
import sys

sys.dont_write_bytecode = True


def do(line, names):
    try:
        return None, eval(compile(line, 'line', 'eval'), names)
    except SyntaxError:
        exec(compile(line, 'line', 'exec'), names)
        return None, None


def answer(line, names):
    try:
        return do(line, names)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno)), None
    except Exception as error:
        return repr(error), None


def main(into, out):
    names = {'os': os, 'mmap': mmap, 'sys': sys}
    with open(into) as lines, open(out, 'w', buffering=1) as answers:
        for line in lines:
            print(repr(answer(line.strip(), names)), file=answers)


if __name__ == '__main__':
    main(*sys.argv[1:])
