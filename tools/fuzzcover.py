#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much of each parser the corpora reach: lines and branches, by llvm-cov.

Every target is given its seeds and what campaigns learnt (BUILD/corpus), in a
build with clang's coverage (BUILD/cover). The table also lies in BUILD/cover.md;
with --missed FILE the lines of a source file that nothing reached are named.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEEDS = ROOT / "tests/fuzz/corpus"
SHARED = {"anon": "reader", "portions": "reader", "report": "reader"}

# what reads bytes that others wrote
PARSERS = (
    "backends/faults.c backends/terms.c base/glob.c base/globset.c "
    "base/number.c base/options.c base/rank.c analyse/query/diskmodel.c "
    "analyse/query/queryparse.c base/lov.c capture/record/mapsfile.c pageserver/http.c "
    "pageserver/urlquery.c launch/programs/elf.c launch/programs/launcher.c launch/programs/ldcache.c "
    "launch/collect/mountinfo.c launch/ranks/rules.c launch/clocks/timecard.c plan/plan.c "
    "plan/plan_file.c plan/flatplan.c plan/space.c plan/value.c plan/xmlread.c "
    "serve/log/ingest.c serve/rescue/rescuefile.c share/rewrite.c share/mask/secret.c "
    "share/survey.c trace/file/blocks.c trace/control/controlfile.c trace/read/cursor.c "
    "trace/event/detail.c trace/event/dictionary.c trace/live/live.c trace/facts/mounts.c "
    "trace/facts/nodeinfo.c trace/file/order.c trace/control/outcome.c trace/pack/pack.c "
    "trace/pack/packprocess.c trace/pack/packring.c trace/pack/packthread.c trace/file/planes.c "
    "trace/file/portions.c trace/facts/procinfo.c trace/facts/props.c trace/read/reader.c "
    "trace/read/readnode.c trace/read/readset.c trace/event/records.c trace/file/ringblock.c "
    "trace/file/rows.c trace/live/salvage.c trace/live/sums.c trace/control/unrecorded.c "
    "wire/frame.c wire/op.c wire/op_do.c").split()


def replay(build, program):
    """One target over all inputs; where its profile is."""
    name = program.name[len("replay_"):]
    folders = [SEEDS / name, build / "corpus" / name]
    if name in SHARED:
        folders.append(SEEDS / SHARED[name])
    profile = build / "cover" / f"{name}.profraw"
    subprocess.run([program, *[path for path in folders if path.is_dir()]],
                   env=os.environ | {"LLVM_PROFILE_FILE": str(profile),
                                     "TMPDIR": "/dev/shm"},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True)
    return profile


def llvm_cov(build, programs, words):
    """What llvm-cov says of all programs together."""
    objects = [word for program in programs for word in ("-object", program)]
    return subprocess.run(
        ["llvm-cov", words[0], *objects[1:],
         f"-instr-profile={build / 'cover/all.profdata'}", *words[1:]],
        stdout=subprocess.PIPE, check=True, text=True).stdout


def share(summary):
    """Percent, or a dash."""
    return f"{100 * summary['covered'] / summary['count']:.1f}" \
        if summary["count"] else "-"


def table(files):
    """As Markdown, the least covered first."""
    rows = []
    sums = {"lines": {"covered": 0, "count": 0},
            "branches": {"covered": 0, "count": 0}}
    for file in files:
        path = re.sub(r".*/src/", "", os.path.normpath(file["filename"]))
        if path not in PARSERS:
            continue
        for key, both in sums.items():
            for part in both:
                both[part] += file["summary"][key][part]
        rows.append((file["summary"]["lines"]["percent"], path,
                     file["summary"]))
    lines = ["| source | lines | % | branches | % |",
             "|---|---:|---:|---:|---:|"]
    for _, path, of in sorted(rows):
        lines.append(f"| {path} | {of['lines']['count']} | "
                     f"{share(of['lines'])} | {of['branches']['count']} | "
                     f"{share(of['branches'])} |")
    lines.append(f"| all {len(rows)} | {sums['lines']['count']} | "
                 f"{share(sums['lines'])} | {sums['branches']['count']} | "
                 f"{share(sums['branches'])} |")
    return "\n".join(lines) + "\n"


def missed(build, programs, path):
    """Prints the lines of a file that were never run."""
    shown = llvm_cov(build, programs, ["show", str(ROOT / "src" / path)])
    for line in shown.splitlines():
        if re.match(r" *\d+\| *0\|", line):
            print(line)


def main():
    """Replays, merges, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=ROOT / "build-fuzz")
    parser.add_argument("--missed", metavar="FILE",
                        help="as trace/read/reader.c: its lines never run")
    args = parser.parse_args()
    build = args.build.resolve()
    programs = sorted(path for path in
                      (build / "cover/tests/fuzz").glob("replay_*")
                      if path.is_file())
    if not programs:
        sys.exit(f"fuzzcover: no targets in {build}/cover: build them first")
    profiles = [replay(build, program) for program in programs]
    subprocess.run(["llvm-profdata", "merge", "-sparse", *profiles, "-o",
                    build / "cover/all.profdata"], check=True)
    if args.missed:
        missed(build, programs, args.missed)
        return
    result = json.loads(llvm_cov(build, programs,
                                 ["export", "-summary-only"]))
    text = table(result["data"][0]["files"])
    (build / "cover.md").write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
