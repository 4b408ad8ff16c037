#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turn the table of what a forwarded program asks its daemon into C.

usage: forward.py TABLE SESSION_LAYOUT.h BOARD_LAYOUT.h OUTDIR

The two layouts are in src/wire: who shares memory must agree on them too, so
they count in the hash of the interface.
"""
import hashlib
import os
import re
import sys

NONE = "UINT64_MAX"
# kind: type in C, size, the most it may be
NUMBERS = {
    "u32": ("uint32_t", 4, NONE),
    "u64": ("uint64_t", 8, NONE),
    "i64": ("int64_t", 8, NONE),
    "flag": ("uint32_t", 4, "1"),
    "file": ("uint32_t", 4, "WEIR_BOARD_FILES - 1"),
    "open": ("uint32_t", 4, "WEIR_SESSION_OPENS - 1"),
    "chunk": ("uint32_t", 4, "WEIR_SESSION_CHUNKS_MOST - 1"),
    "size": ("uint32_t", 4, "WEIR_SESSION_LANE"),
    "off": ("uint64_t", 8, "WEIR_OP_OFF_MOST"),
}
BYTES = ("data", "text")
BYS = ("slot", "socket", "supervisor")
WORDS = ("again",)
ROOM = {"call": 96, "answer": 64}  # WEIR_SESSION_ARGS, WEIR_SESSION_RESULTS
ROW = re.compile(r"(\d+)\s+(\w+)\((.*?)\)\s*->\s*\((.*?)\)\s*:\s*by (\w+)"
                 r"((?: \w+)*)")
PAIRS = (("put", "get"), ("answer", "result"))
MADE = "/* Made from spec/forward.ops by spec/gen/forward.py. */"

HEAD = MADE + """
#ifndef WEIR_SPEC_FORWARD_H
#define WEIR_SPEC_FORWARD_H

#include "wire/frame.h"
#include "wire/op.h"

#define WEIR_OP_INTERFACE UINT64_C(0x%016x)
#define WEIR_OP_ROWS %d

/* Numbers are for ever. */
enum weir_op {
%s
};

/* Places in weir_ops. */
enum weir_op_place {
%s
};

%s

/* By slot, in the daemon; NULL: -ENOSYS. */
struct weir_op_handlers {
%s
};

%s
#endif
"""

FRAMES = """/* `%(name)s` on a socket. */
static inline int64_t weir_frame_put_%(name)s(void *room, size_t size,
	const struct weir_op_%(name)s_in *in, const void *bytes, uint32_t count)
{
	struct weir_frame_parts parts = { .fields = in, .bytes = bytes,
					  .count = count };

	return weir_frame_put_call(room, size, %(row)s, &parts);
}

static inline int weir_frame_get_%(name)s(const void *frame, size_t size,
	struct weir_op_%(name)s_in *ret_in, const void **ret_bytes,
	uint32_t *ret_count)
{
	return weir_frame_get_call(frame, size, %(row)s, ret_in,
		&(struct weir_frame_rest){ ret_bytes, ret_count });
}

static inline int64_t weir_frame_answer_%(name)s(void *room, size_t size,
	const struct weir_op_%(name)s_out *out, const void *bytes,
	uint32_t count)
{
	struct weir_frame_parts parts = { .fields = out, .bytes = bytes,
					  .count = count };

	return weir_frame_put_answer(room, size, %(row)s, &parts);
}

static inline int weir_frame_result_%(name)s(const void *frame, size_t size,
	struct weir_op_%(name)s_out *ret_out, const void **ret_bytes,
	uint32_t *ret_count)
{
	return weir_frame_get_answer(frame, size, %(row)s, ret_out,
		&(struct weir_frame_rest){ ret_bytes, ret_count });
}"""

STUB = """static inline int weir_stub_%(name)s(%(parameters)s)
{
	struct weir_slots_call call = {
		.op = WEIR_OP_%(upper)s,
%(members)s
	};
	int ret = weir_slots_call(&call);
%(after)s
	return ret;
}
"""

HEAR = """static inline int harness_hear_%(name)s(void *context,
	const struct weir_op_%(name)s_in *in, struct weir_op_%(name)s_out *out,
	struct weir_op_data *data)
{
	return harness_hear(WEIR_OP_%(upper)s, context, in, out, data);
}
"""

SAY = """static inline int harness_say_%(name)s(const void *in, void *ret_out,
	struct harness_bytes *bytes)
{
	return weir_stub_%(name)s(%(arguments)s);
}
"""

PUT = """static inline int64_t harness_%(put)s_%(name)s(void *room, size_t size,
	const void *fields, const void *bytes, uint32_t count)
{
	return weir_frame_%(put)s_%(name)s(room, size, fields, bytes, count);
}

