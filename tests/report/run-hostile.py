#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is no trace, or no good one, is refused or told in part.

usage: run-hostile.py MAKE_HOSTILE GOLDEN
"""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from described import DAMAGED, REFUSED, WHOLE, checked  # noqa: E402
from weirtool import Tap  # noqa: E402

KINDS = ("numbers", "layers", "unknown", "empty", "names")


def check_made(tap, make, scratch):
    for kind in KINDS:
        paths = scratch / f"{kind}.raw", scratch / f"{kind}.packed"
        subprocess.run([make, kind, *paths], check=True)
        for path in paths:
            _, told, wrong = checked(path)
            tap.result(not wrong and told, f"made: {path.name}", wrong[:20])


def check_foreign(tap, scratch):
    (scratch / "text").write_text("This is no trace.\n" * 1000)
    (scratch / "zeros").write_bytes(bytes(100000))
    (scratch / "directory").mkdir()
    (scratch / "of-others").mkdir()
    (scratch / "of-others" / "a.weir").write_text("nor is this")
    for name in ("text", "zeros", "directory", "of-others",
                 "nowhere"):
        _, _, wrong = checked(scratch / name, [REFUSED])
        tap.result(not wrong, f"refused: {name}", wrong)


def check_cut(tap, path, scratch):
    """Whatever is left of a file."""
    data, wrong, seen = path.read_bytes(), [], set()
    for size in sorted({*range(0, len(data), len(data) // 25), 1, 48}):
        cut = scratch / "cut.weir"
        cut.write_bytes(data[:size])
        status, _, faults = checked(cut, [WHOLE, DAMAGED, REFUSED])
        seen.add(status)
        wrong += [f"{size} bytes: {fault}" for fault in faults]
    tap.result(not wrong and REFUSED in seen and len(seen) > 1,
               f"cut short: {path.parent.name}/{path.name}", wrong[:20])


def check_flipped(tap, path, scratch):
    chance, wrong = random.Random(7), []
    for _ in range(25):
        data = bytearray(path.read_bytes())
        for _ in range(chance.randint(1, 20)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        flipped = scratch / "flipped.weir"
        flipped.write_bytes(data)
        _, _, faults = checked(flipped, [WHOLE, DAMAGED, REFUSED])
        wrong += faults
    tap.result(not wrong, f"bytes changed: {path.parent.name}/{path.name}",
               wrong[:20])


def main(make, golden):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-hostile-") as place:
        scratch = Path(place)
        check_made(tap, make, scratch)
        check_foreign(tap, scratch)
        for path in sorted(Path(golden).glob("*/*.weir")):
            check_cut(tap, path, scratch)
            check_flipped(tap, path, scratch)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
