#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills services and their programs over the whole grid of options.

usage: run-kills.py [-v] RUNS [SEED [FIRST]]

Each run draws its options, its programs (witness.c, ../model/scribble.c), one
service or a shared one, and when who is killed; the number of a run and the
seed say all of it. Afterwards every acknowledged byte must be in the files, the
status must be the program's, or 8 with a list of what is not stored, and of
processes, sockets and directories nothing may be left."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "lib"))
sys.path.insert(0, str(HERE))
from forwarded import complaints, environment, is_alive, wait_for  # noqa: E402
from ledger import SCRIBBLE, WITNESS, Book, Ledger  # noqa: E402
from weirtool import WEIR, Failure, Tap  # noqa: E402

LIMIT = 60  # seconds until something hangs
# Operations that show that a program, or each of its lanes, goes on, and that
# its daemon has done something: of five that did nothing no sixth follows.
STEPS = {WITNESS: 12, SCRIBBLE: 300}
UNSTORED = 8
HEADING = "weir: what was written could not all be stored:"
# A service of several programs has ended before one of them could ask.
NOT_TOLD = "weir: the service ended early"
# Who opens a file when the service is dead writes it by the kernel (line 34).
CHANGED = "was changed since"

# Of each one is drawn; what is there twice is so more often.
CACHES = ("4M", "4M", "8M", "16M", "64M")
POLICIES = ("idle", "half", "half", "through")
ON_CLOSE = ("store", "later", "fsync")
BACKENDS = (None, None, "throttle:latency=300us", "throttle:latency=2ms",
            "throttle:rate=40M")
PREFETCHES = (None, "off", "1M", "8M")
LONGEST = (0.002, 0.02, 0.06, 0.3)  # seconds between two kills, in one run
# What is done while programs run, and how often. Who is killed with a model
# is the service: the model's processes have locks in common.
WAYS = {"daemon": 5, "twice": 2, "thrice": 1}
LANE_WAYS = {**WAYS, "client": 3, "both": 3, "clients": 1, "all": 1}
# What is done at last; where calls fail by it there can be no model.
ENDS = {"": 6, "orphan": 3, "orphan_young": 3, "orphan_stopped": 2}
LANE_ENDS = {**ENDS, "hopeless": 2, "term": 1, "term_above": 1, "gone": 1}


@dataclass
class Plan:
    """One run, as drawn."""
    options: list
    defers: bool
    is_shared: bool
    programs: list  # of words
    longest: float
    ways: list
    end: str


def draw_program(chance, is_slow):
    if chance.random() < 0.6:
        return [WITNESS, chance.randrange(1 << 30), chance.randint(1, 4)]
    count = chance.randrange(*((400, 2500) if is_slow else (3000, 40000)))
    return [SCRIBBLE, chance.randrange(1 << 30), chance.randint(1, 3),
            chance.randint(1, 2), count,
            *(["rough"] if chance.random() < 0.3 else [])]


def draw(chance):
    policy, backend = chance.choice(POLICIES), chance.choice(BACKENDS)
    options = ["--cache", chance.choice(CACHES), "--policy", policy,
               "--on-close", chance.choice(ON_CLOSE)]
    for name, value in (("--backend", backend),
                        ("--prefetch", chance.choice(PREFETCHES))):
        options += [name, value] if value else []
    is_shared = chance.random() < 0.4
    programs = [draw_program(chance, bool(backend) or policy == "through")
                for _ in range(chance.randint(1, 3) if is_shared else 1)]
    defers = chance.random() < 0.5
    if defers:  # copy_file_range does not know such files
        programs = [[word for word in words if word != "rough"]
                    for words in programs]
    has_model = any(words[0] == SCRIBBLE for words in programs)
    ways, ends = (WAYS, ENDS) if has_model else (LANE_WAYS, LANE_ENDS)
    return Plan(options, defers, is_shared, programs,
                chance.choice(LONGEST),
                chance.choices(list(ways), ways.values(),
                               k=chance.randint(1, 14)),
                chance.choices(list(ends), ends.values())[0])


