#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lets strace and weir look at the same run of real programs.

usage: run-strace.py [-v] SYMBOLS SPEC [PROGRAM]...

SYMBOLS is build/spec/symbols.txt, SPEC the folder of the tables; a PROGRAM
is the name of a script in programs/ (all, unless told)."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE)]
import calltable  # noqa: E402
import compare  # noqa: E402
import descriptors  # noqa: E402
import origin  # noqa: E402
import streams  # noqa: E402
import tracelines  # noqa: E402
from weirtool import WEIR, Failure, Tap, events  # noqa: E402

TRACED = ["%file", "%desc", "%process", "%memory"]
# strace itself must not be recorded: it gets the library for its child only.
LAUNCH = """
preload=$LD_PRELOAD
unset LD_PRELOAD
echo $$ >"$STRACE_OUT.launcher"
exec strace "$@" -E LD_PRELOAD="$preload" -o "$STRACE_OUT" sh -eu "$SCRIPT"
"""
COLUMNS = ("lines", "events", "ld.so", "stdio", "libc", "raw", "weir",
           "ignored", "memory", "other", "restarted", "unrecorded",
           "no call", "several", "offsets", "unsure", "handles",
           "streams", "untold", "wrong", "stream", "invented", "missing",
           "unclassified", "lost")


def read_words(path, column=0):
    rows = (line.split("#")[0].split()
            for line in Path(path).read_text().splitlines())
    return [row[column] for row in rows if row]


def read_layers(spec):
    """Each recorded call's layer: the table its row stands in."""
    row = re.compile(r"\s*\d+\s+\w+\s+(\w+)\(")
    return {found[1]: path.stem for path in Path(spec).glob("*.calls")
            for found in map(row.match, path.read_text().splitlines())
            if found}


def read_numbers(spec):
    """The call that is recorded for each system call of syscall()."""
    row = re.compile(r"\s*(?:\d+|-)\s+\w+\s+(\w+)\(")
    return {name: row.match(line)[1] for path in Path(spec).glob("*.calls")
            for line in path.read_text().splitlines() if row.match(line)
            for name in re.findall(r"\bsys (\w+)", line.split("#")[0])}


class Bench:
    """What is the same for all programs."""

    def __init__(self, symbols, spec):
        calls = dict(zip(read_words(symbols), read_words(symbols, 1)))
        self.table = compare.Table(calltable.read_table(HERE / "calls"),
                                   calls, read_layers(spec),
                                   read_numbers(spec))
        self.words = origin.Words(HERE / "classes")
        libc = Path(os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6"))
        self.judge = origin.Judge(origin.read_symbols(libc), self.words,
                                  set(calls),
                                  set(read_words(Path(spec) / "ignored")))

    def play(self, script, scratch):
        """Run one script under both; return threads and events."""
        work, trace, out = scratch / "w", scratch / "trace", scratch / "out"
        work.mkdir()
        settings = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C",
                    "HOME": str(work), "STRACE_OUT": str(out),
                    "SCRIPT": str(script), "TMPDIR": str(scratch)}
        done = subprocess.run(
            [WEIR, "run", "--all", "--strict", "--buffer", "64M", "-o",
             trace, "--",
             "sh", "-c", LAUNCH, "sh", *tracelines.OPTIONS, "-e",
             f"trace={','.join(TRACED + self.table.system_calls())}"],
            cwd=work, env=settings, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, errors="replace", timeout=600)
        if done.returncode:
            raise Failure(f"weir run returned {done.returncode}: "
                          f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        launcher = int((scratch / "out.launcher").read_text())
        recorded = [event for event in events(trace)
                    if event.get("pid") != launcher]
        return tracelines.read_threads(out), recorded

    def try_script(self, script, keep=None):
        with tempfile.TemporaryDirectory(prefix="weir-strace-") as name:
            try:
                threads, recorded = self.play(script, Path(name))
            finally:
                if keep:
                    shutil.copytree(name, keep, dirs_exist_ok=True,
                                    ignore_dangling_symlinks=True)
        return self.compare(threads, recorded)

    def compare(self, threads, recorded):
        comparison = compare.Comparison(self.table, self.words, self.judge.of)
        verdict = comparison.run(dict(threads), recorded)
        checker = descriptors.Checker(descriptors.World(threads), verdict)
        checker.run()
        streams.check(checker.streams, recorded, verdict)
        return verdict


def table_lines(verdict):
    """Programs down, classes across; columns that are all 0 are left out."""
    totals = Counter()
    for counts in verdict.counts.values():
        totals.update(counts)
    shown = [name for name in COLUMNS if totals[name]]
    yield f"{'program':16}" + "".join(f"{name:>13}" for name in shown)
    for program, counts in [*sorted(verdict.counts.items()), ("all", totals)]:
        yield f"{program[:15]:16}" + "".join(f"{counts[name]:13}"
                                             for name in shown)


def complaints(verdict, most=15):
    for kind, parts in verdict.wrong[:most]:
        yield f"{kind}:"
        for part in parts:
            yield f"    {part}"
    if len(verdict.wrong) > most:
        yield f"and {len(verdict.wrong) - most} more"


def details(verdict):
    for (kind, entry), number in sorted(verdict.inside.items()):
        yield f"    {kind:10} {entry:40} {number}"


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    symbols, spec, *wanted = words
    bench, tap = Bench(symbols, spec), Tap()
    lacking = bench.table.missing()
    tap.result(not lacking, "every call of the tables is in `calls`",
               [f"not there: {' '.join(lacking)}"] if lacking else [])
    for script in sorted((HERE / "programs").glob("*.sh")):
        if wanted and script.stem not in wanted:
            continue
        try:
            verdict = bench.try_script(script, os.environ.get("KEEP"))
        except Failure as failure:
            tap.result(False, script.stem, [str(failure)])
            continue
        lines = [*table_lines(verdict), *complaints(verdict)]
        if "-v" in sys.argv:
            lines += details(verdict)
        tap.result(verdict.is_good() and verdict.total("events"),
                   script.stem, lines)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
