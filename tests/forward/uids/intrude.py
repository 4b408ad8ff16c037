# SPDX-License-Identifier: BSD-3-Clause
"""Everything that can be tried on the service of another user."""
import ctypes
import os
import signal
import socket
import subprocess
from pathlib import Path

PTRACE_ATTACH, PTRACE_DETACH = 16, 17
libc = ctypes.CDLL(None, use_errno=True)


class Vector(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]


def checked(ret):
    if ret < 0:
        raise OSError(ctypes.get_errno(), 'refused')


def connect(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.settimeout(20)
        door.connect(str(path))
        door.sendall(b'weir' + bytes(60))
        if not door.recv(1):
            raise OSError('hung up')


def enter(place):
    os.listdir(place)


def make(place):
    (place / 'mine').write_text('x')


def remove(path):
    path.unlink()


def rename(place):
    place.rename(place.with_name('mine'))


def read(path):
    with open(path, 'rb') as file:
        if not file.read(1):
            raise OSError('empty')


def write(path):
    with open(path, 'r+b') as file:
        file.write(b'x')


def descriptors(pid):
    for name in os.listdir(f'/proc/{pid}/fd'):
        with open(f'/proc/{pid}/fd/{name}', 'rb'):
            pass


def send_signal(pid):
    os.kill(pid, signal.SIGCONT)


def trace(pid):
    checked(libc.ptrace(PTRACE_ATTACH, pid, None, None))
    os.waitpid(pid, 0)
    libc.ptrace(PTRACE_DETACH, pid, None, None)


def peek(pid):
    room = ctypes.create_string_buffer(8)
    here = Vector(ctypes.addressof(room), 8)
    there = Vector(0x400000, 8)
    checked(libc.process_vm_readv(pid, ctypes.byref(here), 1,
                                  ctypes.byref(there), 1, 0))


def tool(*command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, timeout=60,
                          stdin=subprocess.DEVNULL)
    if done.returncode:
        raise OSError('refused')


def attempts(place, pid, file, weir):
    yield from ((f'connect to {name}', connect, place / name)
                for name in ('door', 'above'))
    yield from ((f'read {path}', read, path) for path in (
        file, place / 'log', place / 'door', f'/proc/{pid}/mem',
        f'/proc/{pid}/maps', f'/proc/{pid}/environ'))
    yield from ((f'write {path}', write, path) for path in (
        file, place / 'log', f'/proc/{pid}/mem'))
    yield 'list the runtime directory', enter, place
    yield 'make a file there', make, place
    yield 'remove the door', remove, place / 'door'
    yield 'rename the runtime directory', rename, place
    yield 'open descriptors of the daemon', descriptors, pid
    yield 'send the daemon a signal', send_signal, pid
    yield 'trace the daemon', trace, pid
    yield 'look into the memory of the daemon', peek, pid
    for verb in ('status', 'drain', 'errors', 'stop'):
        yield f'weir serve {verb}', tool, weir, 'serve', verb, '--at', place
    yield 'weir serve stop --now', tool, weir, 'serve', 'stop', '--now', \
        '--at', place


def try_all(place, pid, file, weir):
    """What could be done, one line each; then how much was tried."""
    said, tried = [], 0
    for what, attempt, *words in attempts(place, pid, file, weir):
        tried += 1
        try:
            attempt(*words)
            said.append(f'could {what}')
        except OSError:
            pass
    return said + [f'{tried} tried']
