#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every parameter of plans, one at a time: no value may change what is in a
file, written or never written, stop a program, or be refused by the library
that it is for although `weir plan check` takes it.

usage: params.py [K/N] [PART_OF_NAME]...   (these, in this order; all)
K/N: of N parts with as many runs each the K-th, from 1.

Values come from spec/params: each word, both ends of ranges, what is the
default, and what `tried` says. Each is tried with HDF5 alone, HDF5, MPI-IO and
PnetCDF with both MPIs, and streams, with --verify and memory that is filled
before it is given out (tests/plan/sweep)."""
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "plan" / "sweep"))
sys.path.insert(0, str(ROOT / "spec" / "gen"))
import params as table  # noqa: E402
import sweeping  # noqa: E402

BUILD = ROOT / "build" / "tests" / "plan" / "sweep"
AT_ONCE = 2
MPIS = ("mpich", "openmpi")
# Who is looked at, by layer; variables by the beginning of their names.
STAGES = {
    "hint": (*MPIS, "openmpi+romio321"),
    "name_prefix": (*MPIS, "openmpi+romio321"),
    "pnetcdf": ("openmpi", "openmpi+romio321"),
    "OMPI_": ("openmpi",),
    "ROMIO_": ("mpich", "openmpi+romio321"),
    "GPFSMPIO_": ("mpich",),
    "HDF5_": ("serial", *MPIS),
    "open": ("serial", "mpich"),
    "stream": ("serial", "mpich"),
    "stripe": ("serial", "mpich"),
}
USUAL = ("serial", *MPIS)  # of HDF5
PLENTY = 64 << 20  # such buffers are not filled, and need not be memory
PROVEN = ("transfer_mode", "collective")  # wants the proof of a trace
REFUSED = re.compile(r"refused by (?!the system)[^(]*\((HDF5 does not take the "
                     r"value|the call failed with the plan|[^)]*MPI_Info)")


def stages_of(param):
    if param["layer"] != "environment":
        return STAGES.get(param["layer"], USUAL)
    return next(names for begin, names in STAGES.items()
                if param["via"].startswith(begin))


def in_range(part, number, multiple):
    number -= number % multiple
    return part["low"] <= number <= part["high"]


def values_of_part(param, part):
    """Of one of the values that commas part."""
    if part["choices"]:
        return part["choices"]
    if part["type"] == "bool":
        return ["true", "false"]
    multiple = table.integer(param["multiple"])
    low = -(-part["low"] // multiple) * multiple
    high = part["high"] // multiple * multiple
    if part["type"] == "real":
        return [str(low), str(high), "0.5"]
    middle = 1 << (max(low, 1).bit_length() + max(high, 1).bit_length()) // 2
    numbers = [low, high]
    if in_range(part, middle, multiple):
        numbers.append(middle - middle % multiple)
    return list(dict.fromkeys(map(str, numbers)))


def values_of(param):
    """[value]: parts take their n-th value together, and each word."""
    if param["tried"]:
        return param["tried"].split()
    lists = [values_of_part(param, part) for part in param["parts"]]
    if param["parts"][-1]["goes_on"]:
        lists *= 2  # the sweep's datasets have two sides
    most = max(map(len, lists))
    found = [",".join(one[min(n, len(one) - 1)] for one in lists)
             for n in range(most)]
    least = [one for one, part in zip(lists, param["parts"])
             if not part["optional"]]
    found += [",".join(one[0] for one in least)]
    return list(dict.fromkeys(found))


def is_large(value):
    return any(word.isdigit() and int(word) > PLENTY
               for word in value.split(","))


class Sweep:
    def __init__(self):
        built = {name: BUILD / f"sweep-{name}" for name in USUAL}
        self.stages = {stage.name: stage for stage in sweeping.stages(
            {name: path for name, path in built.items() if path.exists()})}
        self.runs = 0

    def one(self, work):
        """What is wrong with a value on a stage."""
        param, value, stage = work
        setting = (param["name"], value, {"opt-in": "yes"})
        try:
            wrong, told = stage.run([setting], large=is_large(value))
        except Exception as error:  # a dump that fails, say
            wrong, told = [str(error)], ""
        if not wrong and REFUSED.search(told):
            wrong = [next(line for line in told.splitlines()
                          if REFUSED.search(line))]
        self.runs += 1
        return [f"{stage.name}: {value}: {text}" for text in wrong]

    def works(self, param):
        return [(param, value, self.stages[name])
                for value in values_of(param)
                if (param["name"], value) != PROVEN
                for name in stages_of(param) if name in self.stages]


def portion(chosen, works, text):
    """What is K of N, by runs; what a parameter takes stays together."""
    k, n = map(int, text.split("/"))
    whole, before, found = sum(map(len, works)), 0, []
    for param, runs in zip(chosen, works):
        if before * n // max(whole, 1) + 1 == k:
            found.append(param)
        before += len(runs)
    return found


def is_expected(param, text):
    """What wants an opt-in may do what its risk says; it is told all the
    same."""
    return param["tier"] != "transparent" and any(
        word in text for word in param["tier"].split()[1:] or [""])


def main(names):
    params = table.read(ROOT / "spec" / "params",
                        ROOT / "src" / "plan" / "plan_layout.h").params
    part = names.pop(0) if names and re.fullmatch(r"\d+/\d+", names[0]) \
        else "1/1"
    chosen = list({param["name"]: param for name in names or [""]
                   for param in params if name in param["name"]}.values())
    sweep, start, bad, opted = Sweep(), time.time(), 0, 0
    chosen = portion(chosen, list(map(sweep.works, chosen)), part)
    print(f"{len(chosen)} parameters on {', '.join(sweep.stages)}",
          flush=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for param in chosen:
            works = sweep.works(param)
            wrong = [text for found in pool.map(sweep.one, works)
                     for text in found]
            ours = [text for text in wrong if not is_expected(param, text)]
            print(f"{'ok' if not ours else 'NOT OK'} {param['name']}: "
                  f"{len(works)} runs", flush=True)
            for text in wrong:
                print(f"    {'' if text in ours else 'opted in: '}"
                      f"{text[:600]}", flush=True)
            bad, opted = bad + len(ours), opted + len(wrong) - len(ours)
    print(f"{len(chosen)} parameters, {sweep.runs} runs, {bad} wrong, {opted} "
          f"that an opt-in tells of, {time.time() - start:.0f} s")
    return 1 if bad or not sweep.runs else 0


if __name__ == "__main__":
    os.nice(5)
    sys.exit(main(sys.argv[1:]))
