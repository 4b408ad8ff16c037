#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What programs mark by weir/mark.h, against what they say they marked.

usage: run-marks.py ROOT MARKS [FORTRAN-COMPILER]

Programs are compiled here in every way that a linker may treat a reference to
what is not there; the examples as their heads say."""
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Lost, Tap, events, in_whole, run  # noqa: E402

ROOT = Path(sys.argv[1]).resolve()
MARKS = os.path.abspath(sys.argv[2])
FORTRAN = sys.argv[3] if len(sys.argv) > 3 else None
HERE = Path(__file__).resolve().parent
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
SHAPES = {  # of programs: how they are compiled, and whether recorded
    "PIE": (["-O2", "-fPIE", "-pie"], True),
    "not PIC": (["-O2", "-fno-pic", "-no-pie"], True),
    "not PIC, large": (["-fno-pic", "-no-pie", "-mcmodel=large"], True),
    "-O0": (["-O0"], True),
    "LTO": (["-O2", "-flto"], True),
    "gold": (["-O2", "-fno-pic", "-no-pie", "-fuse-ld=gold"], True),
    "static": (["-static"], False),
    "static PIE": (["-static-pie"], False),
}
EXAMPLE = (["mark_phase compute"] +
           [word for step in range(3) for word in
            (f"mark_step {step}", "mark_begin write state",
             "mark_end write state")] + ["mark_phase tidy up"])


def told(event):
    """CALL ARGUMENT, as the program prints it."""
    args = event["args"]
    value = args.get("name", args.get("number", args.get("off", "")))
    return f"{event['call']} {value}"


def by_thread(trace):
    """What each thread did, but for opening and printing."""
    found = defaultdict(list)
    for event in events(trace):
        if event["call"].startswith("mark_") or event["call"] == "pwrite":
            found[event["thread"]].append(told(event))
    return found


def record(scratch, *command, options=()):
    """The trace, and what the program printed."""
    done = run(WEIR, "run", "-q", "--strict", "-o", "trace", *options, "--",
               *command, cwd=scratch, check=False)
    if done.returncode == 6:
        raise Lost(done.stderr)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.returncode}: {done.stderr}")
    return scratch / "trace", done.stdout


def printed(text):
    """What each thread is to have done, by the number it has for itself."""
    found = defaultdict(list)
    for line in text.splitlines():
        if not line.startswith("recorded:"):
            thread, what = line.split(" ", 1)
            found[thread].append(what)
    return found


def compare(mode, program=MARKS):
    def play(scratch):
        trace, text = record(scratch, program, mode)
        there, expected = by_thread(trace), printed(text)
        return ([] if sorted(there.values()) == sorted(expected.values()) and
                expected else [f"recorded {dict(there)}",
                               f"expected {dict(expected)}"])
    return in_whole(play)


def check_times(tap):
    def play(scratch):
        trace, _ = record(scratch, MARKS, "plain")
        return [event for event in events(trace) if event["layer"] == "mark"
                and (event["dur"] or event["depth"] or "fd" in event)]
    wrong = in_whole(play)
    tap.result(not wrong, "marks are points of the application", wrong)


def check_filters(tap):
    def play(scratch):
        trace, _ = record(scratch, MARKS, "plain",
                          options=["--include", "nothing-like-it"])
        return [told(event) for event in events(trace)]
    left = in_whole(play)
    tap.result(len(left) == 15 and all(x.startswith("mark_") for x in left),
               "no filter hides a mark", left)


def writes(trace):
    return [Path(event["file"]).name for event in events(trace)
            if event["call"] == "write"]


def check_switching(tap):
    for options in [], ["--paused"]:
        def play(scratch):
            trace, _ = record(scratch, MARKS, "switching", options=options)
            marks = sorted(told(event) for event in events(trace)
                           if event["layer"] == "mark")
            return (sorted(writes(trace)), marks, run(WEIR, "info", trace))
        found, marks, info = in_whole(play)
        expected = ["child", "second"] + ["first"] * (not options)
        tap.result(found == sorted(expected) and marks ==
                   ["mark_begin seen all the same", "mark_pause ",
                    "mark_resume ", "mark_resume "] and
                   "switched off" in info.stdout,
                   f"marks switch recording {options}",
                   [found, marks, info.stdout])


def check_manners(tap):
    """Short records and sums have no place for marks; switching works."""
    def ring(scratch):
        trace, _ = record(scratch, MARKS, "plain", options=["--ring", "64K"])
        return [event["call"] for event in events(trace)]
    calls = in_whole(ring)
    tap.result("write" in calls and "unwritten" not in calls and
               not any("mark" in call for call in calls),
               "--ring keeps no marks", calls)

    def profile(scratch):
        trace, _ = record(scratch, MARKS, "switching", options=["--profile"])
        return run(WEIR, "report", trace).stdout
    text = in_whole(profile)
    tap.result("/second" in text and "/hidden" not in text and
               "mark_" not in text,
               "--profile keeps no marks, and is switched by them", [text])


def check_lengths(tap):
    def play(scratch):
        trace, _ = record(scratch, MARKS, "lengths")
        return [(len(event["args"]["name"]), event["flags"])
                for event in events(trace) if event["call"] == "mark_begin"]
    found = in_whole(play)
    tap.result(found == [(4000, ""), (4096, "cut")],
               "long names are cut, and that is told", found)


def check_anon(tap):
    def play(scratch):
        trace, _ = record(scratch, MARKS, "plain")
        run(WEIR, "anon", trace, scratch / "anon")
        return run(WEIR, "dump", scratch / "anon").stdout
    text = in_whole(play)
    tap.result("mark_begin" in text and "solve" not in text and
               "number=-7" in text, "weir anon hides names of marks", [text])


def check_shapes(tap):
    for name, (flags, recorded) in SHAPES.items():
        for compiler in "gcc", "clang":
            title = f"{compiler}, {name}"
            with tempfile.TemporaryDirectory() as scratch:
                program = f"{scratch}/marks"
                built = run(compiler, f"-I{ROOT}/include", "-D_GNU_SOURCE",
                            *flags, "-pthread", HERE / "marks.c", "-o",
                            program, check=False)
                if built.returncode:
                    tap.skip(title, "cannot be linked here")
                    continue
                alone = run(program, "plain", cwd=scratch).stdout
                faults = compare("plain", program) if recorded else []
                under = run(WEIR, "run", "-q", "-o", f"{scratch}/trace", "--",
                            program, "plain", cwd=scratch).stdout
            if "recorded: no" not in alone or \
                    f"recorded: {'yes' if recorded else 'no'}" not in under:
                faults += [alone, under]
            tap.result(not faults, title, faults)


PLUGIN = """
#include <weir/mark.h>
#include <stdexcept>
struct loop { loop() { weir_mark_step(42); } };
extern "C" void play(void)
{
	try {
		WEIR_MARK_SCOPE("a plugin");
		loop now;
		throw std::runtime_error("out");
	} catch (const std::exception &) {
		weir_mark_phase("caught");
	}
}
"""
HOST = """
#include <dlfcn.h>
int main(void)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
	void (*play)(void) = plugin ? (void (*)(void))dlsym(plugin, "play") : 0;

	if (!play)
		return 1;
	play();
	return 0;
}
"""


def check_plugin(tap):
    """C++, exceptions, and a library that is loaded late."""
    def play(scratch):
        run("g++", "-std=c++11", *WARNINGS, "-shared", "-fPIC", "-x", "c++",
            "-", "-o", scratch / "plugin.so", f"-I{ROOT}/include",
            input=PLUGIN)
        run("gcc", "-x", "c", "-", "-o", scratch / "host", "-ldl", input=HOST)
        run("./host", cwd=scratch)
        trace, _ = record(scratch, "./host")
        return [told(e) for e in events(trace) if e["layer"] == "mark"]
    found = in_whole(play)
    tap.result(found == ["mark_begin a plugin", "mark_step 42",
                         "mark_end a plugin", "mark_phase caught"],
               "a plugin in C++", found)


def check_example(tap, title, *build):
    def play(scratch):
        run(*build, "-o", scratch / "marked", cwd=scratch)
        run("./marked", cwd=scratch)  # also where nobody looks
        trace, _ = record(scratch, "./marked")
        return [told(e) for e in events(trace) if e["layer"] == "mark"]
    found = in_whole(play)
    tap.result(found == EXAMPLE, title, found)


def check_fortran(tap):
    module, wide = ROOT / "include/weir/weir_mark.f90", HERE / "wide.f90"
    if not (FORTRAN and shutil.which(FORTRAN)):
        tap.skip("Fortran", "no Fortran compiler (Debian: gfortran)")
        return
    strict = [FORTRAN, "-std=f2008", *WARNINGS, "-O2"]
    check_example(tap, "examples/marked.f90", *strict, module,
                  ROOT / "examples/marked.f90")

    def play(scratch):
        run(*strict, "-fopenmp", module, wide, "-o", scratch / "wide",
            cwd=scratch)
        run("./wide", cwd=scratch)
        trace, _ = record(scratch, "./wide")
        return sorted(told(e) for e in events(trace) if e["layer"] == "mark")
    found = in_whole(play)
    expected = sorted(
        [f"mark_{what} part {n}" for n in range(1, 9)
         for what in ("begin", "end")] +
        ["mark_step 9000000000000", "mark_pause ", "mark_resume "])
    tap.result(found == expected, "Fortran: threads, numbers, switching",
               found)


def main():
    tap = Tap()
    for mode in "plain", "threads", "signals":
        faults = compare(mode)
        tap.result(not faults, f"what is marked is recorded: {mode}", faults)
    for check in (check_times, check_filters, check_switching, check_manners,
                  check_lengths, check_anon, check_shapes, check_plugin):
        check(tap)
    check_example(tap, "examples/marked.c", "gcc", "-std=c11", *WARNINGS,
                  f"-I{ROOT}/include", ROOT / "examples/marked.c")
    check_fortran(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
