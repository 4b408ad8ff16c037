#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kill, stop and orphan the processes of a service, and see who is left.

usage: test-supervisor.py WEIR COMPLAIN [CASE]...

COMPLAIN is a program that complains to a supervisor.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 30  # seconds until something that is to happen has not
QUICK = 1.2    # who lives longer than that has not died at once


def until(what, condition):
    """Wait till the condition holds; what it returned."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f'{what}: not within {PATIENCE} s')


def state(pid):
    """(name, state, parent) of a process; None: there is none."""
    try:
        text = Path(f'/proc/{pid}/stat').read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    name = text[text.index('(') + 1:text.rindex(')')]
    rest = text[text.rindex(')') + 2:].split()
    return name, rest[0], int(rest[1])


def is_gone(pid):
    """One that nobody has reaped yet does nothing any more."""
    found = state(pid)
    return not found or found[1] == 'Z'


def descriptors(pid):
    folder = f'/proc/{pid}/fd'
    return sorted(os.readlink(f'{folder}/{name}').split(':')[0]
                  for name in os.listdir(folder))


class Service:
    """One that `weir serve start` has started."""

    def __init__(self, weir, *options):
        self.weir = weir
        self.place = self.run('start', *options).strip()
        self.daemon = self.status()['daemon']
        self.supervisor = state(self.daemon)[2]

    def run(self, *words):
        return subprocess.run([self.weir, 'serve', *words], check=True,
                              capture_output=True, text=True).stdout

    def status(self):
        return json.loads(self.run('status', '--json', '--at', self.place))

    def kill(self, number=signal.SIGKILL):
        os.kill(self.daemon, number)

    def await_next(self):
        """The daemon that came after."""
        old = self.daemon
        self.daemon = until('another daemon', lambda: next(
            (pid for pid in self.answers() if pid != old), None))

    def answers(self):
        found = subprocess.run(
            [self.weir, 'serve', 'status', '--json', '--at', self.place],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        return [json.loads(found.stdout)['daemon']] if found.stdout else []

    def await_end(self):
        until('the end of the supervisor', lambda: is_gone(self.supervisor))
        until('the end of the daemon', lambda: is_gone(self.daemon))
        until('no directory', lambda: not os.path.exists(self.place))

    def stop(self):
        self.run('stop', '--at', self.place)
        self.await_end()


def restart(weir, _):
    """A daemon that is killed is replaced, and nothing is left of it."""
    service = Service(weir)
    before = descriptors(service.supervisor), descriptors(service.daemon)
    for count in range(1, 4):
        time.sleep(QUICK)
        dead = service.daemon
        service.kill()
        service.await_next()
        assert service.status()['restarts'] == count
        assert state(dead) is None, 'the dead one was not reaped'
    after = descriptors(service.supervisor), descriptors(service.daemon)
    assert before == after, f'{before} became {after}'
    service.stop()


def stopped(weir, complain):
    """A daemon that is stopped is killed when a client complains."""
    service = Service(weir)
    service.kill(signal.SIGSTOP)
    subprocess.run([complain, service.place], check=True)
    dead = service.daemon
    service.await_next()
    assert is_gone(dead)
    subprocess.run([complain, service.place], check=True)
    time.sleep(QUICK)
    assert service.status()['daemon'] == service.daemon, \
        'one that answers was replaced'
    service.stop()


def hopeless(weir, _):
    """When daemons die at once, the service gives up and cleans up."""
    service = Service(weir)
    for _ in range(5):
        old = service.daemon
        service.kill()
        until('its end', lambda: is_gone(old))
        service.daemon = until('a daemon, or the end', lambda: next(
            iter(children(service.supervisor)),
            service.daemon if is_gone(service.supervisor) else 0))
    service.await_end()


def children(pid):
    try:
        text = Path(f'/proc/{pid}/task/{pid}/children').read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(word) for word in text.split() if not is_gone(int(word))]


def orphan(weir, _):
    """Without its supervisor a daemon ends when nobody uses it."""
    service = Service(weir)
    os.kill(service.supervisor, signal.SIGKILL)
    service.await_end()


def orphan_stopped(weir, _):
    """One that is stopped then goes on: there is nobody to replace it."""
    service = Service(weir)
    service.kill(signal.SIGSTOP)
    os.kill(service.supervisor, signal.SIGKILL)
    service.await_end()


def told(weir, _):
    """SIGTERM ends a service, whoever gets it."""
    for who in ('supervisor', 'daemon'):
        service = Service(weir)
        os.kill(getattr(service, who), signal.SIGTERM)
        service.await_end()


def stop_stopped(weir, _):
    """A daemon that hangs does not keep a service from ending."""
    service = Service(weir)
    service.kill(signal.SIGSTOP)
    dead = service.daemon
    service.run('stop', '--now', '--at', service.place)
    until('the end of the supervisor', lambda: is_gone(service.supervisor))
    assert is_gone(dead) and not os.path.exists(service.place)


def apart(weir, _):
    """It has a session of its own, and holds nobody's files."""
    service = Service(weir)
    for pid in service.supervisor, service.daemon:
        assert os.getsid(pid) != os.getsid(0)
        assert os.readlink(f'/proc/{pid}/cwd') == '/'
        streams = [os.readlink(f'/proc/{pid}/fd/{fd}') for fd in range(3)]
        assert streams == ['/dev/null', '/dev/null',
                           f'{service.place}/log'], streams
    assert os.stat(service.place).st_mode & 0o777 == 0o700
    service.stop()


