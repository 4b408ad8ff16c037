# SPDX-License-Identifier: BSD-3-Clause
"""What run-crash.py and run-kills.py see of programs while these run: how far
they have come, and what they found wrong."""
import mmap
import os
import struct
from pathlib import Path

from weirtool import WEIR

TESTS = Path(WEIR).parent / "tests" / "forward"
WITNESS = os.environ.get("WITNESS", str(TESTS / "crash" / "witness"))
SCRIBBLE = os.environ.get("SCRIBBLE", str(TESTS / "model" / "scribble"))

FACE = struct.Struct("<IIII")
LANE = struct.Struct("<iIQ")
LANES = 8
# of struct book, ../model/book.h
FAILED, WHY, WHY_ROOM, TOTAL = 44, 56, 8192, 8648


class Ledger:
    """The part of a witness's ledger (ledger.h) that is for us."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 4096)

    def face(self):
        return FACE.unpack_from(self.map, 0)

    def failed(self):
        return self.face()[0]

    def why(self):
        place = FACE.size + LANES * LANE.size
        return self.map[place:place + 1024].rstrip(b"\0").decode()

    def lanes(self):
        """(pid, deaths, operations) of each."""
        return [LANE.unpack_from(self.map, FACE.size + i * LANE.size)
                for i in range(self.face()[3])]

    def operations(self):
        return [lane[2] for lane in self.lanes()]

    def stop(self):
        self.map[4:8] = (1).to_bytes(4, "little")

    def let_fail(self):
        """Calls may fail from now on; who sees it ends."""
        self.map[8:12] = (1).to_bytes(4, "little")


class Book:
    """The same of a scribble's book (../model/book.h)."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 16384)

    def failed(self):
        return int.from_bytes(self.map[FAILED:FAILED + 4], "little")

    def why(self):
        return self.map[WHY:WHY + WHY_ROOM].split(b"\0")[0].decode()

    def lanes(self):
        return []

    def operations(self):
        return [int.from_bytes(self.map[TOTAL:TOTAL + 8], "little")]
