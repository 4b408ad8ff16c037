# SPDX-License-Identifier: BSD-3-Clause
"""Whether programs do the same where their files are forwarded: what they
leave, and how two runs differ."""
import difflib
import hashlib

# Kept as long as there is room; stored soon; with little room.
WAYS = {"kept": ["--policy", "half"], "stored early": ["--policy", "idle"],
        "small cache": ["--cache", "4M"]}


def contents(place):
    """What is in a directory: names, modes, lengths, sums."""
    found = []
    for path in sorted(place.rglob("*")):
        about, size, digest = path.lstat(), "-", "-"
        if path.is_file():
            size = about.st_size
            digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        found.append(f"{path.relative_to(place)} {about.st_mode:o} "
                     f"{size} {digest}")
    return found


def differences(wanted, found):
    """The first lines that tell them apart; none: they are the same."""
    return list(difflib.unified_diff(wanted, found, "direct", "forwarded",
                                     lineterm="", n=1))[:20]
