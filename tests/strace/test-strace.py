#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The judge of real programs must find what is wrong: each row spoils one
thing in a small run that is right."""
import copy
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE)]
import calltable  # noqa: E402
import compare  # noqa: E402
import descriptors  # noqa: E402
import origin  # noqa: E402
import streams  # noqa: E402
import tracelines  # noqa: E402
from weirtool import Tap  # noqa: E402

LIBC = {"read": 0x100, "write": 0x200, "open64": 0x300, "_IO_cleanup": 0x400,
        "syscall": 0x500, "opendir": 0x600, "strange": 0x700, "dup2": 0x800,
        "fstat": 0x900, "ioctl": 0xa00}
CALLS = {"read": "read", "write": "write", "open64": "open", "vfork": "vfork",
         "dup2": "dup2", "fstat": "fstat", "fputs": "fputs"}
LAYERS = {**{call: "posix" for call in CALLS.values()}, "fputs": "stdio"}


def hexed(text):
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def libc(name):
    return f" > /usr/lib/libc.so.6({name}+0x8) [{LIBC[name] + 8:#x}]"


WEIR = " > /lib/libweir.so({}+0x9) [0x19]"
APP = " > /usr/bin/app() [0x99]"
LOADER = " > /lib64/ld-linux-x86-64.so.2(_dl_open+0x1) [0x9]"


def through(name):
    """The stack of a call that came through the wrapper of its name."""
    return [libc(name), WEIR.format(name), APP]


def inside(name):
    """The stack of a call that libc's function makes for itself."""
    return [libc("write"), libc(name), APP]


START = [
    (f'execve("{hexed("/usr/bin/app")}", [], []) = 0', []),
    (f'openat(-100, "{hexed("/lib/libweir.so")}", 0x80000) = 3', [LOADER]),
]
# Of thread 10, which has a vfork child, 11.
MAIN = START + [
    (f'openat(-100<{hexed("/d")}>, "{hexed("f")}", 0x241, 0644) = '
     f'3<{hexed("/d/f")}>', through("open64")),
    (f'read(3<{hexed("/d/f")}>, ""..., 100) = 60', through("read")),
    (f'write(1<{hexed("pipe:[5]")}>, ""..., 60) = 60', through("write")),
    ('vfork() = 11', [WEIR.format("vfork")]),
    ('read(3, 0x1000, 9) = ? ERESTARTSYS (To be restarted)', through("read")),
    ('write(2, ""..., 1) = 1', through("write")),
    ('read(3, ""..., 9) = 4', through("read")),
    ('read(4, 0x1000, 7) = -1 EBADF (Bad file descriptor)', through("read")),
    ('close(3) = 0', inside("_IO_cleanup")),
    ('lseek(3, 0, 0x1) = 0', [" > /lib/libweir.so(weir_role_look+0x1) [0x1]"]),
    ('openat(-100, "", 0) = -1 ENOENT (No such file)', inside("opendir")),
    ('getdents64(3, [], 9) = 0', [libc("syscall"), APP]),
    ('read(5, ""..., 9) = 9', [" > /usr/bin/app() [0x5]"]),
    ('write(5, ""..., 9) = 9', [libc("write"), WEIR.format("fputs"), APP]),
    ('read(0,  <unfinished ...>) = ?', through("read")),
]
CHILD = [
    ('dup2(3, 1) = 1', through("dup2")),
    (f'execve("{hexed("/bin/static")}", [], []) = 0', []),
    ('write(1, ""..., 3) = 3', [" > /bin/static() [0x5]"]),
]


def event(call, err=0, flags="", **values):
    ret = values.pop("ret", None)
    told = {"pid": 10, "tid": 10, "call": call, "layer": "posix",
            "flags": flags, "args": values}
    if err:
        told["err"] = err
    return told if ret is None else {**told, "ret": ret}


