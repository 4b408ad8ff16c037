/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a packer's blocks, names and events to a file. */
#include "trace/pack/packout.h"

#include "trace/file/blocks.h"

#include <errno.h>

/* Larger blocks are hardly smaller for an event, but take more to read. */
#define BLOCK_EVENTS 16384

#define NAMES_BYTES  (256u << 10)
#define ZSTD_FLOOR   128

void weir_packout_fini(struct weir_packout *out)
{
	weir_store_close(out->store);
	weir_names_fini(&out->names);
	weir_columns_fini(&out->columns);
	weir_bytes_fini(&out->payload);
	weir_bytes_fini(&out->squeezed);
}

int weir_packout_block(struct weir_packout *out, struct weir_block *head,
		       const struct weir_bytes *payload)
{
	int err = -E2BIG;

	if (payload->used > WEIR_BLOCK_MAX_RAW)
		return -EFBIG;
	out->squeezed.used = 0;
	if (payload->used >= ZSTD_FLOOR)
		err = weir_zip_squeeze(&out->columns.planes.zip, payload->data,
				       payload->used, &out->squeezed);
	if (!err && payload->used / WEIR_BLOCKS_MOST_RATIO >
			    out->squeezed.used)
		err = -E2BIG; /* readers would take it for a bomb */
	if (err == -E2BIG) {
		head->stored = (uint32_t)payload->used;
		head->raw = 0;
		return weir_store_append(out->store, head, payload->data);
	}
	if (err)
		return err;
	head->raw = (uint32_t)payload->used;
	head->stored = (uint32_t)out->squeezed.used;
	return weir_store_append(out->store, head, out->squeezed.data);
}

int weir_packout_text(struct weir_packout *out, uint32_t type, uint32_t proc,
		      const struct weir_bytes *text)
{
	struct weir_block head = { .type = type, .proc = proc };

	return weir_packout_block(out, &head, text);
}

int weir_packout_flush(struct weir_packout *out,
		       const struct weir_packout_thread *thread)
{
	struct weir_columns *columns = &out->columns;
	struct weir_block head = {
		.type = WEIR_BLOCK_EVENTS,
		.proc = thread->proc,
		.thread = thread->thread,
		.count = columns->count,
		.first = columns->lowest,
		.last = columns->highest,
	};
	int err;

	if (!columns->count)
		return 0;
	out->payload.used = 0;
	err = weir_columns_encode(columns, &out->payload);
	weir_columns_reset(columns, thread->index);
	if (err)
		return err;
	head.stored = (uint32_t)out->payload.used;
	return weir_store_append(out->store, &head, out->payload.data);
}

static int add_or_flush(struct weir_packout *out,
			const struct weir_packout_thread *thread,
			const struct weir_event *event)
{
	int err;

	if (!out->columns.count)
		weir_columns_reset(&out->columns, thread->index);
	err = weir_columns_add(&out->columns, event);
	if (err != -ENOSPC)
		return err;
	err = weir_packout_flush(out, thread);
	return err ? err : weir_columns_add(&out->columns, event);
}

int weir_packout_add(struct weir_packout *out,
		     struct weir_packout_thread *thread,
		     struct weir_event *event)
{
	int err = add_or_flush(out, thread, event);

	if (err == -ENOSPC) {
		/* A detail that fits no block is not one a call could make. */
		event->detail_len = 0;
		event->flags |= WEIR_EVENT_CUT;
		err = add_or_flush(out, thread, event);
	}
	if (err)
		return err;
	thread->index++;
	thread->clock = event->start + event->dur;
	out->events += event->call < WEIR_NOTE_FIRST;
	if (out->columns.count < BLOCK_EVENTS)
		return 0;
	return weir_packout_flush(out, thread);
}

static int write_names(struct weir_packout *out, uint32_t to)
{
	struct weir_block head = {
		.type = WEIR_BLOCK_NAMES,
		.first = out->names_told + 1,
		.count = to - out->names_told,
	};
	int err;

	out->payload.used = 0;
	err = weir_names_put(&out->names, out->names_told + 1, to + 1,
			     &out->payload);
	if (!err)
		err = weir_packout_block(out, &head, &out->payload);
	if (!err)
		out->names_told = to;
	return err;
}

int weir_packout_names(struct weir_packout *out, int all)
{
	const struct weir_names *names = &out->names;

	while (out->names_told < names->count) {
		uint64_t begin = names->starts[out->names_told];
		uint32_t to = out->names_told;
		int err;

		while (to < names->count &&
		       names->starts[to] - begin < NAMES_BYTES)
			to++;
		if (to == names->count && !all &&
		    names->text.used - begin < NAMES_BYTES)
			return 0;
		err = write_names(out, to);
		if (err)
			return err;
	}
	return 0;
}
