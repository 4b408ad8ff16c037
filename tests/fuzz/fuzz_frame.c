/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds what a daemon and its clients hear any bytes: as a frame of each op,
 * there and back, and as a call by slot. Whatever the table says of an op is
 * tried, without a line here.
 */
#include "spec/forward_harness.h"
#include "target.h"

#include <errno.h>

#define HEAD  sizeof(struct weir_frame)
#define SPACE (WEIR_SESSION_ARGS + 8)

/* What a daemon has so many of, as each kind says. */
static const struct {
	const char *kind;
	uint64_t limit;
} limits[] = {
	{ "file", 8192 },	  { "open", 4096 },
	{ "chunk", 65536 },	  { "size", 512 * 1024 + 1 },
	{ "flag", 2 },		  { "off", (UINT64_C(1) << 62) + 1 },
	{ "u32", UINT64_C(1) << 32 },
};

static void use_field(const struct weir_op_field *field, const void *fields)
{
	uint64_t value = weir_op_value(field, fields);

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (!strcmp(limits[i].kind, field->kind))
			must(value < limits[i].limit);
}

static void use_fields(const struct weir_op_side *side, const void *fields)
{
	for (uint32_t i = 0; i < side->count; i++)
		use_field(&side->fields[i], fields);
}

static void use_bytes(const struct weir_op_side *side, const uint8_t *bytes,
		      uint32_t count)
{
	uint8_t all = 0;

	must(side->bytes != WEIR_OP_BYTES_NONE || !count);
	must(count <= 512 * 1024);
	for (uint32_t i = 0; i < count; i++)
		all |= bytes[i];
	must(all || !count || side->bytes == WEIR_OP_BYTES_DATA);
	if (side->bytes == WEIR_OP_BYTES_TEXT)
		must(strlen((const char *)bytes) == count && count <= 4095);
}

typedef int64_t (*putter)(void *room, size_t size,
			  const struct weir_op_row *row,
			  const struct weir_frame_parts *parts);
typedef int (*getter)(const void *bytes, size_t size,
		      const struct weir_op_row *row, void *ret_fields,
		      const struct weir_frame_rest *rest);

/* What was understood can be said again, and means the same. */
static void say_again(const struct weir_op_row *row, putter put, getter get,
		      const struct weir_frame_parts *parts)
{
	static uint8_t room[WEIR_FRAME_MOST];
	uint64_t fields[SPACE / 8] = { 0 };
	const void *bytes = NULL;
	uint32_t count = 0;
	int64_t length = put(room, sizeof(room), row, parts);

	must(length >= (int64_t)HEAD);
	must(!get(room, (size_t)length, row, fields,
		  &(struct weir_frame_rest){ &bytes, &count }));
	must(count == parts->count);
	must(!count || !memcmp(bytes, parts->bytes, count));
}

static void hear(const struct weir_op_row *row, bool is_call,
		 const uint8_t *frame, size_t size)
{
	const struct weir_op_side *side = is_call ? &row->call : &row->answer;
	getter get = is_call ? weir_frame_get_call : weir_frame_get_answer;
	putter put = is_call ? weir_frame_put_call : weir_frame_put_answer;
	uint64_t fields[SPACE / 8] = { 0 };
	struct weir_frame_parts parts = { .fields = fields };
	struct weir_frame_rest rest = { &parts.bytes, &parts.count };

	if (get(frame, size, row, fields, &rest))
		return;
	use_fields(side, fields);
	use_bytes(side, parts.bytes, parts.count);
	say_again(row, put, get, &parts);
}

/* The same bytes below a head that belongs to the op. */
static void hear_sealed(const struct weir_op_row *row, uint8_t *frame,
			size_t size)
{
	struct weir_frame head;

	memcpy(&head, frame, HEAD);
	head.magic = WEIR_FRAME_MAGIC;
	head.version = WEIR_FRAME_VERSION;
	head.interface = WEIR_OP_INTERFACE;
	head.op = (uint16_t)row->op;
	head.length = (uint32_t)(size - HEAD);
	memcpy(frame, &head, HEAD);
	hear(row, true, frame, size);
	hear(row, false, frame, size);
	head.status = 0;
	memcpy(frame, &head, HEAD);
	hear(row, false, frame, size);
}

