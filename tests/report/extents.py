# SPDX-License-Identifier: BSD-3-Clause
"""Which bytes of a file were touched, as a list of pieces."""
from bisect import bisect_left

MOST = 256  # beyond so many pieces a report joins some


class Extents:
    def __init__(self):
        self.pieces = []  # (from, to), in order and apart
        self.most = 0

    def add(self, start, end):
        if start >= end:
            return
        first = bisect_left(self.pieces, (start, start))
        if first and self.pieces[first - 1][1] >= start:
            first -= 1
        last = first
        while last < len(self.pieces) and self.pieces[last][0] <= end:
            start = min(start, self.pieces[last][0])
            end = max(end, self.pieces[last][1])
            last += 1
        self.pieces[first:last] = [(start, end)]
        self.most = max(self.most, len(self.pieces))

    def bytes(self):
        assert self.most < MOST, "too many pieces to be compared exactly"
        return sum(end - start for start, end in self.pieces)
