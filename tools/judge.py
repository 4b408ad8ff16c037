#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run programs with and without weir, and compare what they do.

usage: judge.py [--weir WEIR] [--timeout SECONDS] DIR

Every executable file in DIR is run bare, under `weir run`, and bare once more,
each time in a fresh directory that is removed afterwards. Compared are the exit
status, what it printed, and the files it left, byte by byte.

What is run: the lines of DIR/judge when there is such a file,

    NAME: launcher and arguments        # {} stands for the program
    ring: mpirun.mpich -n 2 {} -fname data

(without {} the program is put behind the launcher's words; several lines may
have one name, `#` begins a comment), else each program alone and, when it is
linked with an MPI, with 1 and 2 ranks of that MPI's launcher.

What may differ between any two runs is masked in what was printed, and in the
names of files: addresses (0x...), dates and clock times, figures before s, sec,
ms, us, ns, MB/s and the like, all figures of a line that speaks of time, seconds,
bandwidth or rate, numbers after `pid` or `process`, [HOST:PID], and the path of
the directory. Only when two bare runs differ even so, figures with a decimal
point are masked everywhere. Lines are compared sorted: ranks share an output, and
their order is nobody's. What weir itself says (`weir: ...`) is shown, not compared.

Answers: same; DIFFERS; varies (two bare runs differ in the same things: the
program itself is not deterministic); times out (bare too: nothing is known);
HANGS (only under weir). The status is 1 when something differs or hangs, 2 when
nothing could be run.
"""
import argparse
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

MASKS = [
    (r"0x[0-9a-fA-F]+", "ADDRESS"),
    (r"\b\d{4}-\d\d-\d\d\b", "DATE"),
    (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d+\b", "DATE"),
    (r"\b\d{1,2}:\d\d:\d\d\b", "CLOCK"),
    (r"[\d.]+(e[-+]?\d+)? *([mun]?s|secs?|seconds?|[KMGT]?i?B/s(ec)?)\b",
     "FIGURE"),
    (r"(?i)(\bpid\b|\bprocess\b)(\D{0,8})\d{3,}", r"\1\2PID"),
    (r"\[\w[\w.-]*:\d{3,}\]", "[HOST:PID]"),
]
TIMED = re.compile(r"(?i)\btimes?\b|seconds?\b|bandwidth|\brate\b|elapsed")
FIGURE = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")
DECIMAL = re.compile(r"[-+]?\d*\.\d+([eE][-+]?\d+)?|\d+\.(?=\s|$)|\d[eE][-+]\d+")
SHOWN = 6       # lines of a difference
LAUNCHERS = {
    "libmpich.so": ["mpirun.mpich", "-n"],
    "libmpi.so.12": ["mpirun.mpich", "-n"],
    "libmpi.so": ["mpirun.openmpi", "--oversubscribe", "-n"],
}
OPENMPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def is_ours(line):
    return line.startswith("weir: ")


class Case:
    def __init__(self, name, words):
        self.name, self.words = name, words


class Outcome:
    """What one run did; `timed_out` when it had to be ended."""
    def __init__(self, status, printed, files, timed_out):
        self.status, self.timed_out, self.files = status, timed_out, files
        self.remarks = [line for line in printed[1] if is_ours(line)]
        self.printed = [printed[0], [line for line in printed[1]
                                     if not is_ours(line)]]

    def blur(self):
        self.printed = [without_decimals(lines) for lines in self.printed]


def libraries(program):
    done = subprocess.run(["ldd", program], capture_output=True, text=True,
                          check=False)
    return re.findall(r"^\s*(\S+)", done.stdout, re.M)


def launcher_of(program):
    found = libraries(program)
    for beginning, words in LAUNCHERS.items():
        if any(name.startswith(beginning) for name in found):
            return words
    return None


def programs_in(folder):
    return sorted(path for path in folder.iterdir()
                  if path.is_file() and os.access(path, os.X_OK)
                  and path.name != "judge")


def cases_by_themselves(folder):
    for path in programs_in(folder):
        words = launcher_of(path)
        if not words:
            yield Case(path.name, [str(path)])
            continue
        for ranks in ("1", "2"):
            yield Case(f"{path.name} -n {ranks}",
                       [*words, ranks, str(path)])


def cases_by_file(folder, lines):
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        name, colon, rest = text.partition(":")
        path = folder / name.strip()
        if not colon or not os.access(path, os.X_OK):
            sys.exit(f"judge: {folder}/judge:{number}: 'NAME: launcher and "
                     "arguments' is expected, NAME a program of the folder")
        words = shlex.split(rest)
        if "{}" not in words:
            words.append("{}")
        yield Case(name.strip(),
                   [str(path) if word == "{}" else word for word in words])


def cases_in(folder):
    table = folder / "judge"
    if table.is_file():
        with open(table, encoding="utf-8") as lines:
            return list(cases_by_file(folder, lines))
    return list(cases_by_themselves(folder))


def mask(text, place):
    text = text.replace(str(place), "HERE")
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text)
    return sorted(FIGURE.sub("FIGURE", line) if TIMED.search(line) else line
                  for line in text.splitlines())


def without_decimals(lines):
    return sorted(DECIMAL.sub("FIGURE", line) for line in lines)


def files_below(place):
    """Name and content of each, hashed; names masked as what is printed."""
    found = {}
    for path in sorted(place.rglob("*")):
        if path.is_symlink():
            what = f"link to {os.readlink(path)}"
        elif path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            what = f"{path.stat().st_size} bytes, sha256 {digest[:16]}"
        elif path.is_dir():
            what = "directory"
        else:
            what = "special file"
        name = mask(str(path.relative_to(place)), place)[0]
        found.setdefault(name, []).append(what)
    return {name: sorted(all_of) for name, all_of in found.items()}


def end_group(child):
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.communicate(timeout=5)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            return


def run_once(words, limit):
    base = Path(tempfile.mkdtemp(prefix="judge-"))
    place, printed = base / "place", ["", ""]
    place.mkdir()
    timed_out = False
    child = subprocess.Popen(
        [word.replace("@TRACE@", str(base / "trace")) for word in words],
        cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace",
        env={**OPENMPI, **os.environ}, start_new_session=True)
    try:
        printed = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        timed_out = True
        end_group(child)
    outcome = Outcome(child.returncode, [mask(text, place) for text in printed],
                      files_below(place), timed_out)
    shutil.rmtree(base, ignore_errors=True)
    return outcome


def list_difference(what, left, right):
    if left == right:
        return []
    gone = [line for line in left if left.count(line) > right.count(line)]
    come = [line for line in right if right.count(line) > left.count(line)]
    lines = [f"bare: {line}" for line in gone] + [
        f"weir: {line}" for line in come]
    return [f"{what}:", *[f"  {line}" for line in lines[:SHOWN]]]


def differences(left, right):
    """Which of status, output, errors, files differ, and how."""
    found = {}
    if left.status != right.status:
        found["status"] = [f"status: bare {left.status}, weir {right.status}"]
    for index, what in enumerate(("output", "errors")):
        lines = list_difference(what, left.printed[index],
                                right.printed[index])
        if lines:
            found[what] = lines
    names = sorted(set(left.files) | set(right.files))
    lines = [f"  {name}: bare {left.files.get(name)}, "
             f"weir {right.files.get(name)}" for name in names
             if left.files.get(name) != right.files.get(name)]
    if lines:
        found["files"] = ["files:", *lines[:SHOWN]]
    return found


def judge(case, weir, limit):
    """(answer, lines that explain it)."""
    bare = run_once(case.words, limit)
    if bare.timed_out:
        return "times out", [f"bare, after {limit} s: nothing is known"]
    recorded = run_once([weir, "run", "-q", "-o", "@TRACE@", "--",
                         *case.words], limit)
    if recorded.timed_out:
        return "HANGS", [f"under weir, after {limit} s; bare it ended"]
    return compare(case, limit, bare, recorded)


def compare(case, limit, bare, recorded):
    found = differences(bare, recorded)
    if not found:
        return "same", recorded.remarks
    again = run_once(case.words, limit)
    if "output" in differences(bare, again) or "errors" in differences(
            bare, again):
        for outcome in (bare, recorded, again):
            outcome.blur()
        found = differences(bare, recorded)
        if not found:
            return "same", ["but for figures, which differ without weir too",
                            *recorded.remarks]
    own = differences(bare, again)
    left = [line for what, lines in found.items() if what not in own
            for line in lines]
    if left:
        return "DIFFERS", left + recorded.remarks
    return "varies", ["by itself, without weir: " + ", ".join(own)]


def main():
    parser = argparse.ArgumentParser(
        prog="judge", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", default="weir")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("folder", metavar="DIR", type=Path)
    options = parser.parse_args()
    folder = options.folder.resolve()
    if not folder.is_dir():
        sys.exit(f"judge: {folder} is no directory")
    weir = shutil.which(options.weir)
    if not weir:
        sys.exit(f"judge: {options.weir} is not found")
    cases, counts = cases_in(folder), {}
    width = max([len(case.name) for case in cases], default=0)
    for case in cases:
        answer, lines = judge(case, str(Path(weir).resolve()), options.timeout)
        counts[answer] = counts.get(answer, 0) + 1
        print(f"{case.name:{width}}  {answer}", flush=True)
        for line in lines:
            print(f"{'':{width}}    {line}")
    print(f"{len(cases)} runs:", ", ".join(
        f"{count} {answer}" for answer, count in sorted(counts.items())))
    if not cases:
        print(f"judge: there is no program in {folder}", file=sys.stderr)
        return 2
    return 1 if counts.get("DIFFERS") or counts.get("HANGS") else 0


if __name__ == "__main__":
    sys.exit(main())
