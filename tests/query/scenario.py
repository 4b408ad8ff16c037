# SPDX-License-Identifier: BSD-3-Clause
"""Made runs of an I/O stack: clients, and servers that work for them."""
import random
import subprocess

CALLS = {"MPI_File_write_all": 10, "MPI_File_read": 11, "exchange": 15,
         "client_io": 20, "pwrite": 25, "serve": 30, "disk_io": 40,
         "mark_begin": 1900, "mark_end": 1901, "mark_phase": 1902,
         "forward": 1950, "serve_write": 1960, "serve_stage": 1961,
         "serve_commit": 1964, "backend_write": 1980}
SERVER = 100  # is added to numbers of servers


class Scenario:
    """Calls, by the thread that makes them."""

    def __init__(self):
        self.threads, self.cids = {}, 0

    def call(self, who, name, start, dur, depth=0, ret=0, cid=0, cause=0,
             coll=0, seq=0, text="-", batch=0):
        self.threads.setdefault(who, []).append(
            (start + dur, -depth, CALLS[name], depth, start, dur, ret, cid,
             cause, batch, coll, seq, text))

    def new_cid(self):
        self.cids += 1
        return self.cids

    def is_free(self, who, start, end):
        return all(end < call[4] or start > call[0]
                   for call in self.threads.get(who, ()))

    def free_thread(self, proc, start, end):
        """A thread of a process that has nothing to do then."""
        return next((proc, thread) for thread in range(1, 99)
                    if self.is_free((proc, thread), start, end))

    def write(self, make, clients, servers, raw, packed):
        lines = []
        for (proc, thread), calls in self.threads.items():
            # as they end, those within others first
            for end, _, *rest in sorted(calls, key=lambda c: (c[0], c[1],
                                                              c[4])):
                lines.append(" ".join(map(str, (proc, thread, *rest))))
        subprocess.run([make, str(clients), str(servers), raw, packed],
                       input="\n".join(lines) + "\n", text=True, check=True)


