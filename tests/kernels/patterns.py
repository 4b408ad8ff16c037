#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What kernels do is what the models say: each run, in order, of each rank.

Every rank is recorded; transfers of the kernel's file are set beside the
model's. Where the libraries place datasets is asked of their own tools.
"""
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import models
import ranks
from weirtool import Failure, Tap, events

WRITES = {"write", "pwrite", "writev", "pwritev", "pwritev2"}
READS = {"read", "pread", "readv", "preadv", "preadv2"}


def places_h5(path):
    """{dataset: (offset, bytes)} of a file with contiguous datasets."""
    text = subprocess.run(["h5dump", "-p", "-H", str(path)], check=True,
                          capture_output=True, text=True).stdout
    found, names, name, size = {}, [], None, 0
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        while names and names[-1][0] >= depth:
            names.pop()
        match = re.match(r'\s*(GROUP|DATASET) "([^"]*)"', line)
        if match:
            names.append((depth, match[2].strip("/")))
            name = "/" + "/".join(n for _, n in names if n)
        if match := re.match(r"\s*SIZE (\d+)", line):
            size = int(match[1])
        if match := re.match(r"\s*OFFSET (\d+)", line):
            found[name] = int(match[1]), size
    return found


def places_nc(path):
    text = subprocess.run(["ncoffsets", "-s", str(path)], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for name, start, size in re.findall(
            r"\w+\s+(\w+)\(.*?start file offset =\s*(\d+).*?"
            r"size in bytes\s*=\s*(\d+)", text, re.S):
        found["/" + name] = int(start), int(size)
    return found


def place_all(path):
    """A plain file is one place."""
    return {"": (0, path.stat().st_size)}


def places_raw(sizes):
    """Arrays one after the other."""
    def places(path):
        found, at = {}, 0
        for name, size in sizes:
            found[name] = at, size
            at += size
        return found
    return places


def transfers(trace, path, calls):
    """(offset, bytes) of the calls on a file, in order of their start."""
    wanted = {name for name in calls}
    return [(e["off"], e["ret"]) for e in events(trace)
            if e["call"] in wanted and e.get("file") == str(path) and
            e.get("ret", -1) > 0 and "off" in e]


def located(moves, places):
    """Moves as runs of places; those of no place are the library's own."""
    for at, size in moves:
        for name, (start, length) in places.items():
            if start <= at and at + size <= start + length:
                yield name, at - start, size
                break


class Case:
    """One kernel with its arguments, and what it must do."""

    def __init__(self, kernel, arguments, model, counts, **more):
        self.kernel = kernel
        self.arguments = arguments
        self.model = model  # (rank, ranks) -> runs
        self.counts = counts  # numbers of ranks
        self.places = more.get("places", place_all)
        self.suffix = more.get("suffix", "")
        self.calls = more.get("calls", WRITES)
        self.before = more.get("before")  # (kernel, arguments)
        self.only = more.get("only", "")  # programs that contain this

    def programs(self):
        return [name for name in ranks.flavours(self.kernel)
                if self.only in name]


def differ(want, got):
    """None, or where two lists of runs differ."""
    if want == got:
        return None
    for i, (a, b) in enumerate(zip(want, got)):
        if a != b:
            return f"run {i}: {b}, should be {a}"
    return f"{len(got)} runs, should be {len(want)}"


def run_case(case, program, count, work):
    """None, or what is wrong."""
    out = work / "out"
    if case.before:
        first, arguments = case.before
        done = ranks.start(program.replace(case.kernel, first), count,
                           [*arguments, out])
        if done.returncode:
            return f"before: {done.stderr}"
    traces = work / "traces"
    traces.mkdir()
    done = ranks.start(program, count, [*case.arguments, out], traces, work)
    if done.returncode:
        return f"status {done.returncode}: {done.stdout}{done.stderr}"
    return compare(case, count, Path(f"{out}{case.suffix}"), traces)


def compare(case, count, path, traces):
    places = case.places(path)
    for rank in range(count):
        want = list(case.model(rank, count))
        moves = transfers(traces / str(rank), path, case.calls)
        wrong = differ(want, list(located(moves, places)))
        if wrong:
            return f"rank {rank}: {wrong}"
        if not want:
            return f"rank {rank}: the model says nothing"
    return None


