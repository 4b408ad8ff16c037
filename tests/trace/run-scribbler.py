#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lets strace and weir look at a program that uses streams at random.

usage: run-scribbler.py SCRIBBLER SYMBOLS FIRST COUNT [OPERATIONS [crowd]]

Each seed must be recorded call by call as the program tells it, and the bytes
that weir derives between buffers and kernel must be those strace saw, in
order and at the same places. Of a crowd of threads the sums must be right."""
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE)]
from judge import judge, read_log, read_symbols  # noqa: E402
from weirtool import WEIR, Failure, Tap, events  # noqa: E402

# strace itself must not be recorded: it gets the library for its child only.
LAUNCH = """
preload=$LD_PRELOAD
unset LD_PRELOAD
exec strace -f -s0 -e trace=openat,read,write,lseek,dup3 -o "$STRACE_OUT" \
    -E LD_PRELOAD="$preload" "$@"
"""
BEGUN = re.compile(r"(\d+) +(.*) <unfinished \.\.\.>")
ENDED = re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)")
LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)")
FLOWS = {"stream_flush": "write", "write": "write",
         "stream_fill": "read", "read": "read"}
DERIVED = ("stream_flush", "stream_fill")


class Kernel:
    """Where each descriptor of a process was; None: not known."""

    def __init__(self):
        self.ours, self.places, self.appends = {}, {}, {}
        self.flows = defaultdict(list)

    def see(self, name, args, ret):
        if ret < 0:
            return
        words = args.split(", ")
        if name == "openat":
            self.ours[ret] = words[1].startswith('"f')
            self.places[ret], self.appends[ret] = 0, "O_APPEND" in args
        elif name == "dup3":
            old, new = int(words[0]), int(words[1])
            self.ours[new] = self.ours.get(old)
            self.places[new] = self.places.get(old)
            self.appends[new] = self.appends.get(old)
        elif name == "lseek":
            self.places[int(words[0])] = ret
        else:
            self.transfer(name, int(words[0]), ret)

    def transfer(self, name, fd, ret):
        place = self.places.get(fd)
        if name == "write" and self.appends.get(fd):
            place = None
        if ret and self.ours.get(fd):
            self.flows[fd].append([name, place, ret])
        self.places[fd] = None if place is None else place + ret


def whole_lines(path):
    """With those joined that another thread cut in two."""
    begun = {}
    for line in path.read_text().splitlines():
        first, second = BEGUN.match(line), ENDED.match(line)
        if first:
            begun[first[1]] = first[2]
        elif second:
            yield f"{second[1]} {begun.pop(second[1])}{second[2]}"
        else:
            yield line


def read_strace(path, processes):
    """`processes`: of each thread."""
    kernels = defaultdict(Kernel)
    for line in whole_lines(path):
        found = LINE.match(line)
        if found:
            thread, name, args, ret = found.groups()
            kernels[processes.get(int(thread))].see(name, args, int(ret))
    return kernels


def take(flows, kind, place, size):
    """Take so many bytes off the kernel's account; what is wrong, or None."""
    while size:
        if not flows or flows[0][0] != kind:
            return f"{size} bytes of {kind} that strace has not seen"
        real, n = flows[0][1], min(size, flows[0][2])
        if place is not None and place != real:
            return f"{kind} at {place}, strace says {real}"
        if n == flows[0][2]:
            flows.pop(0)
        else:
            flows[0][2] -= n
            flows[0][1] = None if real is None else real + n
        size -= n
        place = None if place is None else place + n
    return None


def compare_flows(recorded, kernel):
    """Complaints about one process, and how many flows had no place."""
    placeless, blind = 0, {event["fd"] for event in recorded
                           if event["call"] == "fscanf"}
    for event in recorded:
        fd, call = event.get("fd"), event["call"]
        if call not in FLOWS or fd in blind or event.get("ret", -1) < 1:
            continue
        placeless += "off" not in event
        wrong = take(kernel.flows[fd], FLOWS[call], event.get("off"),
                     event["ret"])
        if wrong:
            yield f"{wrong}: {event}"
            blind.add(fd)
    for fd, flows in kernel.flows.items():
        if flows and fd not in blind:
            yield f"not recorded, of descriptor {fd}: {flows[:3]}"


def play(scribbler, words, scratch):
    work = scratch / "work"
    work.mkdir()
    log, trace, out = scratch / "log", scratch / "trace", scratch / "out"
    done = subprocess.run(
        [WEIR, "run", "-q", "--strict", "--buffer", "64M", "-o", trace, "--",
         "sh", "-c", LAUNCH, "sh", scribbler, log, *words],
        cwd=work, stdin=subprocess.DEVNULL, timeout=7200,
        env={**os.environ, "STRACE_OUT": str(out)})
    if done.returncode:
        raise Failure(f"weir run returned {done.returncode}")
    recorded = events(trace)
    processes = {event.get("tid"): event.get("pid") for event in recorded}
    return log, recorded, read_strace(out, processes)


def compare_sums(recorded, kernel):
    """Of threads that use a stream at once, only the sum is known."""
    sums = defaultdict(int)
    for event in recorded:
        if event["call"] in FLOWS:
            sums[event["fd"], FLOWS[event["call"]]] += event["ret"]
    for fd, flows in kernel.flows.items():
        for kind, _, size in flows:
            sums[fd, kind] -= size
    for (fd, kind), difference in sums.items():
        if difference:
            yield f"{kind} of descriptor {fd}: {difference:+d} bytes"


def complaints(told, recorded, kernel, crowd):
    if crowd:
        yield from compare_sums(recorded, kernel)
        return
    calls = [event for event in recorded if event["call"] not in DERIVED]
    verdict = judge(told, calls, "thread")
    if not verdict.is_good():
        yield from verdict.lines(4)
    yield from compare_flows(recorded, kernel)


def by_process(rows):
    groups = defaultdict(list)
    for row in rows:
        groups[row.get("pid")].append(row)
    return groups


def main():
    scribbler, symbols, first, count, *words = sys.argv[1:]
    tap, flows, words = Tap(), 0, words or ["120"]
    with tempfile.TemporaryDirectory(prefix="weir-scribbler-") as scratch:
        log, recorded, kernels = play(
            os.path.abspath(scribbler),
            [first, count, *words], Path(scratch))
        told = by_process(read_log(log, read_symbols(symbols)))
    recorded = by_process(recorded)
    for seed, pid in enumerate(told, int(first)):
        wrong = list(complaints(told[pid], recorded[pid], kernels[pid],
                                words[1:]))
        flows += sum(e["call"] in DERIVED for e in recorded[pid])
        if wrong:
            tap.result(False, f"seed {seed}", wrong[:12])
    tap.result(len(told) == int(count) and flows > int(count),
               f"{len(told)} seeds, {flows} flows derived")
    return tap.done()


sys.exit(main())
