/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is seen, how runs are made, and who leaves when. */
#include "cache/batch.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define MANY 3000

static unsigned char bytes[4 * MIB];
static uint64_t left[MANY]; /* stamps of those that are gone, in order */
static size_t left_count;

static void note_gone(void *arg, struct weir_write *write)
{
	(void)arg;
	assert_true(left_count < MANY);
	left[left_count++] = write->stamp;
}

static int make_index(void **state)
{
	left_count = 0;
	*state = weir_index_new(note_gone, NULL);
	return *state ? 0 : -1;
}

static int free_index(void **state)
{
	weir_index_free(*state);
	return 0;
}

static struct weir_write a_write(uint64_t stamp, uint64_t offset,
				 uint32_t length)
{
	return (struct weir_write){ .stamp = stamp, .offset = offset,
				    .bytes = bytes, .length = length };
}

static struct weir_batch gather(struct weir_index *index, uint64_t most,
				uint64_t align)
{
	struct weir_batch_shape shape = { .most = most, .align = align };
	struct weir_batch batch;

	assert_int_equal(weir_batch_gather(index, &shape, &batch), 0);
	return batch;
}

static void expect_piece(struct weir_index *index, uint64_t from,
			 uint64_t offset, uint64_t length)
{
	struct weir_index_piece piece;

	assert_true(weir_index_find(index, from, UINT64_MAX, &piece));
	assert_int_equal(piece.offset, offset);
	assert_int_equal(piece.length, length);
}

static void the_later_stamp_is_seen_whoever_comes_first(void **state)
{
	struct weir_write late = a_write(20, 40, 20);
	struct weir_write early = a_write(10, 0, 100);

	weir_index_put(*state, &late);
	weir_index_put(*state, &early);
	assert_int_equal(weir_index_bytes(*state), 100);
	assert_int_equal(late.shown, 20);
	assert_int_equal(early.shown, 80);
	expect_piece(*state, 0, 0, 40);
	expect_piece(*state, 45, 45, 15);
	expect_piece(*state, 60, 60, 40);
}

static void what_nobody_can_see_is_gone_at_once(void **state)
{
	struct weir_write one = a_write(10, 10, 10);
	struct weir_write over = a_write(30, 0, 50);
	struct weir_write under = a_write(20, 5, 30);

	weir_index_put(*state, &one);
	weir_index_put(*state, &over);
	assert_int_equal(left_count, 1);
	weir_index_put(*state, &under);
	assert_int_equal(left_count, 2);
	assert_int_equal(left[0], 10);
	assert_int_equal(left[1], 20);
}

/* Its bytes are on their way until all its runs are stored, or given up. */
static void what_flies_is_not_gone_before_it_has_landed(void **state)
{
	struct weir_write one = a_write(10, 10, 10), two = a_write(20, 100, 20);
	struct weir_write over = a_write(30, 0, 200);
	struct weir_batch batch;

	weir_index_put(*state, &one);
	weir_index_put(*state, &two);
	batch = gather(*state, 10, 10);
	assert_int_equal(batch.count, 3);
	weir_index_put(*state, &over);
	assert_int_equal(one.shown + two.shown, 0);
	assert_int_equal(left_count, 0);
	weir_batch_stored(*state, &batch, 1);
	assert_int_equal(left_count, 0);
	weir_batch_stored(*state, &batch, 2);
	assert_int_equal(left_count, 1);
	assert_int_equal(left[0], 20);
	weir_batch_settle(*state, &batch);
	assert_int_equal(left_count, 2);
	assert_int_equal(weir_index_bytes(*state), 200);
}

