#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of the kernels' files, apart from times.

usage: run-facts.py [--update] [WORD]...

With words only the programs whose names contain one of them; --update writes
facts.json anew, of three runs that must agree. Environment: WEIR, the tool;
KERNELS, the folder of the programs. Facts that were made with other versions
of the libraries are not compared.

For each program: processes, files, calls by layer and class, bytes read and
written by layer, and the findings that do not depend on times. What the I/O
counter paper saw in FrontFlow/Blue and ProteinDF is asked for one by one.
"""
import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
import ranks  # noqa: E402
import treecases  # noqa: E402
from sums import differences, report  # noqa: E402
from weirtool import WEIR, Failure, Tap, in_whole, must_be_whole  # noqa: E402

FACTS = Path(__file__).resolve().parent / "facts.json"
CASES = {  # kernel: ranks, arguments
    "vpic": (2, "--particles 2000"),
    "bdcats": (2, "--access strided --stride 40 --piece 7"),
    "vorpal": (2, "--bx 12 --by 10 --bz 8 --steps 3 --align 0"),
    "gcrm": (2, "--resolution 3 --subdomain 1 --levels 5 --steps 2"),
    "tiny": (2, "--datasets 600"),
    "flash": (2, "--blocks 5 --cells 4"),
    "btio": (4, "--size 12 --dumps 10 --mode simple"),
    "vectors": (2, "--pieces 700 --steps 2 --mode simple"),
    "contig": (2, "--record 4096 --phases 30"),
    "s3d": (2, "--nx 6 --ny 5 --nz 4 --checkpoints 2"),
    "columns": (1, "--rows 64 --width 1024 --chunk 16 --take 16 --cache 1"),
    "ffb": (4, "--steps 42"),
    "pdf": (3, "--shared 12 --own 4 --bytes 16K --request 4096 --rounds 6 "
               "--readers 2"),
}
BEFORE = {"bdcats": "vpic --particles 2000", "ffb": "ffb --prepare"}
# How long calls take, or which rank is faster, decides over these.
BY_CHANCE = {"uneven-ranks"}


def cases():
    for kernel, (count, arguments) in CASES.items():
        for program in ranks.flavours(kernel):
            command = [ranks.KERNELS / program, *arguments.split(), "OUT"]
            before = BEFORE.get(kernel, "").split()
            yield treecases.Case(
                program, command, count, (), before=before and [
                    ranks.KERNELS / program.replace(kernel, before[0]),
                    *before[1:], "OUT"])


def play(case, scratch):
    """(trace, the pattern of its files)"""
    folder, trace = scratch / "out", scratch / "trace"
    folder.mkdir()
    if case.before:
        done = case.start(case.before, folder / "data")
        if done.returncode:
            raise Failure(f"before: {done.stderr}")
    must_be_whole(case.start(case.command, folder / "data", [
        WEIR, "run", "-q", "--strict", "--buffer", "64M", "-o", str(trace),
        "--"]))
    return trace, f"{folder}/*"


def facts_of(case, told):
    calls, moved = Counter(), Counter()
    for cell in told["total"]["calls"].values():
        calls[f"{cell['layer']} {cell['class']}"] += cell["calls"]
    for layer, cell in told["layers"].items():
        moved.update({f"{layer} read": cell["read"],
                      f"{layer} written": cell["written"]})
    return {
        "made with": case.made_with,
        "arguments": " ".join(word for word in case.command[1:]),
        "ranks": case.count,
        "processes": len(told["processes"]),
        "files": told["total"]["files"],
        "calls": dict(sorted(calls.items())),
        "bytes": {key: moved[key] for key in sorted(moved) if moved[key]},
        "findings": sorted({row["id"] for row in told["findings"]} -
                           BY_CHANCE),
    }


def ffb_faults(told, _):
    """Figure 5: reads of 4 KiB and writes of 128 bytes dominate."""
    wrong = []
    for kind, size in (("read", 4096), ("write", 128)):
        cell = told["total"]["classes"][kind]
        whole = sum(row["classes"][kind]["calls"] for row in told["files"]
                    if kind in row["classes"] and
                    row["classes"][kind]["bytes"] ==
                    row["classes"][kind]["calls"] * size)
        if whole * 10 < cell["calls"] * 9:
            wrong.append(f"{whole} of {cell['calls']} {kind}s are of {size}")
    if "small-writes" not in {row["id"] for row in told["findings"]}:
        wrong.append("nobody says that the writes are small")
    files = sum(row["read"] + row["written"] > 0 for row in told["files"])
    if files != 21 or len(told["processes"]) != 4:
        wrong.append(f"{files} files, should be 21; "
                     f"{len(told['processes'])} processes, should be 4")
    steps, requests = 13 * 42 * 4, sum(
        told["total"]["classes"][kind]["calls"] for kind in ("read", "write"))
    if not 0.6 < steps / requests < 0.8:
        wrong.append(f"{steps} of {requests} requests are the steps' writes")
    return wrong


def pdf_faults(told, trace):
    """Temporaries are written by one process, and read again by others."""
    shared = [row for row in told["files"] if "/temporary." in row["name"]]
    wrong = [] if len(shared) == 12 else [f"{len(shared)} temporaries"]
    for row in shared:
        who = report(trace, ["--file", row["name"]])["processes"]
        writers = {each["number"] for each in who if each["written"]}
        readers = {each["number"] for each in who if each["read"]}
        if len(writers) != 1 or len(readers) != 2 or writers & readers:
            wrong.append(f"{row['name']}: written by {writers}, read by "
                         f"{readers}")
        if row["read"] <= 2 * row["written"]:
            wrong.append(f"{row['name']}: {row['read']} bytes read of "
                         f"{row['written']} written")
    if not any(row["processes"] == 1 for row in told["files"]):
        wrong.append("no file is of one process alone")
    return wrong


SEEN = {"ffb": ffb_faults, "pdf": pdf_faults}


def learn(case, tap=None):
    """The facts of a run; what the paper saw is judged, too."""
    def run_it(scratch):
        trace, files = play(case, scratch)
        told = report(trace, ["--file", files])
        kernel = case.name.split("-")[0]
        if tap and kernel in SEEN:
            wrong = SEEN[kernel](told, trace)
            tap.result(not wrong, f"{case.name}: {SEEN[kernel].__doc__}",
                       wrong)
        return facts_of(case, told)
    return in_whole(run_it)


def flat(facts):
    return {f"{key} {part}" if part else key: value
            for key, row in facts.items()
            for part, value in (row.items() if isinstance(row, dict)
                                else [("", row)])}


def compare(tap, case, known):
    found = learn(case, tap)
    if not known:
        tap.result(False, case.name, ["no facts are kept: --update"])
    elif known["made with"] != found["made with"]:
        tap.skip(case.name, f"kept: {known['made with']}")
    else:
        wrong = differences(flat(found), flat(known))
        tap.result(not wrong, case.name, wrong)


def update(case, kept):
    runs = [learn(case) for _ in range(3)]
    wrong = [line for other in runs[1:]
             for line in differences(flat(runs[0]), flat(other))]
    if wrong:
        raise SystemExit(f"{case.name}: not the same each time: {wrong}")
    kept[case.name] = runs[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("words", nargs="*")
    asked, tap = parser.parse_args(), Tap()
    kept = json.loads(FACTS.read_text()) if FACTS.exists() else {}
    for case in cases():
        if asked.words and not any(word in case.name for word in asked.words):
            continue
        if asked.update:
            update(case, kept)
        else:
            compare(tap, case, kept.get(case.name))
    if asked.update:
        FACTS.write_text(json.dumps(dict(sorted(kept.items())), indent=1) +
                         "\n")
        return 0
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
