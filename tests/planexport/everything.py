# SPDX-License-Identifier: BSD-3-Clause
"""Plans with one setting of each parameter, from the table itself."""
import re
from pathlib import Path

SPEC = Path(__file__).resolve().parents[2] / "spec" / "params"
# Others would want more than a value.
SPECIAL = {"transfer_mode": "independent", "stripe_size": "65536"}
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def blocks():
    """Each parameter as a dictionary."""
    block = None
    for line in SPEC.read_text().splitlines():
        words = line.split()
        if line.startswith("param "):
            block = {"name": words[2], "range": ""}
            yield block
        elif re.match(r"  \w", line) and block:
            block[words[0]] = " ".join(words[1:])
        elif re.match(r"\w", line):
            block = None


def number(text):
    return int(text.rstrip("KMGT")) * UNITS.get(text[-1], 1)


def one_value(kind, limits):
    kind = kind.strip().rstrip("?.").strip()
    if "|" in kind:
        return kind.split("|")[-1]
    if kind == "bool":
        return "true"
    low, _, high = limits.strip().partition("..")
    return str(min(max(number(low), 2), number(high)))


def value(block):
    if block.get("tried"):
        return block["tried"].split()[0]
    kinds = block["type"].split(",")
    limits = block["range"].split(",") if block["range"] else [""] * len(kinds)
    return ",".join(one_value(*pair) for pair in zip(kinds, limits))


def plan(blocks_of):
    """The text of a plan with these."""
    lines = []
    for block in blocks_of:
        name, text = block["name"], SPECIAL.get(block["name"]) or value(block)
        lines.append(f'  <{name} opt-in="yes">{text}</{name}>')
    return "<plan>\n" + "\n".join(lines) + "\n</plan>\n"


def plans(most=80):
    """[({name: block}, the text of a plan)]: no plan may have all."""
    found = list(blocks())
    parts = [found[at:at + most] for at in range(0, len(found), most)]
    return [({block["name"]: block for block in part}, plan(part))
            for part in parts]
