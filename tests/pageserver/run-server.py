#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whom `weir report --browse` lets in, and what it does with the rude.

usage: run-server.py TRACE
"""
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from server import WEIR, Server, Tap, all_of, has_page

HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store",
           "referrer-policy": "no-referrer", "x-frame-options": "DENY",
           "cross-origin-resource-policy": "same-origin",
           "connection": "close"}
MOST_HEAD = 8192
MOST_TALKS = 32


def check_token(tap, trace):
    with Server(trace) as server:
        wrong = [(path, server.get(path).status) for path in
                 ("/", "/events", "/event?id=1.1.0", "/nowhere", "/?token=",
                  "/?token=" + "0" * 32, f"/?token={server.token[:-1]}",
                  f"/?token={server.token}0", f"/?x&token={server.token}",
                  f"/events?token={server.token}")]
        tap.result(all(status == 403 for _, status in wrong),
                   "without token and cookie nobody gets in", wrong)
        answer = server.enter()
        cookie = answer.headers.get("set-cookie", "")
        tap.result(answer.status == 303 and answer.headers["location"] == "/"
                   and cookie.startswith(f"weir_{server.port}=")
                   and "HttpOnly" in cookie and "SameSite=Strict" in cookie,
                   "the token gives a cookie", [answer.headers])
        tap.result(server.token not in cookie, "which is another secret")
        again = server.get(f"/?token={server.token}")
        tap.result(again.status == 403 and "set-cookie" not in again.headers,
                   "and is void then", [again.status])
        page = server.get("/", server.cookie)
        tap.result(page.status == 200 and b"connect-src 'self'" in page.body
                   and page.headers["content-type"].startswith("text/html"),
                   "the cookie gives the page", [page.headers])
        name, value = server.cookie.split("=")
        wrong = [(cookie, server.get("/", cookie).status) for cookie in
                 (f"{name}={'0' * 32}", f"{name}={value[:-1]}", f"{name}=",
                  f"x{name}={value}", f"other={value}", f"{name}={value}0")]
        tap.result(all(status == 403 for _, status in wrong),
                   "other cookies do not", wrong)
        several = server.get("/", f"a=b; {server.cookie}; c=d")
        tap.result(several.status == 200, "beside others it does")


def check_host(tap, server):
    port = server.port
    right = [f"127.0.0.1:{port}", f"localhost:{port}", f"LocalHost:{port}"]
    wrong = ["127.0.0.1", "localhost", f"127.0.0.1:{port + 1}", "evil.example",
             f"evil.example:{port}", f"127.0.0.1.evil.example:{port}",
             f"127.0.0.2:{port}", f"[::1]:{port}", f"0.0.0.0:{port}",
             f"127.0.0.1:{port}:{port}", f"127.0.0.1:0{port}"]
    seen = [(host, server.get("/", server.cookie, host).status)
            for host in right + wrong]
    tap.result([status for _, status in seen]
               == [200] * len(right) + [403] * len(wrong),
               "names of other hosts are refused", seen)


def check_headers(tap, server):
    answers = [server.get(target, server.cookie) for target in
               ("/", "/events", "/event?id=1.1.0", "/nowhere", "/event")]
    answers.append(server.get("/"))
    wrong = [(answer.status, key, answer.headers.get(key))
             for answer in answers for key, value in HEADERS.items()
             if answer.headers.get(key) != value]
    wrong += [answer.status for answer in answers
              if "frame-ancestors 'none'" not in
              answer.headers["content-security-policy"]
              or int(answer.headers["content-length"]) != len(answer.body)]
    tap.result(not wrong, "every answer has the headers that protect", wrong)


def check_paths(tap, server):
    wrong = [(path, status) for path in
             ("/../etc/passwd", "/..%2f..%2fetc/passwd", "//", "/events/",
              "/index.html", "/%65vents", "/etc/passwd", "/./", "/?/../x",
              "/events/../event", "/" + "a" * 4000)
             for status in [server.get(path, server.cookie).status]
             if status != (200 if path.startswith("/?") else 404)]
    tap.result(not wrong, "there are three paths and no files", wrong)


def check_methods(tap, server):
    seen = [(method, answer.status, answer.headers.get("allow"))
            for method in ("POST", "HEAD", "PUT", "OPTIONS", "get", "PRI")
            for answer in [server.get("/", server.cookie, method=method)]]
    tap.result(all(row[1:] == (405, "GET") for row in seen),
               "only GET is answered", seen)


def malformed(port):
    """Requests that no client should send, by what is wrong."""
    host = f"Host: 127.0.0.1:{port}\r\n".encode()
    head = b"GET / HTTP/1.1\r\n" + host
    return {
        "no target": b"GET\r\n" + host,
        "two spaces": b"GET  / HTTP/1.1\r\n" + host,
        "a third word": b"GET / HTTP/1.1 x\r\n" + host,
        "no slash": b"GET x HTTP/1.1\r\n" + host,
        "a whole address": b"GET http://127.0.0.1/ HTTP/1.1\r\n" + host,
        "a fragment": b"GET /#x HTTP/1.1\r\n" + host,
        "bytes beyond ASCII": b"GET /\xff HTTP/1.1\r\n" + host,
        "a zero byte": b"GET /\0 HTTP/1.1\r\n" + host,
        "a bare line feed": head.replace(b"\r", b""),
        "a bare return": head + b"X: a\rb\r\n",
        "no host": b"GET / HTTP/1.1\r\n",
        "two hosts": head + host,
        "two cookies": head + b"Cookie: a=b\r\nCookie: a=b\r\n",
        "a folded line": head + b"X: a\r\n b\r\n",
        "a space in a name": head + b"X y: a\r\n",
        "a space before the colon": head + b"X : a\r\n",
        "no name": head + b": a\r\n",
        "no colon": head + b"Xyz\r\n",
        "a body by length": head + b"Content-Length: 3\r\n",
        "a body in chunks": head + b"Transfer-Encoding: chunked\r\n",
        "TLS": bytes([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]) + host,
    }


def check_malformed(tap, server):
    wrong = []
    for what, data in malformed(server.port).items():
        answer = server.raw(data + b"\r\n")
        if answer.status != 400 or "error" not in answer.json():
            wrong.append((what, answer.status, answer.body))
    tap.result(not wrong, "what is no request is refused", wrong)
    statuses = [server.raw(f"GET / {version}\r\nHost: x\r\n\r\n".encode())
                .status for version in ("HTTP/2.0", "HTTP/0.9", "HTTP/1.11")]
    tap.result(statuses == [505] * 3, "as are other versions", statuses)


def check_sizes(tap, server):
    def head(size):
        start = (f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                 f"Cookie: {server.cookie}\r\nX: ").encode()
        return start + b"a" * (size - len(start) - 4) + b"\r\n\r\n"

    sizes = [(size, server.raw(head(size)).status) for size in
             (MOST_HEAD - 1, MOST_HEAD, MOST_HEAD + 1, 1 << 20)]
    tap.result([status for _, status in sizes] == [200, 200, 431, 431],
               "a request has at most 8 KiB", sizes)
    many = [(n, server.get("/", server.cookie, more="X: y\r\n" * n).status)
            for n in (62, 63, 1000)]
    tap.result([status for _, status in many] == [200, 431, 431],
               "and at most 64 lines", many)
    slowly = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n" \
             f"Cookie: {server.cookie}\r\n\r\n".encode()
    with server.connect() as line:
        for byte in slowly:
            line.sendall(bytes([byte]))
        tap.result(all_of(line).startswith(b"HTTP/1.1 200 "),
                   "it may come in pieces")


def check_silence(tap, server):
    """More clients that say little than there are places."""
    lines = [server.connect() for _ in range(3 * MOST_TALKS)]
    for line in lines:
        line.sendall(b"GET / HT")
    tap.result(server.get("/", server.cookie).status == 200,
               "the silent keep nobody out")
    for line in lines:
        all_of(line)
        line.close()
    tap.result(True, "and are hung up on after a while")


def check_hangups(tap, server):
    for data in (b"", b"G", b"GET / HTTP/1.1\r\n",
                 f"GET / HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
                 f"Cookie: {server.cookie}\r\n\r\n".encode()):
        for _ in range(20):
            with server.connect() as line:
                line.sendall(data)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                b"\1\0\0\0\0\0\0\0")  # ends by a reset
    tap.result(server.get("/", server.cookie).status == 200,
               "who hangs up early does no harm")


def check_many(tap, server):
    due = [server.ask("events", limit=n)["events"] for n in range(1, 9)]
    wrong = []

    def client(number):
        for n in range(number, number + 8):
            n = n % 8 + 1
            if server.ask("events", limit=n)["events"] != due[n - 1]:
                wrong.append((number, n))

    crowd = [threading.Thread(target=client, args=(n,)) for n in range(48)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    tap.result(not wrong, "48 clients at a time get their own answers", wrong)


def check_loopback(tap, server):
    listening = [row.split()[1] for path in ("/proc/net/tcp", "/proc/net/tcp6")
                 if Path(path).exists()
                 for row in Path(path).read_text().splitlines()[1:]
                 if row.split()[3] == "0A"
                 and row.split()[1].endswith(f":{server.port:04X}")]
    tap.result(listening == [f"0100007F:{server.port:04X}"],
               "it listens on 127.0.0.1 alone", listening)


def check_ends(tap, trace):
    for number in (signal.SIGINT, signal.SIGTERM):
        with Server(trace) as server:
            idle = server.connect()
            status, err = server.stop(number)
            idle.close()
            tap.result(status == 0, f"{number.name} ends it well", [err])


def check_port(tap, trace):
    with Server(trace) as first:
        done = subprocess.run(
            [WEIR, "report", trace, "--browse", "--port", str(first.port)],
            capture_output=True, text=True, check=False)
        tap.result(done.returncode == 1 and not done.stdout
                   and f"port {first.port}: Address already" in done.stderr,
                   "a port that is taken is told", [done])
    with Server(trace, "--port", str(first.port)) as second:
        tap.result(second.port == first.port, "a port is used as given")


def main(trace):
    tap = Tap()
    if not has_page():
        tap.skip("all", "this weir was built without the page")
        return tap.done()
    check_token(tap, trace)
    with Server(trace) as server:
        server.enter()
        for check in (check_host, check_headers, check_paths, check_methods,
                      check_malformed, check_sizes, check_hangups, check_many,
                      check_loopback, check_silence):
            begin = time.monotonic()
            check(tap, server)
            print(f"# {check.__name__}: {time.monotonic() - begin:.2f} s")
    check_ends(tap, trace)
    check_port(tap, trace)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
