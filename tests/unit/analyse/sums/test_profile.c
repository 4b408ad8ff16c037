/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows written and read back, and payloads that are none. */
#include "analyse/sums/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>

static void fill(struct weir_row *row, uint64_t seed)
{
	for (uint16_t call = 20; call < 24; call++) {
		uint64_t numbers[WEIR_CELL_NUMBERS];
		struct weir_cell *cell = weir_row_cell(row, call);

		assert_non_null(cell);
		for (size_t i = 0; i < WEIR_CELL_NUMBERS; i++)
			numbers[i] = seed * (i + 1) * call;
		memcpy(cell, numbers, sizeof(numbers));
	}
	weir_row_span(row, 1000 * seed, 2000 * seed);
}

static void assert_same(const struct weir_row *a, const struct weir_row *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->first, b->first);
	assert_int_equal(a->last, b->last);
	for (uint32_t i = 0; i < a->count; i++) {
		assert_int_equal(a->entries[i].call, b->entries[i].call);
		assert_memory_equal(&a->entries[i].cell, &b->entries[i].cell,
				    sizeof(struct weir_cell));
	}
}

static void make(struct weir_bytes *payload, struct weir_row rows[3])
{
	memset(rows, 0, 3 * sizeof(*rows));
	for (int i = 0; i < 3; i++)
		fill(&rows[i], (uint64_t)i + 5);
	assert_int_equal(weir_profile_put(payload, "/a\nname", 7, &rows[0]), 0);
	assert_int_equal(weir_profile_put(payload, NULL, 0, &rows[1]), 0);
	assert_int_equal(weir_profile_put_others(payload, 77, &rows[2]), 0);
}

static void reads_what_it_writes(void **state)
{
	struct weir_bytes payload = {0};
	struct weir_profile_walk walk;
	struct weir_profile_row got;
	struct weir_row rows[3];

	make(&payload, rows);
	walk = (struct weir_profile_walk){payload.data, payload.used};
	for (int i = 0; i < 3; i++) {
		assert_int_equal(weir_profile_next(&walk, &got), 1);
		assert_int_equal(got.kind, i);
		assert_same(&got.row, &rows[i]);
		if (i == 0)
			assert_memory_equal(got.name, "/a\nname", got.name_len);
		assert_int_equal(got.names, i == 2 ? 77 : 0);
		weir_row_fini(&got.row);
		weir_row_fini(&rows[i]);
	}
	assert_int_equal(weir_profile_next(&walk, &got), 0);
	weir_bytes_fini(&payload);
}

/* Cut at any byte, or with any byte changed: an end or an error. */
static void survives_damage(void **state)
{
	struct weir_bytes payload = {0};
	struct weir_profile_row got;
	struct weir_row rows[3];
	size_t bad = 0;

	make(&payload, rows);
	for (size_t cut = 0; cut < payload.used; cut++) {
		uint8_t *copy = malloc(cut + 1);
		struct weir_profile_walk walk = {copy, cut};
		int more;

		memcpy(copy, payload.data, cut);
		if (cut)
			copy[cut * 7 % cut] ^= 0x81;
		while ((more = weir_profile_next(&walk, &got)) > 0)
			weir_row_fini(&got.row);
		assert_true(more == 0 || more == -EBADMSG);
		bad += more < 0;
		free(copy);
	}
	assert_true(bad > payload.used / 2);
	for (int i = 0; i < 3; i++)
		weir_row_fini(&rows[i]);
	weir_bytes_fini(&payload);
}

/* What a later version adds to a cell does not hide what we know. */
static void passes_over_more_numbers(void **state)
{
	uint8_t text[64] = {WEIR_PROFILE_NONE, 1, 1, 1, 20,
			    WEIR_CELL_NUMBERS + 2, 9};
	struct weir_profile_walk walk = {text, 6 + WEIR_CELL_NUMBERS + 2};
	struct weir_profile_row got;

	assert_int_equal(weir_profile_next(&walk, &got), 1);
	assert_int_equal(got.row.entries[0].cell.calls, 9);
	assert_int_equal(walk.left, 0);
	weir_row_fini(&got.row);
}

static void turns_ticks_into_nanoseconds(void **state)
{
	struct weir_cell cell = {.time = 3000, .longest = 100};

	cell.waits[0] = 5;
	cell.waits[3] = 7; /* 16384 to 65535 ticks */
	weir_cell_scale(&cell, UINT64_C(1) << 31); /* half a ns each */
	assert_int_equal(cell.time, 1500);
	assert_int_equal(cell.longest, 50);
	assert_int_equal(cell.waits[0], 5);
	assert_int_equal(cell.waits[3], 7);
	weir_cell_scale(&cell, UINT64_C(4) << 32);
	assert_int_equal(cell.waits[4], 7);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_it_writes),
		cmocka_unit_test(survives_damage),
		cmocka_unit_test(passes_over_more_numbers),
		cmocka_unit_test(turns_ticks_into_nanoseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
