#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What was acknowledged survives the death of clients, daemon and both.

usage: run-crash.py KILLS [SEED [CASE]...]

Lanes write and read (witness.c) while they and their service are killed with
SIGKILL at random moments, stopped, or told to end. After each kill all lanes
must come on; at the end every acknowledged byte must be in the files."""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "lib"))
sys.path.insert(0, str(HERE))
from forwarded import (command, complaints, environment,  # noqa: E402
                       is_alive, service, wait_for)
from ledger import WITNESS, Ledger  # noqa: E402
from weirtool import Failure, Tap  # noqa: E402

LIMIT = 40  # seconds until something hangs
STEPS = 12  # operations of each lane that show that it comes on
LONGEST = 0.06  # seconds between two kills


@dataclass
class Case:
    name: str
    lanes: int
    options: tuple | None  # of weir run; None: bare
    ways: dict  # how often what is done
    share: int = 0  # of all kills
    times: int = 0  # or so many
    end: str = ""  # what is done then, but for telling it to stop
    more: tuple = ()  # of witness
    is_wrong: bool = False  # and must be found out


def setting(cache, policy, closing):
    return ("--cache", cache, "--policy", policy, "--on-close", closing)


# Each is done many times in one run, and all lanes come on.
KILLS = {"daemon": 5, "client": 3, "both": 3, "clients": 1, "all": 1,
         "twice": 1}
CASES = [
    Case("bare", 4, None, {"client": 3, "clients": 1}, times=20),
    Case("bare, wrong writes", 2, None, {"client": 1}, times=3,
         more=("spoil",), is_wrong=True),
    Case("nothing is stored", 2, ("--backend", "null"), KILLS, times=3,
         is_wrong=True),
    Case("idle, 64M", 4, setting("64M", "idle", "store"), KILLS, 2),
    Case("idle, 4M", 3, setting("4M", "idle", "later"), KILLS, 2),
    Case("half, 16M", 4, setting("16M", "half", "store"), KILLS, 2),
    Case("half, 4M, later", 3, setting("4M", "half", "later"), KILLS, 2),
    Case("through", 3, setting("8M", "through", "store"), KILLS, 1),
    Case("slow storage", 3, (*setting("16M", "idle", "store"), "--backend",
                             "throttle:latency=2ms"), KILLS, 1),
    Case("slow storage, half", 3,
         (*setting("4M", "half", "later"), "--backend",
          "throttle:latency=500us"), KILLS, 1),
    Case("stopped daemon", 3, setting("16M", "idle", "store"), {"stop": 1},
         times=2),
    Case("killed supervisor", 3, setting("16M", "half", "later"), KILLS,
         times=2, end="orphan"),
    Case("daemon told to end", 3, setting("16M", "half", "later"), KILLS,
         times=2, end="term"),
    Case("supervisor told to end", 3, setting("16M", "half", "later"),
         KILLS, times=2, end="term_above"),
    Case("both gone for ever", 3, setting("16M", "idle", "store"), KILLS,
         times=2, end="gone"),
]


class Trial:
    """One service with its lanes."""

    def __init__(self, case, scratch, chance):
        self.case, self.chance, self.marker = case, chance, str(scratch)
        self.place = scratch / "place"
        self.place.mkdir()
        self.path = scratch / "ledger"
        self.out = open(scratch / "out", "w+")
        self.count = Counter()
        self.slowest, self.told, self.is_lost = 0, "", False
        words = command(self.place, [
            WITNESS, "work", self.place, self.path, chance.randrange(1 << 30),
            case.lanes, *case.more], case.options, scratch)
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=self.out,
            stderr=subprocess.STDOUT, start_new_session=True,
            env=environment(scratch))

    def begin(self):
        if not wait_for(lambda: self.path.exists() and
                        self.path.stat().st_size > 4096, LIMIT):
            raise Failure("it does not begin")
        self.ledger = Ledger(self.path)
        if not wait_for(lambda: len(self.ledger.lanes()) == self.case.lanes,
                        LIMIT):
            raise Failure("lanes do not begin")
        self.come_on([0] * self.case.lanes)

    def come_on(self, before):
        """All lanes do something: since `before`."""
        began = time.monotonic()

        def all_moved():
            if self.ledger.failed():
                raise Failure(self.ledger.why())
            if self.process.poll() is not None:
                raise Failure("all have ended")
            return all(lane[2] >= old + STEPS for lane, old in
                       zip(self.ledger.lanes(), before))
        if not wait_for(all_moved, LIMIT):
            raise Failure(f"a lane hangs: {before}, {self.ledger.lanes()}")
        self.slowest = max(self.slowest, time.monotonic() - began)

    def find(self, name):
        found = wait_for(lambda: service(self.marker, name), LIMIT)
        if not found:
            raise Failure(f"there is no {name}")
        return found

    def daemon(self):
        """The daemon of now."""
        return self.find("weir-serve")

    def supervisor(self):
        return self.find("weir-supervise")

    def victims(self, way):
        lanes = [lane[0] for lane in self.ledger.lanes()]
        one = self.chance.choice(lanes)
        return {"daemon": lambda: [self.daemon()],
                "client": lambda: [one],
                "both": lambda: [self.daemon(), one],
                "clients": lambda: lanes,
                "all": lambda: [self.daemon(), *lanes],
                "twice": lambda: [self.daemon()]}[way]()

    def kill(self, way):
        time.sleep(self.chance.random() * LONGEST)
        if way == "stop":
            self.stop_daemon()
            return
        victims = self.victims(way)
        self.chance.shuffle(victims)
        before = [lane[2] for lane in self.ledger.lanes()]
        for pid in victims:
            self.send(pid, signal.SIGKILL)
        if way == "twice":
            wait_for(lambda: self.daemon() not in victims, LIMIT)
            time.sleep(self.chance.random() * 0.005)
            self.send(self.daemon(), signal.SIGKILL)
        self.count[way] += 1
        self.come_on(before)

    def stop_daemon(self):
        """Another one takes its place, and it never writes again."""
        before = [lane[2] for lane in self.ledger.lanes()]
        daemon = self.daemon()
        self.send(daemon, signal.SIGSTOP)
        self.await_end_of(daemon)
        self.come_on(before)
        self.count["stop"] += 1

    def orphan(self):
        """The supervisor dies; the daemon serves until nobody is left."""
        before = [lane[2] for lane in self.ledger.lanes()]
        daemon = self.daemon()
        self.send(self.supervisor(), signal.SIGKILL)
        self.come_on(before)
        self.end(any_status=True)
        self.await_end_of(daemon)

    def term(self, name="weir-serve"):
        """Who is told to end stores all first; later calls fail."""
        self.ledger.let_fail()
        daemon = self.daemon()
        self.send(self.find(name), signal.SIGTERM)
        self.end(any_status=True)
        self.await_end_of(daemon)

    def term_above(self):
        self.term("weir-supervise")

    def gone(self):
        """Both die: nothing is promised, but nobody hangs."""
        self.ledger.let_fail()
        for pid in (self.supervisor(), self.daemon()):
            self.send(pid, signal.SIGKILL)
        self.is_lost = True
        self.end()

    def await_end_of(self, pid):
        began = time.monotonic()
        if not wait_for(lambda: not is_alive(pid), LIMIT):
            raise Failure("the daemon does not end")
        self.slowest = max(self.slowest, time.monotonic() - began)

    def send(self, pid, number):
        """Never to what has no number."""
        if pid > 1:
            try:
                os.kill(pid, number)
                self.count["signals"] += 1
            except ProcessLookupError:
                self.count["missed"] += 1

    def end(self, any_status=False):
        time.sleep(self.chance.random() * LONGEST)
        self.ledger.stop()
        try:
            status = self.process.wait(LIMIT * 2)
        except subprocess.TimeoutExpired:
            raise Failure("it does not end") from None
        if self.is_lost:
            return
        if self.ledger.failed() or (status and not any_status):
            raise Failure(f"it returned {status}")

    def check(self):
        if self.is_lost:
            return
        done = subprocess.run([WITNESS, "check", self.place, self.path],
                              capture_output=True, text=True, timeout=LIMIT)
        if done.returncode:
            raise Failure(f"afterwards: {done.stdout}{done.stderr}")
        self.told = done.stdout.strip()

    def clear(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for name in ("weir-supervise", "weir-serve"):
            self.send(service(self.marker, name), signal.SIGKILL)
        self.out.close()


def play(case, kills, chance, scratch):
    """Lines to print, and what went wrong."""
    trial = Trial(case, scratch, chance)
    fault = None
    try:
        trial.begin()
        for way in chance.choices(list(case.ways), case.ways.values(),
                                  k=kills):
            trial.kill(way)
        if case.end:
            getattr(trial, case.end)()
        else:
            trial.end()
        trial.check()
    except (Failure, subprocess.SubprocessError) as failure:
        fault = str(failure)
    trial.clear()
    fault = fault or complaints(scratch)
    lines = [f"{dict(trial.count)}, longest way on {trial.slowest:.1f} s",
             trial.told]
    if fault:
        lines += [fault, (scratch / "out").read_text()[-2000:]]
    return lines, fault


def main(kills, seed=None, *wanted):
    seed = int(seed) if seed else random.randrange(1 << 32)
    tap = Tap()
    shares = sum(case.share for case in CASES)
    for number, case in enumerate(CASES):
        if wanted and case.name not in wanted:
            continue
        chance = random.Random(seed + number)
        with tempfile.TemporaryDirectory(prefix="weir-crash-") as scratch:
            lines, fault = play(case, case.times or
                                -(-int(kills) * case.share // shares),
                                chance, Path(scratch))
        tap.result(bool(fault) == case.is_wrong, case.name,
                   [f"seed {seed}", *lines])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
