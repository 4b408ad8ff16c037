/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks up what a client may ask the daemon, as the table spec/forward.ops says
 * it: the generated spec/forward.h has the structs, here is what works for all
 * of them. Nothing in op.c or frame.c allocates or calls the system: both are
 * also part of the library inside programs.
 */
#ifndef WEIR_WIRE_OP_H
#define WEIR_WIRE_OP_H

#include "wire/board_layout.h"
#include "wire/session_layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_OP_OFF_MOST  (UINT64_C(1) << 62)
#define WEIR_OP_TEXT_MOST 4095u

enum weir_op_by {
	WEIR_OP_BY_SLOT,
	WEIR_OP_BY_SOCKET,
	WEIR_OP_BY_SUPERVISOR, /* a socket too, of its own */
};

enum weir_op_bytes {
	WEIR_OP_BYTES_NONE,
	WEIR_OP_BYTES_DATA,
	WEIR_OP_BYTES_TEXT,
};

struct weir_op_field {
	const char *name, *kind;
	uint16_t at, size; /* 4 or 8 bytes */
	bool is_signed;
	uint64_t most; /* UINT64_MAX: any value */
};

/* Arguments or results. */
struct weir_op_side {
	const struct weir_op_field *fields;
	uint16_t count, size, fds;
	enum weir_op_bytes bytes;
};

struct weir_op_row {
	uint32_t op; /* enum weir_op */
	const char *name;
	enum weir_op_by by;
	bool again;
	struct weir_op_side call, answer;
};

extern const uint64_t weir_op_interface;
extern const struct weir_op_row weir_ops[];
extern const uint32_t weir_op_rows;
extern const uint8_t weir_op_places[256];

/* NULL: there is no such op. */
const struct weir_op_row *weir_op_find(uint32_t op);
const char *weir_op_name(uint32_t op); /* "?": there is no such op */

uint64_t weir_op_value(const struct weir_op_field *field, const void *fields);

/* Whether all fields of a struct are within their bounds. */
bool weir_op_is_sound(const struct weir_op_side *side, const void *fields);

/* Whether so many bytes may go with it; texts without the zero at the end. */
bool weir_op_takes(const struct weir_op_side *side, uint64_t count);

/*
 * As a C programmer would write the call; the length of it, cut to the room if
 * it is too long. Only outside of programs.
 */
size_t weir_op_print(char *room, size_t size, uint32_t op, const void *args);

/* The lane of a slot. */
struct weir_op_data {
	unsigned char *bytes;
	uint32_t size;	 /* that came with the call */
	uint32_t room;	 /* for an answer */
	uint32_t answer; /* set by the handler: how many go back */
};

/* A call by slot; args and results are of the slot itself. */
struct weir_op_call {
	uint32_t op;
	const uint8_t *args; /* WEIR_SESSION_ARGS */
	uint8_t *results;    /* WEIR_SESSION_RESULTS */
	struct weir_op_data data;
};

/*
 * In the daemon. Copies the arguments before it looks at them, as the client
 * can change them at any time; what lies in the lane it can change even later.
 * Status of the op; -ENOSYS: there is no such op, -EINVAL: arguments or size
 * are out of bounds: then no handler was called. `answer` is 0 if it failed.
 */
struct weir_op_handlers;
int weir_op_do(const struct weir_op_handlers *handlers, void *context,
	       struct weir_op_call *call);

/* Made from the table: calls the handler with structs that were checked. */
struct weir_op_asked {
	uint32_t op;
	const void *in;
	void *out;
	struct weir_op_data *data;
};
int weir_op_ask_handler(const struct weir_op_handlers *handlers, void *context,
			struct weir_op_asked *asked);

#endif
