# SPDX-License-Identifier: BSD-3-Clause
"""Kills recorded programs and checks what their traces still tell.

The program's own proof (tests/trace/victim.h) says for each thread how many
calls it had entered and how many had returned. A trace is right when

    returned <= recorded + dropped + lost <= entered

for each thread, when the calls recorded are the first ones without a hole,
and when a call that surely had begun is shown as entered."""
import operator
import os
import random
import re
import signal
import struct
import subprocess
import time
from collections import Counter, defaultdict
from pathlib import Path

from weirtool import WEIR, Failure

SLOT = struct.Struct("<IIIIQQ32x")
PAGE_HEAD = struct.Struct("<IIII48x")
PAGE_BYTES = 64 + 8191 * 64
SLEEPS = 2

EARLY = 0.1  # part of the kills that come while the victim starts
LONGEST = 0.004  # seconds until the kill

# The parts of a live file that tell where in a chunk a thread was killed.
LIVE_HEAD, LIVE_UNIT = 16384, 8192
LIVE_CHUNK_ROOM = 8192 - 448 - 64
LIVE_SLOT = struct.Struct("<IIIIQQ")
LIVE_THREAD, NO_CHUNK = 2, 0xffffffff


def read_page(path):
    data = Path(path).read_bytes()
    group, ready, slots, _ = PAGE_HEAD.unpack_from(data)
    rows = [SLOT.unpack_from(data, 64 + 64 * i) for i in range(slots)]
    return group, ready, [row for row in rows if row[0]]


def await_page(path, member, process, timeout=120):
    """Wait until a word of the page is set: 0 the group, 1 all is ready."""
    end = time.monotonic() + timeout
    with open(path, "rb", buffering=0) as file:
        while time.monotonic() < end:
            value = PAGE_HEAD.unpack(os.pread(file.fileno(), 64, 0))[member]
            if value:
                return value
            if process.poll() is not None:
                break
            time.sleep(0.0005)
    raise Failure("the victim does not run")


def collector_of(trace):
    """The process that serves a trace: it holds its lock file open."""
    for comm in Path("/proc").glob("[0-9]*/comm"):
        try:
            if comm.read_text() != "weir-collect\n":
                continue
            for fd in (comm.parent / "fd").iterdir():
                if os.readlink(fd).startswith(f"{trace}/"):
                    return int(comm.parent.name)
        except OSError:
            continue
    return None


def chunk_fill(trace, sleepers):
    """How full, 0 to 1, the open chunks of working threads are."""
    fills = []
    for live in trace.glob("*.live/*.live"):
        data = live.read_bytes()
        for at in range(LIVE_HEAD, len(data) - LIVE_UNIT + 1, LIVE_UNIT):
            state, tid, _, _, commit, chunk = LIVE_SLOT.unpack_from(data, at)
            if (state == LIVE_THREAD and chunk & NO_CHUNK != NO_CHUNK
                    and tid not in sleepers):
                fills.append((commit & 0xffff) / LIVE_CHUNK_ROOM)
    return fills


class Tally:
    """What was seen in all kills of a campaign."""

    def __init__(self):
        self.count = Counter()
        self.bins = [0] * 10
        self.problems = []

    def add_fills(self, fills):
        for fill in fills:
            self.bins[min(9, int(fill * 10))] += 1

    def add(self, other):
        self.count += other.count
        self.bins = [a + b for a, b in zip(self.bins, other.bins)]
        self.problems += other.problems

    def lines(self):
        c = self.count
        yield (f"{c['kills']} kills, {c['processes']} processes, "
               f"{c['threads']} threads, {c['returned']} calls returned, "
               f"{c['recorded']} recorded, {c['dropped']} dropped, "
               f"{c['lost']} lost")
        yield (f"in flight: {c['shown']} shown as entered, {c['whole']} "
               f"already recorded, {c['unbegun']} not yet begun")
        yield ("kill points, tenths of the open chunk: "
               + " ".join(map(str, self.bins)))
        yield from self.problems[:20]


def await_collector(trace, timeout=120):
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        pid = collector_of(trace)
        if pid:
            return pid
        time.sleep(0.001)
    raise Failure("no collector serves the trace")


