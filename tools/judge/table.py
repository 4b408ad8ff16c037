# SPDX-License-Identifier: BSD-3-Clause
"""Shows what was found: a row a program, one table of suites and modes."""
import json
from collections import Counter

SHORT = 2       # blanks between columns


def columns(rows):
    """Rows of words, as lines whose words stand below each other."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [(" " * SHORT).join(f"{word:{width}}" for word, width
                               in zip(row, widths)).rstrip() for row in rows]


class Report:
    def __init__(self, cases, modes):
        self.modes, self.found = modes, []
        self.several = len({case.suite for case in cases}) > 1
        self.width = max(len(self.title(case)) for case in cases)

    def title(self, case):
        return f"{case.suite}/{case.name}" if self.several else case.name

    def show(self, case, verdicts):
        """A row, and below it what explains it."""
        self.found.append((case, verdicts))
        answers = [verdict.text() for verdict in verdicts]
        told = answers[0] if len(set(answers)) == 1 else "  ".join(
            f"{mode.name}: {answer}" for mode, answer
            in zip(self.modes, answers))
        print(f"{self.title(case):{self.width}}  {told}", flush=True)
        for mode, verdict in zip(self.modes, verdicts):
            for line in verdict.lines:
                label = f"{mode.name}: " if len(self.modes) > 1 else ""
                print(f"{'':{self.width}}    {label}{line}", flush=True)

    def cell(self, suite, at):
        """same/all, and how often what else was answered."""
        answers = [verdicts[at] for case, verdicts in self.found
                   if case.suite == suite]
        same = sum(verdict.answer == "same" for verdict in answers)
        others = Counter()
        for verdict in answers:
            if verdict.answer == "DIFFERS":
                others.update(verdict.classes)
            elif verdict.answer != "same":
                others[verdict.answer] += 1
        told = ", ".join(f"{what} {count}" for what, count
                         in sorted(others.items()))
        return f"{same}/{len(answers)}" + (f" ({told})" if told else "")

    def counts(self):
        return Counter(verdict.answer for _, verdicts in self.found
                       for verdict in verdicts)

    def show_table(self):
        suites = list(dict.fromkeys(case.suite for case, _ in self.found))
        rows = [["suite", *(mode.name for mode in self.modes)]]
        rows += [[suite, *(self.cell(suite, at)
                           for at in range(len(self.modes)))]
                 for suite in suites]
        print()
        print("\n".join(columns(rows)))
        counts = self.counts()
        print(f"{sum(counts.values())} runs:", ", ".join(
            f"{count} {answer}" for answer, count in sorted(counts.items())))

    def as_json(self, facts):
        return json.dumps({
            **facts, "counts": self.counts(),
            "modes": {mode.name: mode.options for mode in self.modes},
            "programs": [{
                "suite": case.suite, "name": case.name, "command": case.words,
                "modes": {mode.name: {
                    "answer": verdict.answer, "classes": verdict.classes,
                    "lines": verdict.lines, "seconds": verdict.seconds,
                    "bare_seconds": verdict.bare_seconds}
                    for mode, verdict in zip(self.modes, verdicts)},
            } for case, verdicts in self.found]}, indent=1)