def requests(trace, directory):
    """{file: [bytes]} of reads and of writes below a directory."""
    found = defaultdict(list), defaultdict(list)
    for e in events(trace):
        side = 0 if e["call"] in READS else 1 if e["call"] in WRITES else None
        if side is None or e.get("ret", 0) <= 0:
            continue
        if e.get("file", "").startswith(f"{directory}/"):
            found[side][Path(e["file"]).name].append(e["ret"])
    return found


def run_files(program, arguments, model, count, work):
    """The kernels of many plain files: requests of each file, in order."""
    out, traces = work / "out", work / "traces"
    traces.mkdir()
    if program.startswith("ffb"):
        ranks.start(program, count, [*arguments, "--prepare", out])
    done = ranks.start(program, count, [*arguments, out], traces, work)
    if done.returncode:
        return f"status {done.returncode}: {done.stdout}{done.stderr}"
    for rank in range(count):
        for side, want in enumerate(model(rank, count)):
            got = dict(requests(traces / str(rank), out)[side])
            if got != want:
                return (f"rank {rank}: {'wrote' if side else 'read'} "
                        f"{sorted(got)[:4]}…, should be {sorted(want)[:4]}…")
    return None


def run_columns(chunk, take, work):
    """Each chunk is written once, whole, and read for every few columns.

    How long a compressed chunk is only its writing tells; the cache is too
    small to keep one.
    """
    rows, width = 64, 128
    out, traces = work / "out", work / "traces"
    traces.mkdir()
    done = ranks.start("columns-serial", 1,
                       ["--rows", rows, "--width", width, "--chunk", chunk,
                        "--take", take, "--cache", 1, out], traces, work)
    if done.returncode:
        return f"status {done.returncode}: {done.stdout}{done.stderr}"
    least = chunk * width * 8 // 2  # random doubles do not compress well
    written = [move for move in transfers(traces / "0", out, WRITES)
               if move[1] > least]
    if len(written) != rows // chunk:
        return f"{len(written)} chunks written, should be {rows // chunk}"
    seen = [move for move in transfers(traces / "0", out, READS)
            if move[1] > least]
    return differ(written * (width // take), seen)


def vorpal_case(block, differs, steps, grids):
    """A case for each grid of ranks."""
    for grid in grids:
        arguments = ["--mode", "independent", "--comps", 3, "--steps", steps]
        for axis, size, diff, number in zip("xyz", block, differs, grid):
            arguments += [f"--b{axis}", size, f"--a{axis}", diff,
                          f"--n{axis}", number]
        yield Case("vorpal", arguments,
                   lambda r, n, g=grid: models.vorpal(r, n, g, block, 3, steps,
                                                      differs),
                   [grid[0] * grid[1] * grid[2]], places=places_h5)


def s3d_case(block, grid):
    arguments = ["--mode", "independent", "--checkpoints", 1]
    for axis, size, number in zip("xyz", block, grid):
        arguments += [f"--n{axis}", size, f"--p{axis}", number]
    points = 8
    for size, number in zip(block, grid):
        points *= size * number
    sizes = [(f"/{name}", scalars * points) for name, scalars in
             (("yspecies", 11), ("u", 3), ("pressure", 1), ("temp", 1))]
    count = [grid[0] * grid[1] * grid[2]]

    def model(rank, n):
        return models.s3d(rank, n, grid, block)

    yield Case("s3d", arguments, model, count, suffix=".0", places=places_nc,
               only="pnetcdf")
    for only in ("s3d-mpich", "s3d-openmpi"):
        yield Case("s3d", arguments, model, count, suffix=".0", only=only,
                   places=places_raw(sizes))


def flash_case(blocks, cells, counts):
    """All three files by HDF5 on one MPI; the first by all libraries."""
    for suffix, only in (("chk", "flash-mpich"), ("chk", "flash-openmpi"),
                         ("chk", "pnetcdf"), ("plt_cnt", "flash-openmpi"),
                         ("plt_crn", "flash-openmpi")):
        yield Case("flash", ["--mode", "independent", "--blocks", blocks,
                             "--cells", cells],
                   lambda r, n, s=suffix: models.flash(r, n, blocks, cells, s),
                   counts, suffix=f".{suffix}", only=only,
                   places=places_nc if only == "pnetcdf" else places_h5)


def all_cases():
    for particles in (500, 1000):
        yield Case("vpic", ["--particles", particles],
                   lambda r, n, p=particles: models.vpic(r, n, p), [1, 2],
                   places=places_h5)
        yield Case("bdcats", ["--access", "strided", "--stride", 40,
                              "--piece", 7],
                   lambda r, n, p=particles: models.bdcats(r, n, p * n, 40, 7),
                   [1, 2], places=places_h5, calls=READS,
                   before=("vpic", ["--particles", particles]))
    yield from vorpal_case((4, 3, 2), (0, 0, 0), 2, [(1, 1, 1), (2, 1, 1)])
    yield from vorpal_case((5, 4, 3), (1, 1, 1), 1, [(1, 2, 1), (2, 2, 1)])
    for resolution, edge in ((2, False), (3, True)):
        yield Case("gcrm", ["--resolution", resolution, "--subdomain", 1,
                            "--steps", 2, "--variable",
                            "edge" if edge else "pressure"],
                   lambda r, n, k=resolution, e=edge: models.gcrm(
                       r, n, k, 2, edge=e), [1, 2], places=places_h5)
    for datasets, elements in ((7, 16), (130, 5)):
        yield Case("tiny", ["--datasets", datasets, "--elements", elements],
                   lambda r, n, d=datasets, e=elements: models.tiny(
                       r, n, d, e), [1, 2], places=places_h5)
    yield from flash_case(4, 4, [1])
    yield from flash_case(3, 2, [4])
    for points, dumps in ((12, 2), (13, 1)):
        yield Case("btio", ["--size", points, "--dumps", dumps, "--mode",
                            "simple"],
                   lambda r, n, p=points, d=dumps: models.btio(r, n, p, d),
                   [1, 4])
    for piece, pieces in ((64, 30), (1024, 9)):
        for mode in ("independent", "simple"):
            yield Case("vectors", ["--piece", piece, "--pieces", pieces,
                                   "--steps", 2, "--mode", mode],
                       lambda r, n, b=piece, k=pieces: models.vectors(
                           r, n, b, k, 2), [2, 3])
    for record, records in ((4096, 1), (128, 3)):
        for api in ("posix", "mpiio"):
            yield Case("contig", ["--record", record, "--records", records,
                                  "--phases", 5, "--api", api],
                       lambda r, n, b=record, k=records: models.contig(
                           r, n, b, 5, k), [1, 2])
    yield from s3d_case((4, 3, 2), (2, 1, 1))
    yield from s3d_case((3, 2, 2), (2, 2, 1))


def check(tap, label, work, run):
    with tempfile.TemporaryDirectory(dir=work) as place:
        try:
            wrong = run(Path(place))
        except Failure as failure:
            wrong = str(failure)
    tap.result(not wrong, label, (wrong or "").splitlines())


def main():
    tap = Tap()
    work = Path(".").resolve()
    for case in all_cases():
        for program in case.programs() or [None]:
            for count in case.counts:
                label = (f"{program or case.kernel}{case.suffix} on {count}: "
                         f"{' '.join(map(str, case.arguments))}")
                if not program:
                    tap.skip(label, "not built")
                    continue
                check(tap, label, work,
                      lambda place: run_case(case, program, count, place))
    for chunk, take in ((16, 32), (8, 64)):
        if ranks.flavours("columns"):
            check(tap, f"columns-serial: chunks of {chunk} rows, {take} a time",
                  work, lambda place: run_columns(chunk, take, place))
        else:
            tap.skip("columns-serial", "not built")
    for steps, count in ((42, 4), (5, 2)):
        for program in ranks.flavours("ffb"):
            check(tap, f"{program} on {count}: {steps} steps", work,
                  lambda place: run_files(
                      program, ["--steps", steps],
                      lambda r, n: models.ffb(r, n, steps), count, place))
    for shared, count in ((19, 2), (8, 3)):
        arguments = ["--shared", shared, "--own", 5, "--bytes", 10000,
                     "--request", 4096, "--rounds", 4, "--readers", 1]
        for program in ranks.flavours("pdf"):
            check(tap, f"{program} on {count}: {shared} shared", work,
                  lambda place: run_files(
                      program, arguments,
                      lambda r, n: models.pdf(r, n, shared, 5, 10000, 4096, 4,
                                              1), count, place))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
