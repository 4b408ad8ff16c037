# SPDX-License-Identifier: BSD-3-Clause
"""Compares what a program did bare with what it did under weir."""
import os
import shutil
from dataclasses import dataclass, field

from runs import run_bare, run_mode

SHOWN = 6       # lines of a difference
AGAIN = 3       # bare runs that may show that a program varies by itself
SIGNALS = range(129, 193)
# Statuses that weir run has of its own, in modes that have them.
OWN = {8: "unstored", 9: "unverified"}


@dataclass
class Verdict:
    answer: str
    classes: list = field(default_factory=list)     # how it differs
    lines: list = field(default_factory=list)       # what explains it
    seconds: float = 0
    bare_seconds: float = 0

    def text(self):
        if self.answer != "DIFFERS":
            return self.answer
        return f"DIFFERS: {' '.join(self.classes)}"


def list_difference(what, left, right):
    gone = [line for line in left if left.count(line) > right.count(line)]
    come = [line for line in right if right.count(line) > left.count(line)]
    lines = [f"bare: {line}" for line in gone[:SHOWN]] + [
        f"weir: {line}" for line in come[:SHOWN]]
    return [f"{what}:", *[f"  {line}" for line in lines]]


def status_difference(left, right):
    """A class and a line."""
    if right in OWN and left == 0:
        what = OWN[right]
    else:
        what = "signal" if {left, right} & set(SIGNALS) else "status"
    return {what: [f"{what}: bare {left}, weir {right}"]}


def file_differences(left, right):
    names = sorted(set(left) | set(right))
    lines = [f"  {name}: bare {left.get(name)}, weir {right.get(name)}"
             for name in names if left.get(name) != right.get(name)]
    return {"files": ["files:", *lines[:SHOWN]]} if lines else {}


def text_differences(what, left, right):
    if left == right:
        return {}
    if sorted(left) == sorted(right):
        return {"order": [f"order: {what} has the same lines in another order"]}
    return {what: list_difference(what, left, right)}


def differences(left, right):
    """{class: lines that tell it}."""
    found = {}
    if right.timed_out:
        return {"timeout": [f"timeout: bare {left.seconds:.1f} s, weir was "
                            f"ended after {right.seconds:.1f} s"]}
    if left.status != right.status:
        found.update(status_difference(left.status, right.status))
    found.update(text_differences("stdout", left.stdout, right.stdout))
    found.update(text_differences("stderr", left.stderr, right.stderr))
    found.update(file_differences(left.files, right.files))
    if left.processes != right.processes:
        found["processes"] = [f"processes left: bare {left.processes}, "
                              f"weir {right.processes}"]
    unverified = [line for line in right.remarks
                if line.startswith("weir: DIFFERS")]
    if unverified:    # whatever the program returned
        found.setdefault("unverified", unverified)
    if right.trace:
        found["trace"] = [f"trace: {right.trace}"]
    return found


def unmet(settings, seen):
    """What was expected of a run and is not so."""
    if settings.status is not None and seen.status != settings.status:
        yield f"status {seen.status} instead of {settings.status}"
    for pattern in settings.expect:
        if not pattern.search(seen.said):
            yield f"nothing that was printed matches '{pattern.pattern}'"


def missing(case):
    for need in case.settings.needs:
        found = os.path.exists(need) if "/" in need else shutil.which(need)
        if not found:
            yield need


class Judge:
    """One program in all modes."""

    def __init__(self, case, weir, places, limit):
        self.case, self.weir, self.places = case, weir, places
        self.limit = case.settings.timeout or limit
        self.bare = {}      # by place; several when they were needed

    def bare_runs(self, place, count):
        runs = self.bare.setdefault(place, [])
        while len(runs) < count and not (runs and runs[-1].timed_out):
            runs.append(run_bare(self.case, self.places[place],
                                 self.places["scratch"], self.limit))
        return runs

    def judge(self, mode):
        settings = self.case.settings
        lacking = list(missing(self.case))
        if settings.modes and mode.name not in settings.modes:
            return Verdict("not run")
        if lacking:
            return Verdict("skipped", lines=["missing: " + ", ".join(lacking)])
        if isinstance(self.places[mode.place], str):
            return Verdict("skipped", lines=[self.places[mode.place]])
        bare = self.bare_runs(mode.place, 1)[0]
        if bare.timed_out:
            return Verdict("times out", lines=[
                f"bare, after {self.limit} s: nothing is known"])
        unfit = list(unmet(settings, bare))
        if unfit:
            return Verdict("fails bare", lines=[*unfit, *bare.stderr[:SHOWN]])
        return self.compare(mode, bare)

    def run(self, mode, bare):
        return run_mode(self.case, mode, self.weir, self.places,
                        self.limit + 3 * bare.seconds)

    def compare(self, mode, bare):
        seen = self.run(mode, bare)
        found = differences(bare, seen)
        expected = list(unmet(self.case.settings, seen)) \
            if not seen.timed_out else []
        if expected:
            found["expected"] = [f"expected: {line}" for line in expected]
        verdict = self.same(seen) if not found else \
            self.weigh(mode, bare, seen, found)
        verdict.seconds, verdict.bare_seconds = seen.seconds, bare.seconds
        return verdict

    @staticmethod
    def same(seen, *lines):
        return Verdict("same", lines=[*lines, *seen.remarks])

    def weigh(self, mode, bare, seen, found):
        """Whether a difference is weir's."""
        if "timeout" in found:
            return self.explain(mode, found, Verdict(
                "HANGS", ["timeout"], found["timeout"]))
        own = {}
        for again in self.bare_runs(mode.place, 1 + AGAIN)[1:]:
            own.update(differences(bare, again))
            if not set(found) - set(own):
                break
        if {"stdout", "stderr"} & set(own) and self.same_blurred(
                mode, bare, seen):
            return self.same(seen, "but for figures, which differ without "
                             "weir too")
        left = {what: lines for what, lines in found.items()
                if what not in own}
        if not left:
            return Verdict("varies", sorted(found), [
                "by itself, without weir: " + ", ".join(sorted(own)),
                *(line.replace("weir:", "again:") for lines in own.values()
                  for line in lines)])
        return self.explain(mode, left, Verdict(
            "DIFFERS", sorted(left),
            [line for lines in left.values() for line in lines]
            + seen.remarks))

    def same_blurred(self, mode, bare, seen):
        for one in (*self.bare[mode.place], seen):
            one.blur()
        return not differences(bare, seen)

    def explain(self, mode, found, verdict):
        """A difference that the table has a reason for is no fault."""
        for modes, classes, reason in self.case.settings.explained:
            if (modes == ["*"] or mode.name in modes) and (
                    classes == ["*"] or set(found) <= set(classes)):
                return Verdict("explained", verdict.classes, [reason])
        return verdict