@dataclass
class Program:
    """One that is forwarded, with its launcher."""
    words: list
    place: Path
    record: Path  # what it must have written
    said: Path
    process: subprocess.Popen = None
    sight: object = None
    before: list = field(default_factory=list)

    def start(self, launcher, env):
        self.place.mkdir()
        with open(self.said, "w") as out:
            self.process = subprocess.Popen(
                [*launcher, self.words[0], "work", self.place, self.record,
                 *map(str, self.words[1:])], stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, start_new_session=True, env=env)

    def begin(self):
        if not wait_for(lambda: self.has_ended() or (
                self.record.exists() and
                self.record.stat().st_size > 16384), LIMIT):
            raise Failure("a program does not begin")
        if self.record.exists():
            self.sight = (Ledger if self.words[0] == WITNESS else Book)(
                self.record)

    def has_ended(self):
        return self.process.poll() is not None

    def mark(self):
        self.before = self.sight.operations()

    def has_moved(self):
        if self.sight.failed():
            raise Failure(self.sight.why())
        now = self.sight.operations()
        before = self.before or [0] * len(now)
        return self.has_ended() or bool(now) and all(
            new >= old + STEPS[self.words[0]]
            for new, old in zip(now, before))

    def tell(self, what):
        """Of a model nothing is asked: it ends by itself."""
        if isinstance(self.sight, Ledger):
            getattr(self.sight, what)()

    def compare(self):
        done = subprocess.run([self.words[0], "check", self.place,
                               self.record], capture_output=True, text=True,
                              timeout=LIMIT)
        if done.returncode:
            raise Failure(f"afterwards: {done.stdout}{done.stderr}")


def listed(said):
    """The lines behind each heading: what is not stored."""
    lines = said.splitlines()
    return [[line for line in lines[i + 1:] if ": bytes " in line]
            for i, line in enumerate(lines) if line == HEADING]


