#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No input makes a verb take more than 512 MB or 60 seconds.

Every verb that reads a trace or a plan is given traces and plans that were
made to cost as much as can be. It must end by itself, with a status that is
documented, within both. The largest meet a few verbs only; with --all (in
./dev soak bounds) every one. Names of inputs: only these.
"""
import os
import pathlib
import resource
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))

from hostiletraces import LARGE, LARGEST, PLANS, TRACES  # noqa: E402

WEIR = os.environ["WEIR"]
MEGABYTES = 512
SECONDS = 60
STATUSES = {0, 3, 4, 5}

# {} is the input, @ a place for output
TRACE_VERBS = (
    "dump {}", "dump --format jsonl {}", "dump --format csv {}",
    "dump --format catamount {}", "dump --tree --time 0-1us {}",
    "dump --dictionary {}", "view {} bytes", "view --by process {} calls",
    "view {} sizes", "query {}",
    "query {} latency,by,id,top,5", "info {}", "info --exact {}",
    "anon --key KEY {} @", "pack {} @", "merge @ {} {}",
    "export -q --to csv -o @ {}", "export -q --to sqlite -o @ {}",
    "export -q --to perfetto -o @ {}", "export -q --to otf2 -o @ {}", "report {}",
    "report --json {}", "report --html @ {}", "compare {} {}",
)
FEW_VERBS = ("dump --dictionary {}", "info {}", "report {}")
PLAN_VERBS = ("plan check {}", "plan show {}", "plan export {}",
              "plan export --to c {}", "run -q -o @ --plan {} -- true")


def verbs_of(make, has_all):
    """All for what is small; for the rest what ./dev test has time for."""
    if has_all or make not in LARGE:
        return TRACE_VERBS
    return FEW_VERBS[1:2] if make in LARGEST else FEW_VERBS


def limit():
    """The kernel ends what takes too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))


def run(words):
    """Status (128 + signal), megabytes and seconds of a command."""
    child = os.fork()
    if not child:
        null = os.open("/dev/null", os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        limit()
        os.execv(WEIR, [WEIR, *words])
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return (code if code >= 0 else 128 - code, used.ru_maxrss / 1024,
            used.ru_utime + used.ru_stime)


def words_of(verb, path, place):
    """The command line of a verb on an input."""
    out = place / "out"
    if out.is_dir():
        shutil.rmtree(out)
    out.unlink(missing_ok=True)
    words = [word.replace(",", " ") if "by," in word else word
             for word in verb.split()]
    fill = {"{}": str(path), "@": str(out), "KEY": str(place / "key")}
    return [fill.get(word, word) for word in words]


def judge(verb, path, place):
    """What is wrong, or None; and what it took, for people."""
    status, megabytes, seconds = run(words_of(verb, path, place))
    took = f"{status}, {megabytes:.0f} MB, {seconds:.1f} s"
    good = status in STATUSES and megabytes <= MEGABYTES and \
        seconds <= SECONDS
    return None if good else took, (seconds, took)


def main():
    """A test for each input."""
    inputs = [(make, verbs_of(make, "--all" in sys.argv), ".weir")
              for make in TRACES] + \
        [(make, PLAN_VERBS, ".xml") for make in PLANS]
    chosen = [word for word in sys.argv[1:] if word != "--all"]
    inputs = [row for row in inputs
              if not chosen or row[0].__name__ in chosen]
    print(f"1..{len(inputs)}")
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        (place / "key").write_text("0f" * 32 + "\n")
        (place / "key").chmod(0o600)
        for number, (make, verbs, ending) in enumerate(inputs, 1):
            path = place / (make.__name__ + ending)
            path.write_bytes(make())
            results = [(verb, *judge(verb, path, place)) for verb in verbs]
            wrong = [(verb, took) for verb, took, _ in results if took]
            print("not ok" if wrong else "ok", number, make.__name__,
                  flush=True)
            for verb, took in wrong:
                print(f"# weir {verb}: {took}")
            slowest = max(results, key=lambda row: row[2][0])
            print(f"# {sum(row[2][0] for row in results):.1f} s in all; "
                  f"slowest: weir {slowest[0]}: {slowest[2][1]} of "
                  f"{path.stat().st_size} bytes")
            path.unlink()


main()
