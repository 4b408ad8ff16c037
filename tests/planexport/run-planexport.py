#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `weir plan export` writes, given to those whom it is for.

usage: run-planexport.py

Programs are compiled here, by the compilers of MPICH and Open MPI where these
are; without them, what needs them is skipped."""
import fnmatch
import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import everything  # noqa: E402
from weirtool import WEIR, Tap, mpi_environment, run  # noqa: E402

HERE = Path(__file__).resolve().parent
STRICT = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
FORMATS = ("romio-hints", "mpich-hints", "ompi-mca", "ompi-conf",
           "pnetcdf-hints", "lfs", "c", "env", "xml")
EVIL = "it's; $(touch pwned) `touch pwned` \"x\" \\ #!"
STRIPES = ("stripe_count", "stripe_size", "stripe_offset", "striping_factor",
           "striping_unit", "start_iodevice", "romio_lustre_start_iodevice")
COMMENTS = {"c": "/*", "xml": "<!--"}


def export(scratch, plan, form):
    """Where it was written, and what was said."""
    (scratch / "plan.xml").write_text(plan)
    out = scratch / f"out.{form}"
    done = run(WEIR, "plan", "export", "plan.xml", "--to", form, "-o", out,
               cwd=scratch)
    return out, done.stderr.splitlines()


def pairs(text):
    return dict(line.split("=", 1) for line in text.splitlines()
                if "=" in line)


def compiled(scratch, compiler, *words):
    """A program, or None: it cannot be had here."""
    if not shutil.which(compiler):
        return None
    done = run(compiler, *STRICT, "-o", scratch / "probe", *words,
               check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return scratch / "probe"


def flags(package):
    done = run("pkg-config", "--cflags", "--libs", package, check=False)
    return None if done.returncode else shlex.split(done.stdout)


def sourced(out, command, env=None):
    """What a command says after a shell has read the file."""
    return subprocess.run(["sh", "-c", f'. "$1" && {command}', "sh", out],
                          env=env or dict(os.environ), text=True, check=True,
                          capture_output=True, cwd=out.parent).stdout


def lacking(found, wanted):
    return [f"{key}: {found.get(key)}, should be {value}"
            for key, value in wanted.items() if found.get(key) != value]


def check_romio(tap, scratch):
    program = compiled(scratch, "mpicc.mpich", HERE / "info.c")
    if not program:
        return tap.skip("ROMIO_HINTS", "no mpicc.mpich")
    out, said = export(scratch, """<plan>
        <cb_buffer_size>3M</cb_buffer_size>
        <romio_ds_write>disable</romio_ds_write>
        <ind_wr_buffer_size>1M</ind_wr_buffer_size>
        <cb_config_list>*:*</cb_config_list>
        <ind_rd_buffer_size file="other*">1M</ind_rd_buffer_size>
        <alignment>1,4096</alignment></plan>""", "romio-hints")
    env = mpi_environment() | {"ROMIO_HINTS": str(out)}
    found = pairs(run(program, scratch / "data", env=env).stdout)
    wrong = lacking(found, {
        "cb_buffer_size": "3145728", "romio_ds_write": "disable",
        "ind_wr_buffer_size": "1048576", "cb_config_list": "*:*",
        "ind_rd_buffer_size": "4194304"})
    tap.result(not wrong and len(said) == 2, "ROMIO takes ROMIO_HINTS",
               [*wrong, *said])


def specifications(text):
    """[(pattern, {key: value})] of MPICH_MPIIO_HINTS; # fences values."""
    parts, fenced = [""], False
    for letter in text:
        fenced ^= letter == "#"
        if letter == "," and not fenced:
            parts.append("")
        else:
            parts[-1] += letter
    for part in parts:
        pattern, rest = part.split(":", 1)
        found = re.findall(r"(\w+)=(?:#([^#]*)#|([^:]*))(?::|$)", rest)
        yield pattern, {key: one or other for key, one, other in found}


def cray_hints(text, path):
    for pattern, found in specifications(text):
        if fnmatch.fnmatchcase(path, pattern):
            return found
    return {}


