/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up ops in their table, and checks what fits their bounds. */
#include "wire/op.h"

#include <string.h>

const struct weir_op_row *weir_op_find(uint32_t op)
{
	if (op >= sizeof(weir_op_places) || !weir_op_places[op])
		return NULL;
	return &weir_ops[weir_op_places[op] - 1];
}

const char *weir_op_name(uint32_t op)
{
	const struct weir_op_row *row = weir_op_find(op);

	return row ? row->name : "?";
}

uint64_t weir_op_value(const struct weir_op_field *field, const void *fields)
{
	const unsigned char *at = (const unsigned char *)fields + field->at;
	uint32_t narrow;
	uint64_t wide;

	if (field->size == sizeof(narrow)) {
		memcpy(&narrow, at, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

bool weir_op_is_sound(const struct weir_op_side *side, const void *fields)
{
	for (uint32_t i = 0; i < side->count; i++) {
		const struct weir_op_field *field = &side->fields[i];

		if (weir_op_value(field, fields) > field->most)
			return false;
	}
	return true;
}

bool weir_op_takes(const struct weir_op_side *side, uint64_t count)
{
	static const uint32_t most[] = {
		[WEIR_OP_BYTES_NONE] = 0,
		[WEIR_OP_BYTES_DATA] = WEIR_SESSION_LANE,
		[WEIR_OP_BYTES_TEXT] = WEIR_OP_TEXT_MOST,
	};

	return count <= most[side->bytes];
}
