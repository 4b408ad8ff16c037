# SPDX-License-Identifier: BSD-3-Clause
"""What can keep a program from being recorded, each with its opposite."""
from dataclasses import dataclass, field, replace

from workshop import FALLOCATE, QUOTACTL

NONE = "none"    # weir run sees nothing of what the program does
WHOLE = "whole"  # it sees it all the same
TWICE = "twice"  # it sees each call two times
TOLD = "told"    # it sees something, and warns that not all is there
ANY = "any"      # cannot be shown here; `why` says so


@dataclass
class Fault:
    """A staged fault: what doctor must say first, and what is true."""
    expected: str           # name of the first finding, or of a note
    command: list
    where: str = ""         # a part of what is told
    truth: str = NONE
    why: str = ""
    note: bool = False
    setup: str = ""         # bash, as root in mounts of its own
    limit: str = ""         # bash, only for the tool that is tried
    options: tuple = ()     # of weir doctor and of weir run
    env: dict = field(default_factory=dict)
    tool: str = ""          # another weir
    as_other: bool = False  # as a user without rights
    plain: bool = False     # recorded by LD_PRELOAD and WEIR_TRACE
    needs_root: bool = False
    control: dict = field(default_factory=dict)  # what makes it well

    def well(self):
        """The same without the fault."""
        return replace(self, **self.control)

    def asks_root(self):
        return bool(self.setup) or self.as_other or self.needs_root


def of_program(w):
    """The command itself."""
    good = {"command": ["./good"]}

    def fault(expected, *command, **more):
        more.setdefault("control", good)
        return Fault(expected, list(command), **more)
    return [
        fault("command-missing", "./no-such-program", where="no-such"),
        fault("command-missing", "no-such-program", where="PATH="),
        fault("command-missing", "nice", "-n", "1", "./no-such-program",
              control={"command": ["nice", "-n", "1", "./good"]}),
        fault("command-not-executable", "./closed", where="./closed"),
        fault("static", "./static", where="./static"),
        fault("static-pie", "./static-pie", where="./static-pie"),
        fault("static", "./static.sh", where="/static"),
        fault("static", "./through-env", where="./static"),
        fault("static", "timeout", "99", "env", "A=b", "./static",
              control={"command": ["timeout", "99", "env", "A=b", "./good"]}),
        fault("interpreter-missing", "./missing.sh",
              where="#!/no/such/interpreter",
              control={"command": ["./plain.sh"]}),
        fault("interpreter-missing", "./dos.sh", where="/bin/sh\\x0d",
              control={"command": ["./plain.sh"]}),
        fault("interpreter-missing", "./relative-lost.sh",
              where="#!../no/good", control={"command": ["./plain.sh"]}),
        fault("interpreter-relative", "./relative.sh", where="#!./good",
              note=True, truth=WHOLE, control={"command": ["./plain.sh"]}),
        fault("script", "./plain.sh", note=True, truth=WHOLE),
        fault("wrong-architecture", "./thirty-two", where="32-bit"),
        fault("loader-missing", "./lost-loader", where="/no/ld-musl.so.1"),
        fault("other-libc", "./other-libc", where="ld-other.so.1"),
        fault("program-library-missing", "./lost-library",
              where="libgone.so",
              control={"env": {"LD_LIBRARY_PATH": str(w.root)}}),
        fault("program-library-missing", "./new-tags", where="libfar.so",
              control={"command": ["./old-tags"]}),
        fault("old-glibc", "./old-libc", where="glibc 2.9"),
        fault("no-libc", "./bare", where="./bare"),
        fault("go", "./go", where="Go build id"),
        fault("library-inside", "./inside", truth=WHOLE,
              where="has HDF5 in its own file"),
    ] + ([fault("wrong-architecture", "./foreign", where="is for aarch64")]
         if w.foreign else [])