static inline int harness_%(get)s_%(name)s(const void *frame, size_t size,
	void *ret_fields, const void **ret_bytes, uint32_t *ret_count)
{
	return weir_frame_%(get)s_%(name)s(frame, size, ret_fields, ret_bytes,
		ret_count);
}
"""

HARNESS = MADE + """
/* For tests: what is made for each op, as functions of one type. */
#ifndef WEIR_SPEC_FORWARD_HARNESS_H
#define WEIR_SPEC_FORWARD_HARNESS_H

#include "spec/forward.h"

/* Of who includes this: any op by slot has come to its handler. */
static int harness_hear(uint32_t op, void *context, const void *in, void *out,
	struct weir_op_data *data);

%s
static const struct weir_op_handlers harness_handlers = {
%s
};

#ifdef WEIR_SPEC_FORWARD_STUBS_H
struct harness_bytes {
	const void *data; /* there */
	uint32_t size;
	void *answer; /* and back */
	uint32_t room, ret_size;
};

%s
static const struct harness_slot {
	uint32_t op;
	int (*say)(const void *in, void *ret_out, struct harness_bytes *bytes);
} harness_slots[] = {
%s
};
#endif

#endif
"""

HARNESS_FRAMES = MADE + """
/* For tests: the same of what goes over a socket. */
#ifndef WEIR_SPEC_FORWARD_FRAMES_H
#define WEIR_SPEC_FORWARD_FRAMES_H

#include "spec/forward.h"

%s
static const struct harness_pair {
	uint32_t op;
	int64_t (*put)(void *room, size_t size, const void *fields,
		       const void *bytes, uint32_t count);
	int (*get)(const void *frame, size_t size, void *ret_fields,
		   const void **ret_bytes, uint32_t *ret_count);
	bool is_answer;
} harness_pairs[] = {
%s
};

#endif
"""

ONCE = """
int weir_op_ask_handler(const struct weir_op_handlers *handlers, void *context,
			struct weir_op_asked *asked)
{
	switch (asked->op) {
%s
	default:
		return -ENOSYS;
	}
}
"""


class Wrong(Exception):
    """What is wrong with a row."""


class Side:
    """The arguments of an op, or its results."""

    def __init__(self, said, which):
        self.which, self.fields = which, []
        self.bytes, self.size, self.fds = None, 0, 0
        for word in filter(None, said.split(",")):
            self.add(*self.kind_and_name(word))
        if self.size > ROOM[which]:
            raise Wrong(f"{self.size} bytes do not fit into a slot")

    @staticmethod
    def kind_and_name(word):
        found = re.fullmatch(r"\s*(\w+) (\w+)\s*", word)
        if not found:
            raise Wrong(f"'{word.strip()}' is no kind and name")
        return found[1], found[2]

    def add(self, kind, name):
        if kind == "fd":
            self.fds += 1
        elif kind in BYTES:
            if self.bytes:
                raise Wrong("only one part can be data or text")
            self.bytes = kind
        elif kind in NUMBERS:
            self.add_number(kind, name)
        else:
            raise Wrong(f"{kind} is no kind")

    def add_number(self, kind, name):
        if any(name == other for _, other, _ in self.fields):
            raise Wrong(f"{name} is there twice")
        size = NUMBERS[kind][1]
        at = (self.size + size - 1) // size * size
        self.fields.append((kind, name, at))
        self.size = at + size

    def whole(self):
        """Its size as the compiler sees it."""
        widest = max((NUMBERS[kind][1] for kind, _, _ in self.fields),
                     default=4)
        return max(4, (self.size + widest - 1) // widest * widest)


class Op:
    def __init__(self, number, row):
        found = ROW.fullmatch(row)
        if not found:
            raise Wrong("id NAME(kind argument, ...) -> (...) : by WHOM")
        self.line, self.said, self.about = number, row, ""
        self.number, self.name = int(found[1]), found[2]
        self.arguments, self.results = found[3], found[4]
        self.call = Side(found[3], "call")
        self.answer = Side(found[4], "answer")
        self.by, self.words = found[5], found[6].split()
        self.check()

    def check(self):
        if self.by not in BYS:
            raise Wrong(f"{self.by} is none of {BYS}")
        for word in self.words:
            if word not in WORDS:
                raise Wrong(f"{word} is none of {WORDS}")
        if not 0 < self.number < 256:
            raise Wrong(f"{self.number} is no number for an op")
        if self.by == "slot":
            self.check_slot()

    def check_slot(self):
        for side in (self.call, self.answer):
            if side.fds or side.bytes == "text":
                raise Wrong("a slot takes no descriptors and no text")

    def upper(self):
        return self.name.upper()


def take(ops, number, line):
    """A line of the table: an op, or what it does."""
    if re.match(r"\s?\d", line):
        op = Op(number, line.strip())
        for other in ops:
            if op.number == other.number or op.name == other.name:
                raise Wrong(f"{op.name} or its number is there twice")
        ops.append(op)
    elif ops:
        ops[-1].about = f"{ops[-1].about} {line.strip()}".strip()
    else:
        raise Wrong("the first row is no op")


def read(path):
    """The ops, or the end of the program."""
    ops, number = [], 0
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip() and not line.startswith("#"):
                    take(ops, number, line.rstrip())
        for op in ops:
            number = op.line
            if not op.about:
                raise Wrong(f"{op.name} does not say what it does")
    except Wrong as wrong:
        sys.exit(f"{path}:{number}: {wrong}")
    return ops


def bare(path):
    """A header without comments and blanks: what a compiler makes of it."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
    return " ".join(text.split())