class Run:
    """One service with its programs."""

    def __init__(self, plan, scratch, chance):
        self.plan, self.scratch, self.chance = plan, scratch, chance
        self.count = Counter()
        for name in ("files", "runtime", "rescue"):
            (scratch / name).mkdir()
        self.env = {**environment(scratch), "TMPDIR": str(scratch / "rescue"),
                    "XDG_RUNTIME_DIR": str(scratch / "runtime")}
        self.server, self.is_over, self.may_lose = None, False, False
        self.killed = set()  # some may take a moment to die
        self.programs = [
            Program(words, scratch / "files" / str(i), scratch / f"record{i}",
                    scratch / f"said{i}")
            for i, words in enumerate(plan.programs)]

    def weir(self, *words):
        return subprocess.run([WEIR, *map(str, words)], env=self.env,
                              stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=LIMIT)

    def launcher(self, number):
        deferred = ["--defer", self.scratch / "files"] if self.plan.defers else []
        service = ["--server", self.server] if self.server else \
            [*self.plan.options, "--rescue", self.scratch / "rescue"]
        return [str(word) for word in (
            WEIR, "run", "-q", "--buffer", "64M", "-o",
            self.scratch / f"trace{number}",
            f"--forward={self.scratch / 'files'}", *service, *deferred, "--")]

    def begin(self):
        if self.plan.is_shared:
            done = self.weir("serve", "start", *self.plan.options, "--rescue",
                             self.scratch / "rescue")
            if done.returncode:
                raise Failure(f"no service: {done.stderr}")
            self.server = done.stdout.strip()
        for number, program in enumerate(self.programs):
            program.start(self.launcher(number), self.env)
        for program in self.programs:
            program.begin()
        self.come_on()

    def come_on(self):
        """Who has not ended does something."""
        if not wait_for(lambda: all(one.has_moved() for one in self.programs),
                        LIMIT):
            raise Failure("a program hangs: " + str(
                [(one.before, one.sight.operations())
                 for one in self.programs]))

    def ours(self):
        """{process id: name} of all that was started by this run."""
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if str(self.scratch).encode() in \
                        (place / "environ").read_bytes():
                    name = (place / "comm").read_text().strip()
                    if is_alive(place.name):
                        found[int(place.name)] = name
            except OSError:
                continue
        return found

    def find(self, name):
        """0: all have ended, and their service with them."""
        def look():
            if not self.server and all(one.has_ended()
                                       for one in self.programs):
                return -1
            return next((pid for pid, found in self.ours().items()
                         if found == name and pid not in self.killed), 0)
        found = wait_for(look, LIMIT)
        if not found:
            raise Failure(f"there is no {name}")
        return max(found, 0)

    def daemon(self):
        return self.find("weir-serve")

    def lanes(self):
        return [lane[0] for one in self.programs
                for lane in one.sight.lanes()]

    def victims(self, way):
        if way in ("clients", "client"):
            lanes = self.lanes()
            return lanes if way == "clients" else [self.chance.choice(lanes)]
        more = {"both": lambda: [self.chance.choice(self.lanes())],
                "all": self.lanes}.get(way, lambda: [])()
        return [self.daemon(), *more]

    def send(self, pid, number, who):
        """Never to what has no number."""
        if pid <= 1:
            return
        try:
            os.kill(pid, number)
            self.count[who] += 1
            if number == signal.SIGKILL:
                self.killed.add(pid)
        except ProcessLookupError:
            pass

    def pause(self, longest=None):
        time.sleep(self.chance.random() * (longest or self.plan.longest))

    def kill(self, way):
        self.pause()
        victims = self.victims(way)
        daemon = victims[0] if way not in ("client", "clients") else 0
        self.chance.shuffle(victims)
        for one in self.programs:
            one.mark()
        for pid in victims:
            self.send(pid, signal.SIGKILL,
                      "daemon" if pid == daemon else "client")
        for _ in range({"twice": 1, "thrice": 2}.get(way, 0)):
            self.kill_next(daemon)
        self.come_on()

    def kill_next(self, daemon):
        """The one that comes after it, at once."""
        wait_for(lambda: self.daemon() != daemon, LIMIT)
        self.pause(0.005)
        self.send(self.daemon(), signal.SIGKILL, "daemon")

    def let_fail(self):
        for one in self.programs:
            one.tell("let_fail")

    def orphan(self):
        """The supervisor dies; the daemon serves until nobody is left."""
        self.daemon()  # else nobody would be left
        for one in self.programs:
            one.mark()
        self.send(self.find("weir-supervise"), signal.SIGKILL, "supervisor")
        self.come_on()
        self.kill_clients()

    def kill_clients(self):
        """Some, one after the other."""
        for _ in range(self.chance.randrange(6) if self.lanes() else 0):
            self.kill(self.chance.choice(("client", "clients")))

    def orphan_young(self):
        """The same, of a daemon that has just been started."""
        daemon = self.daemon()
        for one in self.programs:
            one.mark()
        self.send(daemon, signal.SIGKILL, "daemon")
        wait_for(lambda: self.daemon() != daemon, LIMIT)
        self.pause(0.01)
        self.orphan()

    def orphan_stopped(self):
        """The same, of one that hangs: nobody else could help it."""
        self.send(self.daemon(), signal.SIGSTOP, "stopped")
        self.pause(0.05)
        self.orphan()

    def hopeless(self):
        """Daemons die until no other comes; what is left can be recovered."""
        self.let_fail()
        end = time.monotonic() + LIMIT / 4
        while time.monotonic() < end:
            found = self.ours()
            if "weir-supervise" not in found.values():
                return
            for pid in (pid for pid, name in found.items()
                        if name == "weir-serve"):
                self.send(pid, signal.SIGKILL, "daemon")
        self.count["kept alive"] += 1  # each did something: so be it

    def term(self, name="weir-serve"):
        """Who is told to end stores all first; later calls fail."""
        self.let_fail()
        self.send(self.find(name), signal.SIGTERM, "told")

    def term_above(self):
        self.term("weir-supervise")

    def gone(self):
        """Both die: nothing is promised, but nobody hangs."""
        self.let_fail()
        self.may_lose = True
        for name in ("weir-supervise", "weir-serve"):
            self.send(self.find(name), signal.SIGKILL, name[5:])

    def end(self):
        if self.plan.end:
            getattr(self, self.plan.end)()
        self.pause()
        for one in self.programs:
            one.tell("stop")
        for one in self.programs:
            try:
                one.process.wait(LIMIT * 3)
            except subprocess.TimeoutExpired:
                raise Failure("a program does not end") from None
        if self.server and self.plan.end == "":
            self.look_at_idle()
            done = self.weir("serve", "stop", "--at", self.server)
            if done.returncode:
                raise Failure(f"serve stop returned {done.returncode}: "
                              f"{done.stderr}")

    def look_at_idle(self):
        """When all is stored a service has nothing in memory."""
        for words in (["drain"], ["status", "--json"]):
            done = self.weir("serve", *words, "--at", self.server)
            if done.returncode or done.stderr:
                raise Failure(f"serve {words}: {done.stdout}{done.stderr}")
        told = json.loads(done.stdout)
        kept = {key: told[key] for key in (
            "sessions", "dirty_bytes", "unstored", "deferred_now") if told[key]}
        if kept:
            raise Failure(f"an idle service keeps {kept}")

    def judge(self, one):
        """Whether a status is as it must be, and what is told with it."""
        said, status = one.said.read_text(), one.process.returncode
        lists = listed(said)
        if one.sight and one.sight.failed():
            raise Failure(one.sight.why())
        if self.may_lose:
            return
        if lists and not all(lists):
            raise Failure("a list of what is not stored is empty")
        if not status or (status == UNSTORED and lists and
                          self.plan.end == "hopeless"):
            return
        if not (self.server and self.plan.end and NOT_TOLD in said):
            raise Failure(f"status {status}")
        self.count["not told"] += 1

    def recover(self):
        for path in (self.scratch / "rescue").glob("*.weir-rescue"):
            done = self.weir("serve", "recover", path)
            if done.returncode and self.plan.end == "hopeless" and \
                    CHANGED in done.stderr:
                self.may_lose = True
                self.count["changed since"] += 1
            elif done.returncode:
                raise Failure(f"recover {path.name}: {done.stderr}")
            else:
                self.count["recovered"] += 1

    def left_behind(self):
        """What there is of it when all is over."""
        if not wait_for(lambda: not self.ours(), LIMIT):
            raise Failure(f"left behind: {self.ours()}")
        if self.may_lose:  # the next service removes it
            done = self.weir("serve", "start")
            self.weir("serve", "stop", "--at", done.stdout.strip())
        left = sorted(path.name for name in ("runtime", "rescue")
                      for path in (self.scratch / name).iterdir())
        if left and not self.may_lose:
            raise Failure(f"left behind: {left}")
        hidden = [path for path in (self.scratch / "files").rglob(".weir-*")]
        if hidden:
            raise Failure(f"left behind: {hidden}")

    def clear(self):
        for one in self.programs:
            if one.process and one.process.poll() is None:
                os.killpg(one.process.pid, signal.SIGKILL)
                one.process.wait()
        for pid in self.ours():
            self.send(pid, signal.SIGKILL, "cleared")

    def play(self):
        self.begin()
        for way in self.plan.ways:
            if any(not one.has_ended() for one in self.programs):
                self.kill(way)
        self.end()
        for one in self.programs:
            self.judge(one)
        self.recover()
        if not self.may_lose:
            for one in self.programs:
                one.compare()
        self.left_behind()

    def said(self):
        return [f"{one.said.name}: {one.process and one.process.poll()} " +
                one.said.read_text()[-1500:] for one in self.programs
                if one.said.exists()]

    def operations(self):
        return sum(sum(one.sight.operations()) for one in self.programs
                   if one.sight)


