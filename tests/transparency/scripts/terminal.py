# SPDX-License-Identifier: BSD-3-Clause
"""Talks to an interactive shell on a terminal of its own.

usage: terminal.py COMMAND [ARGUMENT]...

Each line is typed when the prompt is there; what the terminal showed is
printed, with the numbers that differ between any two runs left out."""
import os
import pty
import re
import sys
import time
from pathlib import Path

PROMPT = b"ready> "
LINES = [
    b"echo hello",
    b"tty >/dev/null && echo a terminal",
    b"sleep 0.1 & wait; echo waited",
    b"sleep 100 &",
    b"jobs",
    b"kill %1; wait; echo gone",
    b"sleep 100",  # stopped by the keyboard below
    b"jobs",
    b"bg >/dev/null; kill -INT %1; wait; echo gone again",
    b"cat",  # ended by the keyboard
    b"echo status $?",
    b"stty -a | grep -c icanon",
]
KEYS = {b"sleep 100": b"\x1a", b"cat": b"\x03"}


def read_until(terminal, mark):
    seen = b""
    while not seen.endswith(mark):
        try:
            more = os.read(terminal, 4096)
        except OSError:
            break  # the other side is closed
        if not more:
            break
        seen += more
    return seen


def await_command(terminal, name):
    """Until the command has the keyboard, and the shell's signals not."""
    while True:
        try:
            leader = os.tcgetpgrp(terminal)
            if Path(f"/proc/{leader}/comm").read_bytes() == name + b"\n":
                return
        except OSError:
            pass  # it is just coming or going
        time.sleep(0.002)


def main():
    pid, terminal = pty.fork()
    if not pid:
        os.environ.update(PS1=PROMPT.decode(), TERM="dumb")
        os.execvp(sys.argv[1], sys.argv[1:])
    text = read_until(terminal, PROMPT)
    for line in LINES:
        os.write(terminal, line + b"\n")
        if line in KEYS:
            text += read_until(terminal, line + b"\r\n")
            await_command(terminal, line.split()[0])
            os.write(terminal, KEYS[line])
        text += read_until(terminal, PROMPT)
    os.write(terminal, b"exit 21\n")
    text += read_until(terminal, b"never seen")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    text = re.sub(rb"(?m)^(\[\d+\]) \d{2,}\r$", rb"\1 PID\r", text)
    sys.stdout.buffer.write(text)
    print("status", status)


if __name__ == "__main__":
    main()
