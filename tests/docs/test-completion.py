#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drive bash through every verb and option, with bash-completion and without.

usage: test-completion.py WEIR TABLE COMPLETION
"""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import bash  # noqa: E402
import table  # noqa: E402

USAGE_ERROR = 2
# What is in the directory in which bash is asked.
FILES, FOLDERS = ['some-file'], ['some-folder']
KINDS = {'DIR': FOLDERS, 'FILE': FILES + FOLDERS, 'TRACE': FILES + FOLDERS,
         'GLOB': FILES + FOLDERS, 'OUT': FILES + FOLDERS}


def values(argument, kind):
    """What should be offered for an option's value that begins with s."""
    words = kind.partition(':')[2] if ':' in kind else kind
    if '|' in words:
        return '', words.split('|')
    return 'some', KINDS.get(argument, [])


def questions(verbs):
    """Yield (words, the answer that is right)."""
    for name, verb in verbs.items():
        if not name:
            continue
        yield ['weir', name[:-1]], [other for other in verbs
                                    if other.startswith(name[:-1]) and other]
        for option, (letter, argument, kind) in verb.options.items():
            yield ['weir', name, option], [
                other for other in verb.options if other.startswith(option)]
            if not argument or kind == 'maybe':
                continue
            typed, right = values(argument, kind)
            yield ['weir', name, option, typed], right
            yield ['weir', name, option, '=', typed], right
            yield (['weir', name, f'{option}={typed}'],
                   [f'{option}={word}' for word in right])
            if not typed:
                yield ['weir', name, option, '='], right
            if letter:
                yield ['weir', name, letter, typed], right
        yield from operands(name, verb, verbs)


def first_words(verb):
    begins = re.match(r'(?:\[OPTION\]\.\.\. )?(\w+(?:\|\w+)+)', verb.usage)
    return begins[1].split('|') if begins else []


def operands(name, verb, verbs):
    words = first_words(verb)
    if words:
        yield ['weir', name, ''], words
        yield ['weir', name, words[0][:-1]], words[:1]
        yield ['weir', name, words[0], 'some'], FILES + FOLDERS
        return
    first = re.search(r'\b(?!OPTION)[A-Z]{2,}', verb.usage)[0]
    leading = re.match(r'(?:\[OPTION\]\.\.\. )?(\w+(?:\|\w+)+) ', verb.usage)
    if leading:
        words = leading[1].split('|')
        yield ['weir', name, ''], words
        yield ['weir', name, words[0][:-1]], words[:1]
        yield ['weir', name, words[0], 'some'], KINDS[first]
        return
    if first == 'COMMAND':
        yield ['weir', name, '--', 'tru'], ['true', 'truncate']
        yield ['weir', name, 'tru'], ['true', 'truncate']
        yield ['weir', name, '--', 'nobody-knows', 'some-fi'], FILES
    elif first == 'VERB':
        yield ['weir', name, ''], [other for other in verbs if other]
    elif first in KINDS:
        yield ['weir', name, 'some'], KINDS[first]
        yield ['weir', name, '--', 'some'], KINDS[first]
    second = re.search(fr'\b{first} (\w+(?:\|\w+)+)', verb.usage)
    if second:
        words = second[1].split('|')
        yield ['weir', name, 'some-file', ''], words
        yield ['weir', name, 'some-file', words[0][:-1]], words[:1]


def faults(completion, verbs, present):
    asked = list(questions(verbs))
    with tempfile.TemporaryDirectory() as where:
        for file in FILES:
            open(os.path.join(where, file), 'w').close()
        for folder in FOLDERS:
            os.mkdir(os.path.join(where, folder))
        answers = bash.complete(completion, [words for words, _ in asked],
                                present, where)
    for (words, right), answer in zip(asked, answers):
        answer = sorted(set(answer))
        if words[-1] == 'tru':  # this machine may have more of them
            answer = [word for word in answer if word in right]
        if answer != sorted(right):
            yield f'{" ".join(words)}: offers {answer}, not {sorted(right)}'
    print(f'{len(asked)} questions', 'with' if present else 'without',
          'bash-completion')


def faults_of_command(completion):
    """The command behind weir run is completed in its own way."""
    words = ['weir', 'run', '-q', '--', 'ls', '--almost']
    answer, = bash.complete(completion, [words], bash.PRESENT)
    if answer != ['--almost-all']:
        yield f'{" ".join(words)}: offers {answer}'


def faults_of_words(weir, verbs, where):
    """What is offered for a text is taken by the tool."""
    for name, verb in verbs.items():
        for option, (_, _, kind) in verb.options.items():
            for word in kind.partition(':')[2].split('|'):
                thing = (first_words(verb) or ['', 'no-such-thing'])[1]
                if word and subprocess.run(
                        [weir, name, option, word, thing],
                        env={**os.environ, 'WEIR_SERVER': where},
                        cwd=where, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL).returncode == USAGE_ERROR:
                    yield f'{name} {option} {word} is refused'


def main(weir, path, completion):
    verbs = table.shown(path)
    weir, completion = map(os.path.abspath, (weir, completion))
    found = [*faults(completion, verbs, '')]
    with tempfile.TemporaryDirectory() as where:
        found += faults_of_words(weir, verbs, where)
    if os.path.exists(bash.PRESENT):
        found += [*faults(completion, verbs, bash.PRESENT),
                  *faults_of_command(completion)]
    else:
        print('bash-completion is not installed: tried without it only')
    print('\n'.join(found) or 'ok')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
