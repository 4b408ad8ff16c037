#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Build models of disks in.

usage: disks.py OUT.c FILE...

A model's name is that of its file. src/analyse/query/diskmodel.c reads the text, as
it reads files of users.
"""
import json
import sys
from pathlib import Path

HEAD = """/* Made from spec/disks by spec/gen/disks.py. */
#include "analyse/query/diskmodel.h"

const struct weir_diskmodel_text weir_diskmodel_texts[] = {
"""


def quoted(text):
    return "\n\t  ".join(json.dumps(line + "\n") for line in
                         text.splitlines())


def main(out, *paths):
    rows = []
    for path in sorted(map(Path, paths)):
        text = path.read_text(encoding="ascii")
        rows.append(f'\t{{ "{path.name}",\n\t  {quoted(text)} }},\n')
    Path(out).write_text(HEAD + "".join(rows) + "\t{ 0 },\n};\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
