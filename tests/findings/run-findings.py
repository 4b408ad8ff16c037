#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs with and without faults: do the rules speak where they should?

usage: run-findings.py RULES WORKLOAD [KIND=PROGRAM]... [--only WORD]

RULES is spec/findings. Programs for MPI and HDF5 are told by KIND.
"""
import argparse
import os
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
sys.path.insert(0, str(HERE.parent.parent / "spec/gen"))
import cases  # noqa: E402
import crowds  # noqa: E402
import findings as rules  # noqa: E402
import libraries  # noqa: E402
import play  # noqa: E402
from weirtool import WEIR, Tap, in_whole, run  # noqa: E402

AT_A_TIME = 2
ELSEWHERE = {"lone-aggregators",  # run-hosts.py has their cases
             "metadata-share",  # run-sums.py
             "waiting-writes"}  # run-forward.py
WHAT_IF = "what-if"  # the level of rules that always answer


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules")
    parser.add_argument("workload", type=os.path.abspath)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--only", default="")
    return parser.parse_args()


def played(case, scratch):
    """{id: finding} of those that are faults."""
    return {one["id"]: one for one in play.told(case, scratch)["findings"]
            if one["level"] != WHAT_IF}


class Score:
    """How often a rule spoke, rightly and not, and was silent."""

    def __init__(self, names):
        self.names = names
        self.right, self.false, self.missed = Counter(), Counter(), Counter()

    def add(self, case, found):
        self.right.update(case.fires & found)
        self.false.update(found - case.fires - case.maybe)
        self.missed.update(case.fires - found)

    def table(self):
        rows = [("rule", "true positives", "false positives",
                 "false negatives")]
        rows += [(name, self.right[name], self.false[name],
                  self.missed[name]) for name in self.names]
        right = self.right.total()
        precision = right / max(1, right + self.false.total())
        recall = right / max(1, right + self.missed.total())
        return [f"{a:20} {b:>14} {c:>15} {d:>15}" for a, b, c, d in rows] + [
            f"precision {precision:.3f}, recall {recall:.3f}"]


def judge(tap, score, case, found):
    """Tell of one case; each rule that it is about is in its name."""
    wrong = [f"silent: {name}" for name in sorted(case.fires - set(found))]
    wrong += [f"speaks: {name}: {found[name]['count']} of {found[name]['of']}"
              for name in sorted(set(found) - case.fires - case.maybe)]
    score.add(case, set(found))
    tap.result(not wrong, case.name, wrong)


def all_cases(options):
    named = dict(word.split("=", 1) for word in options.programs)
    own = [case._replace(command=[options.workload, *case.command])
           for case in [*cases.CASES, *crowds.CASES]]
    return [case for case in own + libraries.cases_for(named)
            if options.only in case.name]


def untested(names, table):
    """Rules without a case that must speak, and one that must not."""
    spoken = set().union(*(case.fires for case in table))
    about = {case.name.split(":")[0] for case in table if not case.fires}
    return [name for name in names if name not in spoken or name not in about]


def unknown_options(table):
    """Those that rules advise to try, and weir run does not have."""
    known = set(re.findall(r"--[a-z-]+", run(WEIR, "help", "run").stdout))
    return [f"{rule['name']}: {word}" for rule in table
            for word in re.findall(r"(?<!\S)(?:\w+:)?(--\S+)", rule["try"])
            if word.partition("=")[0] not in known]


def main():
    options = arguments()
    names = [rule["name"] for rule in rules.read(options.rules)
             if rule["level"] != WHAT_IF]
    table, tap, score = all_cases(options), Tap(), Score(names)
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        results = pool.map(
            lambda case: in_whole(lambda scratch: played(case, scratch)),
            table)
        for case, found in zip(table, results):
            judge(tap, score, case, found)
    for line in score.table():
        print(f"# {line}")
    if not options.only:
        wrong = unknown_options(rules.read(options.rules))
        tap.result(not wrong, "options to try are those of weir run", wrong)
        left = [name for name in untested(names, table)
                if name not in ELSEWHERE and
                (name not in libraries.RULES or options.programs)]
        tap.result(not left, "every rule has cases for and against it", left)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
