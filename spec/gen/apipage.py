# SPDX-License-Identifier: BSD-3-Clause
"""The page of a C library, from the comments of its header."""
import re

# A comment, a macro with a value, or anything else up to its semicolon.
PART = re.compile(
    r'/\*(?P<comment>.*?)\*/|'
    r'^#define (?P<macro>\w+)\s+\S+\s+/\*(?P<meaning>.*?)\*/|'
    r'^#[^\n]*|'
    r'(?P<code>(?:enum \w+ \{.*?\}|[^;/#]+));(?P<after>[ \t]*/\*.*?\*/)?',
    re.S | re.M)
RULE = re.compile(r'-{3,}\s*(.+?)\s*-{3,}')
ENUMERATOR = re.compile(r'^\t(\w+)[^\n,/]*,?[ \t]*(?:/\*(.*?)\*/)?', re.S | re.M)


def prose(comment):
    """Paragraphs of a comment; lines that begin with a tab are code."""
    lines = [re.sub(r'^\s*\* ?', '', line) if number else line.strip()
             for number, line in enumerate(comment.rstrip().split('\n'))]
    for block in re.split(r'\n\s*\n', '\n'.join(lines).strip('\n')):
        if block.startswith('\t'):
            yield 'code', '\n'.join(line.removeprefix('\t').expandtabs(4)
                                    for line in block.split('\n'))
        elif block.strip():
            yield 'text', ' '.join(block.split())


def one_line(text):
    return ' '.join(text.replace('*/', '').replace('/*', '').split())


def prototype(code):
    return ' '.join(code.split()).replace('* ', '*') + ';'


def enumerators(code):
    for name, meaning in ENUMERATOR.findall(code):
        yield name, one_line(meaning.replace('\n\t', ' '))


def parts(header):
    """Yield (what, ...) in the order of the header: `section` TITLE,
    `text` and `code` TEXT, `functions` LIST, `name` NAME MEANING."""
    body = header[header.index('#define WEIR_TRACE_H'):]
    declared = []
    for match in PART.finditer(body.partition('\n')[2]):
        code = (match['code'] or '').strip()
        if '(' in code and '{' not in code:
            declared.append(prototype(code))
            continue
        if declared:
            yield 'functions', declared
            declared = []
        if match['comment'] is not None:
            rule = RULE.search(match['comment'])
            yield from [('section', rule[1])] if rule else \
                prose(match['comment'])
        elif match['macro']:
            yield 'name', match['macro'], one_line(
                match['meaning'].replace('\n\t', ' '))
        elif code.startswith('enum'):
            yield from (('name', *row) for row in enumerators(code))
        elif code.startswith('struct'):
            yield 'name', code, one_line(match['after'] or '')
    if declared:
        yield 'functions', declared
