#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir run --ring` keeps, against the full trace of the same calls.

usage: run-ring.py CALLS NOLOCK LIBRARY"""
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from victims import await_collector  # noqa: E402
from weirtool import WEIR, Tap, events, has_flag  # noqa: E402

CALLS, NOLOCK, LIBRARY = map(os.path.abspath, sys.argv[1:4])
TINY = Path(__file__).resolve().parent.parent / "lib/tiny_reader.py"
PATIENCE = 300  # s

KINDS = {
    "fwrite": "write", "fprintf": "write", "fread": "read", "fopen": "open",
    "fclose": "close", "writev": "write", "pwrite": "write", "pread": "read",
    "fdatasync": "fsync", "fstat": "stat", "rename": "name", "chmod": "name",
    "mkdir": "name", "unlink": "name", "mmap": "map", "munmap": "map",
    "dup2": "dup", "fcntl": "other", "rewind": "other", "pipe": "other",
}


def weir(*options, command, env=None, check=True):
    done = subprocess.run([WEIR, "run", *options, "--", CALLS, *command],
                          capture_output=True, text=True,
                          env=dict(os.environ, **env or {}))
    if check and done.returncode:
        sys.exit(f"weir run returned {done.returncode}: {done.stderr}")
    return done


def kept(text):
    """(kept, overwritten) of a summary."""
    found = re.search(r"(\d+) records? kept, (\d+) older overwritten", text)
    return tuple(map(int, found.groups())) if found else None


def data_of(event, kind):
    if has_flag(event, "failed"):
        return -event["err"]
    if kind in ("open", "creat"):
        return event["args"].get("flags", event["args"].get("mode"))
    if kind == "map":
        return event["size"]
    return event["off"] if kind == "ftruncate" else event["ret"]


def place_of(event, kind):
    """Where it read or wrote; None: not known."""
    return event.get("off") if kind in ("read", "write") else None


def from_ring(trace):
    for event in events(trace):
        yield (event["call"], event.get("fd"), event.get("file"),
               data_of(event, event["call"]), place_of(event, event["call"]))


def from_full(trace):
    """What the records of these calls must be."""
    for event in events(trace):
        name = event["call"]
        if event["layer"] == "stdio" and name.startswith("stream_"):
            continue
        kind, fd = KINDS.get(name, name), event.get("fd")
        file = event.get("file") if fd is not None else None
        data = data_of(event, kind)
        if name == "fopen" and data == "w+":
            data = os.O_RDWR | os.O_CREAT | os.O_TRUNC
        if name == "creat":
            data = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        yield kind, fd, file, data, place_of(event, kind)


def same_as_full(tap, here):
    weir("-q", "-o", "full", command=["mix"])
    done = weir("--ring", "64K", "-o", "ring", command=["mix"])
    full, ring = list(from_full("full")), list(from_ring("ring"))
    wrong = [f"{a} must be {b}" for a, b in zip(ring, full) if a != b]
    tap.result(full == ring and len(full) > 40,
               f"the {len(full)} records are what the full trace tells",
               wrong[:9] + [f"{len(ring)} records"])
    tap.result(kept(done.stderr) == (len(full), 0), "all were kept",
               [done.stderr])
    starts = [event["start"] for event in events("ring")]
    tap.result(starts == sorted(starts), "times do not go back")


def tiny_agrees(tap, here):
    for name in ("ring", "wrap", "all", "raw"):
        file, = Path(name).glob("*.weir")
        mine = subprocess.run([sys.executable, TINY, file], check=True,
                              capture_output=True).stdout
        weirs = subprocess.run([WEIR, "dump", "--format", "jsonl", file],
                               check=True, capture_output=True).stdout
        tap.result(mine == weirs and mine.count(b"\n") > 40,
                   f"the second reader agrees on {name}")


def wraps(tap, here):
    done = weir("--ring", "1M", "-o", "wrap", command=["many", "100000"])
    ring = events("wrap")
    total = 1 + 100000  # and an open
    tap.result(len(ring) == 65536, "1 MiB holds 65536 records",
               [str(len(ring))])
    tap.result(kept(done.stderr) == (65536, total - 65536),
               "calls are the kept and the overwritten", [done.stderr])
    tap.result([e["index"] for e in ring] == list(range(total - 65536, total)),
               "and the newest are kept, in order")
    tap.result(all(e["ret"] == 1 + (e["index"] - 1) % 100 for e in ring) and
               {e["file"] for e in ring} == {str(here / "many")},
               "with their sizes and the name told long before")
    told = subprocess.run([WEIR, "dump", "wrap"], check=True,
                          capture_output=True, text=True).stderr
    tap.result(f"overwritten, as --ring does: {total - 65536}\n" in told,
               "dump tells how many were overwritten", [told])
    size = sum(f.stat().st_size for f in Path("wrap").iterdir())
    tap.result(size < 65536 * 16 + 40000, "at 16 bytes a record",
               [str(size)])


def names_hold(tap, here):
    weir("-q", "--ring", "64K", "-o", "names", command=["opens", "10000"])
    ring = events("names")
    wrong = []
    for event in ring:
        if event["call"] == "write" and "file-" in event["file"]:
            number = int(Path(event["file"]).name.split("-")[1])
            if event["ret"] != 1 + number % 100:
                wrong.append(str(event))
    last = [e for e in ring if e.get("file") == str(here / "kept")]
    tap.result(len(ring) == 4096 and not wrong and
               len({e.get("file") for e in ring}) > 1000,
               "10000 files by one descriptor keep their names", wrong[:5])
    tap.result([(e["call"], e["ret"]) for e in last] == [("write", 77)],
               "so does one opened long before the oldest record")


def threads_and_processes(tap, here):
    done = weir("--ring", "4M", "-o", "threads", command=["threads", "20000"])
    sizes = Counter((e["file"], e["ret"]) for e in events("threads")
                    if e["call"] == "write")
    tap.result(sizes == {(str(here / f"thread-{i}"), i): 20000
                         for i in range(1, 5)} and
               kept(done.stderr) == (80004, 0),
               "threads share a ring and lose nothing", [str(sizes)])
    weir("-q", "--ring", "64K", "-o", "forks", command=["forks", "5000"])
    sizes = Counter((e["proc"], e["file"], e["ret"]) for e in events("forks")
                    if e["call"] == "write")
    tap.result(sorted(sizes.values()) == [4095 + 1] * 4 and
               len({proc for proc, _, _ in sizes}) == 4,
               "each child has a ring of its own", [str(sizes)])
    weir("-q", "--ring", "64K", "-o", "execs", command=["execs", "50"])
    ring = events("execs")
    tap.result(Counter(e["proc"] for e in ring).most_common() ==
               [(2, 51), (1, 2)], "what a program did before exec is kept")


def killed(tap, here):
    recorder = subprocess.Popen([WEIR, "run", "--ring", "64K", "-o", "killed",
                                 "--", CALLS, "hang", "6000"],
                                stderr=subprocess.PIPE, text=True)
    while not Path("ready").is_symlink():
        time.sleep(0.01)
    before = events("killed")  # while it runs
    pid = before[-1]["pid"]
    os.kill(pid, signal.SIGKILL)
    said = recorder.communicate(timeout=PATIENCE)[1]
    Path("ready").unlink()
    ring = events("killed")
    tap.result(kept(said) == (4096, 6003 - 4096), "kill -9 leaves the ring",
               [said])
    hung = [e for e in ring if has_flag(e, "entered")]
    tap.result(len(hung) == 1 and hung[0]["call"] == "read" and
               hung[0]["layer"] == "posix" and ring[-1] == hung[0],
               "and the call in which it hung")
    keys = ("index", "call", "file", "ret", "args")
    tap.result([[e.get(k) for k in keys] for e in before] ==
               [[e.get(k) for k in keys] for e in ring],
               "a running process is read the same way")


def collector_killed(tap, here):
    """What is left then: a raw file, and rings in memory."""
    recorder = subprocess.Popen(
        [WEIR, "run", "--ring", "64K", "-o", "left", "--", "sh", "-c",
         f"{CALLS} mix; {CALLS} hang 6000"], stderr=subprocess.PIPE, text=True)
    while not Path("ready").is_symlink():
        time.sleep(0.01)
    os.kill(await_collector(here / "left"), signal.SIGKILL)
    os.kill(events("left")[-1]["pid"], signal.SIGKILL)
    said = recorder.communicate(timeout=PATIENCE)[1]
    Path("ready").unlink()
    Path("raw").mkdir()
    shutil.copy(*Path("left").glob("*.weir"), "raw")
    left = Counter(e["proc"] for e in events("left"))
    tap.result("ended before its time" in said and
               {len(list(from_full("full"))), 4097} <= set(left.values()),
               "a killed collector loses no ring", [said, str(left)])
    subprocess.run([WEIR, "pack", "left"], check=True, capture_output=True)
    tap.result(left == Counter(e["proc"] for e in events("left")) and
               len(list(Path("left").iterdir())) == 1,
               "weir pack completes it")


def filters(tap, here):
    done = weir("--ring", "64K", "--exclude", "thread-1", "-o", "filtered",
                command=["threads", "100"])
    files = {e["file"] for e in events("filtered")}
    tap.result(str(here / "thread-1") not in files and len(files) == 3 and
               "101 calls counted, not recorded: on files that --include" in
               done.stderr, "files that were left out are counted",
               [done.stderr])
    done = weir("--ring", "64K", "--paused", "-o", "paused",
                command=["many", "10"])
    tap.result("11 calls counted, not recorded: while" in done.stderr and
               not events("paused"), "so are calls while it is switched off",
               [done.stderr])
    chosen = subprocess.run([WEIR, "dump", "--format", "jsonl", "--file",
                             "*thread-2", "threads"], check=True,
                            capture_output=True, text=True).stdout
    tap.result(chosen.count("\n") == 20001, "dump chooses files")


def by_program(found):
    return Counter((e["call"], e.get("ret")) for e in found)


def single(tap, here):
    runs = [subprocess.Popen([WEIR, "run", "--ring", "64K", "--single-file",
                              "-o", "all", "--", CALLS, "forks", "100"],
                             stderr=subprocess.PIPE, text=True)
            for _ in range(4)]
    said = [run.communicate(timeout=PATIENCE)[1] for run in runs]
    tap.result([f.name for f in Path("all").iterdir()] == ["all.weir"],
               "four runs of five processes leave one file", said)
    found = events("all")
    writes = Counter((e["proc"], e["pid"], e["ret"]) for e in found
                     if e["call"] == "write")
    tap.result(len(writes) == 16 and set(writes.values()) == {100} and
               len({proc for proc, _, _ in writes}) == 16,
               "with all their records, each process under its number",
               [str(writes)])
    own, = {e["pid"] for e in found if e["proc"] == 3}
    one = subprocess.run([WEIR, "dump", "--format", "jsonl", "--process",
                          str(own), "all"], check=True, capture_output=True, text=True)
    tap.result([json.loads(line) for line in one.stdout.splitlines()] ==
               [e for e in found if e["pid"] == own],
               "dump chooses one of them")


def mended(tap, here):
    """A run that is killed while it appends, and the next one."""
    before = events("all")
    file = Path("all/all.weir")
    whole = file.read_bytes()
    for cut in (1, 7, 100, 200, 400):
        file.write_bytes(whole[:-cut])
        weir("-q", "--ring", "64K", "--single-file", "-o", "all",
             command=["many", "5"])
        status = subprocess.run([WEIR, "dump", "all"], capture_output=True)
        after = events("all", (0, 4))
        lost = len(before) + 6 - len(after)
        tap.result(0 <= lost <= 101 and status.returncode == 4 and
                   b"files cut short: 1\n" in status.stderr and
                   b"bytes" not in status.stderr and
                   by_program(after) - by_program(before) ==
                   by_program(after[-6:]),
                   f"a file that lacks its last {cut} bytes is appended to",
                   [str(lost), status.stderr.decode()])
    file.write_bytes(b"something else\n")
    done = weir("--ring", "64K", "--single-file", "-o", "all",
                command=["many", "5"])
    tap.result(file.read_bytes() == b"something else\n" and
               "could not append to all.weir" in done.stderr,
               "a file that is none of ours is left alone", [done.stderr])


def without_locks(tap, here):
    for number in (errno.ENOLCK, errno.EOPNOTSUPP):
        done = weir("--ring", "64K", "--single-file", "-o", f"apart{number}",
                    command=["forks", "10"],
                    env={"LD_PRELOAD": NOLOCK, "NOLOCK": str(number)})
        files = list(Path(f"apart{number}").iterdir())
        writes = Counter(e["proc"] for e in events(f"apart{number}")
                         if e["call"] == "write")
        tap.result(len(files) == 5 and sorted(writes.values()) == [10] * 4 and
                   f"cannot be locked here ({os.strerror(number)}): each "
                   "process has a file of its own" in done.stderr,
                   f"without locks ({errno.errorcode[number]}) each process "
                   "has a file", [done.stderr, str(files)])


def alone(tap, here):
    env = dict(os.environ, LD_PRELOAD=LIBRARY,
               WEIR_TRACE="alone,2M,single-file,ring=64K")
    runs = [subprocess.Popen([CALLS, "many", "10000"], env=env)
            for _ in range(4)]
    for run in runs:
        run.wait(timeout=PATIENCE)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and (
            not Path("alone/all.weir").exists() or
            len(list(Path("alone").iterdir())) > 1):
        time.sleep(0.02)
    found = events("alone")
    tap.result(Counter(e["proc"] for e in found) ==
               {i: 4096 for i in range(1, 5)} and
               [f.name for f in Path("alone").iterdir()] == ["all.weir"],
               "WEIR_TRACE says ring and single-file, too",
               [str(list(Path("alone").iterdir()))])


def given_away(tap, here):
    """Names stand in RING blocks too, and are hidden there."""
    subprocess.run([WEIR, "anon", "all", "public"], check=True,
                   capture_output=True)
    file, = Path("public").iterdir()
    hidden, whole = events("public"), events("all")
    keys = ("start", "call", "fd", "ret", "pid")
    tap.result([[e.get(k) for k in keys] for e in hidden] ==
               [[e.get(k) for k in keys] for e in whole] and
               b"child-" not in file.read_bytes() and
               len({e.get("file") for e in hidden}) ==
               len({e.get("file") for e in whole}),
               "what is given away has no names")


def refused(tap, here):
    for options, words in ((("--single-file",), "--single-file needs"),
                           (("--ring", "1K"), "from 64K to 256M"),
                           (("--ring", "1G"), "from 64K to 256M")):
        done = weir(*options, "-o", "none", command=["many"], check=False)
        tap.result(done.returncode == 2 and words in done.stderr and
                   not Path("none").exists(),
                   f"{' '.join(options)} is refused", [done.stderr])


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-ring-") as name:
        os.chdir(name)
        for part in (same_as_full, wraps, names_hold, threads_and_processes,
                     killed, collector_killed, filters, single, tiny_agrees,
                     given_away, mended,
                     without_locks, alone, refused):
            part(tap, Path(name).resolve())
        os.chdir("/")
    return tap.done()


sys.exit(main())
