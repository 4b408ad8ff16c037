/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds and checks frames, in which ops go over a socket: a head, the struct
 * of the op, then its data or its text with a zero behind it. Each op's own
 * functions (put, get, answer, result) are in spec/forward.h.
 */
#ifndef WEIR_WIRE_FRAME_H
#define WEIR_WIRE_FRAME_H

#include "wire/op.h"

#define WEIR_FRAME_MAGIC   UINT32_C(0x72696577) /* "weir" */
#define WEIR_FRAME_VERSION 1u
#define WEIR_FRAME_BODY	   (WEIR_SESSION_LANE + 4096u) /* the most behind it */
#define WEIR_FRAME_MOST	   (sizeof(struct weir_frame) + WEIR_FRAME_BODY)
#define WEIR_FRAME_SMALL   8192u /* holds every frame without data */

struct weir_frame {
	uint32_t magic;
	uint16_t version;
	uint16_t op; /* enum weir_op */
	uint64_t interface; /* WEIR_OP_INTERFACE of who sent it */
	uint32_t length; /* of what follows */
	int32_t status; /* of an answer: 0 or -errno, then nothing follows */
};
_Static_assert(sizeof(struct weir_frame) == 24, "");

/*
 * The head of a frame that has come, from the first `size` bytes of it.
 * -EAGAIN: more bytes are wanted; -EPROTO: that is no frame, -EMSGSIZE: it
 * would be too long, -EPROTONOSUPPORT: from another version of weir: then
 * ret_frame->interface (and version) is theirs, WEIR_OP_INTERFACE ours.
 */
int weir_frame_check(const void *bytes, size_t size,
		     struct weir_frame *ret_frame);

/* An answer that brings nothing but a status. */
int64_t weir_frame_refuse(void *room, size_t size, uint32_t op, int status);

/* What follows a head. */
struct weir_frame_parts {
	const void *fields;
	const void *bytes; /* data or text; NULL: none */
	uint32_t count;	   /* of the text without its zero */
};

/* The length of the frame; -EINVAL: out of bounds, -ENOBUFS: no room. */
int64_t weir_frame_put_call(void *room, size_t size,
			    const struct weir_op_row *row,
			    const struct weir_frame_parts *parts);
int64_t weir_frame_put_answer(void *room, size_t size,
			      const struct weir_op_row *row,
			      const struct weir_frame_parts *parts);

/* Where data or text are, in the frame; either may be NULL. */
struct weir_frame_rest {
	const void **ret_bytes;
	uint32_t *ret_count;
};

/*
 * A whole frame: what weir_frame_check says, -EAGAIN: it goes on, -EPROTO: it
 * is of another op, or its parts do not add up, or are out of bounds. A text
 * has its zero behind it.
 */
int weir_frame_get_call(const void *bytes, size_t size,
			const struct weir_op_row *row, void *ret_fields,
			const struct weir_frame_rest *rest);
/* Also the status of the answer; then nothing is given back. */
int weir_frame_get_answer(const void *bytes, size_t size,
			  const struct weir_op_row *row, void *ret_fields,
			  const struct weir_frame_rest *rest);

#endif