def attempt(seed, number):
    """(lines, fault, counts) of one run."""
    chance = random.Random(f"{seed}/{number}")
    plan = draw(chance)
    with tempfile.TemporaryDirectory(prefix="weir-kills-") as scratch:
        run = Run(plan, Path(scratch), chance)
        fault = None
        try:
            run.play()
        except (Failure, subprocess.SubprocessError) as failure:
            fault = str(failure) or repr(failure)
        lines = [str(plan), str(dict(run.count)), fault or ""]
        if fault:
            lines += [str(run.ours()), *run.said()]
        if fault and os.environ.get("WEIR_KEEP"):
            input(f"{scratch}: look, then press return")
        run.clear()
        fault = fault or complaints(scratch)
        run.count["operations"] = run.operations()
    return lines, fault, run.count


def main(*words):
    is_loud = words[0] == "-v"
    words = words[is_loud:]
    runs = int(words[0])
    seed = words[1] if len(words) > 1 else str(random.randrange(1 << 32))
    first = int(words[2]) if len(words) > 2 else 0
    tap, counts, faults = Tap(), Counter(), []
    for number in range(first, first + runs):
        began = time.monotonic()
        lines, fault, count = attempt(seed, number)
        counts += count
        if fault:
            faults.append(number)
        if fault or is_loud:
            print(f"# run {number} of seed {seed}, "
                  f"{time.monotonic() - began:.1f} s: "
                  f"{'WRONG' if fault else 'right'}")
            for line in lines:
                print("#   " + line.replace("\n", "\n#   "), flush=True)
    tap.result(not faults, f"{runs} runs, seed {seed}",
               [dict(counts), f"wrong: {faults}" if faults else "0 wrong"])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
