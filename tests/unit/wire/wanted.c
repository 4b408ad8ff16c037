/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields, bounds and what else an op has: by hand, and by the compiler. */
#include "wanted.h"

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define U32  UINT32_MAX
#define ANY  UINT64_MAX
#define OFF  (UINT64_C(1) << 62)
#define FILES 8191
#define OPENS 4095
#define CHUNKS 65535
#define LANE (512 << 10)

#define FIELD(name, NAME, side, end, field, most)                           \
	{ WEIR_OP_##NAME, side, #field,                                     \
	  offsetof(struct weir_op_##name##_##end, field),                   \
	  sizeof(((struct weir_op_##name##_##end *)0)->field), most }
#define IN(name, NAME, field, most) FIELD(name, NAME, CALL, in, field, most)
#define OUT(name, NAME, field, most) FIELD(name, NAME, ANSWER, out, field, most)

const struct wanted_field wanted_fields[] = {
	IN(attach, ATTACH, interface, ANY),
	IN(attach, ATTACH, pid, U32),
	OUT(attach, ATTACH, session, U32),
	OUT(attach, ATTACH, chunks, U32),
	OUT(attach, ATTACH, token0, ANY),
	OUT(attach, ATTACH, token1, ANY),
	IN(open, OPEN, session, U32),
	IN(open, OPEN, token0, ANY),
	IN(open, OPEN, token1, ANY),
	IN(open, OPEN, flags, U32),
	IN(open, OPEN, cid, ANY),
	OUT(open, OPEN, open, OPENS),
	OUT(open, OPEN, file, FILES),
	OUT(open, OPEN, turn, U32),
	IN(close, CLOSE, open, OPENS),
	IN(commit, COMMIT, file, FILES),
	IN(commit, COMMIT, turn, U32),
	IN(commit, COMMIT, how, U32),
	IN(read, READ, open, OPENS),
	IN(read, READ, offset, OFF),
	IN(read, READ, length, LANE),
	OUT(read, READ, got, LANE),
	OUT(read, READ, clean, 1),
	IN(write, WRITE, open, OPENS),
	IN(write, WRITE, offset, OFF),
	IN(write, WRITE, flags, U32),
	OUT(write, WRITE, done, LANE),
	OUT(write, WRITE, offset, OFF),
	IN(append, APPEND, open, OPENS),
	IN(append, APPEND, chunk, CHUNKS),
	IN(append, APPEND, place, U32),
	IN(append, APPEND, total, ANY),
	OUT(append, APPEND, offset, OFF),
	IN(extent, EXTENT, file, FILES),
	IN(extent, EXTENT, turn, U32),
	OUT(extent, EXTENT, size, OFF),
	OUT(extent, EXTENT, seconds, ANY),
	OUT(extent, EXTENT, nanoseconds, U32),
	IN(truncate, TRUNCATE, open, OPENS),
	IN(truncate, TRUNCATE, length, OFF),
	IN(bypass, BYPASS, file, FILES),
	IN(bypass, BYPASS, turn, U32),
	IN(unlinked, UNLINKED, file, FILES),
	IN(unlinked, UNLINKED, turn, U32),
	IN(ask, ASK, chunks, U32),
	IN(create_deferred, CREATE_DEFERRED, session, U32),
	IN(create_deferred, CREATE_DEFERRED, token0, ANY),
	IN(create_deferred, CREATE_DEFERRED, token1, ANY),
	IN(create_deferred, CREATE_DEFERRED, nonce, ANY),
	IN(create_deferred, CREATE_DEFERRED, cid, ANY),
	IN(create_deferred, CREATE_DEFERRED, flags, U32),
	IN(create_deferred, CREATE_DEFERRED, mode, U32),
	IN(create_deferred, CREATE_DEFERRED, user, U32),
	IN(create_deferred, CREATE_DEFERRED, group, U32),
	OUT(create_deferred, CREATE_DEFERRED, open, OPENS),
	OUT(create_deferred, CREATE_DEFERRED, deferred, U32),
	OUT(create_deferred, CREATE_DEFERRED, turn, U32),
	IN(materialise, MATERIALISE, how, U32),
	IN(unlink_deferred, UNLINK_DEFERRED, nonce, ANY),
	IN(unlink_deferred, UNLINK_DEFERRED, user, U32),
	IN(fetch, FETCH, session, U32),
	IN(fetch, FETCH, token0, ANY),
	IN(fetch, FETCH, token1, ANY),
	IN(fetch, FETCH, open, OPENS),
	IN(fetch, FETCH, grows, 1),
	OUT(fetch, FETCH, stays, 1),
	OUT(fetch, FETCH, file, FILES),
	OUT(fetch, FETCH, turn, U32),
	IN(number, NUMBER, session, U32),
	IN(number, NUMBER, token0, ANY),
	IN(number, NUMBER, token1, ANY),
	IN(number, NUMBER, open, OPENS),
	OUT(drain, DRAIN, left, ANY),
	OUT(discard, DISCARD, entries, ANY),
	IN(stop, STOP, now, 1),
	IN(complain, COMPLAIN, session, U32),
	IN(complain, COMPLAIN, waited, ANY),
};
const size_t wanted_field_count =
	sizeof(wanted_fields) / sizeof(*wanted_fields);

#define NONE WEIR_OP_BYTES_NONE
#define DATA WEIR_OP_BYTES_DATA
#define TEXT WEIR_OP_BYTES_TEXT
#define SLOT WEIR_OP_BY_SLOT
#define SOCKET WEIR_OP_BY_SOCKET
#define ABOVE WEIR_OP_BY_SUPERVISOR

const struct wanted_op wanted_ops[] = {
	{ 1, "attach", SOCKET, false, { 0, 2 }, { NONE, TEXT } },
	{ 2, "open", SOCKET, false, { 1, 0 }, { TEXT, NONE } },
	{ 10, "close", SLOT, true, { 0, 0 }, { NONE, NONE } },
	{ 11, "commit", SLOT, true, { 0, 0 }, { NONE, NONE } },
	{ 12, "read", SLOT, true, { 0, 0 }, { NONE, DATA } },
	{ 13, "write", SLOT, true, { 0, 0 }, { DATA, NONE } },
	{ 14, "append", SLOT, true, { 0, 0 }, { NONE, NONE } },
	{ 15, "extent", SLOT, true, { 0, 0 }, { NONE, NONE } },
	{ 16, "truncate", SLOT, true, { 0, 0 }, { NONE, NONE } },
	{ 17, "bypass", SLOT, true, { 0, 0 }, { NONE, NONE } },
	{ 18, "unlinked", SLOT, true, { 0, 0 }, { NONE, NONE } },
	{ 19, "ask", SLOT, true, { 0, 0 }, { NONE, NONE } },
	{ 20, "create_deferred", SOCKET, false, { 1, 1 }, { TEXT, NONE } },
	{ 21, "materialise", SOCKET, false, { 1, 0 }, { TEXT, NONE } },
	{ 22, "unlink_deferred", SOCKET, false, { 1, 0 }, { TEXT, NONE } },
	{ 23, "fetch", SOCKET, false, { 0, 1 }, { NONE, NONE } },
	{ 24, "number", SOCKET, false, { 0, 0 }, { NONE, NONE } },
	{ 90, "status", SOCKET, false, { 0, 0 }, { NONE, DATA } },
	{ 91, "drain", SOCKET, false, { 0, 0 }, { NONE, NONE } },
	{ 92, "errors", SOCKET, false, { 0, 0 }, { NONE, DATA } },
	{ 93, "discard", SOCKET, false, { 0, 0 }, { TEXT, NONE } },
	{ 94, "stop", ABOVE, false, { 0, 0 }, { NONE, NONE } },
	{ 95, "complain", ABOVE, false, { 0, 0 }, { NONE, NONE } },
	{ 96, "record", SOCKET, false, { 0, 0 }, { TEXT, NONE } },
};
const size_t wanted_op_count = sizeof(wanted_ops) / sizeof(*wanted_ops);

const struct weir_op_side *wanted_side_of(const struct weir_op_row *row,
					  enum wanted_side side)
{
	return side == CALL ? &row->call : &row->answer;
}

void wanted_set(const struct wanted_field *field, uint64_t value,
		unsigned char *fields)
{
	size_t high = htole16(1) == 1 ? 0 : sizeof(value) - field->size;

	memcpy(fields + field->at, (const char *)&value + high, field->size);
}

void wanted_fill(uint32_t op, enum wanted_side side, unsigned seed,
		 unsigned char *fields)
{
	for (size_t i = 0; i < wanted_field_count; i++) {
		const struct wanted_field *field = &wanted_fields[i];
		uint64_t value = (seed + i + 1) * UINT64_C(0x9e3779b97f4a7c15);

		if (field->op != op || field->side != side)
			continue;
		if (field->most != ANY)
			value %= field->most + 1;
		wanted_set(field, value, fields);
	}
}

void wanted_compare(uint32_t op, enum wanted_side side, const void *a,
		    const void *b)
{
	for (size_t i = 0; i < wanted_field_count; i++) {
		const struct wanted_field *field = &wanted_fields[i];

		if (field->op == op && field->side == side)
			assert_memory_equal((const char *)a + field->at,
					    (const char *)b + field->at,
					    field->size);
	}
}
