# SPDX-License-Identifier: BSD-3-Clause
"""Whether what a report prints is what doc/report.schema.json describes."""
import json
import subprocess
from pathlib import Path

from weirtool import WEIR

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("1..0 # SKIP python3-jsonschema is missing")
    raise SystemExit(0)

DOC = Path(__file__).resolve().parents[2] / "doc"
SCHEMA = json.loads((DOC / "report.schema.json").read_text())
WHOLE, DAMAGED, REFUSED = 0, 4, 5  # what weir returns


def report(trace, *options):
    """A finished process."""
    return subprocess.run([WEIR, "report", *options, str(trace)],
                          capture_output=True, timeout=300)


def faults(told):
    """Lines: what of a parsed report is not as described."""
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"[:300]
            for error in Draft202012Validator(SCHEMA).iter_errors(told)]


def keys(schema=SCHEMA):
    """All that the description names."""
    if isinstance(schema, dict):
        for word in schema.get("properties", {}):
            yield word
        for part in schema.values():
            yield from keys(part)


def checked(trace, allowed=(WHOLE,)):
    """(status, the report or None, faults); text must go as well."""
    done = report(trace, "--json")
    wrong = []
    if done.returncode not in allowed:
        wrong.append(f"status {done.returncode}: {done.stderr[:300]}")
    for option in ("--details", "--top=2"):
        other = report(trace, option)
        if other.returncode != done.returncode:
            wrong.append(f"{option}: status {other.returncode}")
        if any(byte < 32 and byte != 10 for byte in other.stdout):
            wrong.append(f"{option}: prints what terminals obey")
    if done.returncode in (DAMAGED, REFUSED) and not done.stderr.startswith(
            b"weir: "):
        wrong.append(f"no word about status {done.returncode}")
    if done.returncode not in (WHOLE, DAMAGED):
        return done.returncode, None, wrong + (
            ["prints something"] if done.stdout else [])
    told = json.loads(done.stdout)
    return done.returncode, told, wrong + faults(told)
