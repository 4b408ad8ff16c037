#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The trees of small runs of all kernels are those of trees/*.tree.

usage: run-trees.py [--update] [WORD]...

With words only the cases whose names contain one of them; --update writes the
files anew. Environment: WEIR, the tool; KERNELS, the folder of the programs.
Trees that were made with other versions of the libraries are not compared.

A file holds what `weir dump --tree --file` shows of the program's own files,
without the columns start, took and id. Masked is what another run or machine
changes (treetext.MASKS says each and why): numbers of open files, addresses,
identifiers, hints, the state of the file system, the directory (DIR). Calls
that come as often as it happens are left out (treetext.LEFT_OUT), and so is,
where ranks race, what reads find (treecases.READS_ARE_CHANCE). Trees are in
program order of each rank, lower ranks first between common calls.
What repeats is folded, with a list of the values that differ ($a). Everything
else is compared: each call, its layer, rank, place below its caller, file,
offset, length and result.

Of each run also: every transfer stands below a call of the application
through the layers of the case, no caller is unknown, and calls of libraries
say as many bytes as were moved below them. And each comparison is shown to be
able to fail: by a dump with a row less, with one below another caller, with
another offset, and of another rank, and by links without a caller and with
a byte more.
"""
import argparse
import difflib
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import ranks  # noqa: E402, F401: it knows where weirtool is
import treecases  # noqa: E402
import treelinks  # noqa: E402
import treetext  # noqa: E402
from weirtool import (WEIR, Failure, Tap, in_whole, must_be_whole,  # noqa: E402
                      run)

TREES = Path(__file__).resolve().parent / "trees"


def record(case, scratch):
    """(dump, folder of the files, links)"""
    folder, trace = scratch / "out", scratch / "trace"
    folder.mkdir()
    out = folder / "data"
    if case.before:
        done = case.start(case.before, out)
        if done.returncode:
            raise Failure(f"before: {done.stderr}")
    must_be_whole(case.start(case.command, out, [
        WEIR, "run", "-q", "--strict", "--buffer", "64M", "-o", str(trace),
        "--"]))
    dump = run(WEIR, "dump", "--tree", "--file", f"{folder}{case.only}",
               trace).stdout
    return dump, folder, treelinks.Links(trace)


# Each spoils rows of a dump in one way, or yields nothing where it cannot.

def without_one(rows):
    """The last call, which has made no others, is missing."""
    return rows[:-1]


def below_another(rows):
    """The last call that is two levels down is one level higher."""
    for at in reversed(range(1, len(rows))):
        if depth(rows[at]) > 1:
            end = treetext.ROW.fullmatch(rows[at]).end(3)
            return [*rows[:at], rows[at][:end - 3] + rows[at][end:],
                    *rows[at + 1:]]
    return None


def elsewhere(rows):
    """A transfer is one byte further on."""
    return change(rows, r"(off=)(\d+)(.*= \d+)$")


def of_another_rank(rows):
    return change(rows, r"(rank )(\d+)(: .*)$")


def change(rows, pattern):
    """The last number that is found so, by one."""
    for at in reversed(range(len(rows))):
        row, found = re.subn(
            pattern, lambda m: f"{m[1]}{int(m[2]) + 1}{m[3]}", rows[at])
        if found:
            return [*rows[:at], row, *rows[at + 1:]]
    return None


def depth(row):
    return len(treetext.ROW.fullmatch(row)[3]) // 3


SPOILERS = (without_one, below_another, elsewhere, of_another_rank)


def unnoticed(case, dump, folder, text):
    """The names of spoilers that change nothing of the text."""
    rows = [line for line in dump.splitlines()
            if treetext.ROW.fullmatch(line)]
    for spoil in SPOILERS:
        spoiled = spoil(rows)
        try:
            if spoiled and text == treetext.normal(
                    "\n".join(spoiled), folder, case.are_reads_chance):
                yield spoil.__name__
        except Failure:
            pass  # noticed all the more


def differences(case, text):
    """From the file's text, or a reason why it is not compared."""
    path = TREES / f"{case.name}.tree"
    if not path.exists():
        return [f"there is no {path.name}"], None
    kept = path.read_text(encoding="utf-8")
    if kept.splitlines()[1] != case.head().splitlines()[1]:
        return [], kept.splitlines()[1].lstrip("# ")
    return list(difflib.unified_diff(
        kept.splitlines(), (case.head() + text).splitlines(),
        path.name, "this run", lineterm="", n=2))[:60], None


def check(tap, case):
    dump, folder, links = in_whole(lambda scratch: record(case, scratch))
    text = treetext.normal(dump, folder, case.are_reads_chance)
    wrong, other = differences(case, text)
    if other:
        tap.skip(f"{case.label}: the tree", f"{other}, which is not here")
    else:
        tap.result(not wrong, f"{case.label}: the tree", wrong)
    told = links, folder, case.layers, case.uneven
    faults = treelinks.faults(*told)
    tap.result(not faults, f"{case.label}: complete", faults[:10])
    blind = [*unnoticed(case, dump, folder, text),
             *treelinks.unnoticed(*told)]
    tap.result(not blind, f"{case.label}: spoiled dumps are noticed", blind)


def update(case):
    dump, folder, _ = in_whole(lambda scratch: record(case, scratch))
    text = case.head() + treetext.normal(dump, folder, case.are_reads_chance)
    (TREES / f"{case.name}.tree").write_text(text, encoding="utf-8")
    print(f"{case.label}: {len(text.splitlines())} lines")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("words", nargs="*", default=[""])
    options = parser.parse_args()
    cases = [case for case in (*treecases.kernel_cases(),
                               *treecases.other_cases())
             if any(word in case.label for word in options.words)]
    if options.update:
        for case in cases:
            update(case)
        return 0
    tap = Tap()
    for case in cases:
        check(tap, case)
    if options.words == [""]:
        for name in sorted({path.stem for path in TREES.glob("*.tree")} -
                           {case.name for case in cases}):
            tap.skip(name, "its program is not here")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
