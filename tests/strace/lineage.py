# SPDX-License-Identifier: BSD-3-Clause
"""Who made whom, and which program a line belongs to."""
import origin

CLONE_VM, CLONE_FILES = 0x100, 0x400
CLONE_VFORK, CLONE_THREAD = 0x4000, 0x10000


def clone_flags(line):
    """What a line that made a thread or a process was asked for."""
    if line.name in ("fork", "vfork"):
        return CLONE_VFORK | CLONE_VM if line.name == "vfork" else 0
    for argument in line.args:
        if isinstance(argument, dict) and "flags" in argument:
            return argument["flags"]
    return 0


def births(threads):
    """Lines that made a thread or process: (line, child)."""
    for lines in threads.values():
        for line in lines:
            if line.name in ("fork", "vfork", "clone", "clone3") and \
                    line.ret and line.ret > 0 and line.ret in threads:
                yield line, line.ret


class Image:
    """A program in a process, from execve to its end."""

    def __init__(self, path):
        self.path = path
        self.program = path.rsplit("/", 1)[-1]
        self.preloaded = False
        self.loaded = False     # by the dynamic loader


def name_images(threads):
    """Give every line its process and the program which that runs."""
    parents = {child: line for line, child in births(threads)}
    ready = set()

    def visit(tid):
        if tid in ready:
            return
        ready.add(tid)
        birth = parents.get(tid)
        pid, image = tid, Image("?")
        if birth is not None:
            visit(birth.tid)
            image = birth.image
            if clone_flags(birth) & CLONE_THREAD:
                pid = birth.pid
        for line in threads[tid]:
            line.image, line.pid = image, pid
            image.loaded |= origin.is_loader(line)
            if is_exec(line):
                image = Image(bytes(line.args[0]).decode())
            elif line.name == "openat" and line.ret and line.ret > 0 and \
                    line.args[1].endswith(b"/libweir.so"):
                image.preloaded = True
    for tid in threads:
        visit(tid)


def is_exec(line):
    return line.name in ("execve", "execveat") and line.ret == 0


def join_vforks(threads, origins):
    """A vfork child runs in its parent's thread until it executes."""
    for line, child in list(births(threads)):
        origin = origins[line]
        if line.name != "vfork" or origin.kind != "wrapper":
            continue
        lines = threads[child]
        end = next((i + 1 for i, own in enumerate(lines) if is_exec(own)),
                   len(lines))
        line.borrowed = lines[:end]
        threads[child] = lines[end:]


def in_order(lines):
    """All lines of a thread, those of its vfork children where they ran."""
    for line in lines:
        yield line
        yield from in_order(getattr(line, "borrowed", ()))
