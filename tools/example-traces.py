#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes examples/traces anew: each kernel on each MPI, recorded and masked.

usage: example-traces.py [BUILD-FOLDER]

Also writes the table of examples/traces/README.md: what each shows, and what
`weir report` says of it. Needs both MPIs; needs some minutes.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TRACES = ROOT / "examples" / "traces"
LAUNCHERS = {
    "mpich": ["mpirun.mpich", "-n"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n"],
}
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

# kernel: ranks, what it is told, what runs before, what there is to see
RUNS = {
    "vpic": (2, "--particles 20000", None,
             "HDF5, eight arrays: each rank writes one piece of each"),
    "bdcats": (2, "--access strided --stride 400 --piece 70",
               ("vpic", "--particles 20000"),
               "HDF5, pieces read at equal distances"),
    "vorpal": (2, "--bx 40 --by 24 --bz 16 --steps 3 --align 0 "
               "--mode independent", None,
               "HDF5, blocks of a field: many short runs, each rank alone"),
    "gcrm": (2, "--resolution 3 --subdomain 1 --levels 8 --steps 3", None,
             "HDF5, cells level by level"),
    "tiny": (2, "--datasets 40 --per-group 20", None,
             "HDF5, a crowd of small datasets and attributes"),
    "flash": (2, "--blocks 4 --cells 4", None,
              "HDF5, a checkpoint and two plot files, collective writes"),
    "flash-pnetcdf": (2, "--blocks 4 --cells 4", None,
                      "the same through PnetCDF"),
    "btio": (4, "--size 12 --dumps 3", None,
             "MPI-IO, a cube cut along its diagonals, collective views"),
    "vectors": (2, "--pieces 400 --steps 2 --mode simple", None,
                "MPI-IO, ranks take turns piece by piece, a call for each"),
    "contig": (2, "--record 65536 --phases 10", None,
               "POSIX, large records one behind the other"),
    "s3d": (2, "--nx 20 --ny 20 --nz 10 --checkpoints 3", None,
            "MPI-IO, checkpoints of four arrays, runs of 160 bytes"),
    "s3d-pnetcdf": (2, "--nx 20 --ny 20 --nz 10 --checkpoints 3", None,
                    "the same through PnetCDF"),
    "ffb": (4, "--steps 42", ("ffb", "--prepare"),
            "small writes of 128 bytes, reads of 4 KiB, 21 files"),
    "pdf": (4, "--shared 12 --own 6 --bytes 16384 --rounds 2", None,
            "temporary files: some only their writer reads, some all"),
    "columns": (1, "--rows 64 --width 128 --chunk 16 --take 16 --cache 1",
                None, "HDF5 without MPI, columns read from compressed rows"),
}


def launched(program, ranks):
    flavour = program.name.rsplit("-", 1)[1]
    start = LAUNCHERS.get(flavour)
    return [*start, str(ranks), program] if start else [program]


def run(words, **more):
    subprocess.run([str(word) for word in words], env=ENVIRONMENT, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   **more)


def make(weir, program, kernel, scratch):
    """The path of the masked trace."""
    ranks, told, before, _ = RUNS[kernel]
    out = scratch / "data"
    shutil.rmtree(scratch)
    scratch.mkdir()
    if before:
        first = program.with_name(program.name.replace(kernel, before[0]))
        run([*launched(first, ranks), *before[1].split(), out], cwd=scratch)
    run([weir, "run", "-q", "--strict", "-o", scratch / "trace", "--",
         *launched(program, ranks), *told.split(), out], cwd=scratch)
    run([weir, "anon", scratch / "trace", scratch / "public"],
        stderr=subprocess.DEVNULL)
    masked, = (scratch / "public").glob("*.weir")
    made = TRACES / f"{program.name}.weir"
    shutil.copyfile(masked, made)
    return made


def told_by_report(weir, trace):
    """Of the report: the layer that takes most time, the first finding."""
    report = json.loads(subprocess.run(
        [weir, "report", "--json", trace], check=True, text=True,
        capture_output=True).stdout)
    layers = report["layers"]
    layer = max(layers, key=lambda name: layers[name]["self"])
    findings = report["findings"]
    return layer, f"`{findings[0]['id']}`" if findings else "none"


def table(rows):
    yield "| trace | what it shows | most time in | first finding |"
    yield "|---|---|---|---|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def write_page(rows):
    page = TRACES / "README.md"
    before, _, rest = page.read_text().partition("| trace |")
    _, _, after = rest.partition("\n\n")
    page.write_text(before + "\n".join(table(rows)) + "\n\n" + after)


def main():
    build = Path(sys.argv[1] if sys.argv[1:] else ROOT / "build").resolve()
    weir = build / "weir"
    rows = []
    with tempfile.TemporaryDirectory(prefix="weir-examples-") as name:
        scratch = Path(name) / "work"
        scratch.mkdir()
        for kernel, (*_, shows) in sorted(RUNS.items()):
            for flavour in ("mpich", "openmpi", "serial"):
                program = build / "kernels" / f"{kernel}-{flavour}"
                if not program.is_file():
                    continue
                made = make(weir, program, kernel, scratch)
                rows.append((f"`{made.name}`", shows,
                             *told_by_report(weir, made)))
                print(*rows[-1], made.stat().st_size, flush=True)
    write_page(rows)
    return 0


sys.exit(main())
