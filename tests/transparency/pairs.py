# SPDX-License-Identifier: BSD-3-Clause
"""Which programs run under which conditions: two tables, and their product.

A word in braces is replaced by the runner: {weir} is where `weir run` goes
(in front of everything when it is not written), {scripts} the folder,
{under} and {actor} our own programs, {actor-KIND} one built differently."""
import signal
from dataclasses import dataclass, field

JEMALLOC = "libjemalloc.so.2"
TCMALLOC = "libtcmalloc_minimal.so.4"


@dataclass
class Program:
    name: str
    command: list
    groups: str = ""
    stdin: bytes = b""
    ignored: list = field(default_factory=list)  # files that never repeat
    blind: bool = False  # nothing can be recorded of it
    tells: bool = False  # weir may say that not all could be recorded
    status: int = 0  # what it returns when nothing stands in its way


@dataclass
class Condition:
    name: str
    groups: str
    prefix: list = field(default_factory=list)  # of a command
    outside: bool = False  # weir too runs under it
    alone: bool = False  # without `weir run`
    tells: bool = False  # weir may say that not all could be recorded
    blind: bool = False
    options: list = field(default_factory=list)  # of weir run


def script(name, groups, shell="sh", **more):
    return Program(name, [shell, "{scripts}/" + name], groups, **more)


def act(words, groups, build="", **more):
    name = words.replace(" ", "-") + (f" ({build})" if build else "")
    actor = "{actor-" + build + "}" if build else "{actor}"
    return Program(name, [actor, *words.split()], groups, **more)


PROGRAMS = [
    Program("true", ["true"], "plain", blind=True),
    Program("false", ["false"], "plain", blind=True, status=1),
    Program("no such command", ["sh", "-c", "exec ./not-there"], "plain",
            blind=True, status=127),
    Program("cat a pipe", ["cat"], "plain small", stdin=b"line\n" * 9999),
    script("files.sh", "plain small shell space"),
    script("bash.sh", "plain shell", "bash", status=11),
    script("dash.sh", "plain small shell", "dash", status=137),
    script("git.sh", "plain", ignored=["*/.git/index"]),
    script("build.sh", "plain"),
    script("archive.sh", "plain small"),
    script("database.sh", "plain memory"),
    script("processes.py", "plain memory", "python3", status=5),
    script("text.pl", "plain memory", "perl", status=42),
    script("tasks.js", "plain node", "node", status=3),
    Program("env -i", ["env", "-i", "sh", "-c", "env; echo x >made"], "plain",
            blind=True),
    Program("script", # others take and give back terminals: no number
            ["script", "-qec", "tty | tr -d 0-9; stty -a | head -n 1; echo x",
             "/dev/null"], "plain", ignored=[]),
    Program("interactive bash",
            ["python3", "{scripts}/terminal.py", "shell", "{weir}"],
            "terminal"),
    Program("jobs of bash",
            ["python3", "{scripts}/terminal.py", "jobs", "{weir}"],
            "terminal"),
    act("state", "plain small state closed"),
    act("memory 64", "plain memory limited", blind=True),
    act("reuse", "plain small closed limited"),
    act("close-all", "plain small closed"),
    act("fill 5000", "plain limited"),
    act("outgrow", "plain limited"),
    act("calls", "plain small closed limited space"),
    act("crowd", "plain memory"),
    act("cancel", "plain"),
    act("leave-main", "plain"),
    act("processes", "plain memory small space"),
    act("chain 9", "plain small", status=7),
    act("chain 9 bare", "plain", status=7),
    act("daemon", "plain closed"),
    act("leave-child", "plain", status=3),
    act("exit-in-handler", "plain", status=4),
    act("drop-user", "plain", tells=True),
    act("jail", "plain", tells=True),
    act("limit-self", "plain", tells=True),
    act("hide-self", "plain"),
    act("filter-self", "plain"),
    act("filter-self prctl", "plain"),
    act("filter-threads", "plain", tells=True),
    act("filter-forks", "plain", tells=True),
    act("strict", "plain", tells=True),
    act("forbid-counter", "plain", tells=True),
    *(act(f"die {number.value}", "plain", status=128 + number) for number in
      (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT,
       signal.SIGPIPE, signal.SIGHUP)),
    *(act(words, "plain", build) for build in
      ("asan", "clang-asan", "tsan")
      for words in ("calls", "reuse", "crowd", "processes")),
    # clang's own sanitizer does not survive a cancelled thread
    act("cancel", "plain", "asan"),
    act("cancel", "plain", "tsan"),
]