def check_mpich(tap, scratch):
    out, said = export(scratch, """<plan>
        <cb_nodes>2</cb_nodes>
        <cb_config_list>a:2,*:*</cb_config_list>
        <romio_ds_write file="*.h5">disable</romio_ds_write>
        <cb_nodes file="x.h5">4</cb_nodes>
        <cb_nodes file="/it's $(touch pwned)/*">8</cb_nodes>
        <cb_nodes file="a:b">9</cb_nodes></plan>""", "mpich-hints")
    text = sourced(out, 'printf %s "$MPICH_MPIIO_HINTS"')
    both = {"cb_config_list": "a:2,*:*"}
    wrong = [f"{path}: {cray_hints(text, path)}" for path, wanted in (
        ("/data/none", {"cb_nodes": "2"}),
        ("/data/y.h5", {"cb_nodes": "2", "romio_ds_write": "disable"}),
        ("y.h5", {"cb_nodes": "2", "romio_ds_write": "disable"}),
        ("x.h5", {"cb_nodes": "4"}), ("/data/x.h5", {"cb_nodes": "4"}),
        ("/it's $(touch pwned)/z", {"cb_nodes": "8"}))
        if cray_hints(text, path) != wanted | both]
    tap.result(not wrong and not (scratch / "pwned").exists() and
               len(said) == 1 and "several patterns" in out.read_text(),
               "MPICH_MPIIO_HINTS by file", [*wrong, text, *said])


MCA = """<plan><io_ompio_num_aggregators>3</io_ompio_num_aggregators>
         <fcoll>individual</fcoll>
         <fbtl_posix_write_datasieving>false</fbtl_posix_write_datasieving>
         <io_ompio_bytes_per_agg>2M</io_ompio_bytes_per_agg>
         <HDF5_MPI_OPT_TYPES>false</HDF5_MPI_OPT_TYPES>
         <cb_nodes>2</cb_nodes></plan>"""


def wrong_mca(text, origin):
    """Lines of ompi_info that are not as the plan has it."""
    wanted = {"io:ompio:param:io_ompio_num_aggregators": "3",
              "fcoll:base:param:fcoll": "individual",
              "fbtl:posix:param:fbtl_posix_write_datasieving": "0",
              "io:ompio:param:io_ompio_bytes_per_agg": "2097152"}
    lines = text.splitlines()
    return [name for name, value in wanted.items() if not any(
        line.startswith(f"mca:{name}:value:") and
        line.split(":value:")[1].strip('"') in (value, "false") and
        any(other.startswith(f"mca:{name}:source:{origin}")
            for other in lines) for line in lines)]


def check_mca(tap, scratch):
    if not shutil.which("ompi_info"):
        return tap.skip("variables of Open MPI", "no ompi_info")
    asked = "ompi_info --all --parsable --level 9"
    out, said = export(scratch, MCA, "ompi-mca")
    wrong = wrong_mca(sourced(out, asked, mpi_environment()), "environment")
    tap.result(not wrong and len(said) == 2, "variables of Open MPI",
               [*wrong, *said, out.read_text()])
    out, said = export(scratch, MCA, "ompi-conf")
    env = mpi_environment() | {"OMPI_MCA_mca_base_param_files": str(out)}
    wrong = wrong_mca(run(*asked.split(), env=env).stdout, "file")
    tap.result(not wrong and len(said) == 2, "mca-params.conf",
               [*wrong, *said, out.read_text()])


def check_pnetcdf(tap, scratch):
    library = flags("pnetcdf")
    program = library and compiled(scratch, "mpicc.openmpi",
                                   HERE / "ncinfo.c", *library)
    if not program:
        return tap.skip("PNETCDF_HINTS", "no PnetCDF for Open MPI")
    out, said = export(scratch, f"""<plan>
        <nc_var_align_size>4K</nc_var_align_size>
        <nc_header_read_chunk_size>64K</nc_header_read_chunk_size>
        <cb_buffer_size>2M</cb_buffer_size>
        <nc_burst_buf_dirname>/{EVIL}</nc_burst_buf_dirname></plan>""",
                       "pnetcdf-hints")
    found = pairs(sourced(out, f"{program} data.nc", mpi_environment()))
    wrong = lacking(found, {"nc_var_align_size": "4096",
                            "nc_header_read_chunk_size": "65536"})
    tap.result(not wrong and len(said) == 1, "PnetCDF takes PNETCDF_HINTS",
               [*wrong, found, *said])


