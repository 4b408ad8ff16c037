#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run programs with and without weir, and compare what they do.

Every program in DIR and below is run bare and under `weir run` in each mode,
each time in a fresh directory that is removed afterwards. Compared are the exit
status, what is printed, the files that are left (name, mode, bytes), and the
processes that do not end. DIR/judge may say how programs are run; without it
each runs alone or, when it is linked with an MPI, with 1 and 2 ranks of that
MPI's launcher. doc/judge.md explains tables, settings, modes and answers.

Answers: same; DIFFERS: how (status, signal, stdout, stderr, order, files,
processes, expected, trace, unstored, unverified); HANGS (only under weir); varies
(bare runs differ from each other in the same things); times out, fails bare
(bare too: nothing is known); explained (by the table); skipped. The status is 1
when something differs or hangs, 2 when nothing could be judged.
"""
import argparse
import fnmatch
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
from cases import cases_in  # noqa: E402
from modes import modes_called, places_for, type_of  # noqa: E402
from settings import Mistake, Settings, apply  # noqa: E402
from table import Report  # noqa: E402
from verdicts import Judge  # noqa: E402

FAULTS = ("DIFFERS", "HANGS")
KNOWN = (*FAULTS, "same", "explained", "varies")


def options_of(words):
    parser = argparse.ArgumentParser(
        prog="judge", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", default="weir", help="the tool (weir)")
    parser.add_argument("--modes", default="recorded", metavar="LIST",
                        help="MODE[@PLACE],... (recorded), or records, "
                        "forwards, every")
    parser.add_argument("--timeout", type=float, default=60,
                        metavar="SECONDS", help="of a bare run (60)")
    parser.add_argument("--set", action="append", default=[], metavar="LINE",
                        help="a setting, as in a table, for all programs")
    parser.add_argument("--only", metavar="GLOB", action="append",
                        help="only programs whose SUITE/NAME matches")
    parser.add_argument("--disk", default=tempfile.gettempdir(),
                        metavar="DIR", help="where the place `disk` lies")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="programs at once (1)")
    parser.add_argument("--json", metavar="FILE",
                        help="write all that was found; - is stdout")
    parser.add_argument("folder", metavar="DIR", type=Path)
    return parser.parse_args(words)


def chosen(cases, globs):
    return [case for case in cases if not globs or any(
        fnmatch.fnmatch(f"{case.suite}/{case.name}", glob) for glob in globs)]


def judge_all(cases, modes, options, report):
    """The facts that go with the figures."""
    weir = str(Path(shutil.which(options.weir)).resolve())
    with places_for(modes, options.disk) as places, \
            tempfile.TemporaryDirectory(prefix="judge-",
                                        ignore_cleanup_errors=True) as scratch:
        os.chmod(scratch, 0o755)
        places["scratch"] = scratch

        def judge(case):
            one = Judge(case, weir, places, options.timeout)
            return [one.judge(mode) for mode in modes]

        with ThreadPoolExecutor(options.jobs) as pool:
            for case, verdicts in zip(cases, pool.map(judge, cases)):
                report.show(case, verdicts)
        return {"weir": subprocess.run([weir, "--version"], text=True,
                                       capture_output=True).stdout.strip(),
                "places": {name: type_of(where) for name, where
                           in places.items() if isinstance(where, Path)}}


def conclude(options, report, facts):
    report.show_table()
    if options.json == "-":
        print(report.as_json(facts))
    elif options.json:
        Path(options.json).write_text(report.as_json(facts) + "\n",
                                      encoding="utf-8")
    counts = report.counts()
    if any(counts[answer] for answer in FAULTS):
        return 1
    return 0 if any(counts[answer] for answer in KNOWN) else 2


def main(*words):
    options = options_of(words)
    folder = options.folder.resolve()
    if not folder.is_dir():
        raise Mistake(f"{folder} is no directory")
    if not shutil.which(options.weir):
        raise Mistake(f"{options.weir} is not found")
    settings = Settings()
    for line in options.set:
        apply(settings, line)
    modes = modes_called(options.modes)
    cases = chosen(cases_in(folder, settings), options.only)
    if not cases:
        print(f"judge: there is no program in {folder}", file=sys.stderr)
        return 2
    report = Report(cases, modes)
    return conclude(options, report, judge_all(cases, modes, options, report))


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except Mistake as mistake:
        sys.exit(f"judge: {mistake}")
