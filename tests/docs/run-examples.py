#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run every example that weir's documents give, with an installed weir.

usage: run-examples.py ROOT BUILD [WORD]     (only examples that have WORD)

Examples are the rows `example` of spec/options, and in the documents fenced
blocks, each of which says what it is:

  sh       is run as a script, in a place of its own (stage.py)
  console  its lines after `$ ` are run; the others must, in form, be printed;
           `...` in them stands for what is left out
  c, text, xml: not for shells; after a line `<!-- printed by: COMMAND -->`
           each line must, in form, be printed by COMMAND

`<!-- not run: REASON -->` on the line before lets a block out. Such blocks are
counted and named. So are those that need a kernel (build/kernels) which is not
built. In pages (scdoc has no such words) a block that begins with
`weir ` is a script.

An example succeeds when it returns 0, or 3 where it is told that `weir doctor`
found something.
"""
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'lib'))
import table  # noqa: E402
from installed import Installed  # noqa: E402
from stage import Stage  # noqa: E402
from weirtool import Tap  # noqa: E402

DOCUMENTS = ['*.md', 'doc/**/*.md', 'bench/*.md', 'spec/*.md']
PAGES = 'doc/man/*.scd'
FENCE = re.compile(r'^ *```([\w-]*)[ \t]*$')
NOTE = re.compile(r'<!-- (not run|printed by): (.+) -->')
FOUND = 3


class Example:
    def __init__(self, where, kind, lines, note=None):
        self.where, self.kind = where, kind
        self.note, self.words = note or ('', '')
        self.lines = [line.rstrip() for line in lines]

    @property
    def script(self):
        if self.note == 'printed by':
            return self.words
        if self.kind == 'console':
            return '\n'.join(line[2:] for line in self.lines
                             if line.startswith('$ '))
        return '\n'.join(self.lines) if self.kind == 'sh' else ''

    @property
    def samples(self):
        """Lines that must be printed."""
        if self.note == 'printed by' or self.kind == 'console':
            return [line for line in self.lines
                    if line and not line.startswith('$ ')]
        return []


def of_table(root):
    for name, verb in table.read(root / 'spec' / 'options').items():
        note = ('not run', 'for weir itself, not for users')
        for command in verb.examples:
            yield Example(f'weir help {name}'.strip(), 'sh', [command],
                          verb.hidden and note)


def blocks(path):
    """Yield (line number, language, lines, line before) of fenced blocks."""
    start, before = None, ''
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if fence and start is None:
            start, language, lines, note = number, fence[1], [], before
        elif fence:
            yield start, language, lines, note
            start = None
        elif start is not None:
            lines.append(line)
        before = line


def of_documents(root):
    for pattern in DOCUMENTS:
        for path in sorted(root.glob(pattern)):
            for number, kind, lines, before in blocks(path):
                note = NOTE.search(before)
                yield Example(f'{path.relative_to(root)}:{number}', kind,
                              lines, note and note.groups())


def of_pages(root):
    for path in sorted(root.glob(PAGES)):
        for number, _, lines, _ in blocks(path):
            is_script = lines[0].startswith('weir ')
            yield Example(f'{path.relative_to(root)}:{number}',
                          'sh' if is_script else 'text', lines)


DURATION = r'[\d.]+\s(?:ns|us|ms|s)\b'
PARTS = re.compile(rf'({DURATION}|\.\.\.|\s+|\d+|/[\w./-]+)')


def form(line):
    """A pattern of lines that look like this one: names and numbers differ."""
    out = []
    for part in PARTS.split(line.strip()):
        if not part:
            continue
        if re.fullmatch(DURATION, part):
            out.append(DURATION)
        elif part == '...':
            out.append('.*')
        elif part.isspace():
            out.append(r'\s+')
        elif part.isdigit():
            out.append(r'\d+')
        elif part[0] == '/':
            out.append(r'\S+?')
        else:
            out.append(re.escape(part))
    return re.compile(r'\s*' + ''.join(out) + r'\s*')


def complaint(example, stage):
    """What is wrong with an example, or nothing."""
    if example.kind not in ('sh', 'console', 'c', 'text', 'xml'):
        return 'a block must say what it is: sh, console, c, xml or text'
    if not example.script:
        return ''
    stage.prepare(example.script)
    status, output = stage.run(example.script)
    if status not in (0, FOUND if 'weir doctor' in example.script else 0):
        return f'{example.script}\nreturned {status}: {output}'
    printed = output.splitlines()
    for line in example.samples:
        if not any(map(form(line).fullmatch, printed)):
            return f'{example.script}\nprints nothing like {line}\n{output}'
    return ''


def why_not(example, build):
    """The reason for which an example is let out, or nothing."""
    if example.note == 'not run':
        return example.words
    for kernel in re.findall(r'build/(kernels/[\w-]+)', example.script):
        if not (Path(build) / kernel).exists():
            return f'{kernel} is not built'
    return ''


def judge(tap, examples, stage):
    let_out = []
    for example in examples:
        reason = why_not(example, stage.build)
        if reason:
            let_out.append(f'not run: {example.where}: {reason}')
            continue
        fault = complaint(example, stage)
        if example.script or fault:
            first = example.script.partition('\n')[0].replace('#', '')
            tap.result(not fault, f'{example.where}: {first}',
                       fault.splitlines())
    for line in let_out:
        print(f'# {line}')
    print(f'# {tap.number} examples run, {len(let_out)} let out')


def main(root, build, word=''):
    root, tap = Path(root), Tap()
    examples = [example for example in
                [*of_table(root), *of_documents(root), *of_pages(root)]
                if word in '\n'.join(example.lines)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        installed = Installed(build, f'{scratch}/place')
        stage = Stage(installed, build, f'{scratch}/stage')
        judge(tap, examples, stage)
        stage.end_service()
    return tap.done()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