EVENTS = [
    event("open", path="f", flags_=0, mode=0o644, ret=3),
    event("read", fd=3, len=100, ret=60),
    event("write", fd=1, len=60, ret=60),
    event("vfork", ret=11),
    event("dup2", flags="vfork", fd=3, to=1, ret=1),
    event("read", fd=3, len=9, ret=4),
    event("write", fd=2, len=1, ret=1),
    event("read", err=9, fd=4, len=7, ret=-1),
    event("fstat", err=9, fd=-1, ret=-1),
    event("read", flags="entered"),
]
EVENTS[0]["args"]["flags"] = EVENTS[0]["args"].pop("flags_") + 0x241


def write_threads(folder, threads):
    for tid, rows in threads.items():
        text = "".join(f"{i}.{0:09} {line}\n" +
                       "".join(f"{frame}\n" for frame in stack)
                       for i, (line, stack) in enumerate(rows, tid))
        (Path(folder) / f"out.{tid}").write_text(text)


def judged(threads, events, calls=None):
    words = origin.Words(HERE / "classes")
    symbols = origin.Symbols((place, 0x50, name)
                             for name, place in LIBC.items())
    table = compare.Table(calltable.read_table(HERE / "calls"),
                          calls or CALLS, LAYERS)
    judge = origin.Judge(symbols, words, set(CALLS), {"ioctl"})
    with tempfile.TemporaryDirectory(prefix="weir-strace-") as folder:
        write_threads(folder, threads)
        lines = tracelines.read_threads(Path(folder) / "out")
    verdict = compare.Comparison(table, words, judge.of).run(
        dict(lines), copy.deepcopy(events))
    checker = descriptors.Checker(descriptors.World(lines), verdict)
    checker.run()
    streams.check(checker.streams, events, verdict)
    return verdict


def changed(number, **changes):
    """The events with one of them changed."""
    events = copy.deepcopy(EVENTS)
    for name, value in changes.items():
        target = events[number]
        if name not in ("tid", "call", "ret", "err", "flags"):
            target = target["args"]
        target["flags" if name == "flags_" else name] = value
    return events


SPOILT_EVENTS = [
    ("another call", changed(1, call="write")),
    ("another thread", changed(1, tid=99)),
    ("another descriptor", changed(1, fd=4)),
    ("another length", changed(1, len=101)),
    ("another result", changed(1, ret=59)),
    ("an error", changed(1, ret=-1, err=5)),
    ("another error", changed(7, err=5)),
    ("no error", changed(7, err=0, ret=0)),
    ("another path", changed(0, path="g")),
    ("other flags", changed(0, flags_=0x242)),
    ("another mode", changed(0, mode=0o600)),
    ("another call of a vfork child", changed(4, to=2)),
    ("another result after a restart", changed(5, ret=5)),
    ("a refusal that needs the kernel", changed(8, err=22)),
    ("one that cannot be", EVENTS[:3] + [EVENTS[1]] + EVENTS[3:]),
    ("one is missing", EVENTS[:2] + EVENTS[3:]),
    ("the last is missing", EVENTS[:-1]),
    ("two are exchanged", EVENTS[:1] + [EVENTS[2], EVENTS[1]] + EVENTS[3:]),
    ("a loss", EVENTS + [event("weir:loss")]),
    ("none at all", []),
]

SPOILT_LINES = [
    ("a line nobody recorded", ('read(3, ""..., 1) = 1', through("read"))),
    ("a line without a stack", ('read(3, ""..., 1) = 1', [])),
    ("one that went past the wrapper",
     ('read(3, ""..., 1) = 1', [libc("read"), APP])),
    ("a function that nobody knows",
     ('read(3, ""..., 1) = 1', [libc("read"), libc("strange"), APP])),
]

CLASSES = {"events": 9, "restarted": 1, "ld.so": 1, "stdio": 2, "weir": 1,
           "libc": 1, "raw": 2, "no call": 1, "unrecorded": 1, "other": 2}


