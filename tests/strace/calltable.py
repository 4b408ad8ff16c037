# SPDX-License-Identifier: BSD-3-Clause
"""The table `calls`: how a recorded call looks to the kernel."""
import errno
from collections import defaultdict
from pathlib import Path

from tracelines import number

WORDS = {"AT_FDCWD": -100, '""': b""}
STAT = ("dev", "ino", "mode", "nlink", "uid", "gid", "rdev", "size",
        "blksize", "blocks")
TIMES = ("atime", "mtime", "ctime")
# Fields of statfs and statvfs: under which name strace shows them, and those
# that libc makes of others.
SHOWN = {"namemax": "namelen"}
UNLIKE = ("fsid", "favail", "flag", "flags")


class Row:
    """One call: its system calls, their arguments, and exceptions."""

    def __init__(self, words):
        self.call, names, *rest = words
        self.names = names.split(",")
        cut = rest.index(":") if ":" in rest else len(rest)
        self.args = rest[:cut]
        self.lists = {"none": [], "before": [], "after": [], "result": [],
                      "retry": [], "group": []}
        target = None
        for word in rest[cut + 1:]:
            if word in self.lists:
                target = self.lists[word]
            elif target is None:
                raise ValueError(f"calls: {self.call}: '{word}' is no word")
            else:
                target.append(word)
        self.result = (self.lists["result"] or ["same"])[0]

    def may_be_silent(self, event):
        """May libc have refused this without asking the kernel?"""
        return any(getattr(errno, name) == event.get("err", 0)
                   for name in self.lists["none"])


class Forms:
    """All rows of one call: libc may have several ways to make it."""

    def __init__(self, rows):
        self.rows = rows
        self.names = {name for row in rows for name in row.names}

    def around(self):
        """System calls that may come before or after the one that counts."""
        return {name for row in self.rows
                for name in (row.lists["before"] + row.lists["after"] +
                             row.lists["group"])}

    def is_group(self):
        return self.names == {"*"}

    def goes_on(self, line):
        """Another system call follows for the same call."""
        return any(line.name in row.names and line.error in row.lists["retry"]
                   for row in self.rows)

    def may_be_silent(self, event):
        return self.is_group() or any(row.may_be_silent(event)
                                      for row in self.rows)

    def differences(self, event, line):
        """What does not agree; empty: they are the same."""
        fitting = [row for row in self.rows if line.name in row.names]
        if not fitting:
            return [f"system call {line.name}"]
        return min((row_differences(row, event, line) for row in fitting),
                   key=len)


def read_table(path):
    """The rows of each call."""
    table = defaultdict(list)
    for line in Path(path).read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            table[words[0]].append(Row(words))
    return {call: Forms(rows) for call, rows in table.items()}


# --- comparing -----------------------------------------------------------

def same_number(a, b):
    if a == b or (a - b) % (1 << 64) == 0:
        return True
    fit = all(-(1 << 31) <= n < 1 << 32 for n in (a, b))
    return fit and (a - b) % (1 << 32) == 0


def raw_bytes(text):
    """A string of the dump back into bytes: \\xNN and \\\\ are its escapes."""
    out, i = bytearray(), 0
    data = text.encode()
    while i < len(data):
        if data[i:i + 2] == b"\\x":
            out += bytes.fromhex(data[i + 2:i + 4].decode())
            i += 4
        else:
            i += 2 if data[i:i + 2] == b"\\\\" else 1
            out.append(data[i - 1])
    return bytes(out)


def same_text(seen, shown):
    return seen.startswith(shown) if shown.is_cut else seen == shown


def same_stat(seen, shown):
    """seen: of the event; shown: struct stat as strace prints it."""
    for field in STAT:
        if shown.get(f"st_{field}", 0) != seen[field]:
            return False
    return all(shown[f"st_{name}"] * 10**9 + shown[f"st_{name}_nsec"] ==
               seen[name] for name in TIMES)


def same_statx(seen, shown):
    """Only what was asked for and given is there."""
    for name in ("dev", "rdev"):
        if f"stx_{name}_major" in shown:
            shown[f"stx_{name}"] = device(shown[f"stx_{name}_major"],
                                          shown[f"stx_{name}_minor"])
    for name in TIMES:
        time = shown.get(f"stx_{name}")
        if time and time["tv_sec"] * 10**9 + time["tv_nsec"] != seen[name]:
            return False
    return all(shown.get(f"stx_{field}", seen[field]) == seen[field]
               for field in STAT)


