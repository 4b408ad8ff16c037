#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write the completion for bash from the option table.

usage: complete.py OPTIONS FUNCTIONS OUT

FUNCTIONS is the part that no table changes.
"""
import sys

sys.dont_write_bytecode = True
import options  # noqa: E402

# What the words in capitals stand for; a lone word of others is not completed.
ACTIONS = {'DIR': 'dirs', 'FILE': 'files', 'TRACE': 'files', 'GLOB': 'files',
           'COMMAND': 'command', 'VERB': 'verbs', 'OUT': 'files'}

HEAD = '''# bash completion for weir, made from spec/options  -*- shell-script -*-
# It needs nothing but bash; with bash-completion the command behind
# `weir run' is completed in its own way.

_weir_verbs='{verbs}'

# What may stand behind an option: words, or @ and an action; - is none.
_weir_value() {{
	case $1 in
'''

MIDDLE = '''	*) return 1 ;;
	esac
}}

_weir_options() {{
	case $1 in
{options}	esac
}}

# What the operands are: actions, or words with | between them; the last for
# all that follow.
_weir_operands() {{
	case $1 in
{operands}	esac
}}
'''


def action(word):
    if '|' in word:
        return word
    return '@' + ACTIONS[word] if word in ACTIONS else '-'


def value(option):
    return ' '.join(option.words) or action(option.argument)


def names(verb):
    for option in verb.all_options():
        yield from [f'-{option.letter}'] if option.letter else []
        yield f'--{option.name}'


def value_rows(verb):
    for option in verb.options:
        if option.type not in ('flag', 'maybe', 'short'):
            letter = f'{verb.name}:-{option.letter} | ' if option.letter else ''
            yield (f"\t{letter}{verb.name}:--{option.name}) "
                   f"echo '{value(option)}' ;;\n")


def operands(verb):
    """The least that is true of each place among the operands."""
    return ' '.join(action(word) for word in verb.operand_places()
                    if word != 'ARGUMENT') or '-'


def completion(tool, verbs):
    verbs = options.shown(verbs)
    out = [HEAD.format(verbs=' '.join(verb.name for verb in verbs))]
    out += [row for verb in verbs for row in value_rows(verb)]
    out.append(MIDDLE.format(
        options=''.join(f"\t{verb.name}) echo '{' '.join(names(verb))}' ;;\n"
                        for verb in verbs) +
        f"\t'') echo '{' '.join(names(tool))}' ;;\n",
        operands=''.join(f"\t{verb.name}) echo '{operands(verb)}' ;;\n"
                         for verb in verbs)))
    return ''.join(out)


def main(table, functions, out):
    with open(functions, encoding='utf-8') as file:
        text = completion(*options.read(table)) + file.read()
    with open(out, 'w', encoding='utf-8') as file:
        file.write(text)


if __name__ == '__main__':
    main(*sys.argv[1:])
