#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write a man page from the tables and doc/man, through scdoc.

usage: manual.py ROOT VERSION SCDOC PAGE OUT

PAGE is weir, weir-VERB, weir-calls, weir-findings, weir-format, weir-mark,
weir-params, weir-protocol or weirtrace. What no table knows is in doc/man/PAGE.scd: the text below a heading
there goes below what is made here, and a heading of its own before the
examples.
"""
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import apipage  # noqa: E402
import calls  # noqa: E402
import findings  # noqa: E402
import forward  # noqa: E402
import meaning  # noqa: E402
import options  # noqa: E402
import params  # noqa: E402

ORDER = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'VERBS', 'OPTIONS', '',
         'EXIT STATUS', 'ENVIRONMENT', 'FILES', 'NOTES', 'EXAMPLES',
         'SEE ALSO']
COMMON_EXITS = ['0', '1', '2']


def plain(text):
    """Text in which nothing means anything to scdoc."""
    return re.sub(r'([\\*_`#\[\]|<>~+-])', r'\\\1', text)


def marked(text, words, verbs):
    """Text of a table: options and verbs bold, words for values underlined."""
    pattern = '|'.join([r'`(?P<code>[^`]+)`', r'(?P<option>(?<![\w-])--?[a-z][a-z-]*)',
                        rf'(?P<verb>\bweir (?:{"|".join(verbs)})\b)',
                        r'(?P<word>(?<![\w-])(?:' + ('|'.join(words) or '(?!)') +
                        r')(?![\w-]))'])
    out, at = [], 0
    for match in re.finditer(pattern, text):
        mark = '_' if match['word'] else '*'
        out += [plain(text[at:match.start()]), mark,
                plain(match['code'] or match[0]), mark]
        at = match.end()
    return ''.join(out) + plain(text[at:])


def item(term, text):
    """A term and, indented, what it means."""
    return f'{term}\n\t{text}'


class Page:
    def __init__(self, root, title, section):
        self.title, self.section = title, section
        self.parts = {}
        self.seen = []  # other pages to see
        path = root / 'doc' / 'man' / f'{title}.scd'
        text = path.read_text(encoding='utf-8') if path.exists() else ''
        self.own = dict(re.findall(r'^# (.+)\n+((?:(?!# ).*\n?)*)', text,
                                   re.M))

    def add(self, heading, *paragraphs):
        self.parts.setdefault(heading, []).extend(paragraphs)

    def headings(self):
        known = set(self.parts) | set(self.own)
        for heading in ORDER:
            if heading:
                yield from [heading] if heading in known else []
            else:
                yield from [own for own in self.own if own not in ORDER]

    def see(self):
        pages = set(self.seen) | set(re.findall(
            r'[\w.-]+\(\d\)', self.own.pop('SEE ALSO', '')))
        pages = sorted(pages - {f'{self.title}({self.section})'},
                       key=lambda page: (page[-2], page))
        if pages:
            self.add('SEE ALSO', ', '.join(
                f'*{name}*({number}' for name, number in
                (page.split('(') for page in pages)))

    def text(self, version):
        self.see()
        out = [f'{self.title}({self.section}) "weir {version}" "weir manual"']
        for heading in self.headings():
            out += [f'# {heading}', *self.parts.get(heading, [])]
            out += [self.own[heading].strip()] if heading in self.own else []
        return '\n\n'.join(out) + '\n'


class Tables:
    def __init__(self, root):
        self.root = root
        self.tool, verbs = options.read(root / 'spec' / 'options')
        self.verbs = {verb.name: verb for verb in options.shown(verbs)}
        self.exits = {row.split()[0]: row.split(None, 2)[2]
                      for row in self.rows('exits')}
        self.environment = [row.split(None, 2)
                            for row in self.rows('environment')]

    def rows(self, name):
        for _, row in options.logical_lines(self.root / 'spec' / name):
            yield row

    def marked(self, text, verb):
        words = set(verb.operand_words()) | {
            word for option in verb.options
            for word in re.findall(r'[A-Z]{2,}', option.argument)}
        return marked(text, words, self.verbs)

    def add_common(self, page, verb, codes):
        """What the pages of the tool and of its verbs have alike."""
        page.add('NAME', f'{page.title} - {plain(verb.summary)}')
        page.add('SYNOPSIS',
                 f'*{verb.command}* ' + self.marked(verb.usage, verb))
        page.add('DESCRIPTION', self.marked(verb.about, verb))
        for option in verb.all_options():
            names = f'*-{option.letter}*, ' if option.letter else ''
            names += f'*{plain("--" + option.name)}*'
            if option.argument:
                names += option.value().replace(
                    option.argument, f'_{plain(option.argument)}_')
            page.add('OPTIONS',
                     item(names, self.marked(option.described(), verb)))
        for code in codes:
            page.add('EXIT STATUS',
                     item(f'*{code}*', self.marked(self.exits[code], verb)))
        for command, note in verb.examples:
            page.add('EXAMPLES', item(f'*{plain(command)}*',
                                      self.marked(note, verb)))

    def add_environment(self, page, wanted):
        for name, pages, text in self.environment:
            if wanted(pages.split(',')):
                page.add('ENVIRONMENT', item(f'*{plain(name)}*', text))

    def verb_page(self, name):
        verb = self.verbs[name]
        page = Page(self.root, f'weir-{name}', 1)
        self.add_common(page, verb, COMMON_EXITS + verb.exits.split())
        self.add_environment(page, lambda pages: name in pages or
                             'traces' in pages and
                             'TRACE' in verb.operand_words())
        page.seen = ['weir(1)'] + [
            f'weir-{other.name}(1)' for other in self.verbs.values()
            if other.group == verb.group]
        return page

    def tool_page(self):
        page = Page(self.root, 'weir', 1)
        self.add_common(page, self.tool, self.exits)
        for group in dict.fromkeys(v.group for v in self.verbs.values()):
            page.add('VERBS', f'## {group}')
            for verb in self.verbs.values():
                if verb.group == group:
                    page.add('VERBS', item(f'*weir-{verb.name}*(1)',
                                           plain(verb.summary)))
        self.add_environment(page, lambda pages: True)
        page.seen = ['weir-calls(7)', 'weir-findings(7)', 'weir-format(5)',
                     'weir-mark(7)', 'weir-params(7)', 'weir-protocol(7)',
                     'weirtrace(3)'] + [
            f'weir-{name}(1)' for name in self.verbs]
        return page

    def calls_page(self):
        page = Page(self.root, 'weir-calls', 7)
        spec = self.root / 'spec'
        paths = {path.stem: path for path in sorted(spec.glob('*.calls'))}
        _, found = calls.read_tables(spec / 'kinds', paths.values())
        page.add('NAME', 'weir-calls - the calls that weir records')
        found.sort(key=lambda call: call.ident or 0)
        for path in {call.layer: paths[call.layer] for call in found
                     if call.ident is not None}.values():
            rows = [call for call in found if call.layer == path.stem]
            page.own[path.stem.upper()] = '\n\n'.join(
                [plain(first_sentence(path))] +
                [call_item(call, rows) for call in rows
                 if call.ident is not None])
        classes = calls.read_classes(spec / 'classes')
        page.own['CLASSES'] = class_items(classes.about)
        page.own['TRAITS'] = class_items(classes.traits)
        page.seen = ['weir(1)', 'weir-dump(1)', 'weir-format(5)']
        return page

    def findings_page(self):
        page = Page(self.root, 'weir-findings', 7)
        page.add('NAME', 'weir-findings - what weir report can find in a run')
        rules = findings.read(self.root / 'spec' / 'findings')
        for part in dict.fromkeys(rule['part'] for rule in rules):
            page.own[part.upper()] = '\n\n'.join(
                finding_item(rule) for rule in rules if rule['part'] == part)
        page.seen = ['weir(1)', 'weir-report(1)']
        return page

    def params_page(self):
        page = Page(self.root, 'weir-params', 7)
        page.add('NAME', 'weir-params - what a plan may set')
        table = params.read(self.root / 'spec' / 'params',
                            self.root / 'src' / 'plan' / 'plan_layout.h')
        for part in dict.fromkeys(row['part'] for row in table.params):
            page.own[part.upper()] = '\n\n'.join(
                param_item(row) for row in table.params
                if row['part'] == part)
        page.own['EXCLUDED'] = '\n\n'.join(
            item('*' + plain(name) + '*', plain(f'{why[0].upper()}{why[1:]}.'))
            for name, why in excluded_names(table))
        page.seen = ['weir(1)', 'weir-plan(1)', 'weir-run(1)']
        return page

    def protocol_page(self):
        page = Page(self.root, 'weir-protocol', 7)
        page.add('NAME', 'weir-protocol - what a forwarded program asks')
        ops = forward.read(self.root / 'spec' / 'forward.ops')
        for by, heading in OPS_BY.items():
            page.own[heading] = '\n\n'.join(op_item(op) for op in ops
                                            if op.by == by)
        page.seen = ['weir(1)', 'weir-run(1)']
        return page

    def format_page(self):
        """The parts of doc/format.md that users of traces need."""
        page = Page(self.root, 'weir-format', 5)
        page.add('NAME', 'weir-format - what a trace consists of')
        text = (self.root / 'doc' / 'format.md').read_text(encoding='utf-8')
        parts = dict(re.findall(r'^## (.+)\n+((?:(?!## ).*\n?)*)', text, re.M))
        for heading in ('Files of a trace', 'Events',
                        'What weir dump prints'):
            page.own[heading.upper()] = from_markdown(
                parts[heading].partition('\n###')[0])
        page.seen = ['weir(1)', 'weir-dump(1)', 'weir-calls(7)']
        return page


    def mark_page(self):
        page = Page(self.root, 'weir-mark', 7)
        page.add('NAME', 'weir-mark - say in the trace what a program does')
        page.seen = ['weir(1)']
        return page

    def library_page(self):
        """The header that other programs include."""
        page = Page(self.root, 'weirtrace', 3)
        header = self.root / 'include' / 'weir' / 'trace.h'
        page.add('NAME', 'weirtrace - read the traces that weir records')
        page.add('SYNOPSIS', '*#include <weir/trace.h>*',
                 f'*cc* _FILE_ *{plain("$(pkg-config --cflags --libs weirtrace)")}*')
        for heading, paragraphs in library_sections(
                header.read_text(encoding='utf-8')):
            if heading in ORDER:
                page.add(heading, *paragraphs)
            else:
                page.own[heading] = '\n\n'.join(paragraphs)
        page.seen = ['weir(1)', 'weir-calls(7)', 'weir-format(5)']
        return page


def literal(text):
    return '```\n' + text.replace('\\', '\\\\') + '\n```'


def library_sections(header):
    """(heading, paragraphs): each function with what is said before it."""
    heading, out, said = 'DESCRIPTION', [], []
    for what, *words in apipage.parts(header):
        if what == 'text':
            said.append(plain(words[0]))
            continue
        if what == 'functions':
            out.append(item('++\n'.join(f'*{plain(f)}*' for f in words[0]),
                            '\n\n\t'.join(said)))
        else:
            out += said
        said = []
        if what == 'section':
            yield heading, out
            heading, out = words[0].upper(), []
        elif what == 'name':
            out.append(item(f'*{plain(words[0])}*', plain(words[1]))
                       if words[1] else f'*{plain(words[0])}*')
        elif what == 'code':
            out.append(literal(words[0]))
    yield heading, out + said


def first_sentence(path):
    line = path.read_text(encoding='utf-8').partition('\n')[0]
    return line.lstrip('# ').partition('.')[0] + '.'


def call_item(call, rows):
    """A call with its arguments; those that are recorded are underlined."""
    names = [f'_{plain(a.name)}_' if a.kind.place != 'none' else plain(a.name)
             for a in call.passed] + ['...'] * bool(call.va)
    head = f'*{plain(call.name)}*' + (
        '' if call.derived else f'({", ".join(names)})')
    also = call.twins + [symbol for other in rows if other.ident is None and
                         other.base == call.name for symbol in other.symbols]
    also = sorted(set(also) - {call.name})
    notes = [meaning_note(call)]
    notes += ['derived from other calls'] if call.derived else []
    notes += ['also ' + ', '.join(map(plain, also))] if also else []
    notes += ['also by *syscall*(2)'] if call.syscalls else []
    return item(head, '; '.join(notes))


def meaning_note(call):
    """Its class and traits, and the arguments that say which file and where."""
    told = {'name': 'which file', 'to': 'its other name', 'off': 'from where',
            'len': 'how much'}
    words = [f'*{word}*' for word in [call.means.name, *call.means.traits]]
    told = [f'_{plain(arg)}_ says {told[what]}'
            for what, arg in meaning.named(call)]
    return ', '.join([' '.join(words), *told])


def class_items(classes):
    """The words of the notes."""
    return '\n\n'.join(
        item(f'*{name}*', plain(f'{about[0].upper()}{about[1:]}.'))
        for name, about in classes.items())


SAVES = {'about': 'Saves about: ', 'at-most': 'Saves at most: ',
         'unknown': 'Saves an unknown time: ', 'data': 'About data, not time: '}


def figured(text):
    """A rule's text, with words where a report has figures."""
    return plain(re.sub(r'{(\w+)}', lambda m: m[1].upper(),
                        text.replace('{s}', 's')))


