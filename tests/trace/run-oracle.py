#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs every case of the table under weir and judges the recordings.

usage: run-oracle.py ORACLE SYMBOLS CASES [SCENARIO]..."""
import os
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
sys.path.insert(0, str(HERE))
import rings  # noqa: E402
from judge import judge, read_log, read_symbols, read_table  # noqa: E402
from weirtool import (Failure, Tap, events, in_whole,  # noqa: E402
                      must_be_whole, record)

ENVIRONMENT = rings.environment()


def play(oracle, calls, case, scratch):
    """Record one scenario; its log and its events."""
    scenario, count, _, buffer = case
    work = scratch / "work"
    work.mkdir()
    log, trace = scratch / "log", scratch / "trace"
    done = record(trace, [oracle, log, scenario, count],
                  ["--strict", "--buffer", buffer], cwd=work, timeout=120,
                  env=ENVIRONMENT)
    must_be_whole(done)
    return read_log(log, calls), events(trace)


def run_case(tap, oracle, calls, case):
    scenario, _, order, _ = case
    try:
        told, recorded = in_whole(
            lambda scratch: play(oracle, calls, case, scratch))
    except Failure as failure:
        tap.result(False, scenario, [str(failure)])
        return set()
    verdict = judge([row for row in told if "silent" not in row], recorded,
                    order)
    tap.result(verdict.is_good() and told, f"{scenario}: {verdict.summary()}",
               [] if verdict.is_good() else verdict.lines())
    return {row["symbol"] for row in told} | \
        {"SYS_" + row["sys"] for row in told if "sys" in row}


def system_calls(path):
    """Those that the library records when syscall() makes them."""
    return set(re.findall(r"case (SYS_\w+):", path.read_text()))


def main():
    oracle, symbols, cases, *wanted = sys.argv[1:]
    calls = read_symbols(symbols)
    tap, used = Tap(), set()
    os.umask(0o022)
    for case in read_table(cases):
        if not wanted or case[0] in wanted:
            used |= run_case(tap, os.path.abspath(oracle), calls, case)
    if not wanted:
        numbers = system_calls(Path(symbols).with_name("syscalls.c"))
        missing = sorted((set(calls) | numbers) - used)
        tap.result(not missing and numbers, f"all {len(calls)} symbols of the "
                   f"tables and {len(numbers)} system calls were made",
                   [f"never made: {' '.join(missing)}"] if missing else [])
    return tap.done()


sys.exit(main())
