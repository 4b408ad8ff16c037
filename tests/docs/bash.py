# SPDX-License-Identifier: BSD-3-Clause
"""Asks a real bash what it would complete."""
import subprocess

PRESENT = '/usr/share/bash-completion/bash_completion'
SCRIPT = r'''
[ -z "$PRESENT" ] || source "$PRESENT"
source "$COMPLETION"
# a list of words a line, separated by tabs; | instead of an empty word
while IFS=$'\t' read -ra COMP_WORDS; do
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	[ "${COMP_WORDS[COMP_CWORD]}" != '|' ] || COMP_WORDS[COMP_CWORD]=
	COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
	COMPREPLY=()
	_weir 2>/dev/null
	(IFS=$'\t'; printf '%s\n' "${COMPREPLY[*]}")
done
'''


def complete(completion, questions, present='', where='.'):
    """The answers to each list of words, whose last is being typed."""
    lines = ''.join('\t'.join(words[:-1] + [words[-1] or '|']) + '\n'
                    for words in questions)
    result = subprocess.run(
        ['bash', '--norc', '-c', SCRIPT], input=lines, cwd=where, check=True,
        capture_output=True, text=True, timeout=120,
        env={'PATH': '/usr/bin:/bin', 'PRESENT': present,
             'COMPLETION': completion})
    answers = result.stdout.split('\n')[:-1]
    if len(answers) != len(questions) or result.stderr:
        raise RuntimeError(f'bash said {result.stderr}')
    return [[word.rstrip() for word in line.split('\t') if word]
            for line in answers]