def under(*words):
    return ["{under}", *words, "--"]


def both(name, groups, prefix, **more):
    """Set before weir starts, and set by what weir starts."""
    yield Condition(f"{name}, set outside", groups, prefix, outside=True,
                    **more)
    yield Condition(f"{name}, set inside", groups, prefix, **more)


CONDITIONS = [
    Condition("plain", "plain"),
    Condition("plain", "terminal"),
    Condition("preloaded alone", "small memory", alone=True),
    Condition("jemalloc after weir", "memory", under(f"preload={JEMALLOC}"),
              outside=True),
    Condition("jemalloc before weir", "memory", under(f"preload={JEMALLOC}")),
    Condition("jemalloc, preloaded alone", "memory",
              under(f"preload={JEMALLOC}"), alone=True),
    Condition("tcmalloc after weir", "memory", under(f"preload={TCMALLOC}"),
              outside=True),
    Condition("tcmalloc before weir", "memory", under(f"preload={TCMALLOC}")),
    *(condition for fd in ((0,), (1,), (2,), (0, 1, 2)) for condition in
      both("closed " + " ".join(map(str, fd)), "closed",
           under(*(f"close={one}" for one in fd)))),
    Condition("closed 0 1 2, preloaded alone", "closed",
              under("close=0", "close=1", "close=2"), alone=True),
    *both("20 descriptors", "small limited", under("nofile=20"), tells=True),
    *both("files of 64 KB", "limited", under("fsize=65536", "core=0"),
          tells=True, blind=True),
    *both("1 GB of memory", "memory limited", under(f"as={1 << 30}")),
    Condition("1 GB of memory, preloaded alone", "limited",
              under(f"as={1 << 30}"), alone=True),
    *both("umask 000", "small", under("umask=000")),
    *both("umask 777", "state", under("umask=777"), tells=True, blind=True),
    *both("signals ignored", "state shell",
          under(*(f"ignore={n.value}" for n in (signal.SIGCHLD,
                signal.SIGPIPE, signal.SIGHUP, signal.SIGUSR1)))),
    *both("signals blocked", "state", under(*(f"block={n.value}" for n in
          (signal.SIGCHLD, signal.SIGTERM, signal.SIGUSR2, signal.SIGINT,
           signal.SIGPIPE, signal.SIGRTMIN)))),
    *both("nice", "state", under("nice=7")),
    *both("stray descriptors", "state", under("open=3", "open=9", "open=77")),
    # outside, weir and not the program leads the session
    Condition("new session, set outside", "shell", ["setsid", "-w"],
              outside=True),
    Condition("new session, set inside", "state shell", ["setsid", "-w"]),
    Condition("a time limit, set outside", "shell", ["timeout", "600"],
              outside=True),
    Condition("a time limit, set inside", "shell", ["timeout", "600"]),
    *both("namespaces", "state space", ["unshare", "-rmp", "--fork"]),
    *both("chroot", "small", ["chroot", "--skip-chdir", "/"]),
    *both("no new rights", "small", ["setpriv", "--no-new-privs"]),
    *both("another user", "state", ["setpriv", "--reuid=65534",
                                    "--clear-groups"],
          tells=True, blind=True),
    *both("own library preloaded", "state small",
          under("preload=libm.so.6:libdl.so.2")),
    Condition("environment cleared", "small",
              ["env", "-i", "PATH=/usr/bin:/bin"], blind=True),
    Condition("a tiny buffer", "small memory",
              options=["--buffer", "32K"], tells=True),
]


def pairs():
    for condition in CONDITIONS:
        for program in PROGRAMS:
            if set(condition.groups.split()) & set(program.groups.split()):
                yield program, condition
