#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An anonymised trace tells the same I/O, and nobody's names.

A program that uses names in every way is recorded and anonymised. Then
  (a) both traces must be equal once names are numbered as they come,
  (b) a million guesses must find no name without the key, and all with it,
  (c) no byte of the new trace, unpacked, may hold what the old one named.
"""
import base64
import collections
import ctypes
import hashlib
import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import tiny_reader  # noqa: E402
from weirtool import WEIR, Failure, Tap  # noqa: E402

GUESSES = 1_000_000
HOST = "supercomputer-login7"
TOKEN = "environment-token-0815"
WORD = re.compile(r"[a-z2-7]{16}")
KEPT = {"", ".", ".."}
# Names of files that the program opens, so that every manner tells them.
PLANTED = {b"oncology-project", b"patients", b"smithson", b"tumour-scan.h5",
           b"relative-notes.txt", b"stream-output.log"}
HIDDEN = {"uid": "uid", "gid": "gid", "owner": "uid", "group": "gid",
          "ino": "ino", "dev": "dev", "rdev": "dev", "fsid": "dev"}


def run(*command, **kwargs):
    done = subprocess.run([str(c) for c in command], capture_output=True,
                          stdin=subprocess.DEVNULL, **kwargs)
    if done.returncode:
        raise Failure(f"{command} returned {done.returncode}: {done.stderr}")
    return done


def can_rename_host():
    return os.getuid() == 0 and subprocess.run(
        ["unshare", "--uts", "true"], capture_output=True).returncode == 0


def record(place, *options):
    """The trace, and the name of the host it was recorded on."""
    top = place / "oncology-project"
    top.mkdir(parents=True)
    command = [WEIR, "run", "--all", "-q", *options, "-o", place / "trace",
               "--",
               sys.executable, HERE / "workload.py", f"--project={top}",
               "--patient-name=smithson", "verbatim-argument"]
    host = socket.gethostname()
    if can_rename_host():
        host = HOST
        command = ["unshare", "--uts", "sh", "-c",
                   f'hostname {HOST} && exec "$@"', "sh"] + command
    run(*command, env=dict(os.environ, SECRET_TOKEN=TOKEN))
    return place / "trace", host


def dump(trace):
    lines = run(WEIR, "dump", "--format", "jsonl", trace).stdout.splitlines()
    return [json.loads(line) for line in lines]


def load(trace):
    files = sorted(Path(trace).glob("*.weir"))
    return files, [tiny_reader.Trace(tiny_reader.blocks(
        file.read_bytes())) for file in files]


# --- (a) the same analysis ----------------------------------------------

class Canon:
    """Numbers names, and numbers that tell, as they come."""

    def __init__(self):
        self.numbers = collections.defaultdict(dict)

    def number(self, kind, value):
        known = self.numbers[kind]
        return known.setdefault(value, len(known))

    def text(self, text):
        return "/".join(c if c in KEPT else f"<{self.number('name', c)}>"
                        for c in text.split("/"))

    def value(self, key, value):
        if isinstance(value, dict):
            return {k: self.value(k, v) for k, v in value.items()}
        if key == "vec":  # where memory was is left out
            return [size for _, size in value]
        if isinstance(value, str):  # how a stream is opened is no name
            return value if key == "mode" else self.text(value)
        if key in HIDDEN and value not in (0, 2**32 - 1) or \
                HIDDEN.get(key) in ("uid", "gid") and value == 0:
            return self.number(HIDDEN[key], value)
        return value

    def event(self, event):
        event = dict(event)
        for key in ("file", "host", "args"):
            if key in event:
                event[key] = self.value(key, event[key])
        return event


def summaries(events):
    """Of each file what was done to it, without its name."""
    files = collections.defaultdict(list)
    for e in events:
        files[e.get("file")].append(
            (e["call"], e.get("off"), e["size"], e.get("ret"), e["dur"]))
    return collections.Counter(
        (len(calls), sum(c[3] or 0 for c in calls), tuple(calls))
        for calls in files.values())


def check_analysis(tap, before, after):
    left, right = Canon(), Canon()
    differ = [(a, b) for a, b in zip(before, after)
              if left.event(a) != right.event(b)]
    tap.result(len(before) == len(after) > 500 and not differ,
               f"{len(before)} events are equal but for names",
               [str(d) for d in differ[:3]])
    tap.result(summaries(before) == summaries(after),
               f"{len(summaries(before))} summaries of files are equal")
    kinds = {e["call"] for e in before}
    wanted = {"symlink", "readlink", "rename", "setxattr", "mkstemp", "fopen",
              "pipe2", "memfd_create", "readv", "statvfs", "shm_unlink"}
    tap.result(wanted <= kinds | {"pipe2" if "pipe" in kinds else ""},
               "the program did all that is to be hidden",
               [str(wanted - kinds)])
    for key in ("ino", "dev", "uid", "gid"):
        tap.result(not numbers_of(before, key) & numbers_of(after, key),
                   f"no {key} of before is there after")


def lies_on(trace, name):
    """The number of the mount that a file lies on."""
    points = [point.rstrip(b"/") + b"/" for _, point, _ in mounts(trace)]
    return max((len(point), i) for i, point in enumerate(points)
               if (name + b"/").startswith(point))[1]


def check_mounts(tap, old, new):
    table = mounts(old), mounts(new)
    tap.result([m[0] for m in table[0]] == [m[0] for m in table[1]] != [] and
               not {m[2] for m in table[0]} & {m[2] for m in table[1]},
               f"{len(table[0])} mounts, of the same types", map(str, table))
    files = [number for number, name in old.names.items()
             if name.startswith(b"/") and not name.startswith(b"/memfd:")]
    tap.result(len(files) > 10 and all(
        lies_on(old, old.names[n]) == lies_on(new, new.names[n])
        for n in files), f"{len(files)} files lie on the same mounts")


def numbers_of(events, key):
    found = set()
    for event in events:
        for value in event.get("args", {}).values():
            if isinstance(value, dict) and value.get(key):
                found.add(value[key])
    return found


# --- (b) an attack ------------------------------------------------------

def components(traces, host):
    """Everything that a trace names, and what its arguments are made of."""
    found, paths = {host.encode()}, set()
    for trace in traces:
        paths |= set(trace.names.values())
        for proc in trace.procs.values():
            for key in ("exe", "cwd", "arg"):
                paths |= set(proc.get(key, []))
        for event in trace.events:
            paths |= set(texts(trace, event))
        paths |= {point for _, point, _ in mounts(trace)}
        found |= {source for *_, source in mounts(trace)}
    for path in paths:
        path = path.removesuffix(b" (deleted)")
        if path.startswith(b"/memfd:"):
            path = path[7:]
        option = re.fullmatch(rb"--?([^=]*)=(.*)", path, re.S)
        if option:
            found.add(option[1])
            path = option[2]
        elif path.startswith(b"-"):
            path = path.removeprefix(b"-").removeprefix(b"-")
        found |= set(path.split(b"/"))
    return {c for c in found if c.decode("latin1") not in KEPT}, paths


def texts(trace, event):
    """The texts in an event's detail, by the wires of its call."""
    call = trace.calls.get(event["call"])
    source, found = tiny_reader.Source(event["detail"]), []

    def take(src):
        n = src.leb()
        found.append(src.take(min(n, len(src.data) - src.at)))
        return '""'

    old, tiny_reader.text = tiny_reader.text, take
    try:
        for _, kind in call[1] if call else []:
            tiny_reader.argument(trace, event, kind, source)
    except EOFError:
        pass
    finally:
        tiny_reader.text = old
    return found


