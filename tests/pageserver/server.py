# SPDX-License-Identifier: BSD-3-Clause
"""A `weir report --browse` under test, and a client that may be rude to it."""
import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from weirtool import WEIR, Tap  # noqa: E402,F401

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})\n")
REFUSED = 5
PATIENCE = 60  # seconds that nothing here should ever take


class Answer:
    """Status, headers by small letters, and body of a response."""

    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("ascii").split("\r\n")
        self.status = int(first.split()[1]) if first else 0
        self.headers = {key.lower(): value for key, value in
                        (line.split(": ", 1) for line in lines)}

    def json(self):
        return json.loads(self.body)


class Server:
    """Runs until the end of the `with`, which looks at how it ends."""

    def __init__(self, trace, *options):
        self.process = subprocess.Popen(
            [WEIR, "report", str(trace), "--browse", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            stdin=subprocess.DEVNULL)
        line = self.process.stdout.readline()
        found = ADDRESS.fullmatch(line)
        if not found:
            out, err = self.process.communicate(timeout=PATIENCE)
            raise RuntimeError(f"no address but {line!r}; {out} {err}")
        self.port, self.token = int(found[1]), found[2]
        self.cookie = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def stop(self, number=signal.SIGTERM):
        """End it; return (status, what it said on stderr)."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def raw(self, data):
        """What comes back for these bytes; no answer has the status 0."""
        with self.connect() as line:
            try:
                line.sendall(data)
            except OSError:
                pass  # it may have heard enough
            return Answer(all_of(line))

    def get(self, target, cookie=None, host=None, method="GET", more=""):
        host = host or f"127.0.0.1:{self.port}"
        cookie = f"Cookie: {cookie}\r\n" if cookie else ""
        return self.raw(f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n"
                        f"{cookie}{more}\r\n".encode("latin-1"))

    def enter(self):
        """Use the token; later questions have the cookie."""
        answer = self.get(f"/?token={self.token}")
        self.cookie = answer.headers["set-cookie"].split(";")[0]
        return answer

    def ask(self, what, /, **keys):
        answer = self.get(f"/{what}?{urlencode(keys)}", self.cookie)
        if answer.status != 200:
            raise RuntimeError(f"{what} {keys}: {answer.status} "
                               f"{answer.body}")
        return answer.json()

    def events(self, **keys):
        """All events, page by page, and how many pages there were."""
        found, pages, after = [], 0, ""
        while after is not None:
            told = self.ask("events", after=after, **keys)
            found += told["events"]
            after = told["next"]
            pages += 1
        return found, pages


def all_of(line):
    """All bytes that come until the other side hangs up."""
    parts = []
    while True:
        try:
            part = line.recv(1 << 16)
        except ConnectionResetError:
            part = b""
        if not part:
            return b"".join(parts)
        parts.append(part)


def has_page():
    """Whether the tool was built with it; where not, nothing can be tried."""
    done = subprocess.run([WEIR, "report", "--html", "/dev/null", "/dev/null"],
                          capture_output=True, text=True, check=False)
    return "without the page" not in done.stderr
