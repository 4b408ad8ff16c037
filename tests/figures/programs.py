# SPDX-License-Identifier: BSD-3-Clause
"""Programs of all kinds, small: what `weir run` gets, by a name."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kernels"))
import ranks  # noqa: E402

PYTHON = "/usr/bin/python3"  # Debian's, with h5py and mpi4py

# What runs in a shell. `#`: it is not the same twice, calls or files.
SCRIPTS = {
    "tar and gzip #": "tar czf all.tgz tree",
    "tar xz #": "tar czf all.tgz tree; mkdir out; tar xzf all.tgz -C out",
    "git #": "git init -q repo; cd repo; cp -r ../tree .; git add .; "
             "git -c user.name=a -c user.email=b@c commit -qm one; "
             "git status >/dev/null; git log >/dev/null",
    "sqlite3 #": "sqlite3 db 'create table t(a,b); with recursive c(n) as "
                 "(select 1 union all select n+1 from c where n<500) insert "
                 "into t select n, hex(n*n) from c; select sum(a) from t'",
    "make #": "printf 'all: a b c\\n%%: tree/%%.txt\\n\\tcat $< >$@; "
              "wc -l $@ >>log\\n' >Makefile; make -s -j2",
    "cc #": "printf '#include <stdio.h>\\nint main(void) { puts(\"x\"); }' "
            ">a.c; gcc -pipe -o a a.c && ./a",
    "copies": "cp -r tree copy; mv copy moved; rm -r moved",
    "dd": "dd if=/dev/zero of=x bs=4k count=50 conv=fsync status=none",
    "sort": "cat tree/* | sort -S 64k -T . >sorted; uniq -c sorted >counts",
    "grep": "grep -r nothing tree; find tree -name '*.txt' | wc -l",
    "failing calls": "cat tree/none none/none; ls /nonesuch; true",
    "many processes #": "seq 30 | xargs -P 4 -n 3 sh -c 'cat tree/a.txt' "
                        ">all",
    "a temporary file": "t=$(mktemp -p .); cat tree/* >$t; rm $t",
    "here documents": "for i in 1 2 3; do cat <<END >>log\n$i\nEND\ndone",
    "head #": "cat tree/a.txt tree/b.txt | head -c 1000 | od >dump",
    "nothing": "true",
    "diff": "cp -r tree other; echo x >>other/a.txt; diff -r tree other; "
            "cmp tree/b.txt other/b.txt",
    "killed #": "dd if=/dev/zero of=x bs=1k count=20 status=none; "
                "kill -9 $$",
}

LOADER = """
import os, threading
def load(part):
    for name in sorted(os.listdir("tree"))[part::2]:
        with open(f"tree/{name}", "rb") as file:
            for _ in iter(lambda: file.read(512), b""):
                pass
threads = [threading.Thread(target=load, args=(i,)) for i in range(2)]
[t.start() for t in threads]; [t.join() for t in threads]
"""
MAPPED = """
import mmap
with open("m", "w+b") as file:
    file.truncate(65536)
    with mmap.mmap(file.fileno(), 65536) as m:
        m[100:200] = b"x" * 100
        m.flush()
"""
SUMMED = """
import os, shutil, tempfile
with tempfile.TemporaryFile(dir=".") as file:
    for i in range(100):
        file.write(b"%d" % i * 50)
    file.seek(0); file.read()
shutil.copyfile("tree/a.txt", "copied")
with open("lines", "w") as file:
    print(*range(1000), sep="\\n", file=file)
print(sum(len(line) for line in open("lines")))
os.rename("lines", "renamed")
"""
STORED = """
import h5py, numpy
with h5py.File("h.h5", "w") as file:
    file["a"] = numpy.arange(3000.)
    d = file.create_dataset("b", (64, 64), chunks=(16, 16), dtype="i4")
    d[:] = 7
    d[3, 5] = 8
with h5py.File("h.h5") as file:
    print(file["a"][10:20].sum(), file["b"][:].sum())
"""
RANKS = """
from mpi4py import MPI
world = MPI.COMM_WORLD
file = MPI.File.Open(world, "m.dat", MPI.MODE_CREATE | MPI.MODE_RDWR)
file.Write_at_all(world.rank * 4096, bytearray(4096))
file.Iwrite_at(8192 + world.rank * 100, bytearray(100)).Wait()
file.Read_at(0, bytearray(512))
file.Close()
"""
PYTHONS = {"a data loader #": LOADER, "mmap in Python #": MAPPED,
           "temporary files in Python #": SUMMED, "h5py #": STORED}

KERNELS = {  # ranks, arguments
    "vpic": (2, "--particles 300"),
    "vorpal": (2, "--bx 4 --by 3 --bz 2 --steps 2 --align 0"),
    "gcrm": (2, "--resolution 2 --subdomain 1 --levels 2 --steps 2"),
    "tiny": (2, "--datasets 8 --per-group 2"),
    "flash": (2, "--blocks 2 --cells 2"),
    "btio": (1, "--size 6 --dumps 2 --mode simple"),
    "vectors": (2, "--pieces 20 --steps 2"),
    "contig": (2, "--record 512 --phases 3"),
    "s3d": (2, "--nx 6 --ny 5 --nz 4 --checkpoints 1"),
    "columns": (1, "--rows 16 --width 64 --chunk 4 --take 4 --cache 1"),
}


def shells():
    for name, script in SCRIPTS.items():
        yield name, ["sh", "-c", script], ()
    yield "forwarded", ["sh", "-c", SCRIPTS["dd"]], ("--forward=.",)
    yield "forwarded copies", ["sh", "-c", SCRIPTS["copies"]], ("--forward=.",)


def pythons():
    for name, text in PYTHONS.items():
        yield name, [PYTHON, "-c", text], ()
    yield "mpi4py #", [*ranks.LAUNCHERS["openmpi"], "2", PYTHON, "-c",
                       RANKS], ()


def kernels():
    """What ranks tell each other by files and sockets is not always the
    same."""
    for kernel, (count, arguments) in KERNELS.items():
        for program, path in ranks.flavours(kernel).items():
            yield (f"{program} #", [*ranks.launcher(program, count), path,
                                    *arguments.split(), "out"], ())


GROUPS = {"shells": shells, "pythons": pythons, "kernels": kernels}