def serve(made, chance, cid, start, size, depth=0):
    """Servers work for a call, at once and behind each other; a clock may be
    behind, and servers ask others."""
    for server in chance.sample(range(1, 4), chance.randint(1, 3)):
        for _ in range(chance.randint(1, 2)):
            begin = max(0, start + chance.randint(-300, 2000))
            dur = chance.randint(200, 3000)
            who = made.free_thread(SERVER + server, begin, begin + dur)
            onward = made.new_cid() if depth < 2 and \
                chance.random() < 0.2 else 0
            made.call(who, "serve", begin, dur, 0, size, onward, cid)
            at = begin + 10
            for _ in range(chance.randint(0, 3)):
                took = chance.randint(5, dur // 6)
                if at + took > begin + dur - 5:
                    break
                made.call(who, "disk_io", at, took, 1, size // 3)
                at += took + chance.randint(1, 50)
            if chance.random() < 0.3:  # a disk that is accessed on the side
                took = chance.randint(20, dur)
                beside = made.free_thread(SERVER + server, begin,
                                          begin + took)
                made.call(beside, "disk_io", begin, took, 0, size, 0, cid)
            if onward:
                serve(made, chance, onward, begin + 20, size // 2, depth + 1)


def client_call(made, chance, rank, name, start, **more):
    """A call of an application: communication and calls of the client."""
    who, at = (rank + 1, 1), start + chance.randint(10, 100)
    for _ in range(chance.randint(0, 4)):
        dur = chance.randint(100, 4000)
        kind = chance.choice(["exchange", "client_io", "client_io", "pwrite"])
        if kind == "exchange":
            if more.get("coll"):
                made.call(who, kind, at, dur, 1)
        else:
            cid = made.new_cid() if chance.random() < 0.8 else 0
            size = chance.randint(1, 1 << 20)
            made.call(who, kind, at, dur, 1, size, cid)
            if kind == "client_io" and chance.random() < 0.4:
                inner = dur // 3
                made.call(who, "pwrite", at + 2, inner, 2, size)
            if cid:
                serve(made, chance, cid, at, size)
        at += dur + chance.randint(1, 300)
    end = at + chance.randint(1, 500)
    made.call(who, name, start, end - start, 0, chance.randint(0, 1 << 22),
              **more)
    return end


def random_run(seed, rounds=12):
    """Three clients with collective and other calls, in marked segments."""
    made, chance = Scenario(), random.Random(seed)
    ends = [1000] * 3
    for turn in range(rounds):
        joint = chance.random() < 0.6
        region = chance.choice(["check", "plot", None])
        for rank in range(3):
            start = ends[rank] + chance.randint(10, 2000)
            who = rank + 1, 1
            if turn == rounds // 2:
                made.call(who, "mark_phase", start - 3, 0, text="second")
            if region:
                made.call(who, "mark_begin", start - 2, 0, text=region)
            if joint:
                end = client_call(made, chance, rank, "MPI_File_write_all",
                                  start, coll=77, seq=turn)
            else:
                end = client_call(
                    made, chance, rank,
                    chance.choice(["MPI_File_read", "client_io", "pwrite"]),
                    start)
            if region:
                made.call(who, "mark_end", end + 1, 0, text=region)
            ends[rank] = end + 2
    # what nobody has asked for
    made.call(made.free_thread(SERVER + 1, 10, 20), "serve", 10, 10, 0, 5, 0,
              9999999)
    made.call(made.free_thread(SERVER + 2, 10, 20), "pwrite", 10, 10, 0, 5)
    return made


def stage(made, chance, parts, batch, commit, after=0):
    """A daemon stores what it has taken in, for a call or by itself."""
    at = 1 + max(after, *(part[0] for part in parts)) + chance.randint(0, 500)
    size, took = sum(part[1] for part in parts), chance.randint(50, 900)
    who = made.free_thread(SERVER + 1, at, at + took + 40)
    made.call(who, "backend_write", at + 10, took, 2 if commit else 1, size)
    made.call(who, "serve_stage", at + 5, took + 10, 1 if commit else 0, size,
              batch=batch)
    if commit:
        made.call(who, "serve_commit", at, took + 40, 0, cause=commit)
    for taken, size, cid in parts:
        made.call((SERVER + 1, 90), "serve_write", taken,
                  at + took + 30 - taken, 0, size, cause=cid, batch=batch)


def forwarded_run(seed, rounds=40):
    """Two clients whose writes a daemon takes in, and stores later."""
    made, chance, parts, batch = Scenario(), random.Random(seed), [], 0
    starts = iter(range(1, 1 << 40, 3))  # no two at once

    def taken(after):
        return next(start for start in starts if start > after)

    for turn in range(rounds):
        begin = taken(0) + 10
        for rank in range(2):
            who, at = (rank + 1, 1), begin + 7 * rank
            made.call(who, "MPI_File_write_all", at, 90, 0, 99, coll=77,
                      seq=turn)
            made.call(who, "pwrite", at + 10, 60, 1, 99)
            cid = made.new_cid()
            made.call(who, "forward", at + 20, 20, 2, 99, cid)
            begin = taken(at + 50)
            fate = chance.random()
            if fate < 0.1:  # overwritten before it was stored
                made.call((SERVER + 1, 90), "serve_write", begin, 30, 0, 99,
                          cause=cid)
            else:  # of some nobody knows who has written them
                parts.append((begin, 99, 0 if fate < 0.15 else cid))
        if parts and chance.random() < 0.3:
            batch += 1
            commit, at = 0, 0
            if chance.random() < 0.4:
                commit, at = made.new_cid(), taken(begin) + 20
                made.call((1, 1), "forward", at, 5, 1, 0, commit)
                made.call((1, 1), "pwrite", at - 1, 2000, 0, 0)
                while taken(0) < at + 2000:
                    pass
            stage(made, chance, parts, batch, commit, at)
            parts = []
    if parts:
        stage(made, chance, parts, batch + 1, 0)
    return made


SERVICE = ("forward", "serve_write", "serve_stage", "serve_commit",
           "backend_write")


def without_service(made):
    """The same run as its program sees it."""
    bare, hidden = Scenario(), {CALLS[name] for name in SERVICE}
    for who, calls in made.threads.items():
        kept = [call for call in calls if call[2] not in hidden]
        if kept:
            bare.threads[who] = kept
    return bare