static void neighbours_are_one_run(void **state)
{
	struct weir_write writes[4];
	struct weir_batch batch;

	for (uint32_t i = 0; i < 4; i++) {
		/* the third is apart */
		writes[i] = a_write(i + 1, i * KIB + (i == 2), KIB - (i == 2));
		weir_index_put(*state, &writes[i]);
	}
	batch = gather(*state, MIB, MIB);
	assert_int_equal(batch.count, 2);
	assert_int_equal(batch.runs[0].length, 2 * KIB);
	assert_int_equal(batch.runs[0].count, 2);
	assert_int_equal(batch.runs[1].offset, 2 * KIB + 1);
	weir_batch_stored(*state, &batch, 1);
	assert_int_equal(left_count, 2);
	assert_int_equal(left[0], 3);
	weir_batch_settle(*state, &batch);
	assert_int_equal(left_count, 2);
	assert_int_equal(weir_index_bytes(*state), 2 * KIB);
}

/* A piece that was looked at. */
struct seen {
	struct weir_write *write;
	uint64_t offset, length;
};
static struct seen seen[8];
static size_t seen_count;

static void note_seen(void *arg, struct weir_write *write,
		      const struct weir_index_piece *piece)
{
	assert_ptr_equal(arg, &seen_count);
	assert_ptr_equal(piece->bytes,
			 write->bytes + (piece->offset - write->offset));
	seen[seen_count++] = (struct seen){ write, piece->offset,
					    piece->length };
}

/* Also when some of it was written, and who did has moved the parts. */
static void the_pieces_of_a_run_are_told(void **state)
{
	struct weir_write low = a_write(1, 0, 3000);
	struct weir_write high = a_write(2, 1000, 500);
	struct weir_batch batch;

	weir_index_put(*state, &low);
	weir_index_put(*state, &high);
	batch = gather(*state, MIB, 512);
	batch.runs[0].parts[0].iov_base = bytes + 100;
	batch.runs[0].parts[0].iov_len -= 100;
	seen_count = 0;
	weir_batch_each(&batch, 0, note_seen, &seen_count);
	assert_int_equal(seen_count, 3);
	assert_ptr_equal(seen[0].write, &low);
	assert_int_equal(seen[0].offset, 0);
	assert_int_equal(seen[0].length, 1000);
	assert_ptr_equal(seen[1].write, &high);
	assert_int_equal(seen[1].offset, 1000);
	assert_int_equal(seen[1].length, 500);
	assert_ptr_equal(seen[2].write, &low);
	assert_int_equal(seen[2].offset, 1500);
	assert_int_equal(seen[2].length, 1500);
	weir_batch_settle(*state, &batch);
}

static void runs_end_at_even_places(void **state)
{
	struct weir_write writes[3];
	struct weir_batch batch;

	for (uint32_t i = 0; i < 3; i++) {
		writes[i] = a_write(i + 1, 1000 + i * MIB, MIB);
		weir_index_put(*state, &writes[i]);
	}
	batch = gather(*state, 2 * MIB, MIB);
	assert_int_equal(batch.count, 2);
	assert_int_equal(batch.runs[0].offset, 1000);
	assert_int_equal(batch.runs[0].length, 2 * MIB - 1000);
	assert_int_equal(batch.runs[1].length, MIB + 1000);
	weir_batch_settle(*state, &batch);
}

/* Records of 700 bytes: a run is full long before it is long. */
static void runs_of_many_parts_end_at_even_places_too(void **state)
{
	struct weir_write *writes = calloc(MANY, sizeof(*writes));
	struct weir_batch batch;

	for (uint32_t i = 0; i < MANY; i++) {
		writes[i] = a_write(i + 1, i * UINT64_C(700), 700);
		weir_index_put(*state, &writes[i]);
	}
	batch = gather(*state, 8 * MIB, 256 * KIB);
	assert_true(batch.count > 3 && batch.count < 8);
	for (uint32_t i = 0; i + 1 < batch.count; i++) {
		uint64_t end = batch.runs[i].offset + batch.runs[i].length;

		assert_true(batch.runs[i].count <= IOV_MAX);
		assert_int_equal(end % (256 * KIB), 0);
		assert_int_equal(batch.runs[i + 1].offset, end);
	}
	for (uint32_t i = 0; i < batch.count; i++)
		weir_batch_stored(*state, &batch, i);
	assert_int_equal(left_count, MANY);
	weir_batch_settle(*state, &batch);
	free(writes);
}