def of_rights(w):
    """Rights of files, seen by somebody who is not root."""
    weak = {"limit": "set -- setpriv --no-new-privs \"$@\""}
    nosuid = ("mount --bind $PWD $PWD; "
              "mount -o remount,bind,nosuid $PWD; cd $PWD")
    return [
        Fault("setuid", ["./setuid"], where="./setuid", as_other=True,
              control=weak),
        Fault("setuid", ["./setuid.sh"], where="/setuid", as_other=True,
              control=weak),
        Fault("setuid", ["./setuid"], as_other=True, setup="cd $PWD",
              control={"setup": nosuid}),
        Fault("setgid", ["./setgid"], where="./setgid", as_other=True,
              control=weak),
        Fault("capabilities", ["./capable"], where="./capable",
              as_other=True, setup="cd $PWD", control={"setup": nosuid}),
        Fault("capabilities", ["./capable"], as_other=True, **weak,
              control={"command": ["./good"]}),
        Fault("unreadable", ["./opaque"], where="./opaque", note=True,
              truth=WHOLE, as_other=True, control={"command": ["./good"]}),
        Fault("user-changed", ["setpriv", "--reuid", "65333", "./good"],
              where="setpriv --reuid", needs_root=True,
              control={"command": ["./good"]}),
        Fault("place-unwritable", ["./good"], as_other=True,
              where="Permission denied", options=("-o", "/etc/t"),
              control={"options": ()}),
        Fault("library-unreadable", ["./good"], as_other=True,
              where="secret/libweir.so",
              env={"WEIR_LIBRARY": w.path("secret/libweir.so")},
              control={"env": {}}),
        Fault("limit-processes", ["./good"], as_other=True,
              where="RLIMIT_NPROC", limit="ulimit -u 2",
              control={"limit": "ulimit -u 200"}),
    ]


def of_wrappers(w):
    root = ("mkdir -p root/{lib,lib64,usr,proc,dev/shm,bin}; "
            "for d in lib lib64 usr dev/shm bin; do "
            "[ -d /$d ] && mount --rbind /$d root/$d; done; "
            "mkdir -p root$PWD; cp good data.txt root$PWD; ")
    away = ["chroot", "root", "/usr/bin/env", f"--chdir={w.root}", "./good"]
    here = {"command": ["./good"]}
    return [
        Fault("environment-cleared", ["env", "-i", "./good"], where="env -i",
              control={"command": ["env", "-v", "./good"]}),
        Fault("environment-cleared", ["env", "-", "./good"], where="env -",
              control=here),
        Fault("environment-cleared", ["nice", "sudo", "./good"],
              where="sudo", control=here),
        Fault("preload-replaced", ["env", "-u", "LD_PRELOAD", "./good"],
              where="LD_PRELOAD",
              control={"command": ["env", "-u", "inter", "./good"]}),
        Fault("preload-replaced", ["env", "LD_PRELOAD=libm.so.6", "./good"],
              where="LD_PRELOAD=libm.so.6",
              control={"command": ["env", "LD_PRELOADS=x", "./good"]}),
        Fault("elsewhere", ["ssh", "host", "./good"], where="ssh",
              control=here),
        Fault("contained", ["bwrap", "./good"], where="bwrap", truth=ANY,
              why="it is a stand-in", control=here),
        Fault("root-changed", away, where="root", setup=root,
              control={"setup": root + "mkdir -p root$PWD/bin; "
                       "cp bin/libweir.so root$PWD/bin"}),
    ]


def of_mpi(w):
    why = "there is no MPI here: program and launchers are stand-ins"
    path = {"PATH": f"{w.root}/mpich:/usr/bin:/bin"}
    ompi = "./with-libmpi.so.40"
    both = {"command": ["mpi/mpirun.openmpi", "-n", "2", ompi]}
    return [
        Fault("mpi-mismatch", ["mpi/mpiexec.hydra", "-n", "2", ompi],
              where="is of MPICH", truth=ANY, why=why, control=both),
        Fault("mpi-launcher-unknown", ["mpi/mpirun", "-n", "2", ompi],
              where="mpi/mpirun", truth=ANY, why=why, control=both),
        Fault("mpi-library-unknown", ["./with-libmpi.so.99"],
              where="libmpi.so.99", truth=ANY, why=why,
              control={"command": ["./with-libmpich.so.12"]}),
        Fault("mpi-path", [ompi], where="is of MPICH", note=True,
              truth=WHOLE, env=path,
              control={"command": ["./with-libmpich.so.12"]}),
        Fault("static", ["mpi/mpirun.openmpi", "-n", "2", "--mca", "a", "b",
                         "./static"], where="./static",
              truth=ANY, why=why, control=both),
    ]


