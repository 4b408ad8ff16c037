#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is --forward advised where it helps, and nowhere else?

usage: run-forward.py WORKLOAD

Programs write to a file system of ours that takes 2 ms for each write and is
none that this machine knows as its own, and to a local one.
"""
import json
import os
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import ownfs  # noqa: E402
import play  # noqa: E402
from cases import case  # noqa: E402
from weirtool import WEIR, Tap, in_whole, run  # noqa: E402

RULE, ANSWER = "waiting-writes", "forwarded-writes"
WRITE_MS = 2
MS, MIB = 10**6, 1 << 20
WRITES = 30

Trial = namedtuple("Trial", "name words verdict forms check")


def of(said, key, rule):
    return next((one for one in said[key] if one["id"] == rule), None)


def most_of_it(said):
    """Writes go on where the one before ended: one request is left."""
    now, then = said["forecast"]["now"], said["forecast"]["then"]
    finding, answer = of(said, "findings", RULE), of(said, "answers", ANSWER)
    yield now >= WRITES * WRITE_MS * MS, f"now: {now}"
    yield then < now / 3, f"then: {then} of {now}"
    yield now / 3 < finding["saving"] <= now, finding["saving"]
    yield finding["count"] == WRITES, finding["count"]
    yield finding["time"] == now, finding["time"]
    yield finding["level"] == "high", finding["level"]
    yield "--forward" in finding["try"], finding["try"]
    yield finding["evidence"], "nothing is shown"
    yield answer["saving"] == finding["saving"], answer["saving"]


def measured(said):
    """Its large writes show what the file system takes."""
    rate = said["forecast"]["rate"]
    yield said["forecast"]["measured"], "not measured"
    yield 0 < rate < 200 * MIB, rate


def assumed(said):
    yield not said["forecast"]["measured"], "measured"
    yield said["forecast"]["rate"] == 100 * MIB, said["forecast"]["rate"]


def shared(said):
    finding = of(said, "findings", RULE)
    yield finding["processes"] == 3, finding["processes"]
    yield finding["saving_of_all"] > 2 * finding["saving"], finding


def scarcely(said):
    """What little there is, a busy machine may make look like something."""
    now, then = said["forecast"]["now"], said["forecast"]["then"]
    yield then > now / 2, f"then: {then} of {now}"


def half(said):
    finding = of(said, "findings", RULE)
    yield finding["of"] == 2 * finding["count"], finding
    yield finding["files"] == 1, finding


def nothing(said):
    answer = of(said, "answers", ANSWER)
    yield answer and not answer["saving"], answer
    yield answer["count"] == 0 and answer["of"] > 0, answer


SOME = f"{WRITES}{{ write:4k }}"
LIMIT = {"sustained"}
EITHER = LIMIT | {"hidden"}  # as busy as the machine is
SCARCE = "little helps"  # either verdict
TRIALS = [
    Trial("one after the other", f"open:wc:out {SOME} close", "helps",
          EITHER, most_of_it),
    Trial("small ones tell no rate", f"open:wc:out {SOME} close", "helps",
          EITHER, assumed),
    Trial("not closed by the program", f"open:wc:out {SOME}", "helps", EITHER,
          most_of_it),
    Trial("by a stream", f"fopen:w:out {WRITES}{{ fwrite:4k }} fclose",
          "helps", EITHER, None),
    Trial("appended", f"open:wca:log {SOME} close", "helps", EITHER, None),
    Trial("large ones, and time between",
          "open:wc:out 5{ write:1m sleep:150 } close", "helps", EITHER,
          measured),
    Trial("large ones without a pause", "open:wc:out 6{ write:1m } close",
          "little", LIMIT, measured),
    Trial("all over the file, and time between",
          "open:wc:out 10{ pwrite:4k:?9m sleep:100 } close", "helps", EITHER,
          None),
    Trial("all over the file, without a pause",
          f"open:wc:out {WRITES}{{ pwrite:4k:?900m }} close", "little", LIMIT,
          None),
    Trial("by three processes", f"fork:3{{ open:wc:o@ {SOME} close }}",
          "helps", EITHER, shared),
    Trial("in turns by three, in one piece",
          "fork:3{ open:wc:out 15{ pwrite:4k:%12k+&4k } sleep:200 close }",
          "helps", EITHER, None),
    Trial("elsewhere too", f"open:wc:out {SOME} close "
          f"open:wc:{{local}}/out {SOME} close", "helps", EITHER, half),
    Trial("of a file that is looked at",
          f"open:wc:out {SOME} close open:r:out 30{{ read:4k }} close",
          "helps", EITHER, None),
    # Where it would not help.
    Trial("a single one", "open:wc:out write:4k close", "little", None, None),
    Trial("synced one by one",
          f"open:wc:out {WRITES}{{ write:4k fsync }} close", SCARCE, LIMIT,
          scarcely),
    Trial("a file for each, with its close",
          f"{WRITES}{{ open:wc:o@ write:4k close }}", SCARCE, LIMIT,
          scarcely),
    Trial("opened with O_SYNC", f"open:wcs:out {SOME} close", "synchronous",
          None, nothing),
    Trial("opened with O_DIRECT", f"open:wcD:out {SOME} close",
          "synchronous", None, nothing),
    Trial("mapped as well",
          f"open:+c:out {SOME} peek:4k close", "mapped", None, nothing),
    Trial("by what a parent has opened",
          f"open:wc:out fork:2{{ {SOME} }} close", "mapped", None, nothing),
    Trial("read alone", "open:r:there 50{ read:4k } close", "nothing-written",
          None, None),
    Trial("on the machine's own disk",
          f"open:wc:{{local}}/out 2000{{ write:512 }} close", "local", None,
          None),
]


def told(trial, scratch, where, workload):
    local = scratch / "local"
    local.mkdir()
    one = case(trial.name, trial.words.replace("{local}", str(local)))
    return play.told(one._replace(command=[workload, *one.command]), scratch,
                     where)


def wrong(trial, said):
    forecast = said["forecast"]
    spoken = of(said, "findings", RULE) is not None
    faults = []
    if forecast["verdict"] not in trial.verdict.split():
        faults.append(f"verdict: {forecast['verdict']}: {forecast}")
    if spoken != (forecast["verdict"] == "helps"):
        faults.append(f"the rule speaks: {spoken}")
    if trial.forms and forecast["case"] not in trial.forms:
        faults.append(f"case: {forecast['case']}: {forecast}")
    if trial.check and not faults:
        faults += [str(why) for fine, why in trial.check(said) if not fine]
    return faults


def check_words(tap, scratch, where, workload):
    """As people read it: what, why, where, and what to do."""
    trial = next(trial for trial in TRIALS if trial.check is measured)
    told(trial, scratch, where, workload)
    text = " ".join(run(WEIR, "report", scratch / "trace").stdout.split())
    for words in ("5 writes of 5.00 MiB waited for the file system",
                  "writing and closing take",
                  "(fuse.slowfs) takes ",
                  f"Try weir run --forward={where}."):
        tap.result(words in text, f"it says: {words.split('/')[0]}",
                   [text] if words not in text else [])


def forget(where):
    for name in os.listdir(where):
        if name != "there":
            os.unlink(where / name)


def main(workload):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-forward-") as name, \
            ownfs.mounted(Path(name).resolve() / "slow", HERE / "slowfs.py",
                          str(WRITE_MS)) as where:
        (where / "there").write_bytes(bytes(1 << 20))
        for trial in TRIALS:
            said = in_whole(lambda scratch, trial=trial: told(
                trial, scratch, where, os.path.abspath(workload)))
            faults = wrong(trial, said)
            tap.result(not faults, f"{RULE}: {trial.name}", faults)
            forget(where)
        in_whole(lambda scratch: check_words(tap, scratch, where,
                                             os.path.abspath(workload)))
    return tap.done()


if __name__ == "__main__":
    ownfs.main(main)
