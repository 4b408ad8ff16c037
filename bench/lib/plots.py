# SPDX-License-Identifier: BSD-3-Clause
"""Rates by size of records, drawn by gnuplot: one drawing a file system."""
import subprocess
from pathlib import Path

from lib.contig import KIB, MIB

HEAD = """set terminal svg noenhanced size 900,400 font 'sans,12' \
background '#ffffff'
set output '{out}'
set logscale xy
set xtics ('1 KiB' 1, '4' 4, '16' 16, '64' 64, '256' 256, '1 MiB' 1024)
set xrange [0.7:1500]
set ylabel 'MiB/s'
set key bottom right
set grid ytics
set multiplot layout 1,{panels} title '{title}'
"""
STYLE = "with linespoints linewidth 2 pointtype 7 pointsize 0.6"


def curves(cells):
    """{name: [(KiB, MiB/s)]}; of the cached case also with close."""
    found = {}
    for seen in cells:
        for case, one in seen.found.items():
            rates = {case: one.rate}
            if case == "cached":
                rates["cached, with close"] = one.whole_rate
            for name, rate in rates.items():
                found.setdefault(name, []).append(
                    (seen.cell.record / KIB, rate / MIB))
    return found


def panel(ranks, cells):
    lines = curves(cells)
    words = ", ".join(f"'-' title '{name}' {STYLE}" for name in lines)
    data = "".join("".join(f"{x:g} {y:g}\n" for x, y in sorted(points)) +
                   "e\n" for points in lines.values())
    return f"set title '{ranks} rank{'s' * (ranks > 1)}'\nplot {words}\n" \
        + data


def trim(path):
    """No blanks at the ends of lines, as in any text that is kept."""
    lines = path.read_text().splitlines()
    path.write_text("".join(f"{line.rstrip()}\n" for line in lines))


def draw(place, all_seen, directory):
    """Cells without computing, of the largest cache."""
    cells = [seen for seen in all_seen
             if seen.place == place and not seen.cell.compute]
    most = max(seen.cell.cache for seen in cells)
    cells = [seen for seen in cells if seen.cell.cache == most]
    ranks = sorted({seen.cell.ranks for seen in cells})
    name = place.name.partition(":")[0].lower()
    out = Path(directory) / f"forward-{name}.svg"
    out.parent.mkdir(parents=True, exist_ok=True)
    text = HEAD.format(out=out, panels=len(ranks),
                       title=f"{place.name}: rate of writes as seen")
    text += "".join(panel(count, [seen for seen in cells
                                  if seen.cell.ranks == count])
                    for count in ranks)
    subprocess.run(["gnuplot", "-d", "-"], input=text, text=True, check=True)
    trim(out)
    return out