def of_library(w):
    good = ["./good"]

    def chosen(expected, name, **more):
        return Fault(expected, good, where=f"{name}/libweir.so",
                     env={"WEIR_LIBRARY": w.path(f"{name}/libweir.so")},
                     control={"env": {}}, **more)
    return [
        Fault("library-missing", good, tool=w.path("lone/weir"),
              where="lone/weir", control={"tool": ""}),
        chosen("library-path", "a b"),
        chosen("library-needs", "needs"),
        chosen("library-broken", "cut"),
        chosen("library-version", "version", truth=ANY,
               why="only its number is another"),
        # Beside this one there is no object for MPI.
        Fault("library-objects", ["./with-libmpi.so.40"], truth=WHOLE,
              where="libweir-mpi.so beside",
              env={"WEIR_LIBRARY": w.path("away/libweir.so")},
              control={"env": {}}),
        Fault("library-objects", ["./plain.sh"], truth=WHOLE,
              where="libweir-mpi.so, libweir-hdf5.so, libweir-pnetcdf.so",
              env={"WEIR_LIBRARY": w.path("away/libweir.so")},
              control={"env": {}}),
        Fault("library-setting", good, env={"WEIR_LIBRARY": "/no/libweir.so"},
              where="WEIR_LIBRARY=/no", note=True, truth=WHOLE,
              control={"env": {}}),
        Fault("library-noexec", good, where="away/libweir.so",
              env={"WEIR_LIBRARY": w.path("away/libweir.so")},
              setup="mount --bind away away; "
              "mount -o remount,bind,noexec away",
              control={"setup": "mount --bind away away"}),
    ]


def of_settings(w):
    good, library = ["./good"], str(w.library)
    on = {"LD_PRELOAD": library, "WEIR_TRACE": "traced"}

    def plain(expected, more=None, **rest):
        rest.setdefault("control", {"env": on})
        return Fault(expected, good, env={**on, **(more or {})}, plain=True,
                     **rest)
    return [
        plain("plain-preload", {"LD_PRELOAD": "/old/libweir.so"},
              where="/old/libweir.so"),
        plain("plain-preload", {"LD_PRELOAD": ""}, where="LD_PRELOAD"),
        plain("plain-trace", {"WEIR_TRACE": ""}, where="WEIR_TRACE"),
        plain("trace-setting", {"WEIR_TRACE": ",4M"}, where="WEIR_TRACE=,4M"),
        plain("trace-size", {"WEIR_TRACE": "traced,4X"}, where="`4X'",
              truth=ANY, why="the trace is there, under another name"),
        plain("live-setting", {"WEIR_LIVE": "/dev/shm/weir-gone"},
              where="/dev/shm/weir-gone"),
        plain("files-setting", {"WEIR_FILES": "+*.h5:data.txt"},
              where="`data.txt'"),
        plain("exclude-all", {"WEIR_FILES": "-*"}, where="'*'"),
        plain("output-no-directory", {"WEIR_TRACE": "data.txt"},
              where="data.txt"),
        plain("place-missing", {"WEIR_TRACE": "no/such/trace"},
              where="no/such"),
        plain("place-read-only", {"WEIR_TRACE": "away/t"},
              where="away", setup="mount -t tmpfs -o ro x away",
              control={"setup": "mount -t tmpfs x away"}),
        plain("memory-missing", where="/dev/shm",
              setup="mount -t tmpfs -o ro x /dev/shm",
              control={"setup": "mount -t tmpfs x /dev/shm"}),
        plain("output-has-trace", {"WEIR_TRACE": "full"}, where="full",
              note=True, truth=WHOLE),
        Fault("preload-twice", good,
              env={"LD_PRELOAD": w.path("away/libweir.so")},
              where="away/libweir.so", truth=TWICE, control={"env": {}}),
        Fault("other-tracer", good,
              env={"LD_PRELOAD": w.path("libdarshan.so")},
              where="libdarshan.so", truth=WHOLE, control={"env": {}}),
        Fault("preload-missing", good, env={"LD_PRELOAD": "/no/libx.so"},
              where="/no/libx.so", note=True, truth=WHOLE,
              control={"env": {}}),
    ]


def of_rules(w):
    good = ["./good"]
    fine = {"options": ("--exclude", "*.log", "--include", "data*")}
    return [
        Fault("exclude-all", good, options=("--exclude", "*"),
              where="--exclude '*'", control=fine),
        Fault("exclude-all", good, options=("--exclude", "x", "--include",
              "data.txt", "--exclude", "/*"), where="'/*'", control=fine),
        Fault("include-none", good, options=("--include", f"{w.root}/"),
              where=str(w.root), control=fine),
        Fault("include-vain", good, options=("--include", "a//b",
              "--include", "data.txt"), where="//b", truth=WHOLE,
              control=fine),
    ]


