# SPDX-License-Identifier: BSD-3-Clause
"""Starts kernels on some ranks, bare or with each rank recorded."""
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import weirtool  # noqa: E402

KERNELS = Path(os.environ.get("KERNELS", "build/kernels")).resolve()

# One launcher for each flavour, which must not be confused.
LAUNCHERS = {
    "mpich": ["mpirun.mpich", "-n"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "-n"],
}

# Each contiguous piece of a transfer is then one call of its own: no data
# sieving, no aggregation.
HINTS = "romio_ds_write disable\nromio_ds_read disable\n"

RECORDED = """exec "$WEIR" run -q -o "$TRACES/${PMI_RANK-$OMPI_COMM_WORLD_RANK}" \
-- "$@"
"""


def flavours(name):
    """The programs of a kernel: {flavour: path}."""
    found = sorted(KERNELS.glob(f"{name}-*"))
    return {path.name: path for path in found
            if path.is_file() and os.access(path, os.X_OK)}


def launcher(program, ranks):
    flavour = program.rsplit("-", 1)[1]
    if flavour == "serial":
        return []
    return [*LAUNCHERS[flavour], str(ranks)]


def start(program, ranks, arguments, traces=None, work=None):
    """Run a kernel; with `traces` record each rank into traces/RANK."""
    command = [str(KERNELS / program), *map(str, arguments)]
    env = weirtool.mpi_environment()
    if traces:
        hints = work / "hints"
        hints.write_text(HINTS)
        env.update(WEIR=weirtool.WEIR, TRACES=str(traces),
                   ROMIO_HINTS=str(hints),
                   PMI_RANK=env.get("PMI_RANK", "0"))
        if launcher(program, ranks):
            del env["PMI_RANK"]
        command = ["sh", "-c", RECORDED, "sh", *command]
    return subprocess.run([*launcher(program, ranks), *command], env=env,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=300)
