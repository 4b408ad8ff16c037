# SPDX-License-Identifier: BSD-3-Clause
"""Plans for tests, runs by them, and what was said of them."""
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "lib"))
import tiny_reader  # noqa: E402
import weirtool  # noqa: E402
from weirtool import WEIR  # noqa: E402

PLAN = 12  # the type of the block
VERDICTS = ("took", "changed", "ignored", "kept", "inert", "refused", "given",
            "unsafe")


def write_plan(path, *settings):
    """Each is an element as it stands in the file."""
    path.write_text("<plan>\n" + "".join(f"  <posix>{s}</posix>\n"
                                         for s in settings) + "</plan>\n")
    return path


def variable(name, value, more=""):
    return f"<{name}{more}>{value}</{name}>"


def run(trace, plan, command, *options, env=None, **kwargs):
    kwargs.setdefault("stdin", subprocess.DEVNULL)
    kwargs.setdefault("timeout", 120)
    environment = weirtool.mpi_environment()
    for name in ("HDF5_USE_FILE_LOCKING", "ROMIO_TUNEGATHER"):
        environment.pop(name, None)
    environment.update(env or {})
    return subprocess.run(
        [WEIR, "run", *options, "-o", str(trace), "--plan", str(plan), "--",
         *map(str, command)],
        env=environment, capture_output=True, text=True, **kwargs)


def table(stderr):
    """{setting: what became of it}, as weir run printed it."""
    rows = re.findall(r"^weir:   (\S.*?) {3,}(\S.*)$", stderr, re.M)
    return dict(rows)


def texts(path):
    """The lines of PLAN blocks in a file, by another reader than ours."""
    return [[tuple(line.decode().split("=", 1))
             for line in payload.split(b"\n") if b"=" in line]
            for kind, payload, *_ in tiny_reader.blocks(
                Path(path).read_bytes()) if kind == PLAN]


def stored(path):
    """[(name, {verdict: count})] that a file of a trace holds."""
    names, counts = [], {}
    for lines in texts(path):
        names = [value for key, value in lines if key == "setting"] or names
        for key, value in lines:
            if key == "outcome":
                number, *each = map(int, value.split())
                counts[number] = dict(zip(VERDICTS, each))
    return [(name, counts.get(i, dict.fromkeys(VERDICTS, 0)))
            for i, name in enumerate(names)]

