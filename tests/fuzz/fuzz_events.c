/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the reader of EVENTS payloads any bytes, the number of events before
 * them: what it takes can be written again, and is then the same.
 */
#include "plain_events.h"
#include "target.h"
#include "trace/file/columns.h"
#include "trace/file/rows.h"

#define HEAD	 sizeof(uint32_t)
#define TO_WRITE 64 /* events that are written again, for speed */

static struct weir_rows rows, again;
static struct weir_columns columns;
static struct weir_bytes payload;

static void take_all(struct weir_event *events, uint32_t count)
{
	const uint8_t *end = rows.detail.data + rows.detail.used;

	for (uint32_t i = 0; i < count; i++) {
		weir_rows_next(&rows, &events[i]);
		must(events[i].detail_len <= (size_t)(end - rows.detail.data));
		must(!events[i].detail_len ||
		     events[i].detail + events[i].detail_len <= end);
	}
}

static void must_equal(const struct weir_event *a, const struct weir_event *b)
{
	must(a->start == b->start && a->dur == b->dur && a->index == b->index);
	must(a->call == b->call && a->flags == b->flags &&
	     a->depth == b->depth && a->fd == b->fd && a->file == b->file &&
	     a->handle == b->handle);
	must(a->off == b->off && a->size == b->size && a->ret == b->ret);
	must(a->detail_len == b->detail_len &&
	     (!a->detail_len || !memcmp(a->detail, b->detail, a->detail_len)));
}

static void write_again(const struct weir_event *events, uint32_t count)
{
	struct weir_event event = { 0 };

	weir_columns_reset(&columns, events[0].index);
	payload.used = 0;
	for (uint32_t i = 0; i < count; i++)
		must(!weir_columns_add(&columns, &events[i]));
	must(!weir_columns_encode(&columns, &payload));
	must(!weir_rows_decode(&again, payload.data, payload.used, count));
	for (uint32_t i = 0; i < count; i++) {
		weir_rows_next(&again, &event);
		must_equal(&events[i], &event);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct weir_event events[WEIR_EVENTS_MOST];
	uint32_t count;

	if (size < HEAD)
		return 0;
	memcpy(&count, data, HEAD);
	if (weir_rows_decode(&rows, data + HEAD, size - HEAD, count))
		return 0;
	must(count <= WEIR_EVENTS_MOST);
	take_all(events, count);
	if (count && count <= TO_WRITE)
		write_again(events, count);
	return 0;
}

static size_t unpack(const uint8_t *part, size_t size, uint8_t *body,
		     size_t room)
{
	uint32_t count;

	memcpy(&count, part, HEAD);
	return plain_events(part + HEAD, size - HEAD, count, body, room);
}

static const struct fuzz_number numbers[] = { { 0, HEAD }, { 0, 0 } };

const struct fuzz_shape fuzz_shape = {
	.head = HEAD,
	.numbers = numbers,
	.unpack = unpack,
};
