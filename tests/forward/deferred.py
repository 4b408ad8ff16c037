# SPDX-License-Identifier: BSD-3-Clause
"""Plays in which files are deferred (`weir run --defer`), and a judge of
what reaches the file system: the kernel's own notices (inotify)."""
import ctypes
import os
import struct

from cast import Play, expect, until

CREATED = 0x100 | 0x80  # IN_CREATE, IN_MOVED_TO


class Watch:
    """Names that appear in a directory."""

    def __init__(self, place):
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if libc.inotify_add_watch(self.fd, bytes(place), CREATED) < 0:
            raise OSError(ctypes.get_errno(), 'inotify_add_watch')
        self.names = []

    def seen(self):
        """All so far, in order."""
        while True:
            try:
                notes = os.read(self.fd, 1 << 16)
            except BlockingIOError:
                return self.names
            while notes:
                *_, length = struct.unpack_from('iIII', notes)
                name, notes = notes[16:16 + length], notes[16 + length:]
                self.names.append(name.rstrip(b'\0').decode())

    def close(self):
        os.close(self.fd)


class Deferred(Play):
    """All files below `data` are deferred; `watch` knows when."""

    def stored_by(self, backend):
        self.watch = Watch(self.data)
        return [*super().stored_by(backend), '--defer', self.data]

    def __exit__(self, *error):
        super().__exit__(*error)
        self.watch.close()

    def opened(self, name, actor=0, flags='os.O_RDWR | os.O_CREAT',
               mode=0o666):
        """An actor opens a file as `fd`; its path."""
        path = self.file(name)
        self.actors[actor].do(f'path = {str(path)!r}')
        self.actors[actor].do(f'fd = os.open(path, {flags}, {mode})')
        return path

    def is_deferred(self, *names):
        """None of these has reached the file system."""
        for name in names:
            expect((name, name in self.watch.seen()), (name, False))
            expect(os.path.lexists(self.file(name)), False)

    def await_creation(self, name):
        until(lambda: name in self.watch.seen(), f'the creation of {name}')
