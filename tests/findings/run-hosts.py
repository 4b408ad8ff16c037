# SPDX-License-Identifier: BSD-3-Clause
"""Rules about several nodes: do they speak where they should? What takes no
nodes to try is in the unit tests.

usage: run-hosts.py PIECES-MPICH
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import hosts  # noqa: E402
from weirtool import WEIR, Tap  # noqa: E402

RULE = "lone-aggregators"
CASES = [  # name, the hint cb_nodes, words of pieces.c, whether it speaks
    ("one for two nodes", 1, "together 16 1048576", True),
    ("one on each node", 2, "together 16 1048576", False),
]


def told(there, scratch, program, nodes, words):
    hints, trace = scratch / "hints", scratch / "trace"
    hints.write_text(f"cb_nodes {nodes}\nromio_cb_write enable\n"
                     "romio_cb_read enable\n")
    there.run(
        0, [WEIR, "run", "-q", "-o", trace, "--", "mpiexec.hydra",
            "-launcher", "ssh", "-launcher-exec", hosts.Launcher(there).script, "-hosts",
            "one:2,two:2", "-genv", "ROMIO_HINTS", hints, "-n", "4", program,
            *words.split(), "leave"], stdin=subprocess.DEVNULL,
        capture_output=True, timeout=120)
    return json.loads(subprocess.run(
        [WEIR, "report", "--json", trace], capture_output=True, text=True,
        check=True).stdout)


def play(tap, program, name, nodes, words, speaks):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch:
        os.chdir(scratch)
        with hosts.Hosts(scratch) as there:
            said = told(there, Path(scratch), program, nodes, words)
    found = {one["id"]: one for one in said["findings"]}
    wrong = [] if (RULE in found) == speaks else [json.dumps(found)]
    if said["forecast"]["verdict"] != "several-hosts":
        wrong.append(f"forwarding: {said['forecast']}")
    if said["layers"]["mpiio"]["written"] != 64 << 20:
        wrong.append("not all was recorded")
    if speaks and RULE in found and found[RULE]["files"] != 1:
        wrong.append(f"{found[RULE]['files']} files")
    tap.result(not wrong, f"{RULE}: {name}", wrong)


def main():
    tap, program = Tap(), os.path.abspath(sys.argv[1])
    why = hosts.obstacle()
    if not shutil.which("mpiexec.hydra"):
        why = "there is no mpiexec.hydra"
    os.environ["UCX_TLS"] = "tcp,self"
    if why:
        tap.skip(RULE, why)
        return tap.done()
    for case in CASES:
        play(tap, program, *case)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