static int harness_hear(uint32_t op, void *context, const void *in, void *out,
			struct weir_op_data *data)
{
	const struct weir_op_row *row = weir_op_find(op);

	must(row && row->by == WEIR_OP_BY_SLOT);
	use_fields(&row->call, in);
	use_bytes(&row->call, data->bytes, data->size);
	*(unsigned *)context += 1;
	return 0;
}

static void print(const struct weir_frame *head, const uint8_t *args)
{
	size_t size = 1 + head->status % 64u;
	char *text = malloc(size);

	if (!text)
		return;
	must(weir_op_print(text, size, head->op, args) < size);
	must(strlen(text) < size);
	free(text);
}

static void ask_by_slot(const struct weir_frame *head, const uint8_t *args)
{
	static uint8_t lane[WEIR_SESSION_LANE];
	uint8_t results[WEIR_SESSION_RESULTS];
	unsigned called = 0;
	struct weir_op_call call = {
		.op = head->op,
		.args = args,
		.results = results,
		.data = { lane, head->length, sizeof(lane), 0 },
	};
	int ret = weir_op_do(&harness_handlers, &called, &call);

	must(called == !ret);
	must(!ret || ret == -ENOSYS || ret == -EINVAL);
}

static void take_apart(uint8_t *frame, size_t size)
{
	uint8_t args[WEIR_SESSION_ARGS] = { 0 };
	struct weir_frame head;
	size_t length = size - HEAD;

	memcpy(&head, frame, HEAD);
	memcpy(args, frame + HEAD,
	       length < sizeof(args) ? length : sizeof(args));
	ask_by_slot(&head, args);
	print(&head, args);
	for (uint32_t i = 0; i < weir_op_rows; i++) {
		hear(&weir_ops[i], true, frame, size);
		hear(&weir_ops[i], false, frame, size);
	}
	for (uint32_t i = 0; i < weir_op_rows; i++)
		hear_sealed(&weir_ops[i], frame, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weir_frame head;
	uint8_t *frame;

	if (size < HEAD) {
		must(weir_frame_check(data, size, &head) == -EAGAIN);
		return 0;
	}
	frame = malloc(size);
	if (!frame)
		return 0;
	memcpy(frame, data, size);
	take_apart(frame, size);
	free(frame);
	return 0;
}

static const struct fuzz_number numbers[] = {
	FUZZ_NUMBER(struct weir_frame, magic),
	FUZZ_NUMBER(struct weir_frame, version),
	FUZZ_NUMBER(struct weir_frame, op),
	FUZZ_NUMBER(struct weir_frame, length),
	FUZZ_NUMBER(struct weir_frame, status),
	{ 0, 0 },
};

static size_t find_frame(const uint8_t *bytes, size_t size)
{
	struct weir_frame head;

	if (size < HEAD)
		return 0;
	memcpy(&head, bytes, HEAD);
	return head.length < size - HEAD ? HEAD + head.length : 0;
}

static size_t pack_frame(uint8_t *part, size_t room, const uint8_t *body,
			 size_t size)
{
	struct weir_frame head;

	memcpy(&head, part, HEAD);
	head.length = (uint32_t)size;
	memcpy(part, &head, HEAD);
	memcpy(part + HEAD, body, size);
	return HEAD + size;
}

/* Every frame is of an op that there is. */
static void repair(uint8_t *bytes, size_t size)
{
	struct weir_frame head;
	size_t length;

	for (; bytes && size >= HEAD; bytes += length, size -= length) {
		memcpy(&head, bytes, HEAD);
		head.magic = WEIR_FRAME_MAGIC;
		head.version = WEIR_FRAME_VERSION;
		head.interface = WEIR_OP_INTERFACE;
		if (!weir_op_find(head.op))
			head.op = (uint16_t)weir_ops[head.op %
						     weir_op_rows].op;
		memcpy(bytes, &head, HEAD);
		length = find_frame(bytes, size);
		if (!length)
			return;
	}
}

const struct fuzz_shape fuzz_shape = {
	.part = find_frame,
	.head = HEAD,
	.numbers = numbers,
	.pack = pack_frame,
	.repair = repair,
};
