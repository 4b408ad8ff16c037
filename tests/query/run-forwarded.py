#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs whose files were forwarded: a daemon's work stands below the calls that
caused it in trees and answers, and is in no sum of the program's calls.

usage: run-forwarded.py MAKE_STACK"""
import json
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
MAKE = Path(sys.argv[1]).resolve()
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
from oracle import Model  # noqa: E402
from scenario import forwarded_run, without_service  # noqa: E402
from weirtool import WEIR, Tap, run  # noqa: E402

OURS = ("client", "serve", "backend")
ID_AT, TREE_AT = 25, 47  # columns of a row
BRANCHES = re.compile(r"(?:[│ ]  )*(?:[├└]─ )?")


def judge(tap, passed, name, lines=()):
    tap.result(passed, name, () if passed else lines)


def made(run_, folder, servers=-1):
    folder.mkdir()
    run_.write(MAKE, 2, servers, folder.with_suffix(".raw"),
               folder / "made.weir")
    return folder


def dump(trace, *options):
    return run(WEIR, "dump", *options, trace)


def events(trace):
    return [json.loads(line) for line in
            dump(trace, "--format", "jsonl", "--links").stdout.splitlines()]


def rows(text):
    """(id, level, text) of the rows of trees; a joint call has no id."""
    found = []
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            continue
        name, told = line[ID_AT:].split(" ")[0], line[TREE_AT:]
        level = len(BRANCHES.match(told).group()) // 3
        found.append((name, level, told[3 * level:]))
    return found


def callers(text):
    """{id: id of the row above it}, with joint calls left out."""
    above, path = {}, {}
    for name, level, _ in rows(text):
        path[level] = name
        up = level - 1
        while up >= 0 and not path[up]:
            up -= 1
        if name:
            assert name not in above, f"{name} is there twice"
            above[name] = path[up] if up >= 0 else None
    return above


def upward(model, event):
    return model.above.get(event["key"]) or \
        model.by_cid.get(event.get("args", {}).get("for"))


def expected(model):
    """The same by the events' own words."""
    above = {}
    for event in model.events:
        up = upward(model, event)
        above[event["id"]] = up["id"] if up else None
    return above


def check_tree(tap, seed, trace, model):
    told = dump(trace, "--tree")
    above, wanted = callers(told.stdout), expected(model)
    wrong = [f"{name}: {above.get(name)}, not {up}"
             for name, up in wanted.items() if above.get(name, "") != up]
    judge(tap, not wrong, f"{seed}: all stands below what caused it", wrong)
    caused = [e for e in model.events if e.get("args", {}).get("for")]
    line = f"weir: {len(caused)} calls served calls of other " \
        "processes, 0 of them calls that are not in the trace"
    judge(tap, line in told.stderr, f"{seed}: no cause is missing",
               [told.stderr])
    stages = {(e["proc"], e["args"]["batch"]): e["id"]
              for e in model.events if e["call"] == "serve_stage"}
    texts = {name: text for name, _, text in rows(told.stdout)}
    wrong = []
    for event in model.events:
        if event["call"] != "serve_write" or not event["args"]["batch"]:
            continue
        by = stages[event["proc"], event["args"]["batch"]]
        if (above[by] != event["id"]) != \
                texts[event["id"]].endswith(f"[batched, by {by}]"):
            wrong.append(texts[event["id"]])
    judge(tap, not wrong, f"{seed}: the others say where it stands", wrong)


def check_of(tap, seed, trace, model):
    """From what was stored up to all calls that it was stored for."""
    parts, wrong = {}, []
    for event in model.events:
        if event["call"] == "serve_write" and event["args"]["batch"]:
            parts.setdefault(event["args"]["batch"], []).append(event)
    for event in model.events:
        if event["call"] != "backend_write":
            continue
        up = model.above[event["key"]]
        text = dump(trace, "--of", event["id"]).stdout
        shown = {name for name, _, _ in rows(text)}
        for part in parts[up["args"]["batch"]]:
            while part and part["id"] in shown:
                part = upward(model, part)
            if part:
                wrong.append(f"{event['id']}: {part['id']} is not shown")
    judge(tap, not wrong, f"{seed}: leads up to all that caused it", wrong)


def check_links(tap, seed, model):
    wrong = [e["id"] for e in model.events
             if bool(e.get("args", {}).get("batch")) !=
             any(link["kind"] == "batched" for link in e["links"])]
    judge(tap, not wrong, f"{seed}: --links tells of batches", wrong)


def check_parts(tap, seed, trace, model):
    """Less room than a tree needs: parts, but none of them lost."""
    text = dump(trace, "--tree", "--time", "0-0.000002").stdout
    shown = [name for name, _, told in rows(text)
             if name and "[goes on]" not in told]
    judge(tap, len(shown) == len(set(shown)) and shown,
               f"{seed}: a part of the time has each once", shown[:3])


def strip(report):
    """What must not depend on how files are stored."""
    kept = json.loads(json.dumps(report))
    for name in OURS:
        kept["layers"].pop(name, None)
    for layer in kept["layers"].values():
        layer.pop("self")
    return kept


def check_report(tap, seed, trace, bare):
    both = [json.loads(run(WEIR, "report", "--json", t).stdout)
            for t in (trace, bare)]
    wrong = [key for key in both[1]
             if strip(both[0])[key] != strip(both[1])[key]]
    judge(tap, not wrong, f"{seed}: the program's figures are as without",
               wrong)
    layers = both[0]["layers"]
    judge(tap, layers["serve"]["written"] >= layers["backend"]["written"] > 0
               and layers["client"]["written"] > 0,
               f"{seed}: layers of their own", [layers])
    text = run(WEIR, "report", trace).stdout
    judge(tap, all(re.search(rf"^  {name} ", text, re.M) for name in OURS) and
               "2 processes with" in text, f"{seed}: and in the text", [text])
    text, plain = (run(WEIR, "view", t, "sizes").stdout for t in (trace, bare))
    judge(tap, text == plain and text, f"{seed}: views are as without",
               [text, plain])


def check_query(tap, seed, trace, model):
    wrong = []
    for by in (["id", "layer"], ["call", "layer"], ["client", "layer"]):
        for exclusive in (False, True):
            how = "exclusive " if exclusive else ""
            for metric in ("latency", "throughput"):
                query = f"{metric} {how}by {','.join(by)}"
                done = run(WEIR, "query", "--format", "jsonl", trace, query)
                want = model.answer(metric, by, exclusive)
                for line in done.stdout.splitlines():
                    row = json.loads(line)
                    key = tuple(row[group] for group in by)
                    mean = want.pop(key, (0,) * 6)[1]
                    if abs(row["mean"] - mean) > 1e-6 * abs(mean) + 1e-9:
                        wrong.append(f"{query}: {row} not {mean}")
                wrong += [f"{query}: no {key}" for key in want]
                if "unknown calls" in done.stderr:
                    wrong.append(done.stderr)
    judge(tap, not wrong, f"{seed}: queries", wrong[:9])


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, 7):
            run_ = forwarded_run(seed)
            trace = made(run_, Path(folder) / f"with{seed}")
            bare = made(without_service(run_), Path(folder) / f"bare{seed}", 0)
            model = Model(events(trace))
            check_tree(tap, seed, trace, model)
            check_of(tap, seed, trace, model)
            check_links(tap, seed, model)
            check_parts(tap, seed, trace, model)
            check_report(tap, seed, trace, bare)
            check_query(tap, seed, trace, model)
    sys.exit(tap.done())


if __name__ == "__main__":
    main()