def finding_item(rule):
    """A rule: what it says, counts and advises."""
    limit = f'Reported from {rule["least"]} on'
    if rule['share'] != '0':
        limit += ', if in a file they' if rule['per'] == 'file' else ', if they'
        limit += f' are at least {rule["share"]} per cent of '
        limit += rule['among'] if rule['among'] != '-' else 'all'
    if rule['level'] == 'what-if':
        limit = 'Is always answered'
        limit += '' if rule['among'] == '-' else f', out of {rule["among"]}'
    said = [figured(rule['title']) + '.',
            plain(f'Counts {rule["counts"]}. {limit}.'),
            SAVES[rule['saves']] + figured(rule['because']) + '.',
            plain(rule['advice'])]
    if rule['try'] != '-':
        said.append('To try: ' + ', '.join(
            f'*{plain(word)}*' for word in rule['try'].split()) + '.')
    return item(f'*{plain(rule["name"])}*', '\n\n\t'.join(said))


CHANGES = {'none': 'Changes nothing in files.',
           'layout': 'Changes where or how data lie in files.',
           'content': 'May change what is read from files.'}


def param_item(row):
    """A parameter: what it takes, does and changes."""
    type_, _, only = row['tier'].partition(' ')
    said = [f'{row["type"]}' + (f' of {row["range"]}' if row['range'] else '')
            + f'. Without a plan: {row["default"]}.', row['about'],
            f'Set by {row["via"]}. {CHANGES[row["bytes"]]}']
    if type_ == 'opt-in':
        said[-1] += ' Wants opt-in' + (f' with {only}' if only else '') \
            + f': {row["risk"]}.'
    if row['inert']:
        said[-1] += f' Does nothing {row["inert"]}.'
    if row['also']:
        said[-1] += f' Also called {row["also"]}.'
    if row['stand-in']:
        said[-1] += f' Only tested with {row["stand-in"]}.'
    return item(f'*{plain(row["name"])}*', '\n\n\t'.join(map(plain, said)))