def mounts(trace):
    """Type, point and source, as HEAD tells them."""
    return [[re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8)]), word)
             for word in line.split(b" ")]
            for line in trace.head.get("mount", [])]


def words(files, traces):
    """All words in the new trace, as bytes."""
    found = set()
    for file, trace in zip(files, traces):
        told = [file.name.encode(), *trace.names.values()]
        told += [t for e in trace.events for t in texts(trace, e)]
        told += [t for mount in mounts(trace) for t in mount[1:]]
        for lines in (trace.head, *trace.procs.values()):
            for key in ("host", "exe", "cwd", "arg"):
                told += lines.get(key, [])
        for text in told:
            found |= set(WORD.findall(text.decode("latin1")))
    return {base64.b32decode(w.upper()) for w in found}


def xxh(name):
    library = ctypes.CDLL("libxxhash.so.0")
    function = getattr(library, name)
    function.restype = ctypes.c_uint64

    def digest(guess):
        value = function(guess, ctypes.c_size_t(len(guess)),
                         *([0] if name == "XXH64" else []))
        return value.to_bytes(8, "big")
    return digest


def keyed(key, what=b"n"):
    return lambda guess: hashlib.blake2b(what + guess, digest_size=16,
                                         key=key).digest()


def blind_hashes():
    """Ways to guess without the key."""
    yield "blake2b", keyed(b"")
    yield "blake2b, no prefix", keyed(b"", b"")
    yield "blake2b, 64 bytes", lambda g: hashlib.blake2b(g).digest()
    yield "sha256", lambda g: hashlib.sha256(g).digest()
    yield "sha1", lambda g: hashlib.sha1(g).digest()
    yield "md5", lambda g: hashlib.md5(g).digest()
    yield "xxh64", xxh("XXH64")
    yield "xxh3", xxh("XXH3_64bits")
    yield "key of zeros", keyed(bytes(32))
    yield "another key", keyed(hashlib.sha256(b"guess").digest())


