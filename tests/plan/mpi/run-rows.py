#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every setting of MPI-IO, given from outside, shows in the calls below it, or
is told to do nothing; and the bytes stay what they are.

usage: run-rows.py PROGRAM FLAVOUR SPEC

SPEC (spec/params) says which settings there are; rows.py what each does.
"""
import functools
import sys

import planned
from weirtool import Tap

from rows import ROWS

# What somebody else's MPI is told, all at once: (verdict, why) of each.
STRANGE = {"mpich": ("ignored", "this MPI is not Open MPI"),
           "openmpi": ("ignored", "OMPIO does not read it")}
TOO_LONG = ("refused", "it is too long for an info of this MPI")


class Stage:
    def __init__(self, program, flavour):
        self.program, self.flavour = program, flavour
        self.without = functools.lru_cache(None)(self._without)
        self.bare = functools.lru_cache(None)(self._bare)

    def play(self, words, settings, ranks=2):
        return planned.play(self.flavour, self.program, words, settings,
                            ranks)

    def _without(self, words, beside, ranks):
        return self.play(words, dict(beside), ranks)

    def _bare(self, words, ranks):
        return planned.bare(self.flavour, self.program, words, ranks)

    def row(self, tap, row):
        words = tuple(row.all_words())
        facts = self.play(words, {**row.beside, row.name: row.value},
                          row.ranks)
        before = self.without(words, tuple(row.beside.items()), row.ranks)
        title = f"{row.name}={row.value} ({row.words})"
        seen = facts.seen(row.sees)
        tap.result(seen == row.sees and
                   (seen == before.seen(row.sees)) == row.same,
                   f"{title}: the calls",
                   [] if seen == row.sees else
                   [f"with: {seen}", f"without: {before.seen(row.sees)}"])
        self.check_verdict(tap, row, facts, title)
        tap.result(facts.bytes == self.bare(words, row.ranks),
                   f"{title}: the bytes")

    @staticmethod
    def check_verdict(tap, row, facts, title):
        told = {key: count for key, count in facts.verdicts.items()
                if key[0] == row.name}
        if row.effective == "handed over":
            right = row.effective in facts.text and not told
        else:
            right = told == {(row.name, row.verdict,
                              row.effective or row.value): row.ranks}
        tap.result(right, f"{title}: {row.verdict}",
                   [] if right else [told, facts.text])


def values_for(params, chosen):
    """Something that each takes."""
    for name, words in params.items():
        if chosen(name, words):
            kind = words["type"].split("|")
            low = words.get("range", "1..").split("..")[0]
            yield name, (kind[0] if len(kind) > 1 else
                         {"bool": "true", "hosts": "*:1"}.get(
                             kind[0], "1" if low == "0" else low))


def strange(tap, stage, params):
    """What is for another MPI is ignored, by name, and changes nothing."""
    flavour = stage.flavour
    settings = dict(values_for(
        params, lambda name, words: words["via"].startswith("OMPI_MCA_")
        if flavour == "mpich" else words["target"] == "hint" and
        name not in ("cb_nodes", "cb_buffer_size", "collective_buffering")))
    beside = {} if flavour == "mpich" else {"fcoll": "vulcan"}
    words = ("open", "view:64:4096:2", "write_all")
    facts = stage.play(words, {**beside, **settings})
    told = {key for key in facts.verdicts if key[0] not in beside}
    right = {(name, *(TOO_LONG if flavour == "openmpi" and len(name) > 35
                      else STRANGE[flavour])) for name in settings}
    tap.result(told == right and len(right) > 10,
               f"{len(settings)} settings that are not for {flavour}",
               sorted(told ^ right))
    same = facts.seen(("writes", "reads", "locks")) == stage.without(
        words, tuple(beside.items()), 2).seen(("writes", "reads", "locks"))
    tap.result(same, "they change no call")


def complete(tap, params):
    rows = {row.name for table in ROWS.values() for row in table}
    ours = {name for name, words in params.items() if planned.is_ours(words)}
    left = {name for name in ours - rows if "stand-in" not in params[name]}
    tap.result(not left and len(ours) > 40,
               f"each of {len(ours)} settings has a row, or a stand-in",
               sorted(left))
    tap.result(rows <= ours, "no row is of another", sorted(rows - ours))


def main(program, flavour, spec):
    tap = Tap()
    params = planned.parameters(spec)
    complete(tap, params)
    stage = Stage(program, flavour)
    strange(tap, stage, params)
    for row in ROWS[flavour]:
        stage.row(tap, row)
    return tap.done()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
