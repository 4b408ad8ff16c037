# SPDX-License-Identifier: BSD-3-Clause
"""What the log of the plug-in `faulty` says: which blocks are stored at each
moment, and so what programs must have been told."""

STRIDE = 65536


class Block:
    """A block as writer.c writes it."""

    def __init__(self, processes, process, number):
        self.process = process
        self.offset = (number * processes + process) * STRIDE
        self.length = 4096 + 97 * number
        self.bytes = bytes([process + 16 * number + 1 & 255]) * self.length
        self.stored = 0    # bytes from the beginning on
        self.error = None  # of the last try
        self.is_refused = False  # its write itself has failed

    def meets(self, offset, length):
        return offset < self.offset + self.length and \
            self.offset < offset + length

    def tried(self, offset, result):
        if isinstance(result, str):
            self.error = result
            self.stored = 0
        elif offset + result > self.offset + self.stored:
            self.stored = min(offset + result - self.offset, self.length)
            self.error = None

    @property
    def is_bad(self):
        return self.error is not None and not self.is_refused

    @property
    def is_whole(self):
        return self.stored == self.length


class Told:
    """Follows a log; faults are what programs were told wrongly."""

    def __init__(self, paths, processes, blocks):
        self.files = {str(path): [Block(processes, p, b)
                                  for b in range(blocks)
                                  for p in range(processes)]
                      for path in paths}
        self.faults, self.asked = [], {}
        self.answers = 0

    def write(self, path, offset, length, result):
        for block in self.files[path]:
            if block.meets(offset, length):
                block.tried(offset, result)
        for open_ones in self.asked.values():
            if open_ones['path'] == path:
                self.look(open_ones)

    def look(self, call):
        """While a call goes on: what was bad at some time, or all the time."""
        bad = {block: block.error for block in self.files[call['path']]
               if block.is_bad}
        call['ever'] |= set(bad.values())
        call['always'] = {block: error for block, error in bad.items()
                          if block in call['always']} \
            if 'always' in call else bad

    def begin(self, process, name, path):
        call = self.asked[process] = {'path': path, 'ever': set()}
        self.look(call)

    def end(self, process, name, result, path):
        call = self.asked.pop(process)
        self.look(call)
        self.answers += 1
        where = f'{name} of process {process} on {path}'
        always = set(call['always'].values())
        if result == '0':
            if always:
                self.faults.append(f'{where} succeeds, but {always}')
            self.faults += [
                f'{where} succeeds, but {block.offset} is not stored'
                for block in self.files[path]
                if block.process == int(process) and not block.is_whole
                and not block.is_refused]
        elif result not in call['ever']:
            self.faults.append(f'{where}: {result}, but there was '
                               f'{call["ever"] or "nothing wrong"}')

    def refused(self, log, errors):
        """Writes that were told to have failed; nothing is owed for them."""
        for line in log.splitlines():
            if line.startswith('refused '):
                _, _, offset, result, path = line.split(' ', 4)
                for block in self.files[path]:
                    block.is_refused |= block.offset == int(offset)
                if result not in errors:
                    self.faults.append(line)

    def follow(self, log, errors):
        self.refused(log, errors)
        for line in log.splitlines():
            op, rest = line.split(' ', 1)
            if op == 'write':
                _, offset, length, result, path = rest.split(' ', 4)
                self.write(path, int(offset), int(length),
                           result if result[0] == 'E' else int(result))
            elif op == 'begin':
                self.begin(*rest.split(' ', 2))
            elif op == 'end':
                self.end(*rest.split(' ', 3))
        return self

    def unstored(self):
        """(path, offset, length, errno) of all that is not stored now."""
        return sorted((path, block.offset, block.length, block.error)
                      for path, blocks in self.files.items()
                      for block in blocks if block.is_bad)
