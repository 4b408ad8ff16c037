# SPDX-License-Identifier: BSD-3-Clause
"""`weir dump --tree` as text that is the same for each run of a program.

What is masked, left out or put in order, and why, is told by the tables and
functions here; all else stays as the dump shows it.
"""
import re

from weirtool import Failure

ROW = re.compile(r"\s*\d+\.\d+\s+(?:[\d.]+ [nmu]?s|-)  "
                 r"(\d+\.\d+\.\d+ *| {12}) (.{8}) "
                 r"((?:[├└]─ |│  |   )*)(.*)")
ID = re.compile(r"\b\d+\.\d+\.\d+\b")
OWNER = re.compile(r"(?:rank|process) (\d+): ")

READ = re.compile(r"pread\(.*, len=(\d+), off=(\d+)\) = (\d+)")

# (what, what stands for it): it is another in each run or on each machine.
MASKS = (
    # numbers of files follow those of the sockets and pipes of the MPI
    (r"\b\d+(?=<)", ""),
    # how large and how full the file system is
    (r"st=\{[^}]*\}", "st={…}"),
    # what the open calls tell of the file system
    (r", fs=\w+", ""),
    (r', stripes="[^"]*"', ""),
    # hints are many and follow the file system; those asked for stay
    (r', hints="[^"]*"', ', hints="…"'),
    # addresses in memory, and identifiers of HDF5's objects
    (r"0x[0-9a-f]{12,}", "…"),
)

# Calls without calls of their own that come as often as it happens.
LEFT_OUT = {
    "aio_error": "asks until an operation is over",
    "MPI_Test": "likewise",
}


class Call:
    """A row of the dump and those below it."""

    def __init__(self, name, layer, text):
        self.id = name  # None of a line that stands for several ranks
        self.layer = layer
        self.text = text
        self.below = []

    def parts(self):
        """{rank: when in its course}; ids of a thread are in order."""
        own = [self] if self.id else self.below
        return {owner(call.text): tuple(map(int, call.id.split(".")[1:]))
                for call in own}

    def everything(self):
        yield self
        for call in self.below:
            yield from call.everything()


def owner(text):
    match = OWNER.match(text)
    return int(match[1]) if match else -1


