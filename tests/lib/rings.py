# SPDX-License-Identifier: BSD-3-Clause
"""Whether io_uring can be used here, and what to do where it cannot."""
import ctypes
import os

SETUP = 425  # the number of io_uring_setup


def are_allowed():
    libc = ctypes.CDLL(None, use_errno=True)
    params = ctypes.create_string_buffer(120)
    fd = libc.syscall(SETUP, 1, params)
    if fd >= 0:
        os.close(fd)
    return fd >= 0


def environment():
    """For programs that use liburing. Its stand-in answers where the kernel
    forbids io_uring, and where the test asks for it; never silently."""
    if not os.environ.get("WEIR_TEST_STANDIN") and are_allowed():
        print("# io_uring: the kernel's own")
        return None
    print("# io_uring: a stand-in for liburing, "
          f"{'as asked' if are_allowed() else 'because it is FORBIDDEN here'}")
    return dict(os.environ, LD_LIBRARY_PATH=os.environ["STANDIN"])