def interface(ops, layouts):
    """One number for all that both sides must agree on."""
    said = [re.sub(r"\s+", " ", op.said) for op in ops]
    said += map(bare, layouts)
    digest = hashlib.sha256("\n".join(said).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def c_struct(op, side, end):
    name = f"weir_op_{op.name}_{end}"
    rows = [f"\t{NUMBERS[kind][0]} {field};" for kind, field, _ in side.fields]
    return "\n".join([
        f"struct {name} {{", *(rows or ["\tuint32_t nothing;"]), "};",
        f"_Static_assert(sizeof(struct {name}) == {side.whole()}, \"\");"])


def c_structs(op):
    about = c_struct(op, op.call, "in") + "\n" + c_struct(op, op.answer, "out")
    return f"/* {op.said.split(':')[0].strip()} */\n{about}\n"


def c_handler(op):
    return (f"\tint (*{op.name})(void *context,\n"
            f"\t\tconst struct weir_op_{op.name}_in *in,\n"
            f"\t\tstruct weir_op_{op.name}_out *out,\n"
            f"\t\tstruct weir_op_data *data);")


def c_frames(op):
    return FRAMES % {"name": op.name,
                     "row": f"&weir_ops[WEIR_OP_AT_{op.upper()}]"}


def by_slot(ops):
    return [op for op in ops if op.by == "slot"]


def by_socket(ops):
    return [op for op in ops if op.by != "slot"]


def forward_h(ops, hashed):
    numbers = [f"\tWEIR_OP_{op.upper()} = {op.number}," for op in ops]
    places = [f"\tWEIR_OP_AT_{op.upper()}," for op in ops]
    frames = "\n\n".join(map(c_frames, by_socket(ops)))
    return HEAD % (hashed, len(ops), "\n".join(numbers), "\n".join(places),
                   "\n".join(map(c_structs, ops)),
                   "\n".join(map(c_handler, by_slot(ops))), frames)


def c_field(field):
    kind, name, at = field
    c_type, size, most = NUMBERS[kind]
    signed = "true" if c_type.startswith("int") else "false"
    return (f'\t{{ .name = "{name}", .kind = "{kind}", .at = {at}, '
            f".size = {size},\n\t  .is_signed = {signed}, .most = {most} }},")


def c_fields(op):
    parts = []
    for side in (op.call, op.answer):
        if side.fields:
            parts += [f"static const struct weir_op_field {op.name}_"
                      f"{side.which}[] = {{",
                      *map(c_field, side.fields), "};", ""]
    return "\n".join(parts)


def c_side(op, side):
    fields = f"{op.name}_{side.which}" if side.fields else "NULL"
    return (f"\t\t.{side.which} = {{ .fields = {fields}, "
            f".count = {len(side.fields)}, .size = {side.size},\n"
            f"\t\t\t.fds = {side.fds}, "
            f".bytes = WEIR_OP_BYTES_{(side.bytes or 'none').upper()} }},")


def c_row(op):
    again = "true" if "again" in op.words else "false"
    return "\n".join([
        f"\t[WEIR_OP_AT_{op.upper()}] = {{",
        f"\t\t.op = WEIR_OP_{op.upper()}, .name = \"{op.name}\",",
        f"\t\t.by = WEIR_OP_BY_{op.by.upper()}, .again = {again},",
        c_side(op, op.call), c_side(op, op.answer), "\t},"])


def c_place(op):
    return f"\t[WEIR_OP_{op.upper()}] = WEIR_OP_AT_{op.upper()} + 1,"


def forward_c(ops):
    return "\n".join([
        MADE, '#include "spec/forward.h"', "",
        "const uint64_t weir_op_interface = WEIR_OP_INTERFACE;", "",
        *map(c_fields, ops),
        "const struct weir_op_row weir_ops[] = {", *map(c_row, ops), "};",
        "const uint32_t weir_op_rows = WEIR_OP_ROWS;", "",
        "/* The place of each op in the table, plus 1. */",
        "const uint8_t weir_op_places[256] = {", *map(c_place, ops), "};",
        ""])


def c_ask(op):
    return (f"\tcase WEIR_OP_{op.upper()}:\n"
            f"\t\tif (!handlers->{op.name})\n\t\t\treturn -ENOSYS;\n"
            f"\t\treturn handlers->{op.name}(context, asked->in, asked->out,\n"
            f"\t\t\tasked->data);")


def forward_do_c(ops):
    return "\n".join([
        MADE, '#include "spec/forward.h"', "", "#include <errno.h>",
        ONCE % "\n".join(map(c_ask, by_slot(ops)))])


def stub_parameters(op):
    parts = [f"const struct weir_op_{op.name}_in *in",
             f"struct weir_op_{op.name}_out *ret_out"]
    if op.call.bytes:
        parts += ["const void *data", "uint32_t size"]
    if op.answer.bytes:
        parts += ["void *answer", "uint32_t room", "uint32_t *ret_size"]
    return ",\n\t".join(parts)


def stub_members(op):
    members = []
    if op.call.fields:
        members += [("args", "in"), ("args_size", op.call.size)]
    if op.answer.fields:
        members += [("results", "ret_out"), ("results_size", op.answer.size)]
    if op.call.bytes:
        members += [("data", "data"), ("data_size", "size")]
    if op.answer.bytes:
        members += [("answer", "answer"), ("answer_room", "room")]
    return "\n".join(f"\t\t.{name} = {value}," for name, value in members)


def stub_after(op):
    lines = []
    if op.answer.bytes:
        lines += ["\t*ret_size = call.answer_size;"]
    if op.answer.fields:
        lines += [f"\tif (!ret && !weir_op_is_sound(&weir_ops[WEIR_OP_AT_"
                  f"{op.upper()}].answer,\n\t\t\t\t      ret_out))",
                  "\t\tret = -EPROTO;"]
    return "".join("\n" + line for line in lines)


def c_stub(op):
    return STUB % {"name": op.name, "upper": op.upper(),
                   "parameters": stub_parameters(op),
                   "members": stub_members(op), "after": stub_after(op)}


def stubs_h(ops):
    return "\n".join([
        MADE, "#ifndef WEIR_SPEC_FORWARD_STUBS_H",
        "#define WEIR_SPEC_FORWARD_STUBS_H", "",
        '#include "forward/link/slots.h"', '#include "spec/forward.h"', "",
        "#include <errno.h>", "", *map(c_stub, by_slot(ops)), "#endif", ""])


def c_hear(op):
    return HEAR % {"name": op.name, "upper": op.upper()}


def c_say(op):
    arguments = ["in", "ret_out"]
    if op.call.bytes:
        arguments += ["bytes->data", "bytes->size"]
    if op.answer.bytes:
        arguments += ["bytes->answer", "bytes->room", "&bytes->ret_size"]
    return SAY % {"name": op.name, "arguments": ", ".join(arguments)}


def c_put(op):
    return "\n".join(PUT % {"name": op.name, "put": put, "get": get}
                     for put, get in PAIRS)


def c_pair(op):
    return "\n".join(
        f"\t{{ WEIR_OP_{op.upper()}, harness_{put}_{op.name},\n"
        f"\t  harness_{get}_{op.name}, {'true' if answer else 'false'} }},"
        for answer, (put, get) in enumerate(PAIRS))


def harness_h(ops):
    slots = by_slot(ops)
    return HARNESS % (
        "\n".join(map(c_hear, slots)),
        "\n".join(f"\t.{op.name} = harness_hear_{op.name}," for op in slots),
        "\n".join(map(c_say, slots)),
        "\n".join(f"\t{{ WEIR_OP_{op.upper()}, harness_say_{op.name} }},"
                  for op in slots))


def frames_h(ops):
    sockets = by_socket(ops)
    return HARNESS_FRAMES % ("\n".join(map(c_put, sockets)),
                             "\n".join(map(c_pair, sockets)))


def main(table, session, board, outdir):
    ops = read(table)
    made = {"forward.h": forward_h(ops, interface(ops, (session, board))),
            "forward.c": forward_c(ops),
            "forward_do.c": forward_do_c(ops),
            "forward_stubs.h": stubs_h(ops),
            "forward_harness.h": harness_h(ops),
            "forward_frames.h": frames_h(ops)}
    for name, text in made.items():
        with open(os.path.join(outdir, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
