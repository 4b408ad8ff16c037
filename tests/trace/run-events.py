#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A report of a made trace tells exactly the sums that its maker counted.

usage: run-events.py BUILD"""
import json
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from crowd import run  # noqa: E402
from events import Events, make  # noqa: E402
from weirtool import Tap  # noqa: E402

#         events processes threads files hosts
SHAPES = {"one process, one file": (30000, 1, 1, 1, 1),
          "threads": (30001, 3, 4, 10, 2),
          "fewer files than processes": (30000, 40, 1, 7, 5),
          "more files than processes": (60000, 4, 2, 5000, 3)}
NAMES = "events", "processes", "threads", "files", "hosts"


def report(tap, build, path, name, figures):
    events = Events(path, make(build, path, **dict(zip(NAMES, figures))))
    done = run([build / "weir", "report", "--format", "json", path])
    wrong = events.wrong(json.loads(done.out)) if not done.status else \
        [f"status {done.status}"]
    tap.result(not wrong, f"{name}: every sum is the maker's", wrong)
    files = int(events.truth["files"])
    tap.result(files == figures[NAMES.index("files")] + 1,
               f"{name}: {files} names, all files and one only asked for")


def made(build, path, seed):
    make(build, path, events=20000, seed=seed)
    return [file.read_bytes() for file in sorted(path.iterdir())]


def main():
    tap, build = Tap(), Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="weir-events-") as scratch:
        scratch = Path(scratch)
        for i, (name, figures) in enumerate(SHAPES.items()):
            report(tap, build, scratch / str(i), name, figures)
        first, again, other = (made(build, scratch / f"seed{i}", seed)
                               for i, seed in enumerate((1, 1, 2)))
        tap.result(first == again, "one seed: one trace")
        tap.result(first != other, "another seed: another trace")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
