# SPDX-License-Identifier: BSD-3-Clause
"""What everybody does with files, by programs that everybody has: scripts of
the shell, which say and leave the same each time."""

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
    "make": (["gcc", "make"], """
        for i in 1 2 3 4 5 6; do echo "int f$i(void) { return $i; }" > f$i.c
        done; { echo '#include <stdio.h>'; for i in 1 2 3 4 5 6; do
          echo "int f$i(void);"; done; echo 'int main(void) {'
          echo 'printf("%d", f1()+f2()+f3()+f4()+f5()+f6()); return 0; }'
        } > m.c; printf 'o := m.o f1.o f2.o f3.o f4.o f5.o f6.o\\n' > Makefile
        printf 'p: $o\\n\\tgcc -o $@ $o\\n' >> Makefile
        printf '%%.o: %%.c\\n\\tgcc -MMD -c $<\\n-include *.d\\n' >> Makefile
        make -s -j3 && ./p && make; sleep 0.01
        echo 'int f3(void) { return 30; }' > f3.c; make -s && ./p; cat f3.d
        rm -f p *.o"""),
    "c++": (["g++"], """
        "$BESIDE/fstreams"; cksum *"""),
    "fortran": (["gfortran"], """
        "$BESIDE/units"; cksum *"""),
    "h5py": (["python3 h5py", "h5dump", "h5diff", "h5repack"], """
        /usr/bin/python3 - <<'END'
import h5py, numpy
with h5py.File('a.h5', 'w') as f:
    f['plain'] = numpy.arange(50000.0)
    d = f.create_dataset('chunked', (300, 200), 'i4', chunks=(30, 20),
                         compression='gzip', maxshape=(None, 200))
    for i in range(0, 300, 10): d[i:i + 10] = i
    d.resize((350, 200)); d[340] = 7
    g = f.create_group('g'); g.attrs['name'] = 'value'
    g['text'] = ['one', 'two']; f.flush(); g['late'] = 5
with h5py.File('a.h5', 'r+') as f:
    f['plain'][100:200] = -1; del f['g/late']
    print(f['plain'][95:105], f['chunked'][345].sum(), f['chunked'][340, 0])
with h5py.File('a.h5', 'a') as f, h5py.File('b.h5', 'w') as g:
    f.copy('chunked', g)
    g['link'] = h5py.SoftLink('/chunked'); g['far'] = h5py.ExternalLink('a', 'b')
    print(g['link'][50, 5], sorted(f), list(f['g'].attrs))
with h5py.File('b.h5', 'r') as f: print(f['link'].shape, f['chunked'].chunks)
with h5py.File('c.h5', 'w', driver='core') as f: f['x'] = numpy.ones(1000)
with h5py.File('d%d.h5', 'w', driver='family', memb_size=4096) as f:
    f['x'] = numpy.arange(3000)
END
        h5dump -d /plain -s 98 -c 4 a.h5; h5dump -H b.h5
        h5repack -f GZIP=1 a.h5 e.h5; h5diff a.h5 e.h5 && echo same
        rm e.h5; ls; cksum *"""),
    "netcdf": (["ncgen", "ncdump", "nccopy"], """
        { echo 'netcdf a { dimensions: t = UNLIMITED ; x = 500 ; variables:'
          echo 'double v(t, x) ; v:units = "m" ; int n(t) ; data: v ='
          seq -s, 1 5000; echo '; n = 1,2,3,4,5,6,7,8,9,10 ; }'; } > a.cdl
        for k in classic 64-bit-offset nc4 nc7 cdf5; do
          ncgen -k $k -o $k.nc a.cdl; ncdump $k.nc | cksum; ncdump -k $k.nc
        done; nccopy -k nc4 -d 2 -s classic.nc packed.nc
        nccopy -k cdf5 packed.nc back.nc; ncdump -n a back.nc | cksum
        nccopy -V n -u nc4.nc few.nc; ncdump few.nc; ncdump -hs packed.nc
        cksum *"""),
}
