# SPDX-License-Identifier: BSD-3-Clause
"""Traces of thousands of processes: made without them, read under limits."""
import os
import resource
import subprocess
import time
from pathlib import Path

MIB = 1 << 20


class Crowd:
    """The made trace of a program, and what there is in it."""

    def __init__(self, build, path, form, processes, hosts, calls):
        self.build, self.path, self.processes = Path(build), path, processes
        self.truth = numbers(run([self.build / "make_crowd", path, form,
                                  processes, hosts, calls]).out)

    def files(self):
        return sorted(self.path.iterdir())

    def size(self):
        return sum(file.stat().st_size for file in self.files())

    def read(self, *more, descriptors):
        """What read_all finds, checked against what was made."""
        done = run([self.build / "read_all", self.path, *more], descriptors)
        seen = numbers(done.out)
        done.wrong = [f"{key} {seen.get(key)}, not {self.truth[key]}"
                      for key in self.truth if seen.get(key) != self.truth[key]]
        if done.status or seen.get("lost"):
            done.wrong.append(f"status {done.status}, {seen}")
        done.memory = seen.get("hwm", 0)
        return done

    def dump(self, descriptors):
        """Every event of each process once, by start; what is wrong."""
        with subprocess.Popen(self.dump_command(), text=True,
                              stdout=subprocess.PIPE,
                              preexec_fn=limit(descriptors)) as dump:
            next(dump.stdout, None)  # the names of the columns
            wrong = self.look_at(dump.stdout)
        return wrong + ([f"status {dump.returncode}"] if dump.returncode
                        else [])

    def look_at(self, lines):
        last, next_index, wrong = 0, {}, []
        for line in lines:
            start, _, host, pid, _, _, _, index, _ = line.split(",", 8)
            due = next_index.get(pid, 0)
            if int(start) < last or int(index) != due:
                wrong.append(f"{host} {pid}: event {index} at {start}, but "
                             f"{due} is due, and nothing before {last}")
            last, next_index[pid] = int(start), due + 1
        count = sum(next_index.values())
        if count != self.truth["events"]:
            wrong.append(f"{count} events, not {self.truth['events']}")
        if len(next_index) != self.processes:
            wrong.append(f"{len(next_index)} processes")
        return wrong[:5]

    def dump_command(self):
        return [self.build / "weir", "dump", "--format", "csv", self.path]


def limit(descriptors):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE,
                                      (descriptors or hard, hard))


class Done:
    """A command that has ended: status, output, seconds, memory."""


def run(command, descriptors=0, keep=True, to=None):
    """Keep what it says, or give it to nobody, or to a file."""
    done = Done()
    began = time.monotonic()
    # what is resident before exec counts: this process, some 20 MiB
    with subprocess.Popen([str(word) for word in command], text=True,
                          stdout=to or (subprocess.PIPE if keep
                                        else subprocess.DEVNULL),
                          preexec_fn=limit(descriptors)) as process:
        done.out = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = done.status = os.waitstatus_to_exitcode(status)
    done.seconds = time.monotonic() - began
    done.cpu = usage.ru_utime + usage.ru_stime
    done.memory = usage.ru_maxrss * 1024
    return done


def numbers(text):
    return {key: float(value) for key, value in
            (line.split() for line in text.splitlines())}
