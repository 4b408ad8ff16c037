# SPDX-License-Identifier: BSD-3-Clause
"""What calls do, told from a trace's dictionary, once more."""
import json
import subprocess

from weirtool import WEIR

BY_NAME = {"stat": "stat", "lstat": "stat", "fstat": "stat", "fstatat": "stat",
           "statx": "stat", "fsync": "sync", "fdatasync": "sync",
           "syncfs": "sync", "sync": "sync", "sync_file_range": "sync",
           "msync": "sync", "scandir": "list", "scandirat": "list",
           "glob": "list", "MPI_Init": "library",
           "MPI_Init_thread": "library", "MPI_Finalize": "library",
           "posix_spawn": "process", "posix_spawnp": "process",
           "system": "process", "vfork": "process", "chroot": "process",
           "MPI_Abort": "process"}
BY_ROLE = {"open": "open found how fopen freopen unnamed fpopen dir_open",
           "close": "close sweep fclose dir_close", "read": "read",
           "write": "write print", "stream-read": "get", "stream-write": "put",
           "stream-fill": "fill", "stream-flush": "drain", "copy": "copy",
           "submit": "submit", "complete": "done", "seek": "seek fseek ftell",
           "map": "map map_cut map_use map_move",
           "list": "dir dir_list dir_walk dir_tree"}
ROLES = {role: name for name, roles in BY_ROLE.items()
         for role in roles.split()}
READS, WRITES = ("read", "stream-read"), ("write", "stream-write")
INNER = ("stream-fill", "stream-flush")
SIZED = READS + WRITES + INNER + ("copy", "submit")
MOVES = READS + WRITES + INNER + ("copy", "complete")


class Call:
    """One call of a dictionary."""

    def __init__(self, row, places):
        self.name, self.layer = row["call"], row.get("layer")
        self.kind = BY_NAME.get(self.name) or ROLES.get(row["role"], "other")
        self.told_where = any(places.get(argument["kind"]) == "off"
                              for argument in row["args"])


def calls_of(trace):
    """{name: Call} of all calls that a trace's dictionary knows."""
    done = subprocess.run([WEIR, "dump", "--dictionary", "--format", "jsonl",
                           trace], capture_output=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    places = {row["kind"]: row["place"] for row in rows if "place" in row}
    # The short records of a ring are of the same calls.
    return {row["call"]: Call(row, places) for row in rows
            if "call" in row and row.get("layer") != "recent"}
