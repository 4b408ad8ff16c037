#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers (st_dev, st_ino) and times of a deferred file do not
change when it is created: programs that compare them do what they do without.

usage: test-numbers.py [NAME...]    (which cases; all)"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
for folder in ('lib', 'verify'):
    sys.path.insert(0, str(HERE.parents[1] / folder))
from cast import Failure, daemon_of, expect  # noqa: E402
from deferred import Deferred  # noqa: E402
from forwarded import command  # noqa: E402
from spoilfs import Place, can_mount  # noqa: E402
from weirtool import Tap  # noqa: E402

LOOK = '[(s.st_dev, s.st_ino, s.st_nlink) for s in [os.fstat(fd)]][0]'
NAMED = '[(s.st_dev, s.st_ino, s.st_nlink) for s in [os.stat(path)]][0]'

LISTED = 'numbers that are listed'
OPENED = '''python3 -c 'import os
file = open("one", "w")
told = os.fstat(file.fileno()).st_ino
print(told == os.stat("one").st_ino, told == os.fstat(file.fileno()).st_ino)
os.unlink("one")' '''

# Each is run without and with: what it says must be the same.
SCRIPTS = {
    'sqlite3 with each kind of journal': '''
for mode in delete truncate persist memory wal off; do
    sqlite3 $mode.db "pragma journal_mode=$mode; create table t(a);
        insert into t values(1); select count(*) from t;"
    sqlite3 $mode.db "insert into t values(2); select sum(a) from t;
        pragma integrity_check;"
done
ls''',
    'sqlite3 in two processes at once': '''
sqlite3 one.db "create table t(a)"
for i in 1 2; do
    (for j in 1 2 3 4 5 6 7 8; do
        sqlite3 -cmd ".timeout 60000" one.db "insert into t values($i)"
    done) &
done
wait
sqlite3 one.db "select a, count(*) from t group by a; pragma integrity_check"''',
    'a database that stays open while it is created': '''
(echo "create table t(a); insert into t values(1);"; sleep 1
 echo "insert into t values(2); select sum(a) from t;") | sqlite3 one.db
sqlite3 one.db "select sum(a) from t"''',
    'tar of its own directory': '''
echo one >one; mkdir two; echo three >two/three
tar cf all.tar . ; echo $?; tar tf all.tar | sort
tar cf two/two.tar two; echo $?; tar tf two/two.tar | sort''',
    'what perl says of a file and of its second name': '''
perl -e 'open(F, ">one"); close F; open(F, ">one");
    @a = stat F; print "$a[3] ", $a[9] == $a[10] ? 1 : 0, "\\n";
    print F "Now is the time\\n"; close F; sleep 2;
    link("one", "two"); chmod 0644, "one"; @b = stat "one"; @c = lstat "two";
    print "$b[3] $b[7] ", $a[1] == $b[1] ? 1 : 0, $b[1] == $c[1] ? 1 : 0,
        $a[0] == $b[0] ? 1 : 0, $b[10] - $b[9] >= 1 ? 1 : 0,
        -e "one" ? 1 : 0, -s "two", "\\n";
    unlink "two"; @d = stat "one"; print "$d[3] ", $d[1] == $a[1] ? 1 : 0, "\\n"'
''',
    LISTED: '''
python3 -c 'import os
files = [open(str(i), "w") for i in range(3)]
told = sorted(os.fstat(f.fileno()).st_ino for f in files)
print(told == sorted(e.inode() for e in os.scandir(".")),
      told == sorted(os.stat(str(i)).st_ino for i in range(3)))' ''',
}


def told_before():
    """They are told before it is created, and are true then."""
    with Deferred(1) as play:
        actor, = play.actors
        path = play.opened('file')
        first = actor.do(LOOK)
        actor.do('os.write(fd, b"some")')
        expect(actor.do(LOOK), first)
        play.is_deferred(path.name)
        play.await_creation(path.name)
        expect(actor.do(LOOK), first)
        expect(actor.do(NAMED), first)
        found = path.stat()
        expect((found.st_dev, found.st_ino, found.st_nlink), first)
        expect(path.read_bytes(), b'some')
        expect(play.finish(), 0)


