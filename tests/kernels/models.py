# SPDX-License-Identifier: BSD-3-Clause
"""What each kernel must write or read, from the descriptions alone.

A model yields, for a rank, its runs in order: (place, offset, bytes), where
a place is a dataset, a variable or a file, and the offset counts from its
beginning. None of the kernels' code is used here.
"""
from itertools import product

I32 = F32 = 4
F64 = 8


def block_runs(place, width, whole, start, count):
    """The runs of a block of an array, the last dimension the fastest."""
    lines = product(*[range(s, s + c) for s, c in zip(start[:-1], count[:-1])])
    for line in lines:
        at = 0
        for index, length in zip((*line, start[-1]), whole):
            at = at * length + index
        yield place, at * width, count[-1] * width


def joined(runs):
    """Runs of one transfer that continue each other are one run."""
    last = None
    for place, at, size in runs:
        if last and last[0] == place and last[1] + last[2] == at:
            last = place, last[1], last[2] + size
            continue
        if last:
            yield last
        last = place, at, size
    if last:
        yield last


def vpic(rank, ranks, particles):
    for name in ("x", "y", "z", "id1", "id2", "px", "py", "pz"):
        yield f"/Step#0/{name}", rank * particles * F32, particles * F32


def bdcats(rank, ranks, particles, stride=0, piece=0):
    """Of all particles; without a stride the whole part."""
    share = particles // ranks
    for name in ("x", "y", "z", "id1", "id2", "px", "py", "pz"):
        place = f"/Step#0/{name}"
        if not stride:
            yield place, rank * share * F32, share * F32
        for i in range(share // stride if stride else 0):
            yield place, (rank * share + i * stride) * F32, piece * F32


def vorpal(rank, ranks, grid, block, comps, steps, differ=(0, 0, 0)):
    """grid, block, differ: x, y, z."""
    index = (rank % grid[0], rank // grid[0] % grid[1],
             rank // (grid[0] * grid[1]))
    sizes = [[block[d] + (i % 3 - 1) * differ[d] for i in range(grid[d])]
             for d in range(3)]
    scale = (comps, 1, 1)
    whole = [sum(sizes[d]) * scale[d] for d in (2, 1, 0)]
    start = [sum(sizes[d][:index[d]]) * scale[d] for d in (2, 1, 0)]
    count = [sizes[d][index[d]] * scale[d] for d in (2, 1, 0)]
    for step in range(steps):
        yield from joined(block_runs(f"/Step#{step}/E", F64, whole, start,
                                     count))


def gcrm(rank, ranks, resolution, steps, levels=25, edge=False):
    cells = 10 * 4 ** resolution
    rows = (6, levels) if edge else (1, levels + 1)
    for step in range(steps):
        yield from block_runs(f"/Step#{step}/data", F32, (*rows, cells + 2),
                              (0, 0, cells // ranks * rank),
                              (*rows, cells // ranks))


def tiny(rank, ranks, datasets, elements, per_group=100):
    for i in range(datasets):
        place = f"/group{i // per_group:06d}/set{i:08d}"
        yield place, rank * elements * F64, elements * F64


def flash(rank, ranks, blocks, cells, suffix):
    """One of the three files."""
    mine = [blocks + r % 3 for r in range(ranks)]
    first, count = sum(mine[:rank]), mine[rank]
    side = cells + (suffix == "plt_crn")
    width, variables = (F64, 24) if suffix == "chk" else (F32, 4)
    rows = [("lrefine", I32), ("nodetype", I32), ("gid", 15 * I32),
            ("coordinates", 3 * F64), ("blocksize", 3 * F64),
            ("bndbox", 6 * F64)]
    rows += [(f"var{i + 1:02d}", side ** 3 * width) for i in range(variables)]
    for name, row in rows:
        yield f"/{name}", first * row, count * row


def btio(rank, ranks, points, dumps):
    """Cells along the diagonals; runs of each, cell by cell."""
    side = round(ranks ** 0.5)
    assert side * side == ranks
    sizes = [points // side + (i < points % side) for i in range(side)]
    starts = [sum(sizes[:i]) for i in range(side)]
    for dump in range(dumps):
        for c in range(side):
            x, y, z = (rank + c) % side, (rank // side - c) % side, c
            for _, at, size in block_runs(
                    "", 40, (points,) * 3, (starts[z], starts[y], starts[x]),
                    (sizes[z], sizes[y], sizes[x])):
                yield "", dump * points ** 3 * 40 + at, size


def vectors(rank, ranks, piece, pieces, steps):
    for i in range(pieces * steps):
        yield "", (i * ranks + rank) * piece, piece


def contig(rank, ranks, record, phases, records=1):
    for i in range(phases * records):
        yield "", (i * ranks + rank) * record, record


def s3d(rank, ranks, grid, block):
    """One checkpoint."""
    index = (rank % grid[0], rank // grid[0] % grid[1],
             rank // (grid[0] * grid[1]))
    whole = [grid[d] * block[d] for d in (2, 1, 0)]
    start = [index[d] * block[d] for d in (2, 1, 0)]
    count = [block[d] for d in (2, 1, 0)]
    for name, scalars in (("yspecies", 11), ("u", 3), ("pressure", 1),
                          ("temp", 1)):
        yield from joined(block_runs(f"/{name}", F64, (scalars, *whole),
                                     (0, *start), (scalars, *count)))


def ffb(rank, ranks, steps):
    """{file: [bytes of each request]}, reads and writes."""
    reads = {"parameters": [4096], f"mesh.{rank:04d}": [4096] * 99,
             f"boundary.{rank:04d}": [4096] * 40}
    writes = {f"history.{rank:04d}": [128] * 9 * steps,
              f"probe.{rank:04d}": [128] * 4 * steps,
              f"result.{rank:04d}": [128] * 94}
    return reads, writes


def pdf(rank, ranks, shared, own, size, request, rounds, readers, period=3):
    """{file: [bytes of each request]}, reads and writes."""
    whole = [min(request, size - at) for at in range(0, size, request)]
    written = len(range(0, rounds, period))
    writes = {f"temporary.{i:06d}": whole * written
              for i in range(shared) if i % ranks == rank}
    writes |= {f"own.{i - shared:06d}": whole * written
               for i in range(shared, shared + own) if i % ranks == rank}
    reads = {f"temporary.{i:06d}": whole * rounds for i in range(shared)
             if 1 <= (rank - i) % ranks <= readers}
    return reads, writes