def read(dump, folder):
    """The trees of a dump, with paths as seen from a folder."""
    trees, above = [], []
    for line in dump.splitlines():
        row = ROW.fullmatch(line)
        if not row:
            if line.lstrip().startswith("#"):
                continue
            raise Failure(f"no row of a tree: {line}")
        name, layer, branches, text = row.groups()
        call = Call(name.strip() or None, layer.strip(),
                    text.replace(str(folder), "DIR"))
        del above[len(branches) // 3:]
        if len(above) != len(branches) // 3:
            raise Failure(f"a row without its caller: {line}")
        (above[-1].below if above else trees).append(call)
        above.append(call)
    return trees


def in_order(trees):
    """Of each rank in the order of its calls, and between the calls that
    all make the lower ranks first: which rank was faster is chance."""
    courses = {}
    for tree in trees:
        for rank, when in tree.parts().items():
            courses.setdefault(rank, []).append((when, tree))
    waiting = {rank: [tree for _, tree in sorted(course, key=lambda c: c[0])]
               for rank, course in courses.items()}
    while any(waiting.values()):
        tree = next((course[0] for _, course in sorted(waiting.items())
                     if course and all(waiting[rank][0] is course[0]
                                       for rank in course[0].parts())), None)
        if not tree:
            raise Failure("ranks make their common calls in another order")
        for rank in tree.parts():
            del waiting[rank][0]
        yield tree


def at_home(trees):
    """What several ranks called within other calls is shown with the first
    that came, and others refer to it: let the lowest be that one."""
    places = {}  # of each row: the list that it is in
    for tree in trees:
        for call in tree.everything():
            places.update((below, call.below) for below in call.below)
    for node in [call for call in places if not call.id]:
        shown = next(call for call in node.below
                     if not find(places, call.id, node))
        lowest = min(node.below, key=lambda call: owner(call.text))
        if shown is not lowest:
            exchange(places, node, shown, lowest)


def find(places, name, node):
    """The row with an id that stands elsewhere than within a node."""
    return next((call for call in places if call.id == name and
                 places[call] is not node.below), None)


def exchange(places, node, shown, lowest):
    """The node goes where `lowest` has a row, and `shown` gets such a row."""
    stand_in = find(places, lowest.id, node)
    row = Call(shown.id, shown.layer, OWNER.sub("", shown.text) +
               f"  [one call with {lowest.id}, shown there]")
    for call in places:
        call.text = call.text.replace(f"one call with {shown.id},",
                                      f"one call with {lowest.id},")
    for old, new in ((node, row), (stand_in, node)):
        at = places[old].index(old)
        places[old][at] = new
    places[row], places[node] = places[node], places.pop(stand_in)


def name_ids(trees):
    """A row that another refers to by its id has a number for it: ids count
    what else the process did."""
    calls = [call for tree in trees for call in tree.everything()]
    meant = {found for call in calls for found in ID.findall(call.text)}
    names = {}
    for call in calls:
        if call.id in meant:
            names[call.id] = f"@{len(names) + 1}"
    for call in calls:
        call.text = ID.sub(lambda m: names.get(m[0], "@?"), call.text)
        if call.id in names:
            call.text += f"  {names[call.id]}"


def is_left_out(call):
    name = OWNER.sub("", call.text).partition("(")[0]
    return name in LEFT_OUT and not call.below


def rows(call):
    """Of a tree: (level, layer, text), its repetitions told once."""
    yield 0, call.layer, call.text
    for block in fold([list(rows(below)) for below in call.below
                       if not is_left_out(below)]):
        for level, layer, text in block:
            yield level + 1, layer, text


def one_read(calls):
    """Reads that a file's end cut short, and those of the rest, as one: how
    long the file is by then is the other ranks' doing."""
    kept, rest = [], None  # where the next would go on
    for call in calls:
        match = READ.fullmatch(call.text)
        length, begin, got = map(int, match.groups()) if match else (0, 0, 0)
        if match and (begin, length) == rest:
            rest = begin + got, length - got
            continue
        rest = (begin + got, length - got) if match else None
        if match:
            call.text = call.text[:match.start(3)] + "…"
        kept.append(call)
    return kept


def normal(dump, folder, are_reads_chance=False):
    """The whole text."""
    trees = list(in_order(read(dump, folder)))
    at_home(trees)
    name_ids(trees)
    for call in (call for tree in trees for call in tree.everything()):
        if are_reads_chance:
            call.below = one_read(call.below)
        for what, instead in MASKS:
            call.text = re.sub(what, instead, call.text)
    blocks = [list(rows(tree)) for tree in trees if not is_left_out(tree)]
    return "".join(f"{layer:8} {'  ' * level}{text}\n"
                   for block in fold(blocks) for level, layer, text in block)


# Folding: blocks that differ in some values only become one with a list of
# these. Nothing is lost by it.

# numbers, and parts of the names in <> and ""
VALUE = re.compile(r'(?<=[/:"<@])[^/:"<>@,=()\s]+(?=[/:">@])|'
                   r'(?<![\w#$.])(?:0x[0-9a-f]+|\d+)')
LONGEST_PERIOD = 24
LEAST_SAVED = 4  # rows; fewer are not worth what is harder to read


def skeleton(block):
    return [(level, layer, VALUE.sub("$", text))
            for level, layer, text in block]


def letters(number):
    return chr(ord("a") + number % 26) * (number // 26 + 1)


def series(values):
    """All values, or how they grow."""
    if all(value.isdigit() for value in values) and len(values) > 2:
        steps = {int(b) - int(a) for a, b in zip(values, values[1:])}
        if len(steps) == 1:
            return f"{values[0]}, {steps.pop():+d}, …"
    return " ".join(values)


class Names:
    """Of what differs from time to time; the same series have one name, and
    those within a repetition fewer $ than those around it."""

    def __init__(self, times):
        within = {len(found) for row in sum(times, [])
                  for found in re.findall(r"\$+", row[2])}
        self.dollars = "$" * (1 + max(within, default=0))
        self.of = {}

    def fill(self, texts):
        """The text that stands for one of each time."""
        slots = zip(*map(VALUE.findall, texts))

        def name(match):
            values = next(slots)
            if len(set(values)) == 1:
                return match[0]
            return self.of.setdefault(
                values, self.dollars + letters(len(self.of)))
        return VALUE.sub(name, texts[0])


def folded(times):
    """Blocks, one for each time, as one; several rows may be a time."""
    names = Names(times)
    body = [(same[0][0] + 1, same[0][1], names.fill([row[2] for row in same]))
            for same in zip(*times)]
    tail = [(1, "", f"{name} = {series(values)}")
            for values, name in names.of.items()]
    return [(0, "", f"{len(times)} times:"), *body, *tail]


def best_fold(blocks, shapes, start):
    """(rows saved, the block, how many blocks it stands for)"""
    best = LEAST_SAVED - 1, None, 0
    for period in range(1, min(LONGEST_PERIOD, (len(blocks) - start) // 2) + 1):
        first = shapes[start:start + period]
        end = start + period
        while shapes[end:end + period] == first:
            end += period
        if end == start + period:
            continue
        times = [sum(blocks[at:at + period], [])
                 for at in range(start, end, period)]
        one = folded(times)
        saved = sum(map(len, times)) - len(one)
        if saved > best[0]:
            best = saved, one, end - start
    return best


def fold(blocks):
    shapes = [skeleton(block) for block in blocks]
    start = 0
    while start < len(blocks):
        _, one, count = best_fold(blocks, shapes, start)
        yield one or blocks[start]
        start += count or 1
