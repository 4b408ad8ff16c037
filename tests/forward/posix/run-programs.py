#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that everybody has do the same where their files are forwarded:
each of these scripts of the shell says the same, and leaves the same files."""
import difflib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
from forwarded import command  # noqa: E402
from weirtool import Tap  # noqa: E402

PATIENCE = 200  # seconds; nothing is measured by it
WAYS = {"kept": ["--policy", "paper"], "stored early": ["--policy", "eager"],
        "small cache": ["--cache", "4M"]}
# name: programs it needs, what the shell does
PROGRAMS = {
    "dd": (["dd"], """
        seq 1 40000 > in; dd if=in of=out bs=777 status=none
        dd if=in of=out bs=1k seek=500 count=10 conv=notrunc status=none
        dd if=/dev/zero of=hole bs=1 count=0 seek=1M status=none
        dd if=in of=sync bs=4k oflag=sync count=3 status=none
        dd if=in of=direct bs=4k oflag=direct count=3 status=none
        cmp in out; wc -c in out hole sync direct; cksum *"""),
    "cp": (["cp", "mv", "ln", "install"], """
        seq 1 30000 > a; cp a b; cp -p a c; cp --sparse=always a d
        cp --reflink=auto a e; cat a b > f; cat a >> f; mv f g; ln g h
        install -m 600 a i; truncate -s 1000 b; truncate -s +500 b
        echo tail >> h; head -c 100 a > j; cp j a; cksum *; ls -s --si a"""),
    "tar": (["tar", "gzip"], """
        mkdir t; for i in 1 2 3 4 5; do seq $i 5000 > t/$i; done
        truncate -s 100k t/hole; touch -d '2001-02-03 04:05:06' t/1
        tar --sort=name --mtime=@981173106 -cf t.tar t; tar -Sczf t.tgz t; mkdir u v
        tar -xf t.tar -C u; tar -xzf t.tgz -C v
        diff -r t u/t && diff -r t v/t && stat -c '%n %s %Y' u/t/1
        gzip -n t.tar; gunzip -k t.tar.gz; rm t.tgz; cksum t.tar"""),
    "sqlite": (["sqlite3"], """
        sqlite3 db 'create table t(a integer primary key, b text);
          with recursive n(i) as (select 1 union all select i+1 from n
          where i < 3000) insert into t select i, hex(i * 7919) from n;'
        sqlite3 db 'begin; update t set b = b || a; delete from t where
          a % 3 = 0; commit; create index i on t(b); vacuum;'
        sqlite3 db 'pragma journal_mode=wal; insert into t(b) values(1);
          pragma integrity_check; select count(*), sum(length(b)) from t;'
        sqlite3 db .dump | cksum; rm -f db db-wal db-shm"""),
    "git": (["git"], """
        export GIT_AUTHOR_DATE='2001-02-03 04:05:06 +0000' HOME=$PWD
        export GIT_COMMITTER_DATE="$GIT_AUTHOR_DATE" GIT_CONFIG_NOSYSTEM=1
        git init -q -b main r; cd r; git config user.name n
        git config user.email e; git config gc.auto 0
        for i in 1 2 3 4; do seq $i 300 > f$i; git add .
          git commit -qm "c$i"; done
        git checkout -q -b side HEAD~2; echo x > g; git add g
        git commit -qm side; git merge -q -m merge main
        git gc -q; git fsck --strict; git log --format=%H%s | cat
        git status --short; git rev-parse HEAD^{tree}; cd ..; rm -rf r"""),
    "gcc": (["gcc", "ar", "make"], """
        printf '#include <stdio.h>\\nint f(void);int main(void){'  > m.c
        printf 'printf("%%d\\\\n", f());return 0;}\\n' >> m.c
        echo 'int f(void) { return 42; }' > f.c
        printf 'p: m.o f.o\\n\\tgcc -o p m.o f.o\\n' > Makefile
        printf '%%.o: %%.c\\n\\tgcc -c -o $@ $<\\n' >> Makefile
        make -s && ./p; ar rcs l.a f.o && gcc -o q m.c l.a && ./q
        gcc -g -O2 -save-temps -o s m.c f.c && ./s; rm -f p q s *.o *.a s-*"""),
    "python": (["python3"], """
        python3 - <<'END'
import csv, json, mmap, os, pickle, shelve, shutil, subprocess, tempfile, zipfile
with open('a', 'w') as f:
    for i in range(20000): print(i, i * i, file=f)
with open('a', 'r+b') as f:
    f.seek(1000); f.write(b'x' * 5000); f.seek(0, 2); f.write(b'end')
    print(f.tell()); f.seek(990); print(f.read(20))
    m = mmap.mmap(f.fileno(), 0); print(m[1000:1005], len(m)); m.close()
print(os.path.getsize('a'), subprocess.run(['wc', '-c', 'a'],
      capture_output=True).stdout)
