# SPDX-License-Identifier: BSD-3-Clause
"""Plays MPI programs with a plan, and tells what they did to their files."""
import collections
import os
import re
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "mpi"))
import mpirun  # noqa: E402
import weirtool  # noqa: E402

# Without a plan MPI leaves in gaps what lay in memory: zeros, unless they ask
# for something else.
os.environ.pop("MALLOC_PERTURB_", None)

VERDICTS = ("took", "changed", "ignored", "kept", "inert", "refused",
            "given", "unsafe")
READS = {"read", "pread", "readv", "preadv"}
WRITES = {"write", "pwrite", "writev", "pwritev"}
LOCKS = {5, 6, 7, 36, 37, 38}  # F_GETLK to F_SETLKW, and of descriptions


def parameters(spec):
    """{name: {word: text}} of the table."""
    found = {}
    for block in re.split(r"\n(?=param )", Path(spec).read_text())[1:]:
        words = dict(re.findall(r"^  (\S+) +(.+)$", block, re.MULTILINE))
        found[block.split()[2]] = words
    return found


def is_ours(words):
    """Set by hints, before names of files, or variables of an MPI."""
    return words["target"] in ("hint", "name_prefix") or (
        words["target"] == "environment" and
        words["via"].startswith(("OMPI_MCA_", "ROMIO_")))


def write_plan(path, settings):
    """{name: value, or (value, {attribute: text})}"""
    lines = []
    for name, value in settings.items():
        value, more = value if isinstance(value, tuple) else (value, {})
        more = "".join(f" {key}={quoteattr(text)}"
                       for key, text in {"opt-in": "yes", **more}.items())
        lines.append(f"<{name}{more}>{escape(str(value))}</{name}>")
    path.write_text("\n".join(["<plan>", *lines, "</plan>\n"]))


class Facts:
    """What the ranks did to the files, and what became of the settings."""

    def __init__(self, events, files, text):
        ranks = sorted({e["rank"] for e in events if e["call"] == "MPI_Init"})
        self.text = text  # what weir run said
        self.verdicts = collections.Counter(
            (e["args"]["setting"], VERDICTS[int(e["args"]["verdict"])],
             e["args"]["effective"])
            for e in events if e["call"] == "plan_effect")
        own = [[e for e in events if e.get("rank") == rank and
                str(e.get("file", "")).startswith(str(files))]
               for rank in ranks]
        self.ranks = len(ranks)
        self.reads = [self.sizes(e for e in of if e["call"] in READS)
                      for of in own]
        self.writes = [self.sizes(e for e in of if e["call"] in WRITES)
                       for of in own]
        self.later = [self.sizes(e for e in of if e["call"] == "aio_write")
                      for of in own]
        self.locks = [sum(e["call"] == "fcntl" and e["args"]["cmd"] in LOCKS
                          for e in of) for of in own]
        self.bytes = {path.name: path.read_bytes()
                      for path in sorted(files.parent.glob(files.name + "*"))
                      if path.is_file()}

    @staticmethod
    def sizes(events):
        return dict(collections.Counter(e["size"] for e in events))

    def seen(self, what):
        """What is looked at of the calls."""
        return {key: getattr(self, key) for key in what}


def play(flavour, program, words, settings, ranks=2, options=(), env=None,
         folder=False):
    """With `folder` the program is told where its files go, not their name."""
    def once(scratch):
        write_plan(scratch / "plan.xml", settings)
        plan = ["--plan", scratch / "plan.xml"] if settings else []
        (scratch / "files").mkdir()
        files = scratch / "files" / ("" if folder else "file")
        line = mpirun.command(flavour, ranks, program, files, *words)
        done = weirtool.run(
            weirtool.WEIR, "run", "--all", "--buffer", "64M", *plan, *options,
            "-o", scratch / "trace", "--", *line, check=False,
            stdin=weirtool.subprocess.DEVNULL,
            env={**weirtool.mpi_environment(), **(env or {})})
        if done.returncode:
            raise weirtool.Failure(f"{words} {settings}: {done.returncode} "
                                   f"{done.stdout} {done.stderr}")
        if "not recorded: no room" in done.stderr:
            raise weirtool.Lost(done.stderr)
        told = [] if "--profile" in options else \
            weirtool.events(scratch / "trace")
        return Facts(told, files, done.stderr)
    return weirtool.in_whole(once)


def bare(flavour, program, words, ranks=2):
    """The bytes of the files without us."""
    with tempfile.TemporaryDirectory(prefix="weir-bare-") as folder:
        line = mpirun.command(flavour, ranks, program, Path(folder) / "file",
                              *words)
        done = mpirun.bare(line)
        if done.returncode:
            raise weirtool.Failure(f"{line}: {done.returncode} {done.stderr}")
        return {path.name: path.read_bytes()
                for path in sorted(Path(folder).glob("file*"))}
