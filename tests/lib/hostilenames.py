# SPDX-License-Identifier: BSD-3-Clause
"""Names of files that try to be more than names, and their safe form."""
import os

WORDS = [
    b"new\nline", b"cr\rback", b"tab\there", b"\x1b[31mred\x1b[0m",
    b"\x1b]0;title\x07", b"\x9b31mC1", "\u009b31mC1 in UTF-8".encode(),
    b"bell\x07", b"delete\x7f", b"\x01\x02\x03\x1f", b"\xff\xfe", b"\xc3\x28",
    b"\xe2\x82", b"\xed\xa0\x80surrogate", b"\xf4\x90\x80\x80beyond",
    b"\xc0\xafoverlong", "rtl\u202egnp.exe".encode(), "\u2066iso".encode(),
    "zero\u200bwidth".encode(), "\ufeffbom".encode(), "line\u2028sep".encode(),
    "caf\u00e9".encode(), "\u6f22\u5b57".encode(), "\U0001f600".encode(),
    b"quote\"s", b"single'", b"comma,comma", b"semi;colon", b"back\\slash",
    b"\\x41\\n", b"\\\\", b"%s%n%x", b"%00", b"$(touch pwned)", b"`id`",
    b"|pipe", b"&and", b">out", b"<in>", b"<script>alert(1)",
    b"{\"json\":1}", b"[1,2]", b"=cmd|calc", b"@SUM(1)", b"-rf", b"--", b"~",
    b"*?[a]", b" lead and trail ", b"#comment", b"\"", b"''", b"\\", b"\"\"\"",
    b"\n", b"\r\n", b" ", b"a" * 255, b"\xff" * 255, b"\n" * 255, b"\"" * 255,
    b"NULL", b"NaN", b"1e999", b"weir:loss", b"...", b"\x1b" * 10,
]


def long_path(root):
    """As long as the kernel takes: 4095 bytes."""
    path = os.fsencode(root)
    while 4095 - len(path) > 257:
        path += b"/" + (b"\x1b\n\xff," * 64)[:200]
    os.makedirs(path)
    return path + b"/" + b"e" * (4094 - len(path))


def take_back(safe):
    """The bytes that a safe form stands for."""
    out, at = bytearray(), 0
    while at < len(safe):
        if safe[at] != "\\":
            out += safe[at].encode()
            at += 1
        elif safe[at + 1] == "\\":
            out += b"\\"
            at += 2
        else:
            assert safe[at + 1] == "x", f"no safe form: {safe[at:at + 4]!r}"
            out.append(int(safe[at + 2:at + 4], 16))
            at += 4
    return bytes(out)