with zipfile.ZipFile('z', 'w') as z:
    z.writestr(zipfile.ZipInfo('n'), 'data' * 1000)
with zipfile.ZipFile('z') as z: print(z.testzip(), len(z.read('n')))
with shelve.open('s') as s: s['k'] = list(range(100))
with shelve.open('s') as s: print(sum(s['k']))
with tempfile.NamedTemporaryFile(dir='.') as t:
    t.write(b'hello'); t.flush(); print(open(t.name).read())
json.dump({'a': [1, 2]}, open('j', 'w')); print(json.load(open('j')))
shutil.copy('a', 'b'); shutil.move('b', 'c'); os.truncate('c', 12345)
print(os.stat('c').st_size)
with open('log', 'ab', buffering=0) as f:
    f.write(b'one\\n'); subprocess.run(['sh', '-c', 'echo two'], stdout=f)
    f.write(b'three\\n')
print(open('log').read())
END
        rm -f s s.*; cksum a c z log"""),
    "bash": (["bash", "xargs", "perl", "grep"], """
        cat > s.sh <<'END'
exec 3> log; for i in {1..20}; do echo "$i" >&3; done; cat <<HERE > h
$(wc -l < log) lines
HERE
read -r first < <(cat h); echo "$first" >> h; cat h
for i in 1 2 3 4; do (for j in 1 2 3; do echo "job $i $j"; done >> jobs) & done
wait; sort jobs; printf '%s ' a b c > w; cat w; mapfile -t l < log; echo ${#l[@]}
echo 5 | tee >(cat > t) > /dev/null; sleep 0.1; exec 3>&-; tail -n 2 log
END
        bash s.sh; rm -f jobs t; seq 1 100 | xargs -n 10 -P 4 sh -c \
          'echo "$@" > x$1' sh; cat x1 x91; perl -pi -e 's/1/I/' x1 x11
        cat x1 x11; perl -e 'open F, "+>p"; print F "abc"; seek F, 1, 0;
          print F "X"; close F; print -s "p", "\n"; truncate "p", 2;
          utime 5, 5, "p"; print((stat "p")[9], "\n")'; grep -c I x1"""),
    "sqlites": (["sqlite3"], """
        sqlite3 db 'create table t(a)'; for i in 1 2 3 4; do
          (for j in 1 2 3 4 5; do echo "insert into t values($i*10+$j);"
           done | sqlite3 -cmd '.timeout 20000' db) & done; wait
        sqlite3 db 'select count(*), sum(a) from t; pragma integrity_check'
        rm -f db"""),
    "shell": (["awk", "sort", "sed"], """
        for i in 1 2 3; do echo line $i; done > a; while read l; do
          echo "got $l"; done < a >> b; sed -i s/line/LINE/ a; cat a b
        { echo one; echo two; } > c 2>&1; exec 5> d; echo five >&5
        (echo sub >&5); exec 5>&-; cat c d; sort -r -o a a; cat a
        awk '{ print $2 > "e" } END { close("e") }' b; cat e
        seq 1 50000 | sort -S 100k -T . | tail -1; seq 1 5 | tee f g
        : > f; echo > g; wc -c f g; [ -s f ] || echo empty; split -l 2 b"""),
}


def contents(place):
    """What is in a directory: names, modes, lengths, sums."""
    found = []
    for path in sorted(place.rglob("*")):
        about = path.lstat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16] \
            if path.is_file() else "-"
        size = about.st_size if path.is_file() else "-"
        found.append(f"{path.relative_to(place)} {about.st_mode:o} "
                     f"{size} {digest}")
    return found


def play(scratch, words, options):
    """In a directory of always the same name: some programs tell it."""
    above = Path(tempfile.mkdtemp(dir=scratch))
    place, root = above / "here", Path(scratch) / "root"
    place.mkdir()
    done = subprocess.run(command(place, ["sh", "-c", words], options, above),
                          cwd=place, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=PATIENCE)
    text = (done.stdout + done.stderr).replace(str(above), str(root))
    return text.splitlines() + [f"returned {done.returncode}"] + \
        contents(place)


def judge(tap, scratch, name, words):
    wanted = play(scratch, words, None)
    for way, options in WAYS.items():
        try:
            found = play(scratch, words, options)
        except subprocess.TimeoutExpired:
            found = ["it did not end"]
        difference = list(difflib.unified_diff(
            wanted, found, "direct", "forwarded", lineterm="", n=1))
        tap.result(not difference, f"{name}, {way}", difference[:20])


def main(*names):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="weir-programs-") as scratch:
        scratch = os.path.realpath(scratch)
        for name in names or PROGRAMS:
            needs, words = PROGRAMS[name]
            missing = [need for need in needs if not shutil.which(need)]
            if missing:
                tap.skip(name, f"no {', '.join(missing)}")
            else:
                judge(tap, scratch, name, words)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
