# SPDX-License-Identifier: BSD-3-Clause
"""Talks to an interactive shell on a terminal of its own.

usage: terminal.py shell|jobs [WEIR]...

WEIR is what stands before a recorded command: before the shell itself, or
before each of its jobs. A line is typed when the prompt is there; what the
terminal showed is printed, without numbers that differ between any two runs.
"""
import os
import pty
import re
import sys
import termios
import time
from pathlib import Path

PROMPT = b"ready> "
SHELL = ["bash", "--norc", "--noprofile", "-i"]

# What is typed, and the key that ends it when it does not end by itself.
STOP, BREAK = b"\x1a", b"\x03"
IN_SHELL = [
    (b"echo hello", None),
    (b"tty >/dev/null && echo a terminal", None),
    (b"sleep 0.1 & wait; echo waited", None),
    (b"sleep 100 &", None),
    (b"jobs", None),
    (b"kill %1; wait; echo gone", None),
    (b"sleep 100", STOP),
    (b"jobs", None),
    (b"bg >/dev/null; kill -INT %1; wait; echo gone again", None),
    (b"cat", BREAK),
    (b"echo status $?", None),
    (b"stty -a | grep -c icanon", None),
]
IN_JOBS = [
    (b'run() { rm -rf "${WEIR[4]}"; "${WEIR[@]}" "$@"; }', None),
    (b"run sleep 100", STOP),
    (b"jobs", None),
    (b"fg", BREAK),
    (b"echo status $?", None),
    (b"run sh -c 'exit 5'; echo status $?", None),
    (b"run sleep 100", BREAK),
    (b"echo status $?", None),
    (b"run sh -c 'trap \"\" TSTP; sleep 0.3; echo not stopped'", STOP),
]


def read_until(terminal, mark, more_may_follow=False):
    seen = b""
    while not (seen.endswith(mark) or (more_may_follow and mark in seen)):
        try:
            more = os.read(terminal, 4096)
        except OSError:
            break  # the other side is closed
        if not more:
            break
        seen += more
    return seen


def await_command(terminal):
    """Until a command has the keyboard, and the shell's signals not."""
    while True:
        try:
            group = os.tcgetpgrp(terminal)
            for process in Path("/proc").glob("[0-9]*"):
                if os.getpgid(int(process.name)) == group and \
                   (process / "comm").read_text() in ("sleep\n", "cat\n"):
                    return
        except OSError:
            pass  # it is just coming or going
        time.sleep(0.002)


def keep_output(terminal):
    """A key that interrupts would throw away what was not read yet."""
    settings = termios.tcgetattr(terminal)
    settings[3] |= termios.NOFLSH
    termios.tcsetattr(terminal, termios.TCSANOW, settings)


def talk(terminal, lines):
    text = read_until(terminal, PROMPT)
    for line, key in lines:
        os.write(terminal, line + b"\n")
        if key:
            text += read_until(terminal, line + b"\r\n", True)
            await_command(terminal)
            os.write(terminal, key)
        text += read_until(terminal, PROMPT)
    os.write(terminal, b"exit 21\n")
    return text + read_until(terminal, b"never seen")


def main():
    what, *weir = sys.argv[1:]
    command = weir + SHELL if what == "shell" else SHELL
    lines = IN_SHELL if what == "shell" else IN_JOBS
    pid, terminal = pty.fork()
    if not pid:
        keep_output(0)
        os.environ.update(PS1=PROMPT.decode(), TERM="dumb")
        os.execvp(command[0], command)
    if what == "jobs":
        words = " ".join(f"'{word}'" for word in weir)
        read_until(terminal, PROMPT)
        os.write(terminal, f"WEIR=({words}); stty -echo\n".encode())
        read_until(terminal, PROMPT)
        os.write(terminal, b"stty echo\n")
    text = talk(terminal, lines)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    text = re.sub(rb"(?m)^(\[\d+\]) \d{2,}\r$", rb"\1 PID\r", text)
    # when bash tells that a job has ended is a matter of time
    text = re.sub(rb"(?m)^\[\d+\].? +(Done|Interrupt|Terminated) .*\n", b"",
                  text)
    # bash ends the line when a signal ended the command: weir has a status
    text = text.replace(b"^C\r\n", b"^C")
    sys.stdout.buffer.write(text)
    print("status", status)


if __name__ == "__main__":
    main()
