/* SPDX-License-Identifier: BSD-3-Clause */
/* What the table of ops is to say, written down a second time. */
#ifndef WEIR_TESTS_UNIT_WIRE_WANTED_H
#define WEIR_TESTS_UNIT_WIRE_WANTED_H

#include "spec/forward.h"

#define SPACE 96 /* bytes that hold any struct of an op */

enum wanted_side { CALL, ANSWER };

struct wanted_field {
	uint32_t op;
	enum wanted_side side;
	const char *name;
	size_t at, size;
	uint64_t most;
};

struct wanted_op {
	uint32_t op;
	const char *name;
	enum weir_op_by by;
	bool again;
	uint32_t fds[2]; /* of the call, of the answer */
	enum weir_op_bytes bytes[2];
};

extern const struct wanted_field wanted_fields[];
extern const size_t wanted_field_count;
extern const struct wanted_op wanted_ops[];
extern const size_t wanted_op_count;

const struct weir_op_side *wanted_side_of(const struct weir_op_row *row,
					  enum wanted_side side);

/* Each field gets a value of its own that is within its bounds. */
void wanted_fill(uint32_t op, enum wanted_side side, unsigned seed,
		 unsigned char *fields);
/* Fails the test unless all fields are as wanted_fill left them. */
void wanted_compare(uint32_t op, enum wanted_side side, const void *a,
		    const void *b);
void wanted_set(const struct wanted_field *field, uint64_t value,
		unsigned char *fields);

#endif