def kill_once(victim, arguments, scratch, tally, with_collector):
    """Start a victim under weir, kill it at some instant, keep all.

    The collector is stopped first, or killed too, so that the live files
    can be looked at as the kill left them."""
    page, trace = scratch / "page", scratch / "disk" / "trace"
    with open(page, "wb") as file:
        file.truncate(PAGE_BYTES)
    run = subprocess.Popen(
        [WEIR, "run", "--all", "-q", "-o", trace, "--", victim, page, *arguments],
        cwd=scratch, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    collector = await_collector(trace)
    group = await_page(page, 0, run)
    if random.random() > EARLY:
        await_page(page, 1, run)
    time.sleep(random.uniform(0, LONGEST))
    os.kill(collector, signal.SIGKILL if with_collector else signal.SIGSTOP)
    os.killpg(group, signal.SIGKILL)
    if with_collector:
        run.kill()
    await_death(page)
    sleepers = {row[1] for row in read_page(page)[2] if row[2] == SLEEPS}
    tally.add_fills(chunk_fill(trace, sleepers))
    if not with_collector:
        os.kill(collector, signal.SIGCONT)
    run.wait(timeout=300)
    tally.count["kills"] += 1
    return page, trace


def await_death(page):
    pids = {row[0] for row in read_page(page)[2]}
    for _ in range(30000):
        if not any(is_alive(pid) for pid in pids):
            return
        time.sleep(0.002)
    raise Failure("the victim survives")


def is_alive(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


class Told:
    """What the trace tells of one thread."""

    def __init__(self):
        self.offsets, self.others = [], 0
        self.entered, self.dropped, self.holes = 0, 0, 0

    def recorded(self):
        return len(self.offsets) + self.others

    def add(self, call, flags, size, off):
        if call == "weir:loss":
            self.dropped += size
            self.holes += 1
        elif "entered" in flags:
            self.entered += 1
        elif call == "pread":
            self.offsets.append(off)
        else:
            self.others += 1


FIELDS = ("pid", "tid", "call", "size", "off", "flags")


def read_trace(trace):
    """{(pid, tid): Told}, dropped, lost; by csv, which is fast to read."""
    done = subprocess.run([WEIR, "dump", "--format", "csv", trace],
                          capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"weir dump returned {done.returncode}: {done.stderr}")
    lines = done.stdout.splitlines()
    told = defaultdict(Told)
    places = [lines[0].split(",").index(name) for name in FIELDS]
    pick, enough = operator.itemgetter(*places), max(places) + 1
    for line in lines[1:]:
        pid, tid, call, size, off, flags = pick(line.split(",", enough))
        told[pid, tid].add(call, flags, int(size), int(off) if off else None)
    told = defaultdict(Told, {(int(pid), int(tid or 0)): one
                              for (pid, tid), one in told.items()})

    def total(text):
        found = re.search(text + r".*: (\d+)$", done.stderr, re.M)
        return int(found[1]) if found else 0

    return (told, total("calls not recorded"),
            total("calls recorded that could not be stored"))


def check_order(name, told):
    """Without holes the calls recorded are the first ones, all of them."""
    steps = [off // 16 for off in told.offsets]
    if not told.holes and steps != list(range(len(steps))):
        yield f"{name}: calls are missing in the middle, or out of order"
    if any(b <= a for a, b in zip(steps, steps[1:])):
        yield f"{name}: calls are repeated or out of order"


def check_flight(name, row, told, is_ready, count):
    """The call that had been entered and had not returned."""
    _, _, kind, _, entered, returned = row
    done = told.recorded() + told.dropped
    if told.entered > 1 or done + told.entered > entered:
        yield f"{name}: more is told than was entered"
    if entered == returned:
        return
    if told.entered:
        count["shown"] += 1
    elif done == entered:
        count["whole"] += 1
    else:
        count["unbegun"] += 1
        if kind == SLEEPS and is_ready:
            yield f"{name}: it slept in read, which is not shown"


def check_thread(row, told, is_ready, count):
    pid, tid, _, _, entered, returned = row
    name = f"process {pid} thread {tid}"
    done = told.recorded() + told.dropped
    if not returned <= done <= entered:
        yield (f"{name}: entered {entered}, returned {returned}, recorded "
               f"{told.recorded()}, dropped {told.dropped}")
    yield from check_order(name, told)
    yield from check_flight(name, row, told, is_ready, count)


def check_sums(rows, told, dropped, lost):
    """Where the recorder could not store all, the sums still agree."""
    entered, returned = (sum(row[i] for row in rows) for i in (4, 5))
    done = sum(one.recorded() for one in told.values()) + dropped + lost
    if not returned <= done <= entered:
        yield (f"entered {entered}, returned {returned}, recorded "
               f"{done - dropped - lost}, dropped {dropped}, lost {lost}")


def check(page, trace, tally):
    """All threads of a killed victim; returns what is wrong."""
    _, is_ready, rows = read_page(page)
    told, dropped, lost = read_trace(trace)
    count = tally.count
    problems = list(check_sums(rows, told, dropped, lost))
    for row in rows:
        mine = told.pop(row[:2], None) or Told()
        count["threads"] += 1
        count["returned"] += row[5]
        count["recorded"] += mine.recorded()
        if lost:
            mine.holes += 1  # which thread's calls, only sums can tell
            problems += check_order(f"process {row[0]}", mine)
        else:
            problems += check_thread(row, mine, is_ready, count)
    problems += [f"{key}: nobody made these calls" for key in told]
    count["processes"] += len({row[0] for row in rows})
    count["dropped"] += dropped
    count["lost"] += lost
    return problems
