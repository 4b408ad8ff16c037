# SPDX-License-Identifier: BSD-3-Clause
"""Which hints an MPI did not take as they were asked for, from the dump."""
import re
from collections import Counter, defaultdict

ON = {"enable", "enabled", "true", "yes", "on", "1"}
OFF = {"disable", "disabled", "false", "no", "off", "0"}
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
SILENT = {"cb_nodes", "collective_buffering"}  # of OMPIO with a view


def meanings(value):
    """Two values mean the same when they have one of these in common."""
    value = value.strip(" \t").lower()
    found = {value}
    number = re.fullmatch(r"(\d+)([kmgt]?)", value)
    if number:
        found.add(int(number[1]) * UNITS[number[2]])
    if re.fullmatch(r"0x[0-9a-f]+", value):
        found.add(int(value, 16))
    return found | {word for word, all_ in (("ON", ON), ("OFF", OFF))
                    if value in all_}


def pairs(text):
    """What is no pair is part of a value with signs like ours."""
    for piece in text.split(";"):
        name, equals, value = piece.partition("=")
        if name and equals:
            yield name, value.strip(" \t")


class Hinted:
    """Calls that ask for hints, in whatever order."""

    def __init__(self, mpi):
        self.mpi = mpi
        self.count, self.files = Counter(), defaultdict(set)

    def is_fine(self, call, name, value, made, is_whole):
        if value.lower() == "automatic":
            return True
        if name in made:
            return bool(meanings(value) & meanings(made[name]))
        return (not is_whole or name.startswith(("nc_", "pnetcdf_")) or
                (self.mpi == "openmpi" and call == "MPI_File_set_view" and
                 name in SILENT))

    def take(self, view, clues):
        args = view.event["args"]
        if view.layer != "mpiio" or "asked" not in args:
            return
        made, bad = dict(reversed(list(pairs(args["hints"])))), []
        asked = list(pairs(args["asked"]))
        for name, value in asked:
            if not self.is_fine(view.call.name, name, value, made,
                                not args["hints"].endswith("...")):
                bad.append((name, value, made.get(name)))
        for hint in bad:
            self.files[hint].add(view.file)
        self.count.update(bad)
        if asked:
            clues.add("ignored-hints", (view.file, view.proc),
                      of=len(asked), count=len(bad),
                      time=view.dur if bad else 0)

    def told(self):
        """{(name, asked, got): (count, files)}"""
        return {hint: (count, len(self.files[hint]))
                for hint, count in self.count.items()}
