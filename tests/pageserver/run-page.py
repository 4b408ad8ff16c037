#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page that `weir report --html` writes: one file, with the report in it.

usage: run-page.py WEIR_WITHOUT_PAGE TRACE...
"""
import base64
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from server import REFUSED, WEIR, Server, Tap, has_page

USAGE = 2
DATA = re.compile(r'<script type="application/octet-stream" id="weir-data">'
                  r"([A-Za-z0-9+/]+=*)</script>")
POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')
LOADS = re.compile(r"""<(?:script|link|img|iframe|object|embed|base)\b[^>]*
                       \b(?:src|href|data)\s*=\s*(?!["']?(?:data:|\#))""", re.X)


def report(*words, tool=WEIR):
    return subprocess.run([tool, "report", *map(str, words)],
                          capture_output=True, text=True, check=False)


def head_of(data):
    """What the page reads first of its data."""
    size = int.from_bytes(data[12:16], "little")
    if data[:8] != b"WEIRPAGE" or data[8:12] != b"\1\0\0\0":
        raise ValueError(f"no data of a page: {data[:16]}")
    return json.loads(data[16:16 + size])


def faults_of(text, due, connect):
    policy = dict(part.split(" ", 1) for part in
                  POLICY.search(text)[1].split("; "))
    packed = DATA.findall(text)
    faults = [f"{key} {policy.get(key)}" for key, value in
              (("default-src", "'none'"), ("connect-src", connect),
               ("base-uri", "'none'"), ("form-action", "'none'"))
              if policy.get(key) != value]
    if "unsafe" in policy["script-src"] or "*" in POLICY.search(text)[1]:
        faults.append("the policy allows other scripts")
    if LOADS.search(text) or "@WEIR_" in text:
        faults.append("it is not whole")
    if len(packed) != 1:
        return [*faults, f"{len(packed)} times data"]
    head = head_of(gzip.decompress(base64.b64decode(packed[0])))
    if head["report"] != due:
        faults.append("its report is not that of --json")
    return faults


def check_pages(tap, traces, scratch):
    for trace in traces:
        name, out = f"{trace.parent.name}/{trace.name}", scratch / "out.html"
        due = json.loads(report("--json", trace).stdout)
        done = report("--html", out, trace)
        faults = faults_of(out.read_text(encoding="utf-8"), due, "'none'")
        tap.result(not faults and not done.stdout and not done.returncode,
                   f"{name}: a page", [*faults, done])
        first = out.read_bytes()
        report("--html", out, trace)
        tap.result(out.read_bytes() == first, f"{name}: always the same")
        with Server(trace) as server:
            server.enter()
            text = server.get("/", server.cookie).body.decode()
        faults = faults_of(text, due, "'self'")
        tap.result(not faults, f"{name}: as it is served", faults)


def check_refusals(tap, trace, scratch):
    out = scratch / "no" / "out.html"
    done = report("--html", out, trace)
    tap.result(done.returncode == 1 and str(out) in done.stderr,
               "where nothing can be written", [done])
    for words in (["--html", "x", "--browse"], ["--json", "--html", "x"],
                  ["--format", "json", "--browse"], ["--port", "1"],
                  ["--browse", "--port", "65536"]):
        done = report(*words, trace)
        tap.result(done.returncode == USAGE and done.stderr.startswith("weir "
                   "report: ") and not Path("x").exists(),
                   f"no mistake is done: {' '.join(words)}", [done])
    done = report("--browse", scratch / "nowhere")
    tap.result(done.returncode == REFUSED and not done.stdout,
               "without a trace there is no server", [done])


def check_without(tap, tool, trace, scratch):
    out = scratch / "without.html"
    for words in (["--html", out], ["--browse"]):
        done = report(*words, trace, tool=tool)
        tap.result(done.returncode == REFUSED and not out.exists()
                   and not done.stdout and "npm ci" in done.stderr,
                   f"built without the page: {words[0]}", [done])
    tap.result(report(trace, tool=tool).returncode == 0,
               "built without the page: all else is there")


def main(without, *traces):
    tap = Tap()
    traces = [Path(trace) for trace in traces]
    with tempfile.TemporaryDirectory(prefix="weir-page-") as scratch:
        scratch = Path(scratch)
        check_without(tap, without, traces[0], scratch)
        if has_page():
            check_pages(tap, traces, scratch)
            check_refusals(tap, traces[0], scratch)
        else:
            tap.skip("pages", "this weir was built without the page")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
