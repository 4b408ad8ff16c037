#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The traces in examples/traces are read, and are what their page says.

usage: run-examples.py EXAMPLES-FOLDER"""
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, run  # noqa: E402

ROW = re.compile(r"\| `([\w.-]+\.weir)` \| .* \| (\w+) \| `?([\w-]+)`? \|")
MOST_BYTES = 2 << 20


def faults(trace, layer, finding):
    """What of the page's row is not so."""
    report = json.loads(run(WEIR, "report", "--json", trace).stdout)
    layers = report["layers"]
    most = max(layers, key=lambda name: layers[name]["self"])
    first = report["findings"][0]["id"] if report["findings"] else "none"
    if most != layer:
        yield f"most time in {most}, not in {layer}"
    if first != finding:
        yield f"the first finding is {first}, not {finding}"
    if not run(WEIR, "dump", trace).stdout:
        yield "dump prints nothing"
    if "missing    nothing" not in run(WEIR, "info", trace).stdout:
        yield "something is missing"


def main():
    tap = Tap()
    folder = Path(sys.argv[1])
    rows = ROW.findall((folder / "README.md").read_text())
    there = sorted(path.name for path in folder.glob("*.weir"))
    tap.result(there and sorted(row[0] for row in rows) == there,
               "the page has a row for each trace", there)
    size = sum(path.stat().st_size for path in folder.glob("*.weir"))
    tap.result(size < MOST_BYTES, "together they are small", [size])
    for name, layer, finding in rows:
        wrong = list(faults(folder / name, layer, finding))
        tap.result(not wrong, name, wrong)
    return tap.done()


sys.exit(main())
