#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a trace tells of forwarded calls: each byte that was handed over is
stored, or it is told why not; each thing that the daemon did has its cause.

usage: test-events.py [WORD]     (only cases that have WORD in their name)"""
import json
import os
import signal
import sys
import traceback
from collections import Counter, defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from cast import Play, daemon_of, expect, until  # noqa: E402
from deferred import Deferred  # noqa: E402
from weirtool import WEIR, Tap, events, run  # noqa: E402

OWN = ("client", "serve", "backend")
FATES = ("stored", "again", "failed", "overwritten", "removed", "given_up",
         "rescued")
SERVED = {"write": "serve_through", "create_deferred": "serve_materialise"}  # ops whose event has another name


def fate(event):
    return FATES[event["args"]["fate"]]


class Told:
    """The events of a trace, by what they are for."""

    def __init__(self, trace):
        self.all = events(trace)
        info = json.loads(run(WEIR, "info", "--format", "json",
                              trace).stdout)
        self.dropped, self.traits = info["dropped"], info["traits"]
        self.handed = {e["args"]["cid"]: e for e in self.all
                       if e.get("layer") == "client" and e["args"]["cid"]}
        self.done = defaultdict(list)
        for event in self.served():
            self.done[event["args"].get("for", 0)].append(event)

    def served(self):
        return [e for e in self.all if e.get("layer") == "serve"]

    def calls(self, name):
        return [e for e in self.all if e["call"] == name]

    def fates(self):
        return Counter(map(fate, self.calls("serve_write")))


def fault_of_record(told, cid, event):
    """All its bytes are there once, by what was done for it."""
    if {e["call"] for e in told.done[cid]} != {"serve_write"}:
        return f"{event}: {told.done[cid]}"
    parts = [e for e in told.done[cid] if fate(e) not in ("again", "failed")]
    if sum(e["size"] for e in parts) != event["size"]:
        return f"{event}: {parts}"
    return None


def fault_of_ask(told, cid, event):
    name = event["args"]["op"]
    done = {e["call"] for e in told.done[cid]}
    wanted = SERVED.get(name, f"serve_{name}")
    if name == "create_deferred" and not done:
        return None  # it was never created, or the kernel was asked
    return None if done == {wanted} else f"{event}: {done}"


def faults(told):
    """What does not fit, in lines."""
    found = [f"{told.dropped} dropped"] * bool(told.dropped)
    for cid, event in told.handed.items():
        check = fault_of_record if event["call"] == "forward" else \
            fault_of_ask
        found.append(check(told, cid, event))
    found += [f"nobody's: {e}" for cid, group in told.done.items()
              if cid and cid not in told.handed for e in group]
    return [fault for fault in found + batch_faults(told) if fault]


def batch_faults(told):
    """Records and the runs that have stored them."""
    return list(look_at_batches(told))


def look_at_batches(told):
    stages = Counter((e["proc"], e["args"]["batch"])
                     for e in told.calls("serve_stage"))
    bytes_of = Counter()
    for event in told.calls("serve_write"):
        key = event["proc"], event["args"]["batch"]
        if key[1] and key not in stages:
            yield f"no such run: {event}"
        bytes_of[key] += event["size"]
    for event in told.calls("serve_stage"):
        key = event["proc"], event["args"]["batch"]
        if stages[key] != 1 or bytes_of[key] != event["size"]:
            yield f"{event}: {stages[key]}, {bytes_of[key]} bytes"
    yield from (f"alone: {e}" for e in told.all
                if e.get("layer") == "backend" and not e["depth"])


def read(play):
    expect(play.finish(), 0)
    told = Told(play.place / "trace")
    expect(faults(told), [])
    return told


def opened(actor, path, more=""):
    actor.do(f"fd = os.open({str(path)!r}, os.O_RDWR | os.O_CREAT{more}, "
             "0o600)")


def all_bytes_are_accounted_for():
    """Small and large, one over the other, more than one run."""
    with Play(1, "posix", ["--policy", "half"]) as play:
        actor, = play.actors
        opened(actor, play.data / "file")
        for i in range(200):
            actor.do(f"os.pwrite(fd, b'a' * 3000, {i * 1000})")
        actor.do("os.pwrite(fd, b'b' * 9_000_001, 500_000)")
        actor.do("os.pwrite(fd, b'c' * 10, 0)")
        actor.do("os.close(fd)")
        told = read(play)
    stored = sum(e["ret"] for e in told.calls("backend_write"))
    expect(stored, 9_500_001 - (500_000 - 202_000))
    expect(sum(e["size"] for e in told.calls("forward")),
           200 * 3000 + 9_000_001 + 10)
    expect(set(told.fates()), {"stored", "overwritten"})
    expect(len(told.calls("serve_stage")) > 2, True)
    expect({e.get("file") for e in told.served()}, {str(play.data / "file")})


def each_call_has_its_event():
    """Ops that a program asks for, and what they cause."""
    with Play(1, "posix", ["--policy", "half"]) as play:
        actor, = play.actors
        opened(actor, play.data / "file")
        actor.do("os.write(fd, b'x' * 5000)")
        expect(actor.do("len(os.pread(fd, 9000, 0))"), 5000)
        actor.do("os.fstat(fd).st_size")
        actor.do("os.fsync(fd)")
        actor.do("os.pwrite(fd, b'y' * 100, 8000)")
        actor.do("os.ftruncate(fd, 6000)")
        actor.do("os.close(fd)")
        opened(actor, play.data / "log", " | os.O_APPEND")
        actor.do("os.write(fd, b'line')")
        actor.do("os.write(fd, b'more')")
        actor.do(f"os.unlink({str(play.data / 'log')!r})")
        actor.do("os.close(fd)")
        opened(actor, play.data / "sync", " | os.O_SYNC")
        actor.do("os.write(fd, b'at once')")
        actor.do("os.close(fd)")
        told = read(play)
    asked = Counter(e["args"]["op"] for e in told.calls("forward_ask"))
    for op in ("open", "close", "read", "extent", "commit", "truncate",
               "append", "unlinked", "write"):
        expect((op, asked[op] > 0), (op, True))
    expect(told.fates()["removed"], 3)
    through, = (e for e in told.calls("serve_through") if "err" not in e)
    expect((through["size"], through["ret"]), (7, 7))
    expect(len(told.calls("backend_sync")), 2)
    expect(len(told.calls("backend_truncate")), 1)
    appended = [e for e in told.calls("forward")
                if e["file"].endswith("/log")]
    expect([e["off"] for e in appended], [0, 4])


def another_daemon_tells_the_rest():
    """Numbers outlive a daemon: what it had not stored the next one does."""
    with Play(1, "posix", ["--policy", "half"]) as play:
        actor, = play.actors
        opened(actor, play.data / "file")
        actor.do("os.write(fd, b'one' * 1000)")
        actor.do("os.pread(fd, 10, 0)")
        first = until(lambda: daemon_of(play), "a daemon")
        os.kill(first, signal.SIGKILL)
        until(lambda: daemon_of(play) not in (0, first), "another one")
        actor.do("os.write(fd, b'two' * 1000)")
        actor.do("os.close(fd)")
        told = read(play)
    expect(len({e["pid"] for e in told.served()}), 2)
    expect({e["pid"] for e in told.calls("serve_write")} & {first}, set())
    expect("role server" in told.traits, True)


def several_processes_write():
    with Play(3) as play:
        for number, actor in enumerate(play.actors):
            opened(actor, play.data / "shared")
            actor.tell("[os.pwrite(fd, b'z' * 700, (i * 3 + %d) * 700) "
                       "for i in range(500)] and os.close(fd)" % number)
        for actor in play.actors:
            actor.hear()
        told = read(play)
    expect(len({e["pid"] for e in told.calls("forward")}), 3)
    expect(len(told.calls("forward")), 1500)


def what_fails_is_told():
    sick = "faulty:errno=EIO,op=write,heal={heal}"
    with Play(1, sick, ["--policy", "half"]) as play:
        actor, = play.actors
        opened(actor, play.data / "file")
        actor.do("os.write(fd, b'x' * 100)")
        expect(actor.fails("os.fsync(fd)"), "EIO")
        play.heal.touch()
        expect(actor.fails("os.fsync(fd)"), None)
        actor.do("os.close(fd)")
        told = read(play)
    expect(told.fates()["stored"], 1)
    expect(told.fates()["failed"] > 0, True)
    expect({e["err"] for e in told.calls("backend_write") if "err" in e},
           {5})


def what_is_rescued_is_told():
    with Play(1, "faulty:errno=EIO,op=write,every=1") as play:
        actor, = play.actors
        opened(actor, play.data / "file")
        actor.do("os.write(fd, b'x' * 100)")
        actor.do("os.pwrite(fd, b'y' * 30, 50)")
        expect(actor.fails("os.close(fd)"), "EIO")
        expect(play.finish(), 8)
        told = Told(play.place / "trace")
    expect(faults(told), [])
    expect(sum(e["size"] for e in told.calls("serve_write")
               if fate(e) == "rescued"), 100)


def files_that_are_left_out_are_not_told():
    with Play(1, "posix", ["--exclude", "**/secret*"]) as play:
        actor, = play.actors
        for name in ("secret", "public"):
            opened(actor, play.data / name)
            actor.do("os.write(fd, b'x' * 100)")
            actor.do("os.fstat(fd).st_size")
            actor.do("os.close(fd)")
        told = read(play)
    expect({Path(e["file"]).name for e in told.all
            if e.get("layer") in OWN and "file" in e}, {"public"})
    expect(len(told.calls("forward")), 1)
    expect(Counter(e["args"]["op"] for e in told.calls("forward_ask"))["open"],
           1)


def a_pause_is_nobodys():
    """While recording is switched off only the daemon knows."""
    with Play(1, "posix", ["--paused"]) as play:
        actor, = play.actors
        opened(actor, play.data / "file")
        actor.do("os.write(fd, b'x' * 100)")
        actor.do("os.close(fd)")
        told = read(play)
    expect([e for e in told.all if e.get("layer") in OWN], [])


def others_keep_no_events():
    """Short records and sums have no place for them."""
    for option in (["--ring", "64K"], ["--profile"]):
        with Play(1, "posix", option) as play:
            actor, = play.actors
            opened(actor, play.data / "file")
            actor.do("os.write(fd, b'x' * 100)")
            actor.do("os.close(fd)")
            expect(play.finish(), 0)
            text = run(WEIR, "info", "--format", "json",
                       play.place / "trace").stdout
        expect(set(json.loads(text)["layers"]) & set(OWN), set())
        expect("role server" in json.loads(text)["traits"], False)


def a_late_file_has_its_cause():
    """What it has by then is stored for who would have created it; what comes
    later is linked as any."""
    with Deferred(1) as play:
        actor, = play.actors
        play.opened("late")
        actor.do("os.write(fd, b'x' * 3000)")
        play.is_deferred("late")
        actor.do("os.fsync(fd)")
        play.await_creation("late")
        actor.do("os.write(fd, b'y' * 50)")
        actor.do("os.close(fd)")
        play.opened("never")
        actor.do("os.write(fd, b'z')")
        actor.do("os.unlink(path)")
        actor.do("os.close(fd)")
        told = read(play)
    made, = told.calls("serve_materialise")
    expect((made["size"], made["ret"]), (3000, 3000))
    expect([(e["off"], e["size"]) for e in told.calls("backend_write")],
           [(0, 3000), (3000, 50)])
    expect(told.handed[made["args"]["for"]]["args"]["op"], "create_deferred")
    expect({Path(e["file"]).name for e in told.served()}, {"late"})


def programs_are_counted_alone():
    """The summary of a run is about the programs."""
    with Play(1) as play:
        place, data = play.place, play.data
        play.actors[0].do("None")
        play.finish()
        done = run(WEIR, "run", "-o", place / "other", f"--forward={data}",
                   "--", "dd", "if=/dev/zero", f"of={data / 'out'}", "bs=1k",
                   "count=10")
    expect("by 1 process and 1 thread" in done.stderr, True)
    expect("KiB written" in done.stderr and "10.0 KiB;" in done.stderr, True)
    expect("of what became of calls that were forwarded" in done.stderr, True)


CASES = [all_bytes_are_accounted_for, each_call_has_its_event,
         another_daemon_tells_the_rest, several_processes_write,
         what_fails_is_told, what_is_rescued_is_told,
         files_that_are_left_out_are_not_told,
         a_pause_is_nobodys, others_keep_no_events,
         a_late_file_has_its_cause, programs_are_counted_alone]


def main(word=""):
    tap = Tap()
    for case in CASES:
        name = case.__name__.replace("_", " ")
        if word not in name:
            continue
        try:
            case()
            tap.result(True, name)
        except Exception:
            tap.result(False, name, [traceback.format_exc()])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
