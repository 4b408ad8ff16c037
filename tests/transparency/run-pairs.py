#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs do the same, bare and under weir, to the byte.

usage: run-pairs.py [WORD]     (only pairs whose name contains WORD)"""
import difflib
import os
import re
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]
from pairs import pairs  # noqa: E402
from public import is_public, run_in_public  # noqa: E402
from stage import LIBWEIR, WEIR, Stage, isolate  # noqa: E402
from weirtool import Tap  # noqa: E402

AT_ONCE = 2
STDERR_OF_WEIR = re.compile(rb"^weir: .*\n", re.M)
# What weir adds to the environment, as the program `state` prints it.
OUR_SETTINGS = re.compile(rb"^environment: WEIR_(TRACE|LIVE)=.*\n"
                          rb"|^environment: LD_PRELOAD=\n", re.M)
OUR_LIBRARY = re.compile(rb":?" + re.escape(LIBWEIR[:-3].encode()) +
                         rb"(-\w+)?\.so:?")


def leave_out(data):
    """Text of a recorded program without what weir must add."""
    if not isinstance(data, bytes):
        return data
    data = OUR_LIBRARY.sub(lambda found: b":" if found[0].count(b":") > 1
                           else b"", data)
    return OUR_SETTINGS.sub(b"", data)


def fair(seen, tells):
    """What weir's own share was, taken away."""
    seen = dict(seen)
    if tells:
        seen["stderr"] = STDERR_OF_WEIR.sub(b"", seen["stderr"])
    seen["stdout"] = leave_out(seen["stdout"])
    seen["files"] = {name: [leave_out(part) for part in told]
                     for name, told in seen["files"].items()}
    return seen


def unlike(name, one, other):
    """Lines that tell how two things differ."""
    if one == other:
        return
    if isinstance(one, dict):
        for key in sorted(set(one) | set(other)):
            yield from unlike(f"{name} {key}", one.get(key), other.get(key))
        return
    for sign, line in lines_unlike(parts(one), parts(other)):
        yield f"{name}: {sign} {line}"


def parts(thing):
    """Lines of a text, parts of a file's description, or the thing."""
    if isinstance(thing, bytes):
        return [repr(line) for line in thing.splitlines()]
    if isinstance(thing, list):
        return [line for part in thing for line in parts(part)]
    return [repr(thing)]


def lines_unlike(one, other):
    """(sign, line): - only in the one, + only in the other."""
    for line in difflib.ndiff(one, other):
        if line[0] in "+-":
            yield line[0], line[2:202]


def wrong_modes(trace):
    """Whatever the umask: nobody else may read a trace."""
    for path in [trace, *trace.rglob("*")] if trace.exists() else []:
        want = 0o700 if path.is_dir() else 0o600
        if stat.S_IMODE(path.lstat().st_mode) != want:
            yield f"{path.name} has mode {stat.S_IMODE(path.stat().st_mode):o}"


def wrong_trace(trace, blind):
    """It is there, whole, and not empty."""
    if not list(trace.glob("*.weir")):
        if not blind:
            yield "no trace was made"
        return
    if len(list(trace.iterdir())) != 1:
        yield f"left in the trace: {sorted(os.listdir(trace))}"
    done = subprocess.run([WEIR, "dump", "--format", "csv", trace],
                          capture_output=True)
    if done.returncode:
        yield f"weir dump: {done.returncode} {done.stderr}"
    elif done.stdout.count(b"\n") < 2 and not blind:
        yield "nothing was recorded"


def compare(pair):
    """Lines that tell what is different; none: nothing is."""
    program, condition = pair
    with tempfile.TemporaryDirectory(prefix="weir-pair-") as name:
        scratch = Path(name).resolve()
        scratch.chmod(0o755)
        stage = Stage(scratch)
        bare = stage.run(program, condition, False)
        trouble = []
        if condition.name == "plain" and bare["status"] != program.status:
            trouble.append(f"bare, its status is {bare['status']}")
        seen = stage.run(program, condition, True)
        trouble += unlike("", bare, fair(seen, program.tells
                                             or condition.tells))
        trouble += wrong_modes(stage.trace)
        trouble += wrong_trace(stage.trace, program.blind or condition.blind)
        if trouble:  # is it weir's?
            again = stage.run(program, condition, False)
            trouble += [f"bare, twice:{line}"
                        for line in unlike("", bare, again)]
        return trouble


def modes_meanwhile(alone):
    """(kind, mode) of all that weir has while a program runs, umask 000."""
    with tempfile.TemporaryDirectory(prefix="weir-modes-") as name:
        trace, output = Path(name) / "trace", Path(name) / "modes"
        command = ["python3", str(HERE / "scripts" / "modes.py"), trace,
                   output]
        added = {"WEIR_TRACE": str(trace), "LD_PRELOAD": LIBWEIR}
        if not alone:
            command[:0] = [WEIR, "run", "-q", "-o", trace, "--"]
        subprocess.run(command, check=True, umask=0,
                       env={**os.environ, **(added if alone else {})})
        return [line.split()[:2] for line in
                output.read_text().splitlines()]


def check_modes(tap):
    right = {"folder": "700", "file": "600", "link": "777"}
    for alone in (False, True):
        seen = modes_meanwhile(alone)
        wrong = [pair for pair in seen if right[pair[0]] != pair[1]]
        tap.result(not wrong and len(seen) > 4,
                   f"{len(seen)} files and folders are the owner's alone"
                   f"{' (preloaded alone)' if alone else ''}", wrong or seen)


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    tap, different = Tap(), 0
    chosen = [pair for pair in pairs() if word in title(pair)]
    with ProcessPoolExecutor(AT_ONCE, initializer=isolate) as pool:
        for pair, trouble in zip(chosen, pool.map(compare, chosen)):
            different += bool(trouble)
            tap.result(not trouble, title(pair), trouble[:40])
    if not word:
        check_modes(tap)
    print(f"# {len(chosen)} pairs, {len(chosen) - different} identical, "
          f"{different} different")
    return tap.done()


def title(pair):
    program, condition = pair
    return f"{program.name}; {condition.name}"


if __name__ == "__main__":
    sys.exit(main() if is_public(Path(WEIR)) else
             run_in_public(Path("tests") / "transparency"))
