#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the option table spec/options into options.c and options.h.

usage: options.py TABLE OPTIONS.C OPTIONS.H
"""
import re
import sys
import textwrap

TYPES = {'flag', 'text', 'list', 'maybe', 'number', 'size', 'span', 'short'}
FIELDS = {'usage', 'operands', 'about', 'exits', 'example'}
HELP = '-h --help - flag - show this help'
JSON = '- --json - short json short for --format json'
COLUMNS = 78
BANNER = '/* Made from spec/options by spec/gen/options.py. */\n'


class Option:
    def __init__(self, row):
        dash, name, argument, kind, default, self.help = row.split(None, 5)
        self.letter = '' if dash == '-' else dash[1:]
        self.name = name[2:]
        self.argument = '' if argument == '-' else argument
        self.default = None if default == '-' else default
        kind, _, hints = kind.partition(':')
        self.choices = kind.split('|') if '|' in kind else []
        self.words = self.choices or re.findall(r'[^|]+', hints)
        self.type = 'choice' if self.choices else kind
        self.check(dash, name, kind)

    def check(self, dash, name, kind):
        if not re.fullmatch(r'-[a-z]?', dash, re.I):
            raise ValueError(f'{dash} is no option letter')
        if not re.fullmatch(r'--[a-z][a-z-]+', name):
            raise ValueError(f'{name} is no option name')
        if not self.choices and kind not in TYPES:
            raise ValueError(f'unknown type {kind}')
        if (self.type in ('flag', 'short')) != (not self.argument):
            raise ValueError('a flag has no argument word; all others do')
        if self.choices and self.default not in self.choices:
            raise ValueError('the default is none of the choices')
        if self.type in ('number', 'size') and self.default is None:
            raise ValueError(f'a {self.type} needs a default')

    def shown(self):
        """As --help shows it."""
        letter = f'-{self.letter}, ' if self.letter else '    '
        return f'{letter}--{self.name}{self.value()}'

    def value(self):
        if self.type == 'maybe':
            return f'[={self.argument}]'
        return f' {self.argument}'.rstrip()

    def described(self):
        if self.default is None or self.type == 'short':
            return self.help
        if f'({self.default}: ' in self.help:  # it says what that means
            return self.help.replace(f'({self.default}: ',
                                     f'(default {self.default}: ')
        return f'{self.help} (default: {self.default})'


class Group:
    """Verbs that the overview lists under one title."""
    def __init__(self, title):
        self.title, self.names = title, []

    def take(self, row):
        self.names += row.split()


class Verb:
    def __init__(self, row):
        self.name, self.summary = row.split(None, 1)
        self.group = ''
        self.hidden = self.summary.startswith('hidden ')
        self.summary = self.summary.removeprefix('hidden ').strip()
        self.usage = self.operands = self.about = self.exits = ''
        self.options, self.examples = [], []

    @property
    def command(self):
        return f'weir {self.name}'

    def take(self, row):
        word = row.split(None, 1)[0]
        if word.startswith('-'):
            self.add(Option(row))
        elif word == 'example':
            command, _, note = row[len(word):].partition(' # ')
            self.examples.append((command.strip(), note.strip()))
        elif word in FIELDS:
            setattr(self, word, row[len(word):].strip())
        else:
            raise ValueError(f'{word} is neither a field nor an option')

    def add(self, option):
        self.insert(option)
        if option.name == 'format' and 'json' in option.choices:
            self.insert(Option(JSON))

    def insert(self, option):
        for other in self.options:
            if option.name == other.name or \
               option.letter and option.letter == other.letter:
                raise ValueError(f'option {option.name} is already there')
        if option.name == 'help' or option.letter == 'h':
            raise ValueError('every verb has --help by itself')
        self.options.append(option)

    def all_options(self):
        return self.options + [Option(HELP)]

    def check(self):
        for field in ('usage', 'operands', 'about', 'examples'):
            if not getattr(self, field):
                raise ValueError(f'verb {self.name} has no {field}')
        self.bounds()

    def bounds(self):
        """The least and the greatest number of operands, as C."""
        low, dots, high = re.fullmatch(r'(\d+)(\.\.)?(\d*)(?: stop)?',
                                       self.operands).groups()
        return low, high or ('UINT_MAX' if dots else low)

    def operand_words(self):
        """What the operands are called, in order: TRACE, DIR, COMMAND."""
        return [place for place in self.operand_places() if '|' not in place]

    def operand_places(self):
        """Likewise, and a|b|c where one of these words stands."""
        return re.findall(r'[a-z]+(?:\|[a-z]+)+|\b[A-Z]{2,}\b',
                          self.usage.replace('OPTION', ''))

    def help_text(self, verbs=()):
        """All that --help prints; the man page has the same parts."""
        parts = [f'{self.command}: {self.summary}', '']
        parts += wrapped(f'Usage: {self.command} ', self.usage)
        parts += ['', *wrapped('', self.about), '']
        for group in dict.fromkeys(verb.group for verb in verbs):
            rows = [(verb.name, verb.summary) for verb in verbs
                    if verb.group == group]
            parts += [f'{group}:', *in_columns(rows, 8), '']
        rows = [(o.shown(), o.described()) for o in self.all_options()]
        parts += ['Options:', *in_columns(rows), '', 'Examples:']
        width = max(len(command) for command, _ in self.examples)
        for command, note in self.examples:
            line = f'  {command:{width}}  # {note}'
            parts += [line] if len(line) <= COLUMNS else \
                [f'  # {note}', f'  {command}']
        return '\n'.join(parts) + '\n'


class Tool(Verb):
    """The options before any verb."""
    command = 'weir'


def wrapped(head, text):
    """Lines of text behind a heading."""
    return textwrap.wrap(text, COLUMNS, initial_indent=head,
                         subsequent_indent=' ' * len(head),
                         break_on_hyphens=False)


def in_columns(rows, least=0):
    """Lines of two columns, the second wrapped."""
    width = max([least] + [len(left) for left, _ in rows])
    return [line for left, text in rows
            for line in wrapped(f'  {left:{width}}  ', text)]


def logical_lines(path):
    """Yield (number, text) with continuation lines joined."""
    held = None
    for number, line in enumerate(open(path, encoding='utf-8'), 1):
        body = line.strip()
        if not body or line.startswith('#'):
            continue
        indent = len(line) - len(line.lstrip())
        if indent > 2 and held:
            held = (held[0], f'{held[1]} {body}')
            continue
        if held:
            yield held
        held = (number, body)
    if held:
        yield held


def in_groups(verbs, groups):
    """The verbs in the order of the groups; the hidden ones last."""
    known = {verb.name: verb for verb in verbs}
    found = []
    for group in groups:
        for name in group.names:
            if name not in known or known[name] in found:
                raise ValueError(f'{name} is no verb, or in two groups')
            known[name].group = group.title
            found.append(known[name])
    lost = [verb for verb in verbs if verb not in found]
    for verb in shown(lost):
        raise ValueError(f'verb {verb.name} is in no group')
    return found + lost


def read(path):
    """The tool and its verbs."""
    tool, verbs, groups, number = None, [], [], 0
    try:
        for number, row in logical_lines(path):
            word, _, rest = row.partition(' ')
            if word == 'tool':
                tool = last = Tool(rest.strip())
            elif word == 'group':
                last = Group(rest.strip())
                groups.append(last)
            elif word == 'verb':
                last = Verb(rest.strip())
                verbs.append(last)
            else:
                last.take(row)
        if not tool:
            raise ValueError('there is no row for the tool itself')
        for verb in [tool] + verbs:
            verb.check()
        verbs = in_groups(verbs, groups)
    except (ValueError, UnboundLocalError, AttributeError) as error:
        sys.exit(f'{path}:{number}: {error}')
    return tool, verbs


def quote(text):
    if text is None:
        return 'NULL'
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


def constant(*words):
    return '_'.join(('WEIR',) + words).upper().replace('-', '_')


def header(verbs):
    out = [BANNER + '#ifndef WEIR_SPEC_OPTIONS_H',
           '#define WEIR_SPEC_OPTIONS_H\n', '#include "base/options.h"\n',
           'enum weir_verb_id {']
    out += [f'\t{constant("verb", v.name)},' for v in verbs]
    out += ['\tWEIR_VERB_COUNT', '};\n']
    for verb in verbs:
        names = [f'\t{constant(verb.name, o.name)},' for o in verb.options]
        if names:
            out += [f'enum weir_{verb.name}_option {{', *names, '};\n']
    out += ['extern const struct weir_verb weir_verbs[WEIR_VERB_COUNT];\n',
            '/* What weir --help prints. */',
            'extern const char weir_overview[];\n',
            '/* One per verb, in src/cmds/cmd_VERB.c; returns the exit '
            'status. */']
    out += [f'int weir_cmd_{v.name}(int argc, char **argv);' for v in verbs]
    out += ['\n/* X(name) for each verb, in the order of weir_verbs. */',
            '#define WEIR_VERBS(X) ' + ' '.join(f'X({v.name})'
                                                for v in verbs),
            '\n#endif']
    return '\n'.join(out) + '\n'


def option_rows(verb):
    out = []
    for o in verb.options:
        if o.choices:
            words = ', '.join(map(quote, o.choices))
            out.append('static const char *const '
                       f'{verb.name}_{o.name.replace("-", "_")}_choices[] = '
                       f'{{ {words}, NULL }};')
    out.append(f'static const struct weir_option {verb.name}_options[] = {{')
    for o in verb.options:
        out += ['\t{', f'\t\t.name = {quote(o.name)},',
                f'\t\t.type = {constant("option", o.type)},']
        if o.letter:
            out.append(f"\t\t.letter = '{o.letter}',")
        if o.argument:
            out.append(f'\t\t.argument = {quote(o.argument)},')
        if o.default is not None:
            out.append(f'\t\t.fallback = {quote(o.default)},')
        if o.type == 'short':
            out.append(f'\t\t.stands_for = {constant(verb.name, "format")},')
        if o.choices:
            out.append(f'\t\t.choices = {verb.name}_'
                       f'{o.name.replace("-", "_")}_choices,')
        out.append('\t},')
    return out + ['};\n'] if verb.options else []


def verb_row(verb):
    low, high = verb.bounds()
    out = [f'\t[{constant("verb", verb.name)}] = {{',
           f'\t\t.name = {quote(verb.name)},',
           f'\t\t.summary = {quote(verb.summary)},',
           f'\t\t.usage = {quote(verb.usage)},',
           f'\t\t.min_operands = {low},', f'\t\t.max_operands = {high},']
    if verb.options:
        out += [f'\t\t.options = {verb.name}_options,',
                f'\t\t.option_count = {len(verb.options)},']
    if verb.operands.endswith('stop'):
        out.append('\t\t.stops = true,')
    if verb.hidden:
        out.append('\t\t.hidden = true,')
    return out + ['\t\t.help =', *quote_lines(verb.help_text()), '\t},']


def quote_lines(text):
    return ['\t\t\t' + quote(line)[:-1] + '\\n"'
            for line in text.splitlines()]


def shown(verbs):
    return [verb for verb in verbs if not verb.hidden]


def source(tool, verbs):
    out = [BANNER + '#include "spec/options.h"\n', '#include <limits.h>\n']
    for verb in verbs:
        out += option_rows(verb)
    out.append('const struct weir_verb weir_verbs[WEIR_VERB_COUNT] = {')
    for verb in verbs:
        out += verb_row(verb)
    out += ['};\n', 'const char weir_overview[] =',
            *quote_lines(tool.help_text(shown(verbs)))]
    return '\n'.join(out) + ';\n'


def main(table, c_path, h_path):
    tool, verbs = read(table)
    with open(c_path, 'w', encoding='utf-8') as out:
        out.write(source(tool, verbs))
    with open(h_path, 'w', encoding='utf-8') as out:
        out.write(header(verbs))


if __name__ == '__main__':
    main(*sys.argv[1:])
