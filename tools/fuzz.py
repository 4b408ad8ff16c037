#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the fuzz targets of a build for a while and keeps what they learn.

Each target has two programs. libFuzzer's (`guided`) watches comparisons, too,
and learns; swift (tests/fuzz/swift.c) tries at many times its speed what was
learnt. The corpus of each target stays in BUILD/corpus and every run is a line
of BUILD/executions.tsv, so that campaigns add up. Inputs that fail lie in
BUILD/finds. Ends with a table, also as a record in BUILD/record.md.
"""
import argparse
import concurrent.futures
import datetime
import itertools
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEEDS = ROOT / "tests/fuzz/corpus"
SLICE = 120  # seconds of a target before others have their turn
MEMORY = 512  # MB that no input may take
PATIENCE = 60  # seconds that no input may take
SHORTEST = 1024  # bytes that every target may make of an input
SHORT = 256  # bytes of most inputs that are tried swiftly
GUIDED = 0.25  # of the time
FAST, SLOW = 80000, 4000  # executions a second of processor
FAST_TIMES = 6  # a fast target has so many turns of swift for one
FIELDS = ("date", "target", "executions", "seconds", "cov", "ft", "corpus",
          "finds", "how", "processor")


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=ROOT / "build-fuzz")
    parser.add_argument("--hours", type=float,
                        help="of the whole campaign, over all targets")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=60,
                        help="for each target, without --hours")
    parser.add_argument("--how", choices=("guided", "swift"),
                        help="only by libFuzzer, or only without")
    parser.add_argument("targets", nargs="*")
    return parser.parse_args()


def programs(build, names):
    """The targets by their names; all when none are named."""
    there = {path.name[len("fuzz_"):]: path
             for path in sorted((build / "tests/fuzz").glob("fuzz_*"))
             if path.is_file() and os.access(path, os.X_OK)}
    for name in names:
        if name not in there:
            sys.exit(f"fuzz: there is no target '{name}'; there are: "
                     f"{' '.join(there)}")
    return {name: there[name] for name in names or there}


def longest(name):
    """Bytes of an input: twice the longest seed, so that runs stay fast."""
    sizes = [path.stat().st_size for path in (SEEDS / name).iterdir()]
    return max(SHORTEST, 2 * max(sizes, default=0))


def short(name):
    """Bytes of an input for swift: what most seeds need."""
    sizes = sorted(path.stat().st_size for path in (SEEDS / name).iterdir())
    return max(SHORT, sizes[len(sizes) // 2] * 5 // 4)


def environment(how):
    """Little memory for what was freed: bounds are those of the program.
    What is tried swiftly is not asked for leaks: libFuzzer does that."""
    common = "handle_abort=1:malloc_context_size=8"
    own = "quarantine_size_mb=8" if how == "guided" else \
        "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:" \
        "detect_leaks=0:max_malloc_fill_size=0:check_printf=0:" \
        f"max_allocation_size_mb={MEMORY}:hard_rss_limit_mb={MEMORY}"
    return os.environ | {
        "ASAN_OPTIONS": f"{common}:{own}",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "TMPDIR": "/dev/shm",
    }


def places(build, name):
    """Where it learns, and where finds go."""
    corpus = build / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    (build / "finds").mkdir(exist_ok=True)
    return corpus, f"{build / 'finds' / name}-"


def guided(build, name, seconds, _):
    """How libFuzzer is told all this."""
    corpus, finds = places(build, name)
    return [build / "tests/fuzz" / f"fuzz_{name}",
            f"-max_total_time={seconds}",
            f"-rss_limit_mb={MEMORY}", f"-malloc_limit_mb={MEMORY}",
            f"-timeout={PATIENCE}", f"-max_len={longest(name)}",
            "-print_final_stats=1", f"-artifact_prefix={finds}",
            corpus, SEEDS / name]


def swift(build, name, seconds, turn):
    """And swift: every fourth time with long inputs."""
    corpus, finds = places(build, name)
    length = longest(name) if turn % 4 == 3 else short(name)
    return [build / "swift/tests/fuzz" / f"swift_{name}", str(seconds),
            str(length), finds, corpus, SEEDS / name]


def read_log(text):
    """Executions, coverage and size of the corpus that are told."""
    done = re.findall(r"number_of_executed_units: *(\d+)", text) or \
        re.findall(r"^executions (\d+)", text, re.MULTILINE) or \
        re.findall(r"^#(\d+)", text, re.MULTILINE)
    cover = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", text)
    return (int(done[-1]) if done else 0,) + \
        tuple(int(n) for n in (cover[-1] if cover else (0, 0, 0)))


def processor(text):
    """Seconds of processor that swift tells; 0: it is not known."""
    told = re.findall(r"^processor ([\d.]+)", text, re.MULTILINE)
    return float(told[-1]) if told else 0


def run_slice(build, turn):
    """One turn of a target; the line that is kept of it."""
    name, how, seconds, number = turn
    began = datetime.datetime.now(datetime.timezone.utc)
    words = (guided if how == "guided" else swift)(
        build, name, int(max(1, seconds)), number)
    ended = subprocess.run(words, env=environment(how), text=True,
                           errors="replace", stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
    took = datetime.datetime.now(datetime.timezone.utc) - began
    if ended.returncode:
        log = build / "finds" / f"{name}-{began:%Y%m%dT%H%M%S}.log"
        log.write_text(ended.stdout)
        print(f"fuzz: {name} FOUND something: {log}", flush=True)
    executions, cov, ft, corpus = read_log(ended.stdout)
    return (f"{began:%Y-%m-%dT%H:%M:%SZ}", name, executions,
            int(took.total_seconds()), cov, ft, corpus,
            int(bool(ended.returncode)), how, processor(ended.stdout))


def ways(args, name, seconds):
    """How the time of a target is spent: pieces of it, each by one way."""
    if args.how:
        return [(name, args.how, seconds)]
    return [(name, "guided", seconds * GUIDED),
            (name, "swift", seconds * (1 - GUIDED))]


def turns(targets, args):
    """Who runs for how long, in which order: without --hours each the same;
    else what is fast has more turns, so that it can be tried more often, and
    what is slow has longer ones."""
    if not args.hours:
        for name in targets:
            for number, way in enumerate(ways(args, name, args.seconds)):
                yield *way, number
        return
    until = time.monotonic() + args.hours * 3600
    for number in itertools.count():
        for name in targets:
            speed = speeds(kept(args.build)).get(name, SLOW)
            seconds = SLICE if speed < SLOW else SLICE / 3
            some = [*ways(args, name, seconds)]
            if speed >= FAST:
                some += [(name, "swift", seconds)] * FAST_TIMES
            for way in some:
                if time.monotonic() > until:
                    return
                yield *way, number


def keep(build, row):
    """One line more."""
    with open(build / "executions.tsv", "a", encoding="utf-8") as log:
        log.write("\t".join(map(str, row)) + "\n")


def kept(build):
    """All lines."""
    try:
        with open(build / "executions.tsv", encoding="utf-8") as log:
            return [line.rstrip("\n").split("\t") for line in log]
    except FileNotFoundError:
        return []


def sums(lines):
    """By target: executions, seconds, the most that was covered, finds."""
    result = {}
    for line in lines:
        row = dict(zip(FIELDS, line))
        old = result.get(row["target"])
        for key in ("executions", "seconds", "finds"):
            row[key] = int(row[key]) + (old[key] if old else 0)
        for key in ("cov", "ft", "corpus"):
            row[key] = max(int(row[key]), old[key] if old else 0)
        result[row["target"]] = row
    return result


def speeds(lines):
    """Executions of swift in a second of processor, by target."""
    result = {}
    for row in (dict(zip(FIELDS, line)) for line in lines):
        if float(row.get("processor", 0)):
            result[row["target"]] = \
                int(row["executions"]) / float(row["processor"])
    return result


def table(rows, heading):
    """As Markdown."""
    lines = [heading, "",
             "| target | executions | exec/s | cov | ft | corpus | finds |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for name, row in sorted(rows.items()):
        speed = row["executions"] // max(1, row["seconds"])
        lines.append(f"| {name} | {row['executions']:,} | {speed:,} | "
                     f"{row['cov']} | {row['ft']} | {row['corpus']} | "
                     f"{row['finds']} |")
    total = sum(row["executions"] for row in rows.values())
    finds = sum(row["finds"] for row in rows.values())
    lines.append(f"| all | {total:,} | | | | | {finds} |")
    return "\n".join(lines) + "\n"


def run_all(args, targets):
    """Turn after turn, as many at once as there are jobs; their lines."""
    done, under_way = [], set()
    waits = {"return_when": concurrent.futures.FIRST_COMPLETED}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for turn in turns(targets, args):
            under_way.add(pool.submit(run_slice, args.build, turn))
            while len(under_way) >= args.jobs:
                ended, under_way = concurrent.futures.wait(under_way, **waits)
                done += [task.result() for task in ended]
                for row in done[-len(ended):]:
                    keep(args.build, row)
        for task in under_way:
            done.append(task.result())
            keep(args.build, done[-1])
    return done


def write_record(build):
    """What all campaigns of this build add up to."""
    lines = kept(build)
    record = table(sums(lines), f"Fuzzed from {lines[0][0]} to "
                   f"{lines[-1][0]}, memory at most {MEMORY} MB and time at "
                   f"most {PATIENCE} s for each input:")
    (build / "record.md").write_text(record)
    print(record, end="")


def main():
    """The campaign, then its table; 1 when something was found."""
    args = arguments()
    args.build = args.build.resolve()
    done = run_all(args, programs(args.build, args.targets))
    print(table(sums(done), "This campaign:"))
    write_record(args.build)
    return int(any(row[FIELDS.index("finds")] for row in done))


if __name__ == "__main__":
    sys.exit(main())