def never_created():
    """Who asks for them does not have it created."""
    with Deferred(1) as play:
        actor, = play.actors
        path = play.opened('file')
        first = actor.do(LOOK)
        actor.do('os.unlink(path)')
        expect(actor.do(LOOK), (*first[:2], 0))
        actor.do('os.write(fd, b"some")')
        expect(actor.do(LOOK), (*first[:2], 0))
        actor.do('os.fsync(fd)')
        expect(actor.do(LOOK), (*first[:2], 0))
        expect(actor.do('os.pread(fd, 9, 0)'), b'some')
        expect(play.finish(), 0)
        play.is_deferred(path.name)


def nameless():
    """They are asked for when it has lost its name."""
    with Deferred(1) as play:
        actor, = play.actors
        play.opened('file')
        actor.do('os.unlink(path)')
        first = actor.do(LOOK)
        actor.do('os.write(fd, b"some"); os.fsync(fd)')
        actor.do('import fcntl; fcntl.flock(fd, fcntl.LOCK_EX)')
        expect(actor.do(LOOK), first)
        expect(actor.do('os.pread(fd, 9, 0)'), b'some')
        expect(play.finish(), 0)


def daemon_dies():
    """The next daemon knows what was told."""
    with Deferred(1) as play:
        actor, = play.actors
        play.opened('file')
        first = actor.do(LOOK)
        os.kill(daemon_of(play), signal.SIGKILL)
        actor.do('os.write(fd, b"some")')
        expect(actor.do(LOOK), first)
        expect(actor.do(NAMED), first)
        expect(play.finish(), 0)


def directory():
    """Its directory was changed by it: who asks for that finds it so."""
    with Deferred(1) as play:
        actor, = play.actors
        path = play.opened('file')
        where = f'os.stat({str(path.parent)!r}).st_mtime_ns'
        told = actor.do(where)
        expect(actor.do('os.path.exists(path)'), True)
        expect(actor.do(where), told)
        expect(play.finish(), 0)


def play_at(files, text, options, scratch):
    if options is not None:
        options = [word.format(files) for word in options]
    done = subprocess.run(
        command(files, ['sh', '-c', text], options, scratch, buffer='1M'),
        cwd=files, text=True, capture_output=True,
        stdin=subprocess.DEVNULL, timeout=100)
    return done.returncode, done.stdout, done.stderr


def play_script(text, options):
    place = Path(tempfile.mkdtemp(prefix='weir-numbers-'))
    (place / 'files').mkdir()
    said = play_at(place / 'files', text, options, place)
    shutil.rmtree(place)
    return said


def play_elsewhere(tap):
    """Where files without a name cannot be made."""
    place = Path(tempfile.mkdtemp(prefix='weir-numbers-'))
    with Place(place, 'none', 0, place / 'log') as files:
        try:
            os.close(os.open(files, os.O_TMPFILE | os.O_RDWR))
            fault = ['files without a name can be made there']
        except OSError:
            fault = []
        said = [play_at(files, OPENED, options, place)
                for options in (None, ['--defer', '{}'])]
    tap.result(not fault and said[0] == said[1],
               'numbers without O_TMPFILE', [*fault, *said])
    shutil.rmtree(place)


def main(*names):
    tap = Tap()
    for case in (told_before, never_created, nameless, daemon_dies, directory):
        if names and case.__name__ not in names:
            continue
        fault = ''
        try:
            case()
        except Failure as failure:
            fault = str(failure)
        tap.result(not fault, case.__doc__, [fault])
    for name, text in () if names else SCRIPTS.items():
        right = play_script(text, None)
        found = play_script(text, ['--defer', '{}'])
        tap.result(found == right, name, [right, found])
    if not names and can_mount():
        play_elsewhere(tap)
    elif not names:
        tap.skip('without O_TMPFILE', 'no file system can be mounted')
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