static void those_that_met_leave_together_the_oldest_first(void **state)
{
	struct weir_write writes[] = { a_write(30, 0, 20), a_write(10, 15, 20),
				       a_write(20, 30, 20) };
	struct weir_batch batch;

	for (int i = 0; i < 3; i++)
		weir_index_put(*state, &writes[i]);
	batch = gather(*state, MIB, MIB);
	weir_batch_stored(*state, &batch, 0);
	assert_int_equal(left_count, 0);
	weir_batch_settle(*state, &batch);
	assert_int_equal(left_count, 3);
	assert_int_equal(left[0], 10);
	assert_int_equal(left[1], 20);
	assert_int_equal(left[2], 30);
}

static void one_that_replaces_another_is_alone(void **state)
{
	struct weir_write writes[] = { a_write(1, 10, 10), a_write(2, 10, 10),
				       a_write(3, 5, 30) };
	struct weir_batch batch;

	for (int i = 0; i < 3; i++)
		weir_index_put(*state, &writes[i]);
	assert_int_equal(left_count, 2);
	batch = gather(*state, MIB, MIB);
	weir_batch_stored(*state, &batch, 0);
	assert_int_equal(left_count, 3);
	weir_batch_settle(*state, &batch);
}

/* The lowest is seen at one end, and would come back under the highest. */
static void one_that_replaces_another_meets_whom_that_met(void **state)
{
	struct weir_write low = a_write(1, 0, 20), middle = a_write(2, 10, 20);
	struct weir_write high = a_write(3, 10, 20);
	struct weir_batch batch;

	weir_index_put(*state, &low);
	weir_index_put(*state, &middle);
	weir_index_put(*state, &high);
	assert_int_equal(left_count, 1);
	batch = gather(*state, 10, 10);
	for (uint32_t i = 1; i < batch.count; i++)
		weir_batch_stored(*state, &batch, i);
	assert_int_equal(weir_batch_settle(*state, &batch), 2);
	assert_int_equal(left_count, 1);
}

static void a_run_that_fails_keeps_what_lies_over_it(void **state)
{
	struct weir_write below = a_write(10, 0, 100);
	struct weir_write over = a_write(20, 50, 100);
	struct weir_write alone = a_write(30, 1000, 100);
	struct weir_batch batch;

	weir_index_put(*state, &below);
	weir_index_put(*state, &over);
	weir_index_put(*state, &alone);
	batch = gather(*state, 50, 50);
	/* all but the first: [0, 50) */
	for (uint32_t i = 1; i < batch.count; i++)
		weir_batch_stored(*state, &batch, i);
	assert_int_equal(weir_batch_settle(*state, &batch), 2);
	assert_int_equal(left_count, 1);
	assert_int_equal(left[0], 30);
	assert_int_equal(weir_index_bytes(*state), 150);
}

static void a_late_one_with_an_early_stamp_keeps_what_covers_it(void **state)
{
	struct weir_write over = a_write(20, 50, 100);
	struct weir_write late = a_write(10, 0, 100);
	struct weir_batch batch;

	weir_index_put(*state, &over);
	batch = gather(*state, MIB, MIB);
	weir_index_put(*state, &late);
	weir_batch_stored(*state, &batch, 0);
	assert_int_equal(weir_batch_settle(*state, &batch), 1);
	assert_int_equal(left_count, 0);
	batch = gather(*state, MIB, MIB);
	weir_batch_stored(*state, &batch, 0);
	assert_int_equal(weir_batch_settle(*state, &batch), 0);
	assert_int_equal(left_count, 2);
	assert_int_equal(left[0], 10);
}

