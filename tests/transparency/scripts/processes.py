# SPDX-License-Identifier: BSD-3-Clause
"""Processes and threads by every means of the standard library."""
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor


def square(number):
    with open(f"square-{number}", "w") as file:
        file.write(str(number * number))
    return number * number


def talk(pipe):
    pipe.send(os.getcwd() == pipe.recv())
    pipe.close()


def by_multiprocessing(method):
    context = multiprocessing.get_context(method)
    with context.Pool(3) as pool:
        print(method, sum(pool.map(square, range(20))))
    ours, theirs = context.Pipe()
    child = context.Process(target=talk, args=(theirs,))
    child.start()
    ours.send(os.getcwd())
    print("same place:", ours.recv())
    child.join()
    print("exit code:", child.exitcode)


def by_subprocess():
    done = subprocess.run(["sh", "-c", "cat; echo err >&2; exit 3"],
                          input=b"through cat\n", capture_output=True)
    print(done.returncode, done.stdout, done.stderr)
    with subprocess.Popen(["sleep", "20"], close_fds=True,
                          start_new_session=True) as child:
        child.send_signal(signal.SIGKILL)
    print(child.returncode)
    print(subprocess.getoutput("echo shell; exit 1"))


def by_threads():
    lock, lines = threading.Lock(), []

    def work(number):
        with tempfile.TemporaryFile(dir=".") as file:
            file.write(b"x" * number)
            file.seek(0)
            with lock:
                lines.append(len(file.read()))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(200)))
    print(sorted(lines) == list(range(200)))


def by_fork():
    pid = os.fork()
    if not pid:
        os.write(1, b"child\n")
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    by_multiprocessing("fork")
    by_multiprocessing("spawn")
    by_subprocess()
    by_threads()
    sys.stdout.flush()
    by_fork()
    print(sorted(os.listdir("/proc/self/fd"), key=int))
    raise SystemExit(5)