def check_lfs(tap, scratch):
    """A stand-in writes down what it is asked."""
    tool = scratch / "bin" / "lfs"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\nprintf "%s\\0" "$@" end >>"$LFS_LOG"\n')
    tool.chmod(0o755)
    out, said = export(scratch, f"""<plan>
        <striping_factor>8</striping_factor>
        <striping_unit>1M</striping_unit>
        <stripe_count file="/a b/it's $(touch pwned)/*">-1</stripe_count>
        <stripe_size file="one\\*.h5">64K</stripe_size>
        <start_iodevice file="one\\*.h5">2</start_iodevice>
        <stripe_count file="-c">3</stripe_count>
        <striping_factor file="-c">5</striping_factor>
        <stripe_count file="*.h5">3</stripe_count>
        <cb_nodes>3</cb_nodes></plan>""", "lfs")
    sourced(out, "true", dict(os.environ) | {
        "PATH": f"{tool.parent}:{os.environ['PATH']}",
        "LFS_LOG": str(scratch / "log")})
    asked = [part.split("\0") for part in
             (scratch / "log").read_text().split("\0end\0")[:-1]]
    wanted = [["setstripe", "-c", "8", "-S", "1048576", "."],
              ["setstripe", "-c", "-1", "/a b/it's $(touch pwned)"],
              ["setstripe", "-S", "65536", "-i", "2", "one*.h5"],
              ["setstripe", "-c", "5", "./-c"]]
    tap.result(asked == wanted and len(said) == 3 and
               not (scratch / "pwned").exists(), "lfs gets its commands",
               [asked, *said])


SOURCE = """<plan>
  <alignment>4096,1M</alignment>
  <alignment file="small*">1,1</alignment>
  <mdc_initial_size>40M</mdc_initial_size>
  <mdc_max_size>64M</mdc_max_size>
  <mdc_evictions>false</mdc_evictions>
  <file_chunk_cache>1009,2M,0.5</file_chunk_cache>
  <chunk file="*.h5" dataset="/field*">64,128</chunk>
  <deflate opt-in="yes">4</deflate>
  <deflate opt-in="yes" file="*.h5">9</deflate>
  <fill_time opt-in="yes">never</fill_time>
  <buffer>4M</buffer>
  <transfer_mode>independent</transfer_mode>
  <cb_nodes>2</cb_nodes>
  <cb_nodes file="*.h5">4</cb_nodes>
  <cb_config_list file="*.h5">a-1.b:0,*:2</cb_config_list>
  <IBM_lockless_io file="*.h5">true</IBM_lockless_io>
  <stdio_buffer>64K</stdio_buffer>
  <fcoll>individual</fcoll>
  <stripe_count file="*/ #error EVIL ??/">4</stripe_count>
</plan>""".replace("EVIL", html.escape(EVIL))
COMMON = {"variable": "individual", "mdc": "41943040,67108864,0",
          "cache": "1009,2097152,0.5", "fill": "1", "buffer": "4194304"}
EXPECTED = {
    ("/data/a.h5", "/field1"): {
        "alignment": "4096,1048576", "chunk": "2,64,128", "filters": "1",
        "hint cb_nodes": "4", "hint cb_config_list": "a-1.b:0,*:2",
        "prefix": "bglockless:"},
    ("small.nc", "/field1"): {
        "alignment": "1,1", "chunk": "0,0,0", "filters": "1",
        "hint cb_nodes": "2", "hint cb_config_list": None, "prefix": ""},
}


def check_source(tap, scratch):
    library = flags("hdf5-mpich")
    out, said = export(scratch, SOURCE, "c")
    program = library and compiled(
        scratch, "mpicc.mpich", f'-DPLAN="{out}"', HERE / "snippet.c",
        "-x", "c", *library)
    if not program:
        return tap.skip("functions in C", "no HDF5 for MPICH")
    for names, wanted in EXPECTED.items():
        text = run(program, *names, env=mpi_environment()).stdout
        wrong = lacking(pairs(text), wanted | COMMON)
        tap.result(not wrong and len(said) == 1 and
                   set(re.findall("failed=(.*)", text)) == {"0"},
                   f"functions in C for {names}", [*wrong, text, *said])
    return None


def check_compiled(tap, source, compiler, package):
    if not shutil.which(compiler) or not flags(package):
        tap.skip(f"all calls, {package}", "not here")
        return
    done = run(compiler, *STRICT, "-c", source, "-o",
               source.parent / "all.o", *flags(package), check=False)
    tap.result(not done.returncode, f"all calls, {package}",
               [done.stderr[:3000]])


