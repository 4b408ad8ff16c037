# SPDX-License-Identifier: BSD-3-Clause
# Files, threads, processes and modules of Python.
cat >job.py <<'PYTHON'
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import threading


def square(n):
    with open(f"square-{n}", "w") as file:
        file.write(str(n * n))
    return n * n


def churn(n):
    name = f"thread-{n}"
    with open(name, "wb") as file:
        for i in range(20):
            file.write(bytes(3000))
    fd = os.open(name, os.O_RDWR)
    os.pread(fd, 100, 50)
    os.pwrite(fd, b"abc", 1000)
    os.lseek(fd, 0, os.SEEK_END)
    os.close(fd)


def main():
    with open("text", "w+") as file:
        file.writelines(f"{i}\n" for i in range(5000))
        file.seek(100)
        file.readline()
        file.truncate()
    threads = [threading.Thread(target=churn, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with multiprocessing.Pool(2) as pool:
        print(pool.map(square, range(6)))
    print(subprocess.run(["cat", "text"], capture_output=True).returncode)
    subprocess.run("echo from a shell; exit 3", shell=True)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy("text", folder)
        shutil.copytree(folder, "tree")
    r, w = os.pipe()
    os.writev(w, [b"one", b"two"])
    os.readv(r, [bytearray(2), bytearray(9)])
    for name in os.listdir("."):
        os.stat(name)
    os.rename("text", "text2")
    os.unlink("text2")


if __name__ == "__main__":
    main()
PYTHON
python3 job.py
