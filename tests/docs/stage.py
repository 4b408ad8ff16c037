# SPDX-License-Identifier: BSD-3-Clause
"""The place where an example runs: what examples speak of is there.

To let a new example run, add what it names: a program to PROGRAMS, a file to
FILES, a trace to TRACES, with the command that is recorded. A trace is there
when the example names it and does not make it itself; when it names a file in
it, that is what the trace's file is called.
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

from weirtool import mpi_environment

WORK = '''#!/bin/sh
echo result >>out.log
cat -- "$0" "$@" >>out.dat
echo "a record" >run7.h5
'''
PROGRAMS = dict.fromkeys(
    ['simulate', 'solve', 'program', 'app', 'run-all.sh', 'dev'], WORK)
# ./dev stands in for itself: an example must not build and test all again.
PROGRAMS['dev'] = '#!/bin/sh\n[ "$1" = build ]\n'
FILES = {
    'input.dat': 'some numbers\n' * 100,
    'src/main.h': '/* a header */\n',
    'src/main.c': '#include "main.h"\nint main(void) { return 0; }\n',
    'Makefile': 'all: a b\na b: src/main.c src/main.h\n'
                '\tcat src/main.c src/main.h >$@\n',
    'k': '00112233445566778899aabbccddeeff' * 2 + '\n',
    'best.xml': '<plan><stdio_buffer>1M</stdio_buffer></plan>\n',
    'static.c': 'int main(void) { return 0; }\n',
}
TRACES = {name: ['make', '-j2'] for name in
          ['trace', 'build.trace', 'a.trace', 'b.trace', 'rank0', 'rank1',
           'rank2', 'before', 'after']}
# A service that runs when the example names it and does not start it itself.
SERVICE = 'service'
MADE = r'(?:-o\s*|--output[ =]|WEIR_TRACE=){}\b'


# The traces here hold little: that nothing matches a filter is no fault of it.
LENIENT = '''weir() {
    local status=0
    command weir "$@" 2>/tmp/told.$$ || status=$?
    cat /tmp/told.$$ >&2
    [ $status != 5 ] || ! grep -q ' matches ' /tmp/told.$$ || status=0
    rm -f /tmp/told.$$
    return $status
}
'''

class Stage:
    def __init__(self, installed, build, place):
        self.weir, self.place = installed.weir, Path(place)
        self.build = Path(build)
        self.environment = dict(
            mpi_environment(), HOME=str(place), TMPDIR=str(place),
            MANPAGER='cat', PATH=f'{self.weir.parent}:{os.environ["PATH"]}',
            OMPI_MCA_rmaps_base_oversubscribe='1')

    def prepare(self, text):
        """Makes the place anew, for an example."""
        self.end_service()
        shutil.rmtree(self.place, ignore_errors=True)
        (self.place / 'results').mkdir(parents=True)
        for name, content in FILES.items():
            path = self.place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        for name, content in PROGRAMS.items():
            (self.place / name).write_text(content)
            (self.place / name).chmod(0o755)
        (self.place / 'k').chmod(0o600)
        (self.place / 'build').symlink_to(self.build)
        if './static' in text:
            self.run('gcc -static static.c -o static')
        for name, command in TRACES.items():
            word = rf'(?<![\w./-]){re.escape(name)}(?![\w.-])'
            if re.search(word, text) and \
               not re.search(MADE.format(re.escape(name)), text):
                self.record(name, command)
                self.rename(name, re.search(rf'{name}/(\w+\.weir)', text))
        if re.search(rf'--(?:at|server) {SERVICE}\b', text) and \
           'serve start' not in text:
            self.run(f'weir serve start --at {SERVICE}')

    def end_service(self):
        if (self.place / SERVICE).exists():
            self.run(f'weir serve stop --now --at {SERVICE}')

    def rename(self, name, match):
        if match:
            file = next((self.place / name).glob('*.weir'))
            file.rename(file.with_name(match[1]))

    def record(self, name, command):
        subprocess.run([self.weir, 'run', '-q', '-o', name, '--', *command],
                       cwd=self.place, env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)
        for made in ('a', 'b'):
            (self.place / made).unlink(missing_ok=True)

    def run(self, script):
        """The status of a script, and what it printed."""
        done = subprocess.run(['bash', '-euo', 'pipefail', '-c',
                               LENIENT + script],
                              cwd=self.place, env=self.environment,
                              stdin=subprocess.DEVNULL, timeout=120,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode(errors='replace')
