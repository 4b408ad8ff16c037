# SPDX-License-Identifier: BSD-3-Clause
"""The table `calls`: how a recorded call looks to the kernel."""
import errno
from collections import defaultdict
from pathlib import Path

WORDS = {"AT_FDCWD": -100, '""': b""}
STAT = ("dev", "ino", "mode", "nlink", "uid", "gid", "rdev", "size",
        "blksize", "blocks")
TIMES = ("atime", "mtime", "ctime")


class Row:
    """One call: its system calls, their arguments, and exceptions."""

    def __init__(self, words):
        self.call, names, *rest = words
        self.names = names.split(",")
        cut = rest.index(":") if ":" in rest else len(rest)
        self.args = rest[:cut]
        self.lists = {"none": [], "before": [], "after": [], "result": []}
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
        err = errno.errorcode.get(event.get("err", 0), "")
        return err in self.lists["none"] or "always" in self.lists["none"]


class Forms:
    """All rows of one call: libc may have several ways to make it."""

    def __init__(self, rows):
        self.rows = rows
        self.names = {name for row in rows for name in row.names}

    def around(self):
        """System calls that may come before or after the one that counts."""
        return {name for row in self.rows
                for name in row.lists["before"] + row.lists["after"]}

    def may_be_silent(self, event):
        return any(row.may_be_silent(event) for row in self.rows)

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


def same_stat(seen, shown):
    """seen: of the event; shown: struct stat as strace prints it."""
    if "stx_mask" in shown:
        return same_statx(seen, shown)
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
        return isinstance(seen, str) and raw_bytes(seen) == bytes(shown)
    if isinstance(shown, dict):
        if isinstance(seen, dict):
            return same_stat(seen, shown)
        return isinstance(seen, int)    # a pointer whose target strace shows
    if isinstance(shown, list):
        if isinstance(seen, int):       # a pointer to a number
            return shown and shown[0] == seen
        return isinstance(seen, list) and same_list(seen, shown)
    if isinstance(shown, int):
        return isinstance(seen, int) and same_number(seen, shown)
    return False


def same_argument(word, args, shown):
    """word: of the table; shown: None when strace has no such argument."""
    name = word.rstrip("?")
    if word == "-":
        return True
    if word in WORDS:
        return WORDS[word] == shown
    if word[0].isdigit():
        return isinstance(shown, int) and same_number(int(word, 0), shown)
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
            wrong.append(f"{word} ({args.get(word.rstrip('?'))} != {value})")
    return wrong


def same_result(row, event, line):
    if "entered" in event["flags"] or row.result == "any":
        return True
    failed = event.get("err", 0)
    if row.result == "sign":
        return bool(failed) == bool(line.error)
    if failed or line.error:
        name = errno.errorcode.get(failed)
        return line.error == name or (name == "EINTR" and line.is_restarted())
    return line.ret is not None and same_number(event.get("ret", 0), line.ret)


def row_differences(row, event, line):
    wrong = differing_arguments(row, event, line)
    if not same_result(row, event, line):
        wrong.append(f"result ({event.get('ret')} "
                     f"{errno.errorcode.get(event.get('err', 0))} != "
                     f"{line.error or line.ret})")
    return wrong
