# SPDX-License-Identifier: BSD-3-Clause
"""Builds the programs, libraries and places that faults are staged with."""
import os
import shutil
import struct
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent / "src"
WEIR = Path(os.environ.get("WEIR", "build/weir")).resolve()
LIBWEIR = WEIR.parent / "libweir.so"
OTHER = 65333  # a user that nobody else is
FALLOCATE, QUOTACTL, RENAMEAT2 = ((285, 179, 316)
                                  if os.uname().machine == "x86_64"
                                  else (47, 60, 276))

# Version 2 of the attribute: CAP_NET_RAW, permitted and effective.
CAPABILITY = struct.pack("<5I", 0x02000001, 1 << 13, 0, 0, 0)


class Workshop:
    """A directory that other users reach, with weir and victims in it."""

    def __init__(self, root):
        self.root = Path(root)
        self.bin = self.root / "bin"
        self.root.chmod(0o755)
        for name in ("bin", "lone", "mpi", "gone", "old", "away",
                     "mpich", "far"):
            (self.root / name).mkdir()
        shutil.copy(WEIR, self.bin / "weir")
        shutil.copy(LIBWEIR, self.bin / "libweir.so")
        for name in ("mpi", "hdf5", "pnetcdf"):
            self.shared(f"bin/libweir-{name}.so", "int weir_stand_in;")
        shutil.copy(WEIR, self.root / "lone" / "weir")
        self.weir = self.bin / "weir"
        self.library = self.bin / "libweir.so"
        self.make_programs()
        self.make_scripts()
        self.make_libraries()
        self.make_mpi()

    def path(self, name):
        return str(self.root / name)

    def compile(self, name, *flags, compiler="gcc", source="victim.c"):
        """Build a program and return its path, or None if that fails."""
        path = self.root / name
        done = subprocess.run(
            [compiler, "-D_GNU_SOURCE", "-O1", "-w", "-fno-stack-protector",
             f"-I{SOURCE}", str(HERE / source), "-o", str(path), *flags],
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            print(f"# {compiler} {name}: {done.stderr.strip()[:200]}")
            return None
        return str(path)

    def shared(self, name, text, *flags):
        path = self.root / name
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o",
                        str(path), f"-Wl,-soname,{path.name}", *flags],
                       input=text, text=True, check=True)
        return str(path)

    def copy(self, name, source, mode=0o755):
        path = self.root / name
        shutil.copy(source, path)
        path.chmod(mode)
        return path

    def script(self, name, text):
        path = self.root / name
        path.write_bytes(text.encode())
        path.chmod(0o755)
        return str(path)

    def make_programs(self):
        self.good = self.compile("good")
        self.static = self.compile("static", "-static")
        self.compile("static-pie", "-static-pie")
        self.compile("go", "-DRAW", "-DGO")
        self.compile("inside", "-Wl,--defsym=H5Fopen=main")
        self.compile("deny", source="deny.c")
        self.compile("polls", "-pthread", source="../trace/polls.c")
        bare = ["-DBARE", "-nostdlib", "-fPIE", "-pie"]
        self.compile("bare", *bare)
        self.compile("lost-loader", "-Wl,-dynamic-linker,/no/ld-musl.so.1")
        self.shared("ld-other.so.1", "void _start(void) { for (;;)"
                    " __builtin_trap(); }", "-nostdlib", "-Wl,-e,_start")
        self.compile("other-libc",
                     f"-Wl,-dynamic-linker,{self.root}/ld-other.so.1")
        self.foreign = self.compile(
            "foreign", compiler="aarch64-linux-gnu-gcc"
            if os.uname().machine == "x86_64" else "x86_64-linux-gnu-gcc")
        data = bytearray(Path(self.good).read_bytes())
        data[4], data[18:20] = 1, b"\x03\0"  # ELFCLASS32, EM_386
        self.copy("thirty-two", self.good).write_bytes(data)
        self.copy("closed", self.good, 0o644)
        self.copy("opaque", self.good, 0o711)
        self.copy("setuid", self.good, 0o4755)
        self.copy("setgid", self.good, 0o2755)
        capable = self.copy("capable", self.good)
        try:
            os.setxattr(capable, "security.capability", CAPABILITY)
        except OSError as error:
            print(f"# no capabilities: {error}")

    def make_scripts(self):
        self.script("plain.sh", "#!/bin/sh\nexec ./good\n")
        self.script("through-env", "#!/usr/bin/env -S nice -n 1 ./static\n")
        self.script("static.sh", f"#!{self.static}\n")
        self.script("setuid.sh", f"#!{self.root}/setuid\n")
        self.script("missing.sh", "#!/no/such/interpreter\n")
        self.script("dos.sh", "#!/bin/sh\r\nexec ./good\r\n")
        self.script("relative.sh", "#!./good\n")
        self.script("relative-lost.sh", "#!../no/good\n")
        self.script("bin/sudo", '#!/bin/sh\nexec env -i "$@"\n')
        self.script("bin/bwrap", '#!/bin/sh\nexec "$@"\n')
        self.script("bin/ssh", '#!/bin/sh\nshift\nexec env -i "$@"\n')

    def make_libraries(self):
        """Libraries that are not as they should be."""
        self.shared("libgone.so", "int gone(void) { return 0; }")
        self.compile("lost-library", "-DNEEDED=gone",
                     f"-L{self.root}", "-lgone", "-Wl,-rpath,/no/where")
        # libnear needs libfar, which only the program's paths lead to.
        self.shared("far/libfar.so", "int far(void) { return 0; }")
        self.shared("libnear.so", "int far(void);"
                    "int near(void) { return far(); }",
                    f"-L{self.root}/far", "-lfar")
        for name, tags in (("new-tags", "--enable-new-dtags"),
                           ("old-tags", "--disable-new-dtags")):
            self.compile(name, "-DNEEDED=near", f"-L{self.root}", "-lnear",
                         f"-Wl,{tags},-rpath,$ORIGIN:$ORIGIN/far",
                         f"-Wl,-rpath-link,{self.root}/far")
        (self.root / "versions").write_text(
            "GLIBC_2.2.5 { global: marker; };\n"
            "GLIBC_2.9 { global: other; } GLIBC_2.2.5;\n")
        self.shared("old/libc.so.6", "int marker(void) { return 0; }"
                    "int other(void) { return 0; }", "-nostdlib",
                    f"-Wl,--version-script,{self.root}/versions")
        self.compile("old-libc", "-DBARE", "-DNEEDED=marker", "-nostdlib",
                     "-fPIE", "-pie", f"-L{self.root}/old", "-l:libc.so.6",
                     "-Wl,-rpath,$ORIGIN/old")
        self.shared("libdarshan.so", "int darshan;")
        self.copy("away/libweir.so", self.library)
        data = self.library.read_bytes()
        for name, old, new in (
                ("version", b"weir\0\0\0\0" + version(), b"weir\0\0\0\0"
                 b"9.9.9"),
                ("needs", b"\0libc.so.6\0", b"\0libq.so.6\0")):
            (self.root / name).mkdir()
            changed = data.replace(old, new)
            assert changed != data, f"libweir.so has no {old}"
            (self.root / name / "libweir.so").write_bytes(changed)
        (self.root / "cut").mkdir()
        (self.root / "cut" / "libweir.so").write_bytes(data[:99999])
        (self.root / "a b").mkdir()
        self.copy("a b/libweir.so", self.library)
        (self.root / "secret").mkdir()
        self.copy("secret/libweir.so", self.library, 0o600)

    def make_mpi(self):
        for name in ("libmpi.so.40", "libmpich.so.12", "libmpi.so.99"):
            self.shared(f"mpi/{name}", "int MPI_Init(void) { return 0; }")
            self.compile(f"with-{name}", "-DNEEDED=MPI_Init",
                         f"-L{self.root}/mpi", f"-l:{name}",
                         "-Wl,-rpath,$ORIGIN/mpi")
        for name in ("mpirun.openmpi", "mpiexec.hydra", "mpirun"):
            self.script(f"mpi/{name}", '#!/bin/sh\nshift 2\nexec "$@"\n')
        (self.root / "mpich" / "mpirun").symlink_to("../mpi/mpiexec.hydra")


def version():
    done = subprocess.run([WEIR, "--version"], capture_output=True,
                          check=True)
    return done.stdout.split()[1]
