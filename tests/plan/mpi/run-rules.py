#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Who wins, which files are meant, and what must not change: plans for MPI-IO
and programs that give hints themselves, open files in threads, in Fortran or
below a tool.

usage: run-rules.py FLAVOUR PARTS TOOLED PAIR FORTRAN...
"""
import sys

import planned
from rows import PARTS
from weirtool import Tap

PLANNED, OWN = "65536", "131072"
KEY = "cb_buffer_size"
GIVE = f"hint:{KEY}={OWN}"
FORCED = (PLANNED, {"force": "yes"})
BESIDE = {"mpich": {}, "openmpi": {"fcoll": "vulcan"}}
ROUNDS = 20  # of pair.c


def told(facts, name=KEY):
    """{(verdict, effective): times} of a setting."""
    return {key[1:]: count for key, count in facts.verdicts.items()
            if key[0] == name}


class Stage:
    def __init__(self, tap, flavour, program):
        self.tap, self.flavour, self.program = tap, flavour, program
        self.is_romio = flavour == "mpich"

    def play(self, words, settings, **more):
        return planned.play(self.flavour, self.program, words.split(),
                            {**BESIDE[self.flavour], **settings}, **more)

    def size(self, facts):
        """Of most writes of rank 0: OMPIO has two buffers in one."""
        sizes = facts.writes[0] if self.is_romio else \
            {2 * size: n for size, n in facts.later[0].items()}
        return str(max(sizes, key=sizes.get)) if sizes else ""

    def expect(self, title, words, value, verdicts, size, **more):
        facts = self.play(f"{words} write_all", {KEY: value}, **more)
        seen = told(facts), self.size(facts)
        self.tap.result(seen == (verdicts, size), title,
                        [] if seen == (verdicts, size) else
                        [f"told {seen}", facts.text])
        same = facts.bytes == planned.bare(
            self.flavour, self.program, f"{words} write_all".split())
        self.tap.result(same, f"{title}: the bytes")


def who_wins(stage):
    stage.expect("what the program gives is kept", f"{GIVE} open {PARTS}",
                 PLANNED, {("kept", OWN): 2}, OWN)
    stage.expect("unless it is forced", f"{GIVE} open {PARTS}",
                 FORCED, {("took", PLANNED): 2}, PLANNED)
    stage.expect("other keys of the program stay",
                 f"hint:own=1 open {PARTS}", PLANNED,
                 {("took", PLANNED): 2}, PLANNED)
    stage.expect("without an info", f"{GIVE} null open {PARTS}", PLANNED,
                 {("took", PLANNED): 2}, PLANNED)


def later_hints(stage):
    """OMPIO does not listen any more; ROMIO's buffer must not become larger."""
    for how, info in (("view", ""), ("info", "info null ")):
        stage.expect(f"a larger buffer, by a {how}",
                     f"open {GIVE} {info}{PARTS}", PLANNED,
                     {("took", PLANNED): 4 if stage.is_romio else 2}, PLANNED)
        listens(stage, how, info)
    stage.expect("other keys given later leave it",
                 f"open hint:ind_rd_buffer_size=4096 info {PARTS}", PLANNED,
                 {("took", PLANNED): 2}, PLANNED)
    stage.expect("the same again and again is told once",
                 f"{GIVE} open {PARTS} {PARTS} {PARTS}", PLANNED,
                 {("kept", OWN): 2}, OWN)
    stage.expect("each opening is told",
                 f"open {PARTS} open {PARTS} open {PARTS}", PLANNED,
                 {("took", PLANNED): 6}, PLANNED)


def listens(stage, how, info):
    """Other keys given later are the program's own, unless it is forced."""
    name, own, plan = "ind_wr_buffer_size", "65536", "32768"
    words = f"open hint:{name}={own} {info}{PARTS} write"
    for value, later, size in ((plan, ("kept", own), own),
                               ((plan, {"force": "yes"}), ("took", plan),
                                plan)):
        if not stage.is_romio:
            return
        facts = stage.play(words, {name: value})
        right = {("took", plan): 2}
        right[later] = right.get(later, 0) + 2
        sizes = facts.writes[0]
        stage.tap.result(told(facts, name) == right and
                         str(max(sizes, key=sizes.get)) == size,
                         f"{name} given later, by a {how}: {later[0]}",
                         [told(facts, name), sizes])


def which_files(stage):
    stage.expect("a file that is meant", f"open {PARTS}",
                 (PLANNED, {"file": "*/fi?e"}), {("took", PLANNED): 2},
                 PLANNED)
    words = f"open {PARTS} write_all"
    facts = stage.play(words, {KEY: (PLANNED, {"file": "*.other"})})
    stage.tap.result(not told(facts) and
                     "no call it is for was made" in facts.text,
                     "a file that is not meant", [facts.text])
    stage.expect("one that cannot be opened is not told",
                 f"missing open {PARTS}", PLANNED, {("took", PLANNED): 2},
                 PLANNED)


def every_manner(stage):
    """Counts are right when there is no trace of single calls."""
    for option in ("--profile", "--ring=1M"):
        facts = stage.play(f"open {PARTS} write_all", {KEY: PLANNED},
                           options=[option])
        stage.tap.result("took effect 2x" in facts.text, f"with {option}",
                         [facts.text])


def own_variable(stage):
    facts = stage.play(f"open {PARTS} write_all", {}, env={
        "OMPI_MCA_fcoll": "individual"})
    stage.tap.result(facts.writes == [{64: 4096}] * 2 and
                     not told(facts, "fcoll"),
                     "a variable of the user's own is kept", [facts.text])


def other_programs(tap, flavour, tooled, pair, fortran):
    stage = Stage(tap, flavour, tooled)
    stage.expect("below a tool it is done once", f"open {PARTS}", PLANNED,
                 {("took", PLANNED): 2}, PLANNED)
    facts = planned.play(flavour, pair, [], {KEY: PLANNED, **(
        {"io": "romio321"} if flavour == "openmpi" else {})})
    tap.result(sum(told(facts).values()) == 2 * 2 * ROUNDS and
               len(told(facts)) == 1, "two threads", [told(facts)])
    for program in fortran:
        facts = planned.play(flavour, program, [], {
            KEY: (PLANNED, {"file": "*/data"})}, folder=True)
        tap.result(told(facts) == {("took", PLANNED): 2},
                   f"in Fortran: {program}", [told(facts), facts.text])


def main(flavour, parts, tooled, pair, *fortran):
    tap = Tap()
    stage = Stage(tap, flavour, parts)
    who_wins(stage)
    later_hints(stage)
    which_files(stage)
    every_manner(stage)
    if flavour == "openmpi":
        own_variable(stage)
    other_programs(tap, flavour, tooled, pair, fortran)
    return tap.done()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
