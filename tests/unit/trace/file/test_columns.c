/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns: whatever goes in comes out, and garbage does not get in. */
#include "trace/file/columns.h"

#include "check.h"
#include "trace/file/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 3000

static uint64_t state_of_chance = 1;

static uint64_t chance(void)
{
	state_of_chance ^= state_of_chance << 13;
	state_of_chance ^= state_of_chance >> 7;
	state_of_chance ^= state_of_chance << 17;
	return state_of_chance;
}

/* Numbers of all sizes, the extremes among them. */
static uint64_t any(void)
{
	return chance() % 16 ? chance() >> chance() % 64 :
			       (chance() % 2 ? 0 : UINT64_MAX);
}

static void make_event(struct weir_event *e, uint8_t *detail)
{
	*e = (struct weir_event){
		.start = any(), .dur = any(), .size = any(),
		.call = (uint16_t)(chance() % 5),
		.flags = (uint8_t)(chance() % 2 ? 0 : chance()),
		.depth = (uint8_t)(chance() % 3),
		.fd = (int32_t)(chance() % 8) - 1,
		.file = (uint32_t)any(), .handle = (uint32_t)(chance() % 4),
		.off = (int64_t)any(), .ret = (int64_t)any(),
		.detail_len = (uint32_t)(chance() % 3 ? 0 : chance() % 9),
		.detail = detail,
	};
	if (e->flags & WEIR_EVENT_NOOFF)
		e->off = 0;
	for (uint32_t i = 0; i < e->detail_len; i++)
		detail[i] = (uint8_t)chance();
}

static void compare(const struct weir_event *a, const struct weir_event *b)
{
	assert_true(a->start == b->start && a->dur == b->dur);
	assert_true(a->size == b->size && a->off == b->off);
	assert_true(a->ret == b->ret && a->fd == b->fd);
	assert_true(a->file == b->file && a->handle == b->handle);
	assert_true(a->call == b->call && a->flags == b->flags);
	assert_true(a->depth == b->depth);
	assert_int_equal(a->detail_len, b->detail_len);
	if (a->detail_len)
		assert_memory_equal(a->detail, b->detail, a->detail_len);
}

static void any_event_comes_back(void **state)
{
	static struct weir_event in[ROWS];
	static uint8_t details[ROWS][16];
	struct weir_columns columns = { 0 };
	struct weir_bytes payload = { 0 };
	struct weir_rows rows = { 0 };
	struct weir_event out;

	for (int round = 0; round < 3; round++) {
		weir_columns_reset(&columns, 77);
		for (int i = 0; i < ROWS; i++) {
			make_event(&in[i], details[i]);
			assert_int_equal(weir_columns_add(&columns, &in[i]), 0);
		}
		payload.used = 0;
		assert_int_equal(weir_columns_encode(&columns, &payload), 0);
		assert_int_equal(weir_rows_decode(&rows, payload.data,
						  payload.used, ROWS), 0);
		for (int i = 0; i < ROWS; i++) {
			weir_rows_next(&rows, &out);
			compare(&in[i], &out);
			assert_int_equal(out.index, 77 + i);
		}
	}
	weir_rows_fini(&rows);
	weir_columns_fini(&columns);
	weir_bytes_fini(&payload);
}

/* Without the block's checksum before it: the decoder stands alone. */
static void garbage_is_refused_or_harmless(void **state)
{
	struct weir_columns columns = { 0 };
	struct weir_bytes payload = { 0 };
	struct weir_rows rows = { 0 };
	struct weir_event event;
	uint8_t detail[16];

	weir_columns_reset(&columns, 0);
	for (int i = 0; i < 200; i++) {
		make_event(&event, detail);
		assert_int_equal(weir_columns_add(&columns, &event), 0);
	}
	assert_int_equal(weir_columns_encode(&columns, &payload), 0);
	for (size_t i = 0; i < payload.used * 8; i += SEVERAL) {
		payload.data[i / 8] ^= (uint8_t)(1 << i % 8);
		if (!weir_rows_decode(&rows, payload.data, payload.used, 200))
			for (int r = 0; r < 200; r++)
				weir_rows_next(&rows, &event);
		payload.data[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	for (size_t len = 0; len < payload.used; len++) {
		uint8_t *exact = malloc(len + !len);

		memcpy(exact, payload.data, len);
		assert_true(weir_rows_decode(&rows, exact, len, 200) < 0);
		free(exact);
	}
	assert_true(weir_rows_decode(&rows, payload.data, payload.used,
				     WEIR_EVENTS_MOST + 1) < 0);
	weir_rows_fini(&rows);
	weir_columns_fini(&columns);
	weir_bytes_fini(&payload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_event_comes_back),
		cmocka_unit_test(garbage_is_refused_or_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
