# SPDX-License-Identifier: BSD-3-Clause
"""Cases for MPI-IO and HDF5: programs of pieces.c, sets.c and mpi/hints.c."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "mpi"))
import mpirun  # noqa: E402
from cases import Input, case  # noqa: E402

# Rules for which there are cases only where the libraries are.
RULES = {"independent-pieces", "broken-collectives", "cut-collectives",
         "tiny-datasets", "small-selections", "chunks-again", "ignored-hints"}
MPIS = ("mpich", "openmpi")

# Two ranks each; how long they take is not what these are about.
PIECES = [
    case("independent-pieces: 100 bytes at a time",
         "apart 700 100", "independent-pieces interleaved-writes"),
    case("independent-pieces: all ranks together", "together 700 100"),
    case("independent-pieces: one too few", "apart 499 100 together 1 100"),
    case("independent-pieces: just enough", "apart 500 100",
         "independent-pieces interleaved-writes"),
    case("independent-pieces: less than half",
         "apart 500 100 together 501 100", "interleaved-writes"),
    case("independent-pieces: just half", "apart 500 100 together 500 100",
         "independent-pieces interleaved-writes"),
    case("independent-pieces: large ones", "apart 510 65536"),
    case("independent-pieces: each rank its own file", "own 700 100"),
    case("interleaved-writes: for collective calls", "together 1100 100"),
    case("misaligned-writes: each rank for itself", "apart 60 100000",
         "misaligned-writes"),
    case("misaligned-writes: for collective calls", "together 60 100000"),
    case("independent-pieces: small reads", "apart-read 700 100",
         "independent-pieces", has=(Input("shared", 1 << 20, 1),)),
]

# MPICH reads, changes and writes all that such a call spans. It gathers what
# collective calls write, unless it is told not to; Open MPI does not, on two
# ranks.
SIEVED = {
    "mpich": [
        case("cut-collectives: gathered", "turns 700 100"),
        case("cut-collectives: told not to gather", "cut 700 100",
             "cut-collectives"),
        case("cut-collectives: just enough", "cut 501 100",
             "cut-collectives"),
        case("cut-collectives: one too few", "cut 500 100"),
        case("read-modify-write: of data sieving", "sieved 60 512",
             "read-modify-write", has=(Input("shared", 4 << 20, 1),)),
        case("read-modify-write: of data sieving, one too few",
             "sieved 49 512", has=(Input("shared", 4 << 20, 1),)),
    ],
    "openmpi": [
        case("cut-collectives: not gathered", "turns 700 100",
             "cut-collectives"),
        case("cut-collectives: a call for each", "together 1100 100"),
        case("read-modify-write: of pieces with gaps", "sieved 60 512",
             has=(Input("shared", 4 << 20, 1),)),
    ],
}

SERIAL = [
    case("tiny-datasets: 200 of 100 bytes", "many 200 100",
         "tiny-datasets"),
    case("tiny-datasets: the same in one", "many 1 20000"),
    case("tiny-datasets: one too few", "many 99 100"),
    case("tiny-datasets: just enough", "many 100 100", "tiny-datasets"),
    case("small-selections: in one, but in small parts", "slabs 512 512",
         "small-selections"),
    case("small-selections: one too few", "slabs 99 512"),
    case("small-selections: just enough", "slabs 100 512",
         "small-selections"),
    case("small-selections: in large parts", "slabs 110 65536"),
    case("small-selections: fewer than tiny datasets",
         "slabs 100 512 many 102 100", "tiny-datasets"),
    case("chunks-again: a little of each chunk", "chunks 200 1024",
         "chunks-again small-selections"),
    case("chunks-again: the whole chunk", "chunks 200 262144"),
    case("chunks-again: a few parts", "chunks 60 1024"),
    case("chunks-again: a cache for all", "cached 200 1024",
         "small-selections"),
    case("chunks-again: a quarter of each chunk", "chunks 200 65536",
         "chunks-again"),
    case("chunks-again: more than a quarter", "chunks 200 66000"),
]

RANKS = [
    case("broken-collectives: the type is converted", "broken 4 8192",
         "broken-collectives"),
    case("broken-collectives: it is that of the file", "together 4 8192"),
    case("broken-collectives: a header of few bytes", "broken 4 512"),
    case("small-selections: of ranks, each for itself", "apart 256 512",
         "small-selections"),
    case("small-selections: of ranks, together", "together 256 512"),
    case("chunks-again: one rank reads for the others", "gathered 300 8192"),
]


TAKEN = " ".join(f"{name}=1048576" for name in (
    "cb_buffer_size", "ind_rd_buffer_size", "ind_wr_buffer_size"))

# Both MPIs tell of what MPI_File_open was given.
HINTS = [
    case("ignored-hints: none were asked for", "./f open view"),
    case("ignored-hints: all were taken", f"./f open {TAKEN}"),
    case("ignored-hints: the same once more",
         f"./f open {TAKEN} view {TAKEN}"),
    case("ignored-hints: to be automatic",
         "./f open romio_cb_write=automatic view romio_cb_read=automatic"),
]
HINTS_OF = {
    "mpich": [
        case("ignored-hints: not known to ROMIO",
             "./f open collective_bufering=true", "ignored-hints"),
        case("ignored-hints: one of many",
             f"./f open {TAKEN} cb_bufer_size=1", "ignored-hints"),
        case("ignored-hints: no such value",
             "./f open romio_ds_write=perhaps", "ignored-hints"),
        case("ignored-hints: more than there are ranks",
             "./f open cb_nodes=64", "ignored-hints"),
        case("ignored-hints: just as many as can be",
             "./f open cb_nodes=1"),
        case("ignored-hints: of PnetCDF", "./f open nc_var_align_size=512"),
        case("ignored-hints: with a view, and taken",
             "./f open view cb_buffer_size=65536"),
    ],
    "openmpi": [
        case("ignored-hints: a buffer, of a file that is open",
             "./f open info cb_buffer_size=65536", "ignored-hints"),
        case("ignored-hints: a buffer, with a view",
             "./f open view cb_buffer_size=65536", "ignored-hints"),
        case("ignored-hints: another than before",
             "./f open cb_nodes=1 view cb_nodes=2", "ignored-hints"),
        case("ignored-hints: with a view, and taken",
             "./f open view cb_nodes=1 collective_buffering=true"),
    ],
}


def bound(case, name, command):
    return case._replace(name=f"{case.name} ({name})",
                         command=[*command, *case.command])


def cases_for(programs):
    """The cases of the programs that there are, by their kind."""
    found = [bound(case, "serial", [programs["sets-serial"]])
             for case in SERIAL if "sets-serial" in programs]
    for mpi in MPIS:
        for kind, table, ranks in (("pieces", PIECES + SIEVED[mpi], 2),
                                   ("sets", RANKS, 2),
                                   ("hints", HINTS + HINTS_OF[mpi], 2)):
            program = programs.get(f"{kind}-{mpi}")
            found += [bound(case, mpi, mpirun.command(mpi, ranks, program))
                      for case in table if program]
    return found
