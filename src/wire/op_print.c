/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints ops as text, for people who look. */
#include "wire/op.h"

#include <inttypes.h>
#include <stdio.h>

/* Where the rest goes; the room is never overrun, only cut. */
struct room {
	char *at;
	size_t left, length;
};

static void have_written(struct room *room, int length)
{
	size_t wanted = length < 0 ? 0 : (size_t)length;
	size_t fits = room->left ? room->left - 1 : 0;
	size_t done = wanted < fits ? wanted : fits;

	room->at += done;
	room->left -= done;
	room->length += done;
}

static void print_field(struct room *room, const struct weir_op_field *field,
			const void *args)
{
	uint64_t value = weir_op_value(field, args);
	int length;

	if (field->is_signed)
		length = snprintf(room->at, room->left, "%s %" PRId64,
				  field->name, (int64_t)value);
	else
		length = snprintf(room->at, room->left, "%s %" PRIu64,
				  field->name, value);
	have_written(room, length);
}

size_t weir_op_print(char *room, size_t size, uint32_t op, const void *args)
{
	const struct weir_op_row *row = weir_op_find(op);
	struct room rest = { room, size, 0 };

	have_written(&rest, snprintf(rest.at, rest.left, "%s(",
				     weir_op_name(op)));
	for (uint32_t i = 0; row && i < row->call.count; i++) {
		if (i)
			have_written(&rest, snprintf(rest.at, rest.left, ", "));
		print_field(&rest, &row->call.fields[i], args);
	}
	have_written(&rest, snprintf(rest.at, rest.left, ")"));
	return rest.length;
}