def leftover(weir, _):
    """What a killed service leaves is removed by the next one."""
    service = Service(weir)
    for pid in service.supervisor, service.daemon:
        os.kill(pid, signal.SIGSTOP)
    for pid in service.daemon, service.supervisor:
        os.kill(pid, signal.SIGKILL)
    until('their end', lambda: is_gone(service.daemon) and
          is_gone(service.supervisor))
    assert os.path.exists(service.place)
    other = Service(weir)
    assert not os.path.exists(service.place)
    assert os.path.exists(other.place)
    other.stop()


def start_run(weir, *command, options=()):
    """weir run with a service; its process, and what the command says."""
    run = subprocess.Popen(
        [weir, 'run', '-q', '-o', 'trace', '--forward=.', *options, '--',
         *command],
        stderr=open('said', 'w'), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    line = run.stdout.readline().strip()
    return run, line.split('|')[0]


def find(name, place):
    """Processes of this name that use the place."""
    found = []
    for entry in Path('/proc').glob('[0-9]*'):
        one = state(entry.name)
        if one and one[0] == name and one[1] != 'Z' and \
                any(place in link for link in links(entry)):
            found.append(int(entry.name))
    return found


def links(entry):
    try:
        return [os.readlink(fd) for fd in (entry / 'fd').iterdir()]
    except (FileNotFoundError, PermissionError, ProcessLookupError):
        return []


def nobody_uses(place):
    return not find('weir-serve', place) and not find('weir-supervise', place)


def run_killed(weir, _):
    """weir run is killed: all of its service ends with the command."""
    run, place = start_run(weir, 'sh', '-c',
                           'echo $WEIR_FORWARD; echo $$; read word')
    command = int(run.stdout.readline())
    assert len(find('weir-serve', place)) == 1
    run.kill()
    run.wait()
    os.kill(command, signal.SIGKILL)
    until('no directory', lambda: not os.path.exists(place))
    until('no process', lambda: nobody_uses(place))


def run_ended(weir, _):
    """weir run has ended: so has its service, and the status is kept."""
    run, place = start_run(weir, 'sh', '-c', 'echo $WEIR_FORWARD; exit 7')
    assert run.wait() == 7
    assert place and not os.path.exists(place)
    until('no process', lambda: nobody_uses(place))


WRITER = '''
import os, sys
out = os.open("out", os.O_CREAT | os.O_WRONLY, 0o644)
for number in range(1000):
    os.write(out, b"%1023d\\n" % number)
print(os.environ["WEIR_FORWARD"], flush=True)
sys.stdin.readline()
'''


def wreck(weir, _):
    """When the service gives up, what it had is listed and rescued."""
    Path('held').touch()
    run, place = start_run(
        weir, sys.executable, '-c', WRITER, options=(
            '--rescue', '.', '--policy', 'half',
            '--backend', f'faulty:every=1000000,hold={os.getcwd()}/held'))
    while os.path.exists(place):
        for pid in find('weir-serve', place):
            os.kill(pid, signal.SIGKILL)
            until('its end', lambda: is_gone(pid))
    run.communicate('go\n')
    assert run.returncode == 8, run.returncode
    said = Path('said').read_text()
    assert f'{os.getcwd()}/out: bytes 0-1023999' in said, said
    rescued, = Path('.').glob('*.weir-rescue')
    assert os.stat('out').st_size == 0
    subprocess.run([weir, 'serve', 'recover', rescued], check=True)
    wanted = b''.join(b'%1023d\n' % number for number in range(1000))
    assert Path('out').read_bytes() == wanted


CASES = [restart, stopped, hopeless, orphan, orphan_stopped, told,
         stop_stopped, apart, leftover, run_killed, run_ended, wreck]


def end_all(weir, folder):
    """What a case that failed has left."""
    for place in Path(folder).glob('weir-*-*'):
        subprocess.run([weir, 'serve', 'stop', '--now', '--at', place],
                       capture_output=True, timeout=PATIENCE, check=False)


def attempt(case, weir, complain):
    """In a directory of its own, where services are made, too."""
    with tempfile.TemporaryDirectory(prefix='weir-') as folder:
        os.chdir(folder)
        os.environ['XDG_RUNTIME_DIR'] = folder
        try:
            case(weir, complain)
        except (AssertionError, subprocess.CalledProcessError) as error:
            print(f'not ok {case.__name__}: {error}')
            return False
        finally:
            end_all(weir, folder)
            os.chdir('/')
    print(f'ok {case.__name__}')
    return True


def main(weir, complain, *names):
    for name in ('WEIR_SERVER', 'WEIR_FORWARD'):
        os.environ.pop(name, None)
    weir, complain = map(os.path.abspath, (weir, complain))
    wanted = [case for case in CASES if not names or case.__name__ in names]
    return 0 if all([attempt(case, weir, complain) for case in wanted]) else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