static void only_those_before_a_moment_are_gathered(void **state)
{
	struct weir_write old = a_write(10, 0, 100), new = a_write(20, 50, 100);
	struct weir_batch_shape shape = { .most = MIB, .align = MIB,
					  .before = 20 };
	struct weir_batch batch;

	weir_index_put(*state, &old);
	weir_index_put(*state, &new);
	assert_int_equal(weir_batch_gather(*state, &shape, &batch), 0);
	assert_int_equal(batch.count, 1);
	assert_int_equal(batch.runs[0].length, 50);
	assert_int_equal(weir_batch_gather(*state, &shape, &batch), -EBUSY);
	weir_batch_stored(*state, &batch, 0);
	weir_batch_settle(*state, &batch);
	assert_int_equal(left_count, 1);
	assert_int_equal(weir_index_bytes(*state), 100);
}

static void what_is_cut_off_leaves(void **state)
{
	struct weir_write writes[] = { a_write(1, 0, 50), a_write(2, 50, 50),
				       a_write(3, 200, 50) };

	for (int i = 0; i < 3; i++)
		weir_index_put(*state, &writes[i]);
	assert_false(weir_index_straddles(*state, 50));
	assert_true(weir_index_straddles(*state, 60));
	weir_index_cut(*state, 50);
	assert_int_equal(left_count, 2);
	assert_int_equal(weir_index_end(*state), 50);
	weir_index_cut(*state, 20);
	assert_int_equal(weir_index_bytes(*state), 20);
	weir_index_cut(*state, 0);
	assert_int_equal(left_count, 3);
}

/* Both sides of the place are covered by others; it would come back. */
static void one_that_is_covered_at_the_place_straddles_it(void **state)
{
	struct weir_write below = a_write(1, 0, 100);
	struct weir_write before = a_write(2, 40, 10);
	struct weir_write behind = a_write(3, 50, 60);

	weir_index_put(*state, &below);
	weir_index_put(*state, &before);
	weir_index_put(*state, &behind);
	assert_true(weir_index_straddles(*state, 50));
}

static void what_is_cut_off_in_flight_leaves_when_it_is_over(void **state)
{
	struct weir_write one = a_write(1, 0, 50), two = a_write(2, 25, 50);
	struct weir_write three = a_write(3, 100, 50);
	struct weir_batch batch;

	weir_index_put(*state, &one);
	weir_index_put(*state, &two);
	weir_index_put(*state, &three);
	batch = gather(*state, 30, 10);
	weir_batch_stored(*state, &batch, 0);
	weir_index_cut(*state, 0);
	assert_int_equal(left_count, 0);
	weir_batch_stored(*state, &batch, 1);
	weir_batch_settle(*state, &batch);
	assert_int_equal(left_count, 3);
	assert_int_equal(weir_index_bytes(*state), 0);
}

static void nothing_is_in_an_empty_range(void **state)
{
	struct weir_write write = a_write(1, 10, 20);
	struct weir_index_piece piece;

	assert_int_equal(weir_index_put(*state, &write), 0);
	assert_true(weir_index_find(*state, 15, 16, &piece));
	assert_false(weir_index_find(*state, 15, 15, &piece));
	assert_false(weir_index_find(*state, 15, 12, &piece));
}

#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, make_index, free_index)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_later_stamp_is_seen_whoever_comes_first),
		CASE(what_nobody_can_see_is_gone_at_once),
		CASE(what_flies_is_not_gone_before_it_has_landed),
		CASE(neighbours_are_one_run),
		CASE(the_pieces_of_a_run_are_told),
		CASE(runs_end_at_even_places),
		CASE(runs_of_many_parts_end_at_even_places_too),
		CASE(those_that_met_leave_together_the_oldest_first),
		CASE(one_that_replaces_another_is_alone),
		CASE(one_that_replaces_another_meets_whom_that_met),
		CASE(a_run_that_fails_keeps_what_lies_over_it),
		CASE(a_late_one_with_an_early_stamp_keeps_what_covers_it),
		CASE(only_those_before_a_moment_are_gathered),
		CASE(nothing_is_in_an_empty_range),
		CASE(what_is_cut_off_leaves),
		CASE(one_that_is_covered_at_the_place_straddles_it),
		CASE(what_is_cut_off_in_flight_leaves_when_it_is_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
