# SPDX-License-Identifier: BSD-3-Clause
"""Ranks on two hosts whose clocks differ by seconds: one trace, in the right
order within what it says. usage: run-hosts.py SKEW.so TURNS [TURNS-MPICH
ENDS-MPICH]"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import hosts
import tiny_reader
import weirtool
from weirtool import WEIR

SKEW = 7  # seconds that host two is ahead, as skew.c is compiled
TURNS = 200


def info_of(trace):
    return json.loads(subprocess.run(
        [WEIR, "info", "--format", "json", trace], capture_output=True,
        text=True, check=True).stdout)


def turns_in(trace):
    """(host, start, end) of each turn, in the order they were made."""
    found = {e["off"] // 8: (e["host"], e["start"], e["start"] + e["dur"])
             for e in weirtool.events(trace)
             if e["call"] == "pwrite" and e["file"].endswith("/turns")}
    return [found[n] for n in sorted(found)]


def out_of_order(turns, bound=0):
    return sum(left[2] > right[1] + bound
               for left, right in zip(turns, turns[1:]))


def ahead_of(trace, host):
    """What the trace adds to the times of a host."""
    data = (trace / f"{host}.weir").read_bytes()
    heads = [tiny_reader.Trace(part).head for part in tiny_reader.parts(data)]
    return int(heads[-1]["clock_begin"][-1].split()[1])


def order_faults(trace):
    info = info_of(trace)
    bound = info["clock_error_ns"]
    turns = turns_in(trace)
    if info["state"] != "complete" or info["processes"] != 2:
        yield f"{info['state']} trace of {info['processes']} processes"
    if info["hosts"] != ["one", "two"]:
        yield f"hosts {info['hosts']}"
    if [t[0] for t in turns] != ["one", "two"] * (TURNS // 2):
        yield f"{len(turns)} turns, not {TURNS} of both hosts in turn"
    if any(end < start for _, start, end in turns):
        yield "a call ended before it began"
    if bound is None:
        yield "the clocks were not compared"
        return
    print(f"# {len(turns)} turns, right within {bound} ns; "
          f"{out_of_order(turns)} closer than the clocks can tell")
    if out_of_order(turns, bound):
        yield f"{out_of_order(turns, bound)} turns out of order"
    wrong = {host: ahead_of(trace, host) for host in ("one", "two")}
    plain = [(host, start - wrong[host], end - wrong[host])
             for host, start, end in turns]
    if out_of_order(plain, bound) < TURNS // 2 - 1:
        yield f"it would have been right without comparing: {wrong}"
    if abs(wrong["two"] - wrong["one"] + SKEW * 10**9) > 10**9:
        yield f"clocks corrected by {wrong}"


def leftover_faults(trace):
    left = sorted(p.name for p in trace.iterdir())
    if left != ["one.weir", "two.weir"]:
        yield f"left in the directory: {left}"


def copy_faults(trace, scratch):
    """What is made of the trace compares its hosts as well as it does."""
    bound = info_of(trace)["clock_error_ns"]
    for name, words in (("merge", ["merge", "OUT", trace]),
                        ("one", ["merge", "--one", "OUT", trace]),
                        ("anon", ["anon", trace, "OUT"]),
                        ("pack", ["pack", trace, "OUT"])):
        made = scratch / name
        done = subprocess.run(
            [WEIR, *(made if word == "OUT" else word for word in words)],
            capture_output=True, text=True)
        if done.returncode:
            yield f"weir {name} returned {done.returncode}: {done.stderr}"
        elif info_of(made)["clock_error_ns"] != bound:
            yield f"weir {name}: right within " \
                  f"{info_of(made)['clock_error_ns']}, not {bound}"


def launch(there, scratch, program, skew):
    """MPICH gives its ranks the environment of where it was started."""
    one = [program, scratch / "turns", TURNS]
    launcher = hosts.Launcher(there)
    done = there.run(
        0, [WEIR, "run", "--strict", "-o", scratch / "trace", "--",
            "mpiexec.hydra", "-launcher", "ssh", "-launcher-exec",
            launcher.script, "-hosts", "one:1,two:1", "-n", "1", *one, ":",
            "-n", "1", "-env", "LD_PRELOAD", skew, *one],
        capture_output=True, text=True, stdin=subprocess.DEVNULL,
        timeout=300)
    if done.returncode:
        yield f"weir run returned {done.returncode}: {done.stderr}"
    calls = len(weirtool.events(scratch / "trace"))
    if f"{calls} calls by 2 processes" not in done.stderr:
        yield f"of {calls} calls the summary says: {done.stderr}"


def killed(tap, there, scratch, program):
    """The rank of host two is killed; what both had written is there."""
    launcher = hosts.Launcher(there)
    trace = scratch / "trace"
    done = there.run(
        0, [WEIR, "run", "-q", "-o", trace, "--", "mpiexec.hydra", "-launcher",
            "ssh", "-launcher-exec", launcher.script, "-hosts", "one:1,two:1",
            "-n", "2", program, "kill", scratch],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
    found = [] if done.returncode else ["the job did not fail"]
    events = weirtool.events(trace)
    for rank, host in enumerate(("one", "two")):
        seen = sum(e["call"] == "write" and e["host"] == host and
                   e.get("file", "").endswith(f"/rank.{rank}")
                   for e in events)
        if seen != 100:
            found.append(f"rank {rank}: {seen} writes, not 100")
    if info_of(trace)["clock_error_ns"] is None:
        found.append("the clocks were not compared")
    found += leftover_faults(trace)
    tap.result(not found, "a rank of MPI killed on host two", found)


def start_alone(there, scratch, program, number):
    """Without MPI and without weir run: by what a launcher would set."""
    return there.begin(
        number, ["env", f"RANK={number}", "WORLD_SIZE=2", WEIR, "exec",
                 f"{scratch}/trace,1M", program, scratch / "turns", TURNS],
        stdin=subprocess.DEVNULL)


def wait_for(condition, what, seconds=60):
    for _ in range(seconds * 20):
        if condition():
            return
        subprocess.run(["sleep", "0.05"], check=True)
    raise RuntimeError(f"{what}, after {seconds} s")


def play_alone(there, scratch, program):
    """Host one first: the time is its, as its card shows."""
    trace = scratch / "trace"
    first = start_alone(there, scratch, program, 0)
    wait_for((trace / "clock").exists, "nobody tells the time")
    second = start_alone(there, scratch, program, 1)
    if first.wait(120) or second.wait(120):
        yield "the ranks failed"
    wait_for(lambda: not [p for p in trace.iterdir()
                          if p.suffix != ".weir"], "collectors do not end")


def with_mpi(tap, there, scratch, program):
    found = list(launch(there, scratch, program,
                        there.settings[1]["LD_PRELOAD"]))
    trace = scratch / "trace"
    found += order_faults(trace)
    found += leftover_faults(trace)
    found += copy_faults(trace, scratch)
    tap.result(not found, "ranks of MPI on two hosts", found)


def without_mpi(tap, there, scratch, program):
    found = list(play_alone(there, scratch, program))
    found += order_faults(scratch / "trace")
    tap.result(not found, "ranks without MPI on two hosts", found)


def unreachable(tap, there, scratch, program):
    there.cut()
    found = list(play_alone(there, scratch, program))
    trace = scratch / "trace"
    if len(turns_in(trace)) != TURNS:
        found.append(f"{len(turns_in(trace))} turns")
    if info_of(trace)["clock_error_ns"] is not None:
        found.append("clocks compared without a wire")
    text = subprocess.run([WEIR, "info", trace], capture_output=True,
                          text=True).stdout
    if "as each host had set it" not in text:
        found.append(text)
    tap.result(not found, "hosts that cannot reach each other", found)


def main():
    tap = weirtool.Tap()
    skew, turns, *of_mpich = map(os.path.abspath, sys.argv[1:])
    why = hosts.obstacle()
    plays = [(without_mpi, turns), (unreachable, turns)]
    if of_mpich and shutil.which("mpiexec.hydra"):
        plays += [(with_mpi, of_mpich[0]), (killed, of_mpich[1])]
    else:
        tap.skip("ranks of MPI on two hosts", "there is no MPICH")
    os.environ["UCX_TLS"] = "tcp,self"
    # A tool with that sanitizer minds what is preloaded before it.
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + \
        ":verify_asan_link_order=0"
    for play, program in plays:
        if why:
            tap.skip(play.__name__, why)
            continue
        with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch:
            scratch = Path(scratch)
            with hosts.Hosts(scratch, settings=(
                    {}, {"LD_PRELOAD": skew})) as there:
                play(tap, there, scratch, program)
    return tap.done()


sys.exit(main())
