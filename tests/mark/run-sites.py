#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where calls were made, as `weir dump --backtrace` says, against what the
program itself knows of its lines and functions.

usage: run-sites.py ROOT

Skipped where weir was built without libdw, but for what needs none."""
import json
import os
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Lost, Tap, in_whole, run  # noqa: E402

ROOT = Path(sys.argv[1]).resolve()
HERE = Path(__file__).resolve().parent
TINY = HERE.parent / "lib/tiny_reader.py"
FRAMES = ["-O0", "-fno-omit-frame-pointer"]
SHAPES = {
    "frame pointers": FRAMES,
    "frame pointers, not PIC": [*FRAMES, "-fno-pic", "-no-pie"],
    "frame pointers, -O2": ["-O2", "-fno-omit-frame-pointer"],
    "no frame pointers": ["-O2", "-fomit-frame-pointer"],
    "no frame pointers, not PIC": ["-O2", "-fomit-frame-pointer",
                                   "-fno-pic", "-no-pie"],
}


def compile_sites(scratch, compiler, flags):
    run(compiler, "-g", "-D_GNU_SOURCE", *flags, "-pthread",
        HERE / "sites.c", "-o", scratch / "sites")


def record(scratch, *command, options=()):
    trace = scratch / "trace"
    shutil.rmtree(trace, ignore_errors=True)
    done = run(WEIR, "run", "-q", "--strict", "--backtrace", *options, "-o",
               trace, "--", *command, cwd=scratch, check=False)
    if done.returncode == 6:
        raise Lost(done.stderr)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.returncode}: {done.stderr}")
    return trace, done.stdout


def dump(trace, *options):
    done = run(WEIR, "dump", "--backtrace", "--format", "jsonl", *options,
               trace)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def faults(text, events, with_frames):
    """Each write is where the program says, and so are its callers."""
    found = {e["off"]: e for e in events if e["call"] == "pwrite"}
    lines = [line.split() for line in text.splitlines()]
    if not lines or len(lines) != len(found):
        yield f"{len(found)} writes, not {len(lines)}"
    for off, line, *functions in lines:
        site = found.get(int(off), {}).get("site", [])
        there = [frame.get("function") for frame in site]
        wanted = functions if with_frames else functions[:1]
        if there[:len(wanted)] != wanted:
            yield f"write at {off}: {there}, not {wanted}"
        if int(line) and (site[0].get("line") != int(line) or not
                          site[0]["file"].endswith("sites.c")):
            yield f"write at {off}: {site[0]}, not in line {line}"


def check_shapes(tap):
    for name, flags in SHAPES.items():
        for compiler in "gcc", "clang":
            def play(scratch):
                compile_sites(scratch, compiler, flags)
                trace, text = record(scratch, "./sites", "all")
                whole = "-O0" in flags
                return list(faults(text, dump(trace)[0], whole))
            wrong = in_whole(play)
            tap.result(not wrong, f"{compiler}, {name}", wrong)


def check_garbage(tap):
    """Any value in the place of the frame pointer; 40000 of them."""
    def play(scratch):
        compile_sites(scratch, "gcc", ["-O2"])
        trace, _ = record(scratch, "./sites", "garbage",
                          options=["--buffer", "64M"])
        events, _ = dump(trace)
        writes = [e for e in events if e["call"] == "pwrite"]
        return len(writes), [
            e["site"] for e in writes
            if e["site"][0].get("function") != "pwrite_with"][:3]
    count, wrong = in_whole(play)
    tap.result(count == 40000 and not wrong,
               "garbage for frame pointers", [count, wrong])


PLUGIN = """
#include <unistd.h>
long play(int fd)
{
	long done = pwrite(fd, "x", 1, %d); /* line 5 */
	return done + 1;
}
"""
HOST = """
#include <dlfcn.h>
#include <fcntl.h>
int main(void)
{
	int fd = open("data", O_RDWR | O_CREAT, 0600);
	const char *names[] = { "./one.so", "./other.so", "./one.so" };

	for (int i = 0; i < 3; i++) {
		void *plugin = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		long (*play)(int);

		if (!plugin)
			return 1;
		play = (long (*)(int))dlsym(plugin, "play");
		if (play(fd) != 2)
			return 2;
		dlclose(plugin);
	}
	return 0;
}
"""


def check_plugins(tap):
    """Libraries that come late, and one after the other at one place."""
    def play(scratch):
        for off, name in enumerate(("one", "other")):
            run("gcc", "-g", "-shared", "-fPIC", "-x", "c", "-", "-o",
                scratch / f"{name}.so", input="\n" * off + PLUGIN % off)
        run("gcc", "-g", *FRAMES, "-x", "c", "-", "-o", scratch / "host",
            "-ldl", input=HOST)
        trace, _ = record(scratch, "./host")
        return [(e["off"], Path(e["site"][0]["object"]).name,
                 e["site"][0]["line"], e["site"][0]["function"],
                 e["site"][1]["function"])
                for e in dump(trace)[0] if e["call"] == "pwrite"]
    found = in_whole(play)
    one, other = ((off, f"{name}.so", 5 + off, "play", "main")
                  for off, name in enumerate(("one", "other")))
    tap.result(found == [one, other, one], "libraries that come and go",
               found)


def first_site(events):
    return next(e for e in events if e["call"] == "pwrite")["site"][0]


def check_files(tap):
    """Debug files apart, stripped programs, replaced and removed ones."""
    def play(scratch):
        compile_sites(scratch, "gcc", FRAMES)
        trace, text = record(scratch, "./sites", "all")
        line = int(text.split()[1])
        seen = []
        (scratch / ".debug").mkdir()
        run("objcopy", "--only-keep-debug", "sites", ".debug/sites.debug",
            cwd=scratch)
        run("objcopy", "--strip-all", "--add-gnu-debuglink",
            ".debug/sites.debug", "sites", cwd=scratch)
        site = first_site(dump(trace)[0])
        seen += [("apart", site.get("line") == line, site)]
        shutil.rmtree(scratch / ".debug")
        site = first_site(dump(trace)[0])
        seen += [("stripped", "line" not in site and site["offset"] > 0,
                  site)]
        # another program: not -g alone, which the build id does not see
        compile_sites(scratch, "gcc", ["-O2"])
        events, said = dump(trace)
        site = first_site(events)
        seen += [("replaced", "line" not in site and
                  "it has changed since it was recorded" in said, [site, said])]
        (scratch / "sites").unlink()
        events, said = dump(trace)
        seen += [("removed", "line" not in first_site(events) and
                  "No such file" in said, said)]
        return seen
    for name, passed, lines in in_whole(play):
        tap.result(passed, f"a program: {name}", [lines])


def check_libc(tap):
    """Lines of libc: by build id, from the package with its debug files."""
    def play(scratch):
        compile_sites(scratch, "gcc", FRAMES)
        trace, _ = record(scratch, "./sites", "all")
        return [frame for e in dump(trace)[0] for frame in e.get("site", [])
                if frame.get("function") == "start_thread"]
    if not Path("/usr/lib/debug/.build-id").is_dir():
        tap.skip("lines of libc", "no debug files (Debian: libc6-dbg)")
        return
    found = in_whole(play)
    tap.result(found and all("line" in frame for frame in found),
               "lines of libc", found[:1])


def check_forms(tap):
    def play(scratch):
        compile_sites(scratch, "gcc", FRAMES)
        trace, text = record(scratch, "./sites", "all")
        line = text.split()[1]
        seen = run(WEIR, "dump", "--backtrace", trace).stdout
        plain = run(WEIR, "dump", "--format", "jsonl", trace).stdout
        with_sites, _ = dump(trace)
        for event in with_sites:
            event.pop("site", None)
        tiny = run(sys.executable, TINY, *trace.glob("*.weir"), check=False)
        csv = run(WEIR, "dump", "--backtrace", "--format", "csv", trace,
                  check=False)
        run(WEIR, "anon", trace, scratch / "anon")
        hidden, _ = dump(scratch / "anon")
        part, _ = dump(trace, "--file", "*/data", "--time", "1us-")
        return [
            ("text", f"> at main (sites.c:{line})" in seen, seen[:600]),
            ("nothing else changes", with_sites == [
                json.loads(row) for row in plain.splitlines()], ""),
            ("the tiny reader agrees", tiny.returncode == 0 and
             tiny.stdout == plain, tiny.stderr + tiny.stdout[:300]),
            ("not as csv", csv.returncode == 2, csv.stderr),
            ("a part of it", not list(faults(
                "\n".join(row for row in text.splitlines()[1:]
                          if not row.startswith("3001 ")),
                [e for e in part if e.get("off")], True)), part[:2]),
            ("weir anon keeps sites, not names",
             "offset" in first_site(hidden) and "sites" not in
             json.dumps(hidden), first_site(hidden)),
        ]
    for name, passed, lines in in_whole(play):
        tap.result(passed, name, [lines])


def check_refusals(tap):
    for other in (["--ring", "1M"], ["--profile"]):
        done = run(WEIR, "run", "--backtrace", *other, "--", "true",
                   check=False)
        tap.result(done.returncode == 2 and "--backtrace" in done.stderr,
                   f"--backtrace does not go with {other[0]}", [done.stderr])

    def play(scratch):
        run(WEIR, "run", "-q", "-o", scratch / "trace", "--", "ls")
        return run(WEIR, "dump", "--backtrace", scratch / "trace").stderr
    said = in_whole(play)
    tap.result("the trace has no call sites" in said, "a trace without",
               [said])


def check_alone(tap):
    """Without weir run."""
    def play(scratch):
        compile_sites(scratch, "gcc", FRAMES)
        library = os.environ["LIBWEIR"]
        run("./sites", "all", cwd=scratch,
            env=dict(os.environ, LD_PRELOAD=library,
                     WEIR_TRACE=f"{scratch}/trace,backtrace"))
        return dump(scratch / "trace")[0]
    site = first_site(in_whole(play))
    tap.result(site["object"].endswith("/sites"), "without weir run", [site])


def check_summary(tap):
    """What is said of objects is no call."""
    def play(scratch):
        done = run(WEIR, "run", "--backtrace", "-o", scratch / "trace", "--",
                   "cat", "/etc/passwd", cwd=scratch)
        return dump(scratch / "trace")[0], done.stderr
    events, said = in_whole(play)
    calls = [e for e in events if e["layer"] != "mark"]
    tap.result(len(calls) < len(events) and " of mark" not in said and
               f"weir: {len(calls)} calls by " in said,
               "objects are no calls for weir run", [said])


def has_dwarf():
    def play(scratch):
        compile_sites(scratch, "gcc", FRAMES)
        trace, _ = record(scratch, "./sites", "all")
        return dump(trace)
    events, said = in_whole(play)
    return "built without libdw" not in said, first_site(events), said


def main():
    tap = Tap()
    check_refusals(tap)
    check_alone(tap)
    check_summary(tap)
    found, site, said = has_dwarf()
    if not found:
        tap.result("offset" in site and "line" not in site,
                   "offsets without libdw", [site, said])
        tap.skip("functions and lines", "weir was built without libdw")
        return tap.done()
    for check in (check_shapes, check_garbage, check_plugins, check_files,
                  check_libc, check_forms):
        check(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
