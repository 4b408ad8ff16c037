#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What findings promise, and what is saved when their advice is followed.

usage: bench/run findings [--rounds N] [--quick] [--only RULE,...]
                           [--part rules,tries] [--on ext4,gluster]
                           [--run NAME]

Each rule has a run with the fault and one without, recorded in turns. What is
saved is the time in I/O of the slowest process, in medians of the rounds. An
estimate that says "about" should be right within a factor of two; one that
says "at most" must not be exceeded by more than half. On a busy machine runs
differ by more than some faults cost: then that is said, and nothing else.

Part `tries` runs kernels and programs that no rule was made for, on a local file
system and on GlusterFS, and does what the report says to try. There, "at most"
must not be exceeded by more than a tenth, nor be more than twice of what is saved,
but for what runs differ by. --run chooses those with NAME in their name.
"""
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from lib import tries
from lib.bench import BUILD, WEIR, Options, heading, median, row, table

HERE = Path(__file__).resolve().parent.parent / "tests"
os.environ["WEIR"] = str(WEIR)
sys.path[:0] = [str(HERE / "findings"), str(HERE / "lib"), str(HERE / "mpi")]
import mpirun  # noqa: E402
import play  # noqa: E402
from cases import DATA, Input, case  # noqa: E402
from weirtool import in_whole  # noqa: E402

PROGRAMS = BUILD / "tests/findings"
WORKLOAD = [PROGRAMS / "findings_workload"]
SETS = [PROGRAMS / "sets-serial"]
PIECES = mpirun.command("mpich", 2, PROGRAMS / "pieces-mpich")
MS = 1e6

# rule, program, words with the fault, words without, what must be there
PAIRS = [
    ("small-writes", WORKLOAD, "open:wc:out 20000{ write:512 } close",
     "open:wc:out 10{ write:1m } close", ()),
    ("small-reads", WORKLOAD, "open:r:data 20000{ read:512 } close",
     "open:r:data 10{ read:1m } close", DATA),
    # A larger buffer does not make one request of several files.
    ("small-reads", WORKLOAD,
     "3000{ open:r:s@ read:10k read:10k read:10k close }",
     "3000{ open:r:s@ read:1m read:1m close }", (Input("s@", 14336, 3000),)),
    ("strided-writes", WORKLOAD, "open:wc:out 5000{ pwrite:100:%4k } close",
     "open:wc:out 20{ write:1m } close", ()),
    ("strided-reads", WORKLOAD, "open:r:data 4000{ pread:100:%4k } close",
     "open:r:data 16{ read:1m } close", DATA),
    ("repeated-reads", WORKLOAD, "open:r:data 2000{ pread:64k:0 } close",
     "open:r:data pread:64k:0 close", DATA),
    ("repeated-writes", WORKLOAD, "open:wc:out 2000{ pwrite:64k:0 } close",
     "open:wc:out pwrite:64k:0 close", ()),
    ("repeated-opens", WORKLOAD, "5000{ open:r:data read:100 close }",
     "open:r:data 5000{ pread:100:0 } close", DATA),
    ("repeated-stats", WORKLOAD, "5000{ stat:data }", "stat:data", DATA),
    ("missing-files", WORKLOAD, "5000{ access:no@ }", "stat:data", DATA),
    ("idle-seeks", WORKLOAD, "open:r:data 5000{ tell } close",
     "open:r:data tell close", DATA),
    ("seek-pairs", WORKLOAD, "open:r:data 2000{ seek:?60k read:100 } close",
     "open:r:data 2000{ pread:100:?60k } close", DATA),
    ("read-modify-write", WORKLOAD,
     "open:+:data 2000{ pread:4k:%8k pwrite:4k:%8k } close",
     "open:+:data 2000{ pwrite:4k:%8k } close", DATA),
    ("frequent-syncs", WORKLOAD, "open:wc:out 50{ write:100 fsync } close",
     "open:wc:out 50{ write:100 } fsync close", ()),
    ("synchronous-writes", WORKLOAD, "open:wcs:out 50{ write:100 } close",
     "open:wc:out 50{ write:100 } fsync close", ()),
    ("many-small-files", WORKLOAD, "2000{ open:wc:o@ write:100 close }",
     "open:wc:out 2000{ write:100 } close", ()),
    ("temporary-files", WORKLOAD,
     "500{ open:+c:t@ write:4k pread:4k:0 close unlink:t@ }",
     "500{ open:+c:/dev/shm/weir-bench-@ write:4k pread:4k:0 close "
     "unlink:/dev/shm/weir-bench-@ }", ()),
    ("flushed-streams", WORKLOAD,
     "fopen:w:out 20000{ fwrite:80 fflush } fclose",
     "fopen:w:out 20000{ fwrite:80 } fclose", ()),
    ("stream-buffers", WORKLOAD, "fopen:w:out 32768{ fwrite:1k } fclose",
     "fopen:w:out setvbuf:1m 32768{ fwrite:1k } fclose", ()),
    ("same-reads", WORKLOAD, "fork:4{ open:r:data 16{ read:1m } close }",
     "fork:4{ open:r:data 4{ read:1m } close }", DATA),
    ("one-for-all", WORKLOAD,
     "ranks:4 rank:0{ open:wc:out 32{ write:4m } close }",
     "ranks:4 open:wc:out@ 8{ write:4m } close", ()),
    ("uneven-ranks", WORKLOAD,
     "ranks:4 rank:0{ wait:160:lock@ } but:0{ wait:40:lock@ }",
     "ranks:4 wait:70:lock@", ()),
    ("interleaved-writes", WORKLOAD,
     "open:wc:out fork:4{ 3000{ pwrite:100:%400+&100 } } close",
     "open:wc:out fork:4{ pwrite:300000:&300000 } close", ()),
    ("writes-in-turns", WORKLOAD,
     "ranks:4 open:wc:out 3{ lock:turn 5{ pwrite:8m:&8m } unlock sleep:2 } "
     "close",
     "ranks:4 open:wc:out@ 3{ 5{ pwrite:8m:0 } sleep:2 } close", ()),
    ("independent-pieces", PIECES, "apart 3000 100", "together 3 100000", ()),
    ("tiny-datasets", SETS, "many 3000 100", "many 1 300000", ()),
    ("chunks-again", SETS, "chunks 2000 1024", "cached 2000 1024", ()),
]


def recorded(program, words, has):
    one = case("", words, has=has)._replace(command=[*program,
                                                     *words.split()])
    return in_whole(lambda scratch: play.told(one, scratch))


def slowest(said):
    """The time in I/O of the process that spends most."""
    return max(process["time"] for process in said["processes"])


def finding(said, rule):
    return next((one for one in said["findings"] if one["id"] == rule), None)


def spread(values):
    """How far half of the values are from the median, at least."""
    middle = median(values)
    return median(abs(value - middle) for value in values)


def measure(pair, rounds):
    """(estimate's kind, what is estimated, what is saved, how far runs
    differ), in ns."""
    rule, program, bad, good, has = pair
    estimates, before, after, kind = [], [], [], None
    for _ in range(rounds):
        said = recorded(program, bad, has)
        found = finding(said, rule)
        if not found:
            return "silent", 0, 0, 0
        kind = found["estimate"]
        estimates.append(found["saving"])
        before.append(slowest(said))
        after.append(slowest(recorded(program, good, has)))
    return (kind, median(estimates), median(before) - median(after),
            spread(before) + spread(after))


def verdict(kind, estimate, saved, noise):
    most = estimate * {"about": 2, "at-most": 1.5}.get(kind, 0)
    least = estimate / 2 if kind == "about" else saved
    if kind != "silent" and least <= saved <= most:
        return "yes"
    return "noise" if noise > estimate / 2 else "NO"


def count_answers(answers):
    print()
    for (kind, answer), count in sorted(Counter(answers).items()):
        print(f"{kind}, {answer}: {count}")


def judge_rules(options):
    table("What findings promise and what it is worth (ms; medians)", "rule",
          "estimate says", "estimate", "measured", "ratio", "runs differ by",
          "kept")
    answers = []
    for pair in PAIRS:
        if pair[0] not in options.only.split(","):
            continue
        if not Path(pair[1][-1]).exists():
            row(pair[0], "not built")
            continue
        kind, *figures = measure(pair, options.rounds)
        estimate, saved, noise = figures
        answers.append((kind, verdict(kind, *figures)))
        row(pair[0], kind, f"{estimate / MS:.2f}", f"{saved / MS:.2f}",
            f"{saved / estimate:.2f}" if estimate else "-", f"{noise / MS:.2f}",
            answers[-1][1])
    count_answers(answers)


def main():
    parser = Options(__doc__, ",".join(pair[0] for pair in PAIRS),
                     rounds=(5, 1))
    parser.add_argument("--part", default="rules,tries")
    parser.add_argument("--on", default=",".join(tries.PLACES))
    parser.add_argument("--run", default="")
    options = parser.chosen()
    heading("findings", f"{options.rounds} rounds, on files in "
                        f"{tempfile.gettempdir()}")
    if "rules" in options.part.split(","):
        judge_rules(options)
    if "tries" in options.part.split(","):
        count_answers(tries.measure(options.rounds, options.on.split(","),
                                    options.run))


if __name__ == "__main__":
    main()