def check_all_source(tap, scratch):
    """Every parameter's call compiles; guarded ones with and without MPI."""
    for _, plan in everything.plans():
        out, _ = export(scratch, plan, "c")
        for compiler, package in (("mpicc.mpich", "hdf5-mpich"),
                                  ("mpicc.openmpi", "hdf5-openmpi")):
            check_compiled(tap, out, compiler, package)
    out, _ = export(scratch, everything.plan(
        block for block in list(everything.blocks())
        if "H5Pset" in block["via"]), "c")
    check_compiled(tap, out, "gcc", "hdf5-serial")


def check_env(tap, scratch):
    out, said = export(scratch, f"""<plan>
        <HDF5_USE_FILE_LOCKING opt-in="yes">FALSE</HDF5_USE_FILE_LOCKING>
        <io>ompio</io> <nc_ibuf_size>1M</nc_ibuf_size>
        <nc_burst_buf_dirname>/{EVIL}</nc_burst_buf_dirname></plan>""",
                       "env")
    found = pairs(sourced(out, "env"))
    wrong = lacking(found, {"HDF5_USE_FILE_LOCKING": "FALSE",
                            "OMPI_MCA_io": "ompio",
                            "PNETCDF_HINTS": "nc_ibuf_size=1048576"})
    tap.result(not wrong and len(said) == 1, "variables", [*wrong, *said])


def check_xml(tap, scratch):
    """Whoever reads it gets the same plan again."""
    wrong = []
    for plan in (SOURCE, MCA, *(plan for _, plan in everything.plans()),
                 """<Parameters>
            <for file="a&amp;b&lt;*" dataset="&quot;x&gt;">
            <chunk>1,2</chunk></for>
            <cb_nodes FileName="part*" force="yes">1</cb_nodes>
            </Parameters>"""):
        first = export(scratch, plan, "xml")[0].read_text()
        again = export(scratch, first, "xml")[0].read_text()
        wrong += [] if first == again else [first, again]
        for form in FORMATS:
            a, _ = export(scratch, plan, form)
            a = a.read_text()
            b = export(scratch, first, form)[0].read_text()
            wrong += [] if a == b else [f"{form}: {a} {b}"]
    tap.result(not wrong, "the plan itself", wrong)


def body(text, form):
    return "\n".join(line for line in text.splitlines()
                     if not line.startswith(COMMENTS.get(form, "#")))


def told_of(said):
    """The settings that were left out, as it was said."""
    found = (re.match(r"weir: plan.xml:\d+: (\w+) is left out: ", line)
             for line in said)
    return {match[1] for match in found if match}


def is_in(block, text, form):
    """By the key or function that sets it, or by its name."""
    if form == "lfs":
        return block["name"] in STRIPES and "lfs setstripe" in text
    if form == "xml":
        return f"<{block['name']}" in text
    keys = block["via"].removeprefix("OMPI_MCA_").replace(",", " ").split()
    return any(key in text for key in keys)


def check_dropped(tap, scratch, part, form):
    """Each setting is in it, or told; and noted where it is told."""
    names, plan = part
    out, said = export(scratch, plan, form)
    text = out.read_text()
    body = "\n".join(line for line in text.splitlines()
                     if not line.startswith(COMMENTS.get(form, "#")))
    told = told_of(said)
    noted = set(re.findall(r"left out: (\w+)=", text))
    silent = [name for name, block in names.items()
              if name not in told and not is_in(block, body, form)]
    both = [name for name, block in names.items() if name in told and
            form not in ("c", "lfs") and block["target"] == "hint" and
            is_in(block, body, form)]
    tap.result(told == noted and not silent and not both,
               f"{form} drops nothing in silence, {len(told)} told",
               [f"silent: {silent}", f"both: {both}",
                f"only one: {told ^ noted}"])


def check_all_dropped(tap, scratch):
    for part in everything.plans():
        for form in FORMATS:
            check_dropped(tap, scratch, part, form)


def main():
    tap = Tap()
    for check in (check_romio, check_mpich, check_mca, check_pnetcdf,
                  check_lfs, check_source, check_all_source, check_env,
                  check_xml, check_all_dropped):
        with tempfile.TemporaryDirectory(prefix="weir-planexport-") as scratch:
            check(tap, Path(scratch))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
