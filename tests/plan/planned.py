# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs with a plan, and reads what became of it."""
import html
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
import weirtool  # noqa: E402
from weirtool import WEIR  # noqa: E402


# enum weir_plan_verdict
VERDICTS = ("took", "changed", "ignored", "kept", "inert", "refused", "given",
            "unsafe")


def plan_text(settings):
    """XML of (name, value) or (name, value, {attribute: text})."""
    lines = []
    for name, value, *more in settings:
        given = "".join(f' {key}="{html.escape(text)}"'
                        for key, text in (more[0] if more else {}).items())
        lines.append(f"  <{name}{given}>{html.escape(str(value))}</{name}>\n")
    return "<plan>\n" + "".join(lines) + "</plan>\n"


def run(scratch, settings, command, options=(), **kwargs):
    """(finished process, events) of a command with these settings; of a
    command without any if there are none."""
    trace = Path(scratch) / "trace"
    plan = []
    if settings:
        path = Path(scratch) / "plan.xml"
        path.write_text(plan_text(settings))
        plan = ["--plan", str(path)]
    kwargs.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run([WEIR, "run", *options, *plan, "-o", str(trace),
                           "--", *map(str, command)],
                          capture_output=True, text=True, **kwargs)
    if done.returncode:
        raise weirtool.Failure(f"weir run returned {done.returncode}: "
                               f"{done.stderr}")
    return done, weirtool.events(trace)


def effects(events, file=None):
    """[(setting, asked, verdict, effective)] of a file, or of all."""
    found = []
    for event in events:
        if event["call"] == "plan_effect" and \
                (file is None or event.get("file") == str(file)):
            args = event["args"]
            found.append((args["setting"], args["asked"],
                          VERDICTS[args["verdict"]], args["effective"]))
    return found
