# SPDX-License-Identifier: BSD-3-Clause
"""The option table, read without the generator's help."""
import re
from pathlib import Path


class Verb:
    def __init__(self, name, hidden):
        self.name, self.hidden = name, hidden
        self.options = {}   # --name: (letter or '', argument or '', type)
        self.examples = []  # commands
        self.usage = ''


def read(path):
    """Map each verb to what the table says; the tool itself is ''."""
    verbs, verb = {}, None
    for line in Path(path).read_text(encoding='utf-8').splitlines():
        head = re.match(r'(tool|verb)\s+(\S+)(\s+hidden)?', line)
        option = re.match(r'  (-\w?)\s+(--[\w-]+)\s+(\S+)\s+(\S+)', line)
        example = re.match(r'  example\s+(.*?)\s+# ', line)
        usage = re.match(r'  usage\s+(.*)', line)
        if head:
            verb = Verb('' if head[1] == 'tool' else head[2], bool(head[3]))
            verbs[verb.name] = verb
        elif option:
            letter, name, argument, kind = option.groups()
            verb.options[name] = (letter.strip('-') and letter,
                                  argument.strip('-') and argument, kind)
            if name == '--format' and 'json' in kind.split('|'):
                verb.options['--json'] = ('', '', 'flag')
        elif example:
            verb.examples.append(example[1])
        elif usage:
            verb.usage = usage[1]
    return verbs


def shown(path):
    return {name: verb for name, verb in read(path).items()
            if not verb.hidden}