def attack(hashed, guesses, targets):
    """How many targets are found; eight bytes of one are enough."""
    starts = {t[:8] for t in targets}
    return sum(hashed(guess)[:8] in starts for guess in guesses)


def check_attack(tap, true, paths, targets, key):
    guesses = list(true | paths)
    guesses += [b"name-%d" % i for i in range(GUESSES - len(guesses))]
    for name, hashed in blind_hashes():
        found = attack(hashed, guesses, targets)
        tap.result(not found, f"{len(guesses)} guesses by {name} find nothing",
                   [f"found {found}"] if found else [])
    recovered = {keyed(key)(guess)[:10] for guess in guesses} & targets
    tap.result(recovered == targets and len(targets) > 100,
               f"with the key they find all {len(targets)}",
               [f"found {len(recovered)}"])


# --- (c) every byte -----------------------------------------------------

class Unfolding(tiny_reader.Source):
    """Keeps every plane it unpacks."""

    def __init__(self, data):
        super().__init__(data)
        self.planes = []

    def plane(self, rows):
        self.planes.append(super().plane(rows))
        return self.planes[-1]


def unfold(data):
    """Where texts stand, unpacked; and all bytes, packed and unpacked."""
    told, all_bytes = [], [data]
    for kind, payload, order, _, _, count, *_ in tiny_reader.blocks(data):
        if kind != tiny_reader.EVENTS:
            told.append(payload)
            continue
        source = Unfolding(payload)
        sites, details = struct.unpack(order + "2I", source.take(24)[16:])
        for rows in [sites] * 7 + [count] * 7:
            source.column(rows)
        told.append(source.plane(details))
        all_bytes += source.planes
    return b"\0".join(told), b"\0".join(all_bytes + told)


def leb(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def own_words(files):
    """What the format itself says: the dictionary, and keys of texts."""
    said = []
    for file in files:
        for kind, payload, *_ in tiny_reader.blocks(file.read_bytes()):
            if kind == tiny_reader.DICT:
                said.append(payload)
            elif kind in (tiny_reader.HEAD, tiny_reader.PROC, tiny_reader.END):
                lines = tiny_reader.props(payload)
                said += [key.encode() for key in lines]
                said += [m.split()[0] for m in lines.get("mount", [])]
    return b" ".join(said)


def check_bytes(tap, files, old, true, host):
    own = own_words(old)
    secrets = {c for c in true if len(c) > 3 and c not in own} | {
        TOKEN.encode(), b"smithson", b"verbatim-argument", b"secret-value",
        b"patient-name", host.encode()}
    secrets |= {leb(0x5ec0de77), leb(0x5ec0de99)}
    known = b"".join(unfold(file.read_bytes())[0] for file in old)
    seen = {s for s in secrets if s in known}
    tap.result({b"smithson", b"patient-name", host.encode()} | PLANTED <= seen,
               f"the old trace says {len(seen)} secrets",
               [repr(s) for s in PLANTED - seen])
    told, all_bytes = map(b"".join, zip(*(unfold(f.read_bytes())
                                          for f in files)))
    # A word and the extension behind it may spell anything; that each word
    # is one, and no name of 16 letters, is shown by the attack.
    told, all_bytes = (re.sub(WORD.pattern.encode(), b"#", some)
                       for some in (told, all_bytes))
    # Short ones would be found in any bytes that are packed.
    left = [s for s in secrets if s in told or len(s) > 6 and s in all_bytes]
    tap.result(not left, f"the new one says none of {len(secrets)}",
               [repr(s) for s in left[:20]])
    tap.result(not any(host in f.name for f in files),
               "its files are not named after the host")


def check_manner(tap, place, *options):
    """What is recorded in another manner must say no more."""
    trace, host = record(place, *options)
    done = run(WEIR, "anon", trace, place / "public")
    tap.result(b"left out" not in done.stderr,
               f"{options[0]}: all of it is known to weir anon",
               re.findall("weir: .* left out.*", done.stderr.decode()))
    files, old = (sorted((place / name).glob("*.weir"))
                  for name in ("public", "trace"))
    check_bytes(tap, files, old, PLANTED, host)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-anon-") as name:
        place = Path(name)
        trace, host = record(place)
        done = run(WEIR, "anon", trace, place / "public")
        key = bytes.fromhex(re.search(rb"\n([0-9a-f]{64})\n", done.stderr)[1]
                            .decode())
        old_files, old = load(trace)
        files, new = load(place / "public")
        true, paths = components(old, host)
        check_analysis(tap, dump(trace), dump(place / "public"))
        check_mounts(tap, old[0], new[0])
        check_attack(tap, true, paths, words(files, new), key)
        check_bytes(tap, files, old_files, true, host)
        check_manner(tap, place / "ring", "--ring=1M")
        check_manner(tap, place / "sums", "--profile")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
