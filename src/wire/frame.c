/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds and checks frames: heads, structs and bytes of ops on a socket. */
#include "wire/frame.h"

#include <errno.h>
#include <string.h>

int weir_frame_check(const void *bytes, size_t size,
		     struct weir_frame *ret_frame)
{
	if (size < sizeof(*ret_frame))
		return -EAGAIN;
	memcpy(ret_frame, bytes, sizeof(*ret_frame));
	if (ret_frame->magic != WEIR_FRAME_MAGIC)
		return -EPROTO;
	if (ret_frame->version != WEIR_FRAME_VERSION ||
	    ret_frame->interface != weir_op_interface)
		return -EPROTONOSUPPORT;
	if (ret_frame->length > WEIR_FRAME_BODY)
		return -EMSGSIZE;
	return 0;
}

static void put_head(void *room, uint32_t op, uint32_t length, int status)
{
	struct weir_frame head = {
		.magic = WEIR_FRAME_MAGIC,
		.version = WEIR_FRAME_VERSION,
		.op = (uint16_t)op,
		.interface = weir_op_interface,
		.length = length,
		.status = status,
	};

	memcpy(room, &head, sizeof(head));
}

int64_t weir_frame_refuse(void *room, size_t size, uint32_t op, int status)
{
	if (size < sizeof(struct weir_frame))
		return -ENOBUFS;
	put_head(room, op, 0, status);
	return sizeof(struct weir_frame);
}

/* Field by field: the holes of a struct may hold anything. */
static void put_fields(unsigned char *room, const struct weir_op_side *side,
		       const void *fields)
{
	memset(room, 0, side->size);
	for (uint32_t i = 0; i < side->count; i++) {
		const struct weir_op_field *field = &side->fields[i];

		memcpy(room + field->at,
		       (const unsigned char *)fields + field->at, field->size);
	}
}

static bool can_be_sent(const struct weir_op_side *side,
			const struct weir_frame_parts *parts)
{
	if (side->count && !weir_op_is_sound(side, parts->fields))
		return false;
	if (side->bytes == WEIR_OP_BYTES_TEXT && parts->count &&
	    memchr(parts->bytes, 0, parts->count))
		return false;
	return weir_op_takes(side, parts->count);
}

static int64_t put_side(void *room, size_t size, uint32_t op,
			const struct weir_op_side *side,
			const struct weir_frame_parts *parts)
{
	unsigned char *at = (unsigned char *)room + sizeof(struct weir_frame);
	uint32_t zero = side->bytes == WEIR_OP_BYTES_TEXT;
	uint64_t length = side->size + (uint64_t)parts->count + zero;

	if (!can_be_sent(side, parts))
		return -EINVAL;
	if (size < sizeof(struct weir_frame) + length)
		return -ENOBUFS;
	put_head(room, op, (uint32_t)length, 0);
	put_fields(at, side, parts->fields);
	at += side->size;
	if (parts->count)
		memcpy(at, parts->bytes, parts->count);
	if (zero)
		at[parts->count] = 0;
	return (int64_t)(sizeof(struct weir_frame) + length);
}

int64_t weir_frame_put_call(void *room, size_t size,
			    const struct weir_op_row *row,
			    const struct weir_frame_parts *parts)
{
	return put_side(room, size, row->op, &row->call, parts);
}

int64_t weir_frame_put_answer(void *room, size_t size,
			      const struct weir_op_row *row,
			      const struct weir_frame_parts *parts)
{
	return put_side(room, size, row->op, &row->answer, parts);
}

/* The bytes behind the struct; a text comes with its zero. */
static int get_bytes(const struct weir_op_side *side,
		     const unsigned char *bytes, uint32_t count,
		     const struct weir_frame_rest *rest)
{
	if (side->bytes == WEIR_OP_BYTES_TEXT) {
		if (!count || memchr(bytes, 0, count) != bytes + count - 1)
			return -EPROTO;
		count--;
	}
	if (!weir_op_takes(side, count))
		return -EPROTO;
	if (rest->ret_bytes)
		*rest->ret_bytes = bytes;
	if (rest->ret_count)
		*rest->ret_count = count;
	return 0;
}

static int get_side(const unsigned char *body, uint32_t length,
		    const struct weir_op_side *side, void *ret_fields,
		    const struct weir_frame_rest *rest)
{
	if (length < side->size)
		return -EPROTO;
	if (side->count && !weir_op_is_sound(side, body))
		return -EPROTO;
	if (side->count)
		memcpy(ret_fields, body, side->size);
	return get_bytes(side, body + side->size, length - side->size, rest);
}

static int check_whole(const void *bytes, size_t size,
		       const struct weir_op_row *row,
		       struct weir_frame *ret_frame)
{
	int ret = weir_frame_check(bytes, size, ret_frame);

	if (ret)
		return ret;
	if (ret_frame->op != row->op)
		return -EPROTO;
	if (size < sizeof(*ret_frame) + ret_frame->length)
		return -EAGAIN;
	return 0;
}

int weir_frame_get_call(const void *bytes, size_t size,
			const struct weir_op_row *row, void *ret_fields,
			const struct weir_frame_rest *rest)
{
	const unsigned char *body =
		(const unsigned char *)bytes + sizeof(struct weir_frame);
	struct weir_frame head;
	int ret = check_whole(bytes, size, row, &head);

	if (ret)
		return ret;
	return get_side(body, head.length, &row->call, ret_fields, rest);
}

int weir_frame_get_answer(const void *bytes, size_t size,
			  const struct weir_op_row *row, void *ret_fields,
			  const struct weir_frame_rest *rest)
{
	const unsigned char *body =
		(const unsigned char *)bytes + sizeof(struct weir_frame);
	struct weir_frame head;
	int ret = check_whole(bytes, size, row, &head);

	if (ret)
		return ret;
	if (head.status)
		return head.status < 0 ? head.status : -EPROTO;
	return get_side(body, head.length, &row->answer, ret_fields, rest);
}
