#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Spaces of values: what `weir plan show` counts, and what `check` refuses.

usage: run-space.py ROOT
"""
import math
import random
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap, run  # noqa: E402

ROOT = Path(sys.argv[1]).resolve()
SC13 = ROOT / "examples" / "space-sc13.xml"
REFUSED = 5
NUMBERS = ("cb_nodes", "striping_factor", "cb_buffer_size", "stripe_count",
           "istore_k", "ind_wr_buffer_size", "io_ompio_bytes_per_agg")


def counted(text):
    """{platform: (points, {parameter: values})}, by another reader."""
    found = {}
    for platform in ElementTree.fromstring(text):
        axes = {axis.tag: len(axis.get("values").split())
                for axis in platform if axis.get("values")}
        tied = {axis.tag for axis in platform if axis.get("tied-to")}
        found[platform.get("name")] = (
            math.prod(axes.values()), axes | dict.fromkeys(tied, 0))
    return found


def shown(path):
    """The same from what is shown."""
    found, name = {}, None
    for line in run(WEIR, "plan", "show", path).stdout.splitlines():
        head = re.fullmatch(r"platform (.*): (\d+) points", line)
        row = re.fullmatch(r"  (\w+) +(\d+|-)  .*", line)
        if head:
            name = head[1]
            found[name] = (int(head[2]), {})
        elif row:
            found[name][1][row[1]] = int(row[2].replace("-", "0"))
    return found


def check_sc13(tap):
    found = shown(SC13)
    points = [points for points, _ in found.values()]
    tap.result(points == [13440, 5376, 28000] and
               found == counted(SC13.read_text()),
               "the spaces of SC13 have their sizes", [found])
    done = run(WEIR, "plan", "check", SC13, check=False)
    tap.result(done.returncode == 0 and "3 platforms" in done.stdout,
               "they are good", [done.stdout, done.stderr])
    done = run(WEIR, "plan", "export", SC13, check=False)
    tap.result(done.returncode == REFUSED and "space" in done.stderr and
               not done.stdout, "no plan, so not exported", [done.stderr])


def by_chance(chance):
    lines = ["<space>"]
    for name in range(chance.randint(1, 4)):
        names = chance.sample(NUMBERS, chance.randint(1, len(NUMBERS)))
        lines.append(f'<platform name="p{name}">')
        for number, axis in enumerate(names):
            values = chance.sample(range(1, 5000), chance.randint(1, 40))
            if number and chance.random() < 0.2:
                lines.append(f'<{axis} tied-to="{names[0]}"/>')
            else:
                lines.append(f'<{axis} values="{" ".join(map(str, values))}"'
                             "/>")
        lines.append("</platform>")
    return "\n".join(lines + ["</space>"]).replace(
        "stripe_count", "nc_hash_size_var")


def check_chance(tap, scratch):
    chance, wrong = random.Random(13), []
    for _ in range(40):
        text = by_chance(chance)
        (scratch / "space.xml").write_text(text)
        found = shown(scratch / "space.xml")
        if found != counted(text):
            wrong += [text, found, counted(text)]
    tap.result(not wrong, "as many points as another reader counts",
               wrong[:3])


def space(inner, name="p"):
    return f'<space>\n<platform name="{name}">\n{inner}\n</platform>\n</space>'


WRONG = {  # what is wrong, in which line, and a word of what is said
    '<cb_node values="1"/>': (3, "cb_nodes"),
    '<cb_nodes values="1 0"/>': (3, "range"),
    '<cb_nodes values="1 2 1"/>': (3, "twice"),
    '<cb_nodes values=""/>': (3, "no values"),
    '<cb_nodes/>': (3, "no values"),
    '<cb_nodes values="1">2</cb_nodes>': (3, "text"),
    '<cb_nodes values="1" tied-to="cb_buffer_size"/>': (3, "tied"),
    '<cb_nodes tied-to="cb_buffer_size"/>': (3, "no values"),
    '<cb_nodes tied-to="nothing"/>': (3, "no values"),
    '<alignment values="1,1 1,x"/>': (3, "size"),
    '<alignment values="1"/>': (3, "instead of 2"),
    '<romio_no_indep_rw values="true"/>': (3, "excluded"),
    '<fill_time values="never ifset"/>': (3, "opt-in"),
    '<cb_nodes values="1"/>\n<cb_nodes values="2"/>': (4, "line 3"),
    '<cb_nodes value="1 2"/>': (3, "attribute"),
    '<cb_nodes values="1"><x/></cb_nodes>': (3, "no place"),
    '<cb_nodes values="1"/></platform><platform name="p">'
    '<cb_nodes values="1"/>': (3, "another name"),
    '</platform><cb_nodes values="1"/><platform name="q">':
        (3, "<platform"),
    '<striping_factor values="0 1"/>\n<cb_nodes values="x"/>': (4, "whole"),
}


def check_wrong(tap, scratch):
    path = scratch / "wrong.xml"
    for inner, (line, word) in WRONG.items():
        path.write_text(space(inner))
        done = run(WEIR, "plan", "check", path, check=False)
        told = [one for one in done.stderr.splitlines()
                if one.startswith(f"{path}:{line}: ") and word in one]
        tap.result(done.returncode == REFUSED and told and not done.stdout,
                   f"refused: {inner[:50]!r}", [done.stderr])
    path.write_text("<space></space>")
    done = run(WEIR, "plan", "check", path, check=False)
    tap.result(done.returncode == REFUSED and "platform" in done.stderr,
               "refused: nothing in it", [done.stderr])


def check_large(tap, scratch):
    """Too many points are told, not counted wrong."""
    numbers = " ".join(map(str, range(1, 2000)))
    axes = [f'<{name} values="{numbers}"/>' for name in
            (*NUMBERS[:3], "ind_rd_buffer_size", "nc_ibuf_size",
             "nc_hash_size_var", "nc_hash_size_dim", "bgl_nodes_pset")]
    path = scratch / "large.xml"
    for count, status in ((5, 0), (8, REFUSED)):
        path.write_text(space("\n".join(axes[:count])))
        done = run(WEIR, "plan", "show", path, check=False)
        tap.result(done.returncode == status and
                   (status or f"{1999 ** count} points" in done.stdout),
                   f"{count} parameters of 1999 values",
                   [done.stdout[:300], done.stderr[:300]])


def check_broken(tap, scratch):
    """Whatever is left of a file: told, or good."""
    chance, seen, wrong = random.Random(5), set(), []
    text, path = SC13.read_bytes(), scratch / "broken.xml"
    for _ in range(150):
        data = bytearray(text)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(data))
            data[at:at + chance.randint(0, 30)] = bytes(
                chance.choice(b'<>"=/ &;x9\0\xff')
                for _ in range(chance.randint(0, 3)))
        path.write_bytes(data)
        done = run(WEIR, "plan", "check", path, check=False)
        seen.add(done.returncode)
        if done.returncode not in (0, REFUSED) or bool(
                done.returncode) != bool(done.stderr):
            wrong.append(f"{done.returncode}: {done.stderr[:200]}")
    tap.result(not wrong and REFUSED in seen, "broken files", wrong[:5])


def main():
    tap = Tap()
    check_sc13(tap)
    for check in check_chance, check_wrong, check_large, check_broken:
        with tempfile.TemporaryDirectory(prefix="weir-space-") as scratch:
            check(tap, Path(scratch))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