# --- descriptors ---------------------------------------------------------

OPEN = (f'openat(-100<{hexed("/d")}>, "{hexed("f")}", 0) = 3<{hexed("/d/f")}>'
        ' <0.1>', through("open64"))
READ = (f'read(3<{hexed("/d/f")}>, ""..., 9) = 5 <0.1>', through("read"))
FOLLOWED = START + [
    OPEN, READ, READ,
    ('lseek(3, 2, 0) = 2 <0.1>', inside("_IO_cleanup")),
    READ,
    ('dup2(3, 4) = 4 <0.1>', through("dup2")),
    ('read(4, ""..., 9) = 5 <0.1>', through("read")),
    ('close(3) = 0 <0.1>', inside("_IO_cleanup")),
    OPEN, READ,
    (f'read(9<{hexed("pipe:[7]")}>, ""..., 9) = 5 <0.1>', through("read")),
]


def moved(call, handle, off=None, **values):
    extra = {} if off is None else {"off": off}
    return {**event(call, **values), "proc": 1, "handle": handle,
            "fd": values.get("fd", 3), "file": "/d/f", **extra}


TOLD = [
    moved("open", 2, path="f", ret=3),
    moved("read", 2, 0, fd=3, len=9, ret=5),
    moved("read", 2, 5, fd=3, len=9, ret=5),
    moved("read", 2, 2, fd=3, len=9, ret=5),
    moved("dup2", 2, fd=3, to=4, ret=4),
    moved("read", 3, 7, fd=4, len=9, ret=5),
    moved("open", 4, path="f", ret=3),
    moved("read", 4, 0, fd=3, len=9, ret=5),
    moved("read", 5, fd=9, len=9, ret=5),
]
TOLD[0]["args"]["flags"] = TOLD[6]["args"]["flags"] = 0
TOLD[8]["file"] = "pipe:[7]"


def retold(number, **changes):
    return TOLD[:number] + [{**TOLD[number], **changes}] + TOLD[number + 1:]


SPOILT_DESCRIPTORS = [
    ("another offset at first", retold(1, off=1)),
    ("another offset after a read", retold(2, off=0)),
    ("another offset after a seek of others", retold(3, off=10)),
    ("another offset of a copy", retold(5, off=0)),
    ("an offset in a pipe", retold(8, off=0)),
    ("another handle of the same file", retold(2, handle=9)),
    ("the handle of a file that was closed", retold(6, handle=2)),
    ("the handle of the original", retold(5, handle=2)),
    ("another file", retold(0, file="/d/g")),
    ("another file of the same handle", retold(2, file="/d/g")),
    ("another file of a copy", retold(5, file="/d/g")),
    ("another file that was open before", retold(8, file="pipe:[8]")),
]


def try_descriptors(tap):
    good = judged({10: FOLLOWED}, TOLD)
    tap.result(good.is_good() and good.total("offsets") == 5 and
               good.total("handles") == 9, "descriptors that are right",
               [f"{kind}: {parts}" for kind, parts in good.wrong])
    tap.result(judged({10: FOLLOWED}, retold(1, off=None)).is_good() is False,
               "an offset that is nothing")
    silent = retold(1)
    silent[1].pop("off")
    tap.result(judged({10: FOLLOWED}, silent).is_good(), "it may not know")
    for name, events in SPOILT_DESCRIPTORS:
        tap.result(not judged({10: FOLLOWED}, events).is_good(), name)


# --- streams -------------------------------------------------------------

def stdio(text):
    return (f"{text} <0.1>", [libc("write"), WEIR.format("fputs"), APP])