def device(major, minor):
    """As the C library packs it."""
    return ((major & 0xfff) << 8 | (major & 0xfffff000) << 32 |
            (minor & 0xff) | (minor & 0xffffff00) << 12)


def same_statfs(seen, shown):
    """Numbers by name: what both have must be the same."""
    return all(shown.get(f"f_{SHOWN.get(name, name)}", value) == value or
               name in UNLIKE for name, value in seen.items())


def same_record(seen, shown):
    """Two structures; which, the shown one's members tell."""
    for member, same in (("stx_mask", same_statx), ("st_mode", same_stat),
                         ("f_type", same_statfs)):
        if member in shown:
            return same(seen, shown)
    return all(shown.get(name, value) == value
               for name, value in seen.items())


def same_times(seen, shown):
    parts = [(part["tv_sec"], part.get("tv_nsec", part.get("tv_usec", 0)))
             for part in shown]
    micro = "atime_us" in seen
    told = [(seen[name], seen.get(f"{name}_us", 0) * 1000 if micro
             else seen.get(f"{name}_ns", 0)) for name in ("atime", "mtime")]
    return parts == told


def same_vector(seen, shown):
    lengths = [part["iov_len"] for part in shown if isinstance(part, dict)]
    return [length for _, length in seen] == lengths


def same_list(seen, shown):
    if seen and isinstance(seen[0], list) or \
            any(isinstance(part, dict) for part in shown):
        return same_vector(seen, shown)
    return list(seen) == [int(part) for part in shown]


def same_value(seen, shown):
    """seen: a value of the trace; shown: one of strace."""
    if isinstance(shown, bytes):
        return isinstance(seen, str) and same_text(raw_bytes(seen), shown)
    if isinstance(shown, dict):
        if isinstance(seen, dict):
            return same_record(seen, shown)
        return isinstance(seen, int)    # a pointer whose target strace shows
    if isinstance(shown, list):
        if isinstance(seen, int):       # a pointer to a number
            return bool(shown) and shown[0] == seen
        if isinstance(seen, dict):
            return same_times(seen, shown)
        return isinstance(seen, list) and same_list(seen, shown)
    if isinstance(shown, int):
        if seen == "":                  # nothing came back
            return is_unread(shown)
        return isinstance(seen, int) and same_number(seen, shown)
    return False


def same_argument(word, args, shown):
    """word: of the table; shown: None when strace has no such argument."""
    word, _, bits = word.partition("|")
    name = word.rstrip("?")
    if bits and name in args:
        args = {name: args[name] | int(bits, 0)}
    if word == "-":
        return True
    if word in WORDS:
        return WORDS[word] == shown
    if word[0].isdigit():
        return isinstance(shown, int) and same_number(number(word), shown)
    if name not in args or shown is None:
        return word.endswith("?") or (name not in args and
                                      (shown is None or is_unread(shown)))
    return same_value(args[name], shown)


def is_unread(shown):
    """A bare address: the kernel did not fill or read what is there."""
    return isinstance(shown, int) and shown > 4096


def differing_arguments(row, event, line):
    args, shown = event.get("args", {}), line.args
    if "entered" in event["flags"] or line.ret is None and not line.error:
        return []
    wrong = []
    for i, word in enumerate(row.args):
        value = shown[i] if i < len(shown) else None
        if not same_argument(word, args, value):
            seen = args.get(word.split("|")[0].rstrip("?"))
            wrong.append(f"{word} ({seen} != {value})")
    return wrong


def same_result(row, event, line):
    if "entered" in event["flags"] or row.result == "any":
        return True
    failed = event.get("err", 0)
    if row.result == "sign":
        return bool(failed) == bool(line.error)
    if failed or line.error:
        interrupted = failed == errno.EINTR and line.is_restarted()
        return interrupted or failed == getattr(errno, line.error or "", 0)
    return line.ret is not None and same_number(event.get("ret", 0), line.ret)


def row_differences(row, event, line):
    wrong = differing_arguments(row, event, line)
    if not same_result(row, event, line):
        wrong.append(f"result ({event.get('ret')} "
                     f"{errno.errorcode.get(event.get('err', 0))} != "
                     f"{line.error or line.ret})")
    return wrong
