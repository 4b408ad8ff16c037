# SPDX-License-Identifier: BSD-3-Clause
"""Records a run of cases.py in a folder of its own, and asks for a report."""
import json
import subprocess

from weirtool import WEIR, mpi_environment, must_be_whole, run


def lay_out(folder, inputs):
    """What a run reads: files with nothing in them, of their size."""
    folder.mkdir()
    for one in inputs:
        for i in range(one.count):
            with open(folder / one.name.replace("@", str(i)), "wb") as file:
                file.truncate(one.size)


def told(case, scratch, folder=None):
    """What `weir report --json` says of it; in a folder of its own, or not."""
    trace = scratch / "trace"
    if not folder:
        folder = scratch / "files"
        lay_out(folder, case.has)
    must_be_whole(subprocess.run(
        [WEIR, "run", "--all", "-q", "--strict", "--buffer", "16M", "-o",
         str(trace), "--", *map(str, case.command)], cwd=folder, text=True,
        stdin=subprocess.DEVNULL, capture_output=True,
        env=mpi_environment()))
    return json.loads(run(WEIR, "report", "--json", trace).stdout)