STREAMED = START + [
    (OPEN[0].replace(", 0)", ", 0x241, 0666)"),
     [libc("open64"), WEIR.format("fputs"), APP]),
    stdio('write(3, ""..., 4096) = 4096'),
    stdio('write(3, ""..., 10) = 10'),
    stdio('lseek(3, 0, 0) = 0'),
    stdio('read(3, ""..., 4096) = 50'),
    stdio('read(3, "", 4096) = 0'),
    ('close(3) = 0 <0.1>', inside("_IO_cleanup")),
]


def flow(call, size, off=None, **more):
    extra = {} if off is None else {"off": off}
    return {"pid": 10, "tid": 10, "proc": 1, "handle": 2, "fd": 3,
            "call": call, "layer": "stdio", "flags": "", "size": size,
            "ret": size, "args": {}, **extra, **more}


FLOWS = [flow("fputs", 4106), flow("stream_flush", 4096, 0),
         flow("stream_flush", 10, 4096), flow("stream_fill", 50, 0)]
SPOILT_FLOWS = [
    ("fewer bytes written", [FLOWS[1], FLOWS[3]]),
    ("more bytes written", FLOWS + [flow("stream_flush", 1)]),
    ("written elsewhere", FLOWS[:2] + [flow("stream_flush", 10, 9)] +
     FLOWS[3:]),
    ("fewer bytes read", FLOWS[:3] + [flow("stream_fill", 49, 0)]),
    ("read elsewhere", FLOWS[:3] + [flow("stream_fill", 50, 1)]),
    ("another descriptor", FLOWS[:3] + [flow("stream_fill", 50, 0, fd=4)]),
    ("two files instead of one", FLOWS[:3] + [flow("stream_fill", 50, 0,
                                                   handle=3)]),
    ("nothing", []),
]


def try_streams(tap):
    good = judged({10: STREAMED}, FLOWS)
    tap.result(good.is_good() and good.total("streams") == 1,
               "a stream that is right",
               [f"{kind}: {parts}" for kind, parts in good.wrong])
    for name, events in SPOILT_FLOWS:
        tap.result(not judged({10: STREAMED}, events).is_good(),
                   f"stream: {name}")
    blind = judged({10: STREAMED}, [flow("fscanf", 0)])
    tap.result(blind.is_good() and blind.total("untold") == 1,
               "a stream that nobody can follow")
    appended = [(line.replace("0x241", "0x641"), stack)
                for line, stack in STREAMED]
    nowhere = [flow("stream_flush", 4106), FLOWS[3]]
    tap.result(judged({10: appended}, nowhere).is_good() and
               not judged({10: appended}, FLOWS).is_good(),
               "nobody can say where appended bytes are")
    somewhere = [flow("stream_flush", 4106), FLOWS[3]]
    tap.result(judged({10: STREAMED}, somewhere).is_good(),
               "bytes of which it does not say where")


def main():
    tap, threads = Tap(), {10: MAIN, 11: CHILD}
    good = judged(threads, EVENTS)
    tap.result(good.is_good(), "what is right is right",
               [f"{kind}: {parts}" for kind, parts in good.wrong])
    for kind, number in CLASSES.items():
        tap.result(good.total(kind) == number, f"{number} of class {kind}",
                   [f"there are {good.total(kind)}"])
    for name, events in SPOILT_EVENTS:
        tap.result(not judged(threads, events).is_good(), name)
    for name, row in SPOILT_LINES:
        more = {10: MAIN[:3] + [row] + MAIN[3:], 11: CHILD}
        tap.result(not judged(more, EVENTS).is_good(), name)
    other = (f'openat(-100, "{hexed("/lib/a.so")}", 0) = 3', [LOADER])
    bare = {10: [MAIN[0], other] + MAIN[2:], 11: CHILD}
    tap.result(not judged(bare, EVENTS).is_good(), "no library, no class")
    try_descriptors(tap)
    try_streams(tap)
    table = compare.Table({}, CALLS, LAYERS)
    tap.result("fputs" not in table.missing() and "read" in table.missing(),
               "a call without a row is named")
    return tap.done()


sys.exit(main())
