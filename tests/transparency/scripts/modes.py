# SPDX-License-Identifier: BSD-3-Clause
"""Under any umask, what weir makes is its owner's alone, also meanwhile.

usage: modes.py FOLDER OUTPUT

Run by a recorded program: lists the modes of all that is in the trace's
folder and in the shared memory at this moment."""
import stat
import sys
from pathlib import Path

folder, output = map(Path, sys.argv[1:])
live = [link.resolve() for link in folder.glob("*.live")]
with open(output, "w") as out:
    for top in [folder, *live]:
        for path in [top, *top.rglob("*")]:
            mode = path.lstat().st_mode
            kind = "link" if stat.S_ISLNK(mode) else (
                "folder" if stat.S_ISDIR(mode) else "file")
            print(kind, f"{stat.S_IMODE(mode):o}", path.suffix, file=out)