def of_places(w):
    good, there = ["./good"], {"options": ("-o", "new-trace")}
    small = "mount -t tmpfs -o {} x gone; cp good data.txt gone; "
    return [
        Fault("output-no-directory", good, options=("-o", "data.txt"),
              where="data.txt", control=there),
        Fault("output-used", good, options=("-o", "mpi"), where="mpi",
              control=there),
        Fault("place-missing", good, options=("-o", "no/such/trace"),
              where="no/such", control=there),
        Fault("place-read-only", good, options=("-o", "gone/t"),
              where="gone", setup="mount --bind gone gone; "
              "mount -o remount,bind,ro gone",
              control={"setup": "mount --bind gone gone"}),
        Fault("place-full", good, options=("-o", "gone/t"), where="gone",
              setup=small.format("size=100k") + "dd if=/dev/zero "
              "of=gone/fill bs=1k status=none 2>/dev/null",
              control={"setup": small.format("size=100m")}),
        Fault("place-inodes", good, options=("-o", "gone/t"),
              where="inodes", setup="mount -t tmpfs -o nr_inodes=2 x gone; "
              "touch gone/one", control={"setup": "mount -t tmpfs x gone"}),
        Fault("probe", good, options=("-o", "/proc/trace"), where="/proc",
              needs_root=True, control=there),
        Fault("place-little", good, options=("-o", "gone/t"), note=True,
              truth=WHOLE, where="gone", setup=small.format("size=9m"),
              control={"setup": small.format("size=100m")}),
        Fault("memory-full", good, where="/dev/shm",
              setup="mount -t tmpfs -o size=300k x /dev/shm",
              control={"setup": "mount -t tmpfs -o size=9m x /dev/shm"}),
        Fault("memory-small", good, where="/dev/shm", truth=ANY,
              why="so few calls do not fill it",
              options=("--buffer", "64M"),
              setup="mount -t tmpfs -o size=9m x /dev/shm",
              control={"options": ("--buffer", "4M")}),
        Fault("memory-aside", good, where="/dev/shm", note=True,
              truth=WHOLE, setup="mount -t tmpfs -o ro x /dev/shm",
              control={"setup": "mount -t tmpfs x /dev/shm"}),
        Fault("memory-kind", good, where="/dev/shm", note=True, truth=WHOLE,
              setup="mkdir -p disk; mount --bind disk /dev/shm",
              control={"setup": "mount -t tmpfs x /dev/shm"}),
    ]


CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
GROUP = ("mount -t tmpfs x /sys/fs/cgroup; mkdir /sys/fs/cgroup/memory; "
         "for f in memory.max memory/memory.limit_in_bytes; do "
         "echo {} >/sys/fs/cgroup/$f; done")


def of_machine(w):
    good = ["./good"]

    def limited(expected, limit, enough, where, truth=NONE):
        return Fault(expected, good, limit=f"ulimit {limit}", where=where,
                     truth=truth, control={"limit": f"ulimit {enough}"})
    return [
        limited("limit-file-size", "-f 20", "-f 99000", "RLIMIT_FSIZE"),
        limited("limit-file-size", "-f 200", "-f 99000", "RLIMIT_FSIZE"),
        limited("limit-descriptors", "-n 6", "-n 16", "RLIMIT_NOFILE"),
        limited("limit-addresses", "-v 12000", "-v 400000", "RLIMIT_AS"),
        limited("limit-collector-files", "-n 8", "-n 16", "RLIMIT_NOFILE",
                TOLD),
        limited("limit-collector-memory", "-v 50000", "-v 400000",
                "RLIMIT_AS", TOLD),
        Fault("limit-trace-size", good, limit="ulimit -f 99000", note=True,
              truth=WHOLE, where="RLIMIT_FSIZE", control={"limit": ""}),
        Fault("cgroup-memory", good, setup=GROUP.format("9000000"),
              where="memory", truth=ANY, why="the group is a stand-in",
              control={"setup": GROUP.format("900000000")}),
        Fault("calls-refused", good, limit=f"set -- ./deny {FALLOCATE} "
              "\"$@\"", where="fallocate", control={"limit": ""}),
        Fault("seccomp", good, limit=f"set -- ./deny {QUOTACTL} \"$@\"",
              where="Seccomp: 2", note=True, truth=WHOLE,
              control={"limit": ""}),
        Fault("proc-missing", good, setup="umount -l /proc",
              where="/proc/self/exe", control={"setup": ":"}),
        Fault("clock", good, note=True, truth=WHOLE, where="hpet",
              setup=f"echo hpet >clock; mount --bind clock {CLOCK}",
              control={"setup": f"echo tsc >clock; mount --bind clock "
                       f"{CLOCK}"}),
    ]


def all_faults(workshop):
    for family in (of_program, of_rights, of_wrappers, of_mpi, of_library,
                   of_settings, of_rules, of_places, of_machine):
        yield from family(workshop)
