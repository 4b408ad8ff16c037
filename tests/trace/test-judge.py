#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The judge must find what is wrong: each row spoils one thing."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "lib"), str(HERE)]
from judge import judge  # noqa: E402
from weirtool import Tap  # noqa: E402

TOLD = {"pid": 1, "tid": 2, "call": "pread", "fd": 3, "path": "/f", "off": 8,
        "size": 4, "ret": 4, "errno": 0, "args": {"flags": 1}}
EVENT = {"pid": 1, "tid": 2, "call": "pread", "fd": 3, "file": "/f", "off": 8,
         "size": 4, "ret": 4, "flags": "", "args": {"flags": 1, "len": 4}}

SPOILT = [
    ("another call", {"call": "read"}),
    ("another thread", {"tid": 9}),
    ("another process", {"pid": 9}),
    ("another descriptor", {"fd": 4}),
    ("another file", {"file": "/g"}),
    ("no file", {"file": None}),
    ("another offset", {"off": 9}),
    ("no offset", {"off": None}),
    ("another size", {"size": 5}),
    ("another result", {"ret": 3}),
    ("an error", {"err": 5}),
    ("another argument", {"args": {"flags": 2}}),
    ("no argument", {"args": {}}),
    ("a call that never returned", {"flags": "entered"}),
    ("a call of a vfork child", {"flags": "vfork"}),
]


def is_good(told, events, order="thread"):
    return judge(told, events, order).is_good()


def main():
    tap = Tap()
    tap.result(is_good([TOLD], [EVENT]), "what is right is right")
    for name, change in SPOILT:
        tap.result(not is_good([TOLD], [{**EVENT, **change}]), name)
    tap.result(not is_good([TOLD, TOLD], [EVENT]), "one is missing")
    tap.result(not is_good([TOLD], [EVENT, EVENT]), "one is extra")
    second = {**EVENT, "off": 16}
    told = [TOLD, {**TOLD, "off": 16}]
    tap.result(is_good(told, [EVENT, second]), "two in order")
    tap.result(not is_good(told, [second, EVENT]), "two out of order")
    free = {**TOLD, "may_off": 8}
    del free["off"]
    tap.result(is_good([free], [{**EVENT, "off": None}]), "it may not know")
    tap.result(not is_good([free], [{**EVENT, "off": 9}]), "but not err")
    return tap.done()


sys.exit(main())
