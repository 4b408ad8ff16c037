# SPDX-License-Identifier: BSD-3-Clause
"""For tests that are other users: what was built may lie where they cannot
go."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from weirtool import WEIR

TOOL = ("libweir.so", "libweir-*.so", "weir-backend-*.so")


def is_public(path):
    """Every directory above it may be passed by everybody."""
    return all(parent.stat().st_mode & 0o001 for parent in path.parents)


def run_in_public(*trees):
    """This script again, with copies of the tool, and of folders beside it,
    that another user can reach too. Returns its status."""
    built = Path(WEIR).parent
    with tempfile.TemporaryDirectory(prefix="weir-public-") as name:
        place = Path(name)
        place.chmod(0o755)
        for file in (Path(WEIR), *(f for p in TOOL for f in built.glob(p))):
            shutil.copy(file, place)
        for tree in trees:
            shutil.copytree(built / tree, place / tree)
        return subprocess.run([sys.executable, *sys.argv], env=dict(
            os.environ, WEIR=str(place / "weir"))).returncode