OPS_BY = {'socket': 'ASKED BY SOCKET', 'slot': 'ASKED BY SLOT',
          'supervisor': 'ASKED OF THE SUPERVISOR'}


def op_item(op):
    """An op: its arguments and results with their kinds."""
    head = f'*{plain(op.name)}*({plain(op.arguments)})'
    results = plain(op.results) or 'nothing'
    again = ' May be done again.' if 'again' in op.words else ''
    return item(head, '\n\n\t'.join([
        f'Op {op.number}, gives {results}.{again}', plain(op.about)]))


def excluded_names(table):
    """Names that have one reason, together."""
    reasons = {}
    for name, value, why in table.excluded:
        reasons.setdefault(why, []).append(name + ('=' + value) * bool(value))
    return [(', '.join(names), why) for why, names in reasons.items()]


def inline(text):
    """Markdown within a paragraph."""
    pattern = r'`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^]]+)\]\([^)]+\)'
    out, at = [], 0
    for match in re.finditer(pattern, text):
        code, strong, emphasis, link = match.groups()
        mark = '_' if emphasis else '*'
        out += [plain(text[at:match.start()]), mark,
                plain(code or strong or emphasis or link), mark]
        at = match.end()
    return ''.join(out) + plain(text[at:])


def from_markdown(text):
    """Paragraphs, indented text, and tables of two columns."""
    out = []
    for block in re.split(r'\n\s*\n', text.strip('\n')):
        lines = block.splitlines()
        if block.startswith('|'):
            for line in lines[2:]:
                cells = [cell.strip() for cell in line.strip('|').split('|')]
                out.append(item(inline(cells[0]), inline(cells[-1])))
        elif block.startswith('    '):
            out.append(literal('\n'.join(line[4:] for line in lines)))
        else:
            out.append(inline(' '.join(line.strip() for line in lines)))
    return '\n\n'.join(out)


def main(root, version, scdoc, name, out):
    tables = Tables(Path(root))
    made = {'weir': tables.tool_page, 'weir-calls': tables.calls_page,
            'weir-findings': tables.findings_page,
            'weir-format': tables.format_page,
            'weir-mark': tables.mark_page,
            'weir-params': tables.params_page,
            'weir-protocol': tables.protocol_page,
            'weirtrace': tables.library_page}
    page = made[name]() if name in made else \
        tables.verb_page(name.removeprefix('weir-'))
    roff = subprocess.run([scdoc], input=page.text(version), check=True,
                          stdout=subprocess.PIPE, encoding='utf-8').stdout
    # names of functions and options must not be broken
    Path(out).write_text(roff.replace('.nh\n', '.nh\n.nr HY 0\n', 1),
                         encoding='utf-8')


if __name__ == '__main__':
    main(*sys.argv[1:])
