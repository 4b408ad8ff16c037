# SPDX-License-Identifier: BSD-3-Clause
"""What run-trees.py records: all kernels, and programs in other languages."""
import functools
import subprocess
from pathlib import Path

import ranks
from weirtool import mpi_environment, run

TESTS = Path(__file__).resolve().parent.parent
FORTRAN = ranks.KERNELS.parent / "tests" / "mpi"
HDF5, PNETCDF = ("hdf5", "mpiio"), ("pnetcdf", "mpiio")

# What the calls below those of a program are up to.
PACKAGES = {
    "serial": ("hdf5-serial",),
    "mpich": ("mpich", "hdf5-mpich"),
    "openmpi": ("ompi-c", "hdf5-openmpi", "pnetcdf"),
}
# Debian's Python finds Debian's modules.
PYTHON = "/usr/bin/python3"


@functools.cache
def version(package):
    done = run("pkg-config", "--modversion", package, check=False)
    return f"{package} {done.stdout.strip()}"


@functools.cache
def python_has(modules):
    """The version of h5py, with MPI or without, or nothing."""
    done = run(PYTHON, "-c", f"import {modules}, h5py\n"
               "print(h5py.__version__)", check=False)
    return done.stdout.strip()


class Case:
    """A program with its arguments; OUT stands for where it writes."""

    def __init__(self, name, command, count, layers, **more):
        self.name = name  # of its file
        self.label = more.get("label", name)
        self.command = [str(word) for word in command]
        self.flavour = more.get("flavour", name.split(".")[0].split("-")[-1])
        self.count = count
        self.made_with = [*map(version, PACKAGES[self.flavour]),
                          *more.get("made_with", ())]
        self.layers = layers
        self.before = more.get("before")  # a command that is not recorded
        self.only = more.get("only", "*")  # of the files
        self.uneven = UNEVEN.get(name, ())
        self.are_reads_chance = name in READS_ARE_CHANCE

    def head(self):
        """The first lines of its file: what it is of."""
        words = [self.name, *(word for word in self.command[1:]
                              if word != "OUT" and "/" not in word)]
        return (f"# {' '.join(words)}, ranks: {self.count}\n"
                f"# made with {', '.join(self.made_with)}\n")

    def start(self, command, out, before=()):
        words = [str(word).replace("OUT", str(out)) for word in command]
        return subprocess.run(
            [*before, *ranks.launcher(f"-{self.flavour}", self.count), *words],
            env=mpi_environment(), stdin=subprocess.DEVNULL, text=True,
            capture_output=True, timeout=300, cwd=out.parent)


# kernel, what tells the case from others, arguments, ranks, layers
KERNELS = (
    ("vpic", "", "--particles 100", 2, HDF5),
    ("vpic", "collective", "--particles 100 --mode collective", 2, HDF5),
    ("bdcats", "", "--access strided --stride 40 --piece 7", 2, HDF5),
    ("vorpal", "", "--bx 4 --by 3 --bz 2 --steps 2 --align 0", 2, HDF5),
    ("gcrm", "", "--resolution 2 --subdomain 1 --levels 2 --steps 2", 2,
     HDF5),
    ("gcrm", "grouped", "--resolution 2 --subdomain 1 --levels 2 --steps 1 "
     "--group 2 --chunk --mode collective", 4, HDF5),
    ("tiny", "", "--datasets 4 --per-group 2", 2, HDF5),
    ("flash", "", "--blocks 2 --cells 2", 2, HDF5),
    ("btio", "", "--size 6 --dumps 2", 4, ("mpiio",)),
    ("btio", "independent", "--size 6 --dumps 2 --mode independent", 4,
     ("mpiio",)),
    ("vectors", "", "--piece 64 --pieces 8 --steps 2", 2, ("mpiio",)),
    ("contig", "", "--record 4096 --phases 3", 2, ()),
    ("contig", "mpiio", "--record 4096 --phases 3 --api mpiio", 2,
     ("mpiio",)),
    ("s3d", "", "--nx 2 --ny 2 --nz 2 --checkpoints 2", 2, ("mpiio",)),
    ("s3d", "posted", "--nx 2 --ny 2 --nz 2 --checkpoints 1 --mode posted",
     2, ()),
    ("flash", "posted", "--blocks 2 --cells 2 --mode posted", 2, ()),
    ("columns", "", "--rows 64 --width 128 --chunk 16 --take 64 --cache 1",
     1, ("hdf5",)),
    ("ffb", "", "--steps 2", 2, ()),
    ("pdf", "", "--shared 4 --own 2 --bytes 8K --request 4096 --rounds 2 "
     "--readers 1", 2, ()),
)
# Which of the layers' bytes are not those of the file, and why.
UNEVEN = {
    # compressed, in whole chunks
    "columns-serial": ("hdf5",),
    # HDF5 keeps what is small until the file is closed
    "h5py_serial": ("hdf5",),
    # ROMIO writes what is between the pieces too, as it has read it
    "btio-mpich.independent": ("mpiio",),
    # and once what both ranks write
    "fortran-mpich": ("mpiio",),
}
# The trees of a kernel's other files would be no news.
ONLY = {
    "flash": "*.chk*",
}
# ROMIO reads before it writes there: what the others have written by then.
READS_ARE_CHANCE = ("btio-mpich.independent",)
BEFORE = {
    "bdcats": ("vpic", "--particles 100"),
    "ffb": ("ffb", "--prepare"),
}


def kernel_cases():
    """Each kernel of every flavour that was built."""
    for kernel, variant, arguments, count, layers in KERNELS:
        for program in ranks.flavours(kernel):
            is_nc = "-pnetcdf-" in program
            if variant == "posted" and not is_nc:
                continue
            command = [ranks.KERNELS / program, *arguments.split(), "OUT"]
            name = ".".join(filter(None, (program, variant)))
            first, more = BEFORE.get(kernel, (None, ""))
            yield Case(
                name, command, count, PNETCDF if is_nc else layers,
                only=ONLY.get(kernel, "*"),
                before=first and [
                    ranks.KERNELS / program.replace(kernel, first),
                    *more.split(), "OUT"])


def other_cases():
    """Fortran and Python."""
    for flavour in ranks.LAUNCHERS:
        for name in ("with_mpif", "with_use_mpi", "with_f08"):
            program = FORTRAN / f"{name}-{flavour}"
            if program.is_file():
                # in every binding they are the same calls
                yield Case(f"fortran-{flavour}", [program, "./"], 2,
                           ("mpiio",), label=program.name)
    for script, modules, flavour, count, layers in (
            ("h5py_serial", "h5py", "serial", 1, ("hdf5",)),
            ("h5py_ranks", "mpi4py, h5py._debian_h5py_mpi", "openmpi", 2,
             HDF5)):
        found = python_has(modules)
        if found:
            yield Case(script, [PYTHON, TESTS / "hdf5" / f"{script}.py",
                                "../list"], count, layers,
                       flavour=flavour, made_with=[f"h5py {found}"])
