/* SPDX-License-Identifier: BSD-3-Clause */
/* Each op of the table over a socket: what is sent comes, and nothing else. */
#include "spec/forward_frames.h"
#include "wanted.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define pairs harness_pairs
#define PAIR_COUNT (sizeof(pairs) / sizeof(*pairs))

static unsigned char room[WEIR_FRAME_MOST], bytes[WEIR_SESSION_LANE + 1];

static enum wanted_side side_wanted(const struct harness_pair *pair)
{
	return pair->is_answer ? ANSWER : CALL;
}

static const struct weir_op_side *side_of(const struct harness_pair *pair)
{
	return wanted_side_of(weir_op_find(pair->op), side_wanted(pair));
}

static uint32_t most_bytes(const struct harness_pair *pair)
{
	static const uint32_t most[] = { 0, WEIR_SESSION_LANE, 4095 };

	return most[side_of(pair)->bytes];
}

static int64_t put(const struct harness_pair *pair, unsigned seed,
		   uint32_t count)
{
	unsigned char fields[SPACE];

	memset(fields, 0xee, sizeof(fields)); /* holes: they stay here */
	wanted_fill(pair->op, side_wanted(pair), seed, fields);
	memset(bytes, 'b', sizeof(bytes));
	return pair->put(room, sizeof(room), fields, bytes, count);
}

static void check_came(const struct harness_pair *pair, unsigned seed,
		       int64_t length, uint32_t count)
{
	unsigned char fields[SPACE], came[SPACE];
	const void *where = NULL;
	uint32_t got = 0;

	wanted_fill(pair->op, side_wanted(pair), seed, fields);
	assert_int_equal(pair->get(room, (size_t)length, came, &where, &got),
			 0);
	wanted_compare(pair->op, side_wanted(pair), fields, came);
	assert_int_equal(got, count);
	assert_memory_equal(where, bytes, count);
	if (side_of(pair)->bytes == WEIR_OP_BYTES_TEXT)
		assert_int_equal(((const char *)where)[count], 0);
}

static void every_op_comes_as_it_was_sent(void **state)
{
	size_t sockets = 0;

	for (size_t i = 0; i < wanted_op_count; i++)
		sockets += wanted_ops[i].by != WEIR_OP_BY_SLOT;
	assert_int_equal(2 * sockets, PAIR_COUNT);
	for (size_t i = 0; i < PAIR_COUNT; i++)
		for (unsigned seed = 0; seed < 20; seed++) {
			uint32_t count = most_bytes(&pairs[i]) * seed / 19;
			int64_t length = put(&pairs[i], seed, count);

			assert_true(length >= 24);
			check_came(&pairs[i], seed, length, count);
		}
}

static void holes_of_structs_are_not_sent(void **state)
{
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		int64_t length;

		memset(room, 0xee, sizeof(room));
		length = put(&pairs[i], 0, 0);
		for (int64_t at = 24; at + 3 < length; at++)
			assert_true(memcmp(room + at, "\xee\xee\xee\xee", 4));
	}
}

static void so_many_bytes_and_no_more(void **state)
{
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		uint32_t most = most_bytes(&pairs[i]);

		assert_true(put(&pairs[i], 1, most) > 0);
		assert_int_equal(put(&pairs[i], 1, most + 1), -EINVAL);
	}
}

static void frame_that_does_not_fit_is_not_begun(void **state)
{
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		const struct harness_pair *pair = &pairs[i];
		unsigned char fields[SPACE] = { 0 };
		int64_t length = put(pair, 1, 0);

		wanted_fill(pair->op, side_wanted(pair), 1, fields);
		memset(room, 'r', sizeof(room));
		for (int64_t size = 0; size < length; size++)
			assert_int_equal(pair->put(room, (size_t)size,
						      fields, bytes, 0),
					 -ENOBUFS);
		assert_int_equal(room[0], 'r');
		assert_int_equal(pair->put(room, (size_t)length, fields,
					      bytes, 0),
				 length);
		assert_int_equal(room[length], 'r');
	}
}

static void get_in_exact_memory(const struct harness_pair *pair, size_t size,
				int wanted)
{
	unsigned char *exact = malloc(size + !size); /* ASan sees its end */
	unsigned char fields[SPACE];
	const void *where;
	uint32_t count;

	assert_non_null(exact);
	memcpy(exact, room, size);
	assert_int_equal(pair->get(exact, size, fields, &where, &count),
			 wanted);
	free(exact);
}

static void truncated_frame_waits_for_the_rest(void **state)
{
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		uint32_t some = most_bytes(&pairs[i]) ? 30 : 0;
		int64_t length = put(&pairs[i], 1, some);

		for (int64_t size = 0; size < length; size++)
			get_in_exact_memory(&pairs[i], (size_t)size, -EAGAIN);
		get_in_exact_memory(&pairs[i], (size_t)length, 0);
	}
}

static void set_length(uint32_t length)
{
	memcpy(room + offsetof(struct weir_frame, length), &length,
	       sizeof(length));
}

/* A frame whose length is not that of its op, but all of it is there. */
static void lengths_that_do_not_add_up_are_refused(void **state)
{
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		const struct weir_op_side *side = side_of(&pairs[i]);
		int64_t length = put(&pairs[i], 1, 0) - 24;

		for (int64_t less = 0; less < side->size; less++) {
			set_length((uint32_t)less);
			get_in_exact_memory(&pairs[i], (size_t)less + 24,
					    -EPROTO);
		}
		set_length((uint32_t)length + 1);
		get_in_exact_memory(&pairs[i], (size_t)length + 25,
				    side->bytes == WEIR_OP_BYTES_DATA ?
					    0 :
					    -EPROTO);
	}
}

static bool is_bounded(const struct wanted_field *field)
{
	return field->most < (field->size == 4 ? UINT32_MAX : UINT64_MAX);
}

/* The same bytes with one field changed on the way. */
static void every_bound_is_checked_on_both_ends(void **state)
{
	unsigned bounds = 0;

	for (size_t i = 0; i < PAIR_COUNT * wanted_field_count; i++) {
		const struct harness_pair *pair =
			&pairs[i / wanted_field_count];
		const struct wanted_field *field =
			&wanted_fields[i % wanted_field_count];
		unsigned char fields[SPACE] = { 0 };
		int64_t length;

		if (field->op != pair->op || field->side != side_wanted(pair) ||
		    !is_bounded(field))
			continue;
		bounds++;
		length = put(pair, 1, 0);
		wanted_set(field, field->most - 1, room + 24);
		get_in_exact_memory(pair, (size_t)length, 0);
		wanted_set(field, field->most, room + 24);
		get_in_exact_memory(pair, (size_t)length, 0);
		wanted_set(field, field->most + 1, room + 24);
		get_in_exact_memory(pair, (size_t)length, -EPROTO);
		wanted_set(field, field->most + 1, fields);
		assert_int_equal(pair->put(room, sizeof(room), fields, NULL, 0),
				 -EINVAL);
	}
	/* open and file that open gave; now; of create_deferred, fetch, number
	 */
	assert_int_equal(bounds, 9);
}

static const struct harness_pair *call_of(uint32_t op)
{
	size_t i = 0;

	while (pairs[i].op != op)
		i++;
	return &pairs[i];
}

static void texts_have_one_zero_at_their_end(void **state)
{
	const struct harness_pair *discard = call_of(WEIR_OP_DISCARD);
	int64_t length = put(discard, 1, 10);
	unsigned char *last = room + length - 1;

	get_in_exact_memory(discard, (size_t)length, 0);
	last[0] = 'x';
	get_in_exact_memory(discard, (size_t)length, -EPROTO);
	last[0] = 0;
	last[-3] = 0;
	get_in_exact_memory(discard, (size_t)length, -EPROTO);
	assert_int_equal(weir_frame_put_discard(room, sizeof(room), NULL,
						"a\0b", 3),
			 -EINVAL);
}

static void head_of_another_kind_is_refused(void **state)
{
	int64_t length = put(&pairs[0], 1, 0);
	struct weir_frame head, got;

	memcpy(&head, room, sizeof(head));
	assert_int_equal(weir_frame_check(room, (size_t)length, &got), 0);
	assert_int_equal(got.op, WEIR_OP_ATTACH);
	for (size_t size = 0; size < sizeof(head); size++)
		assert_int_equal(weir_frame_check(room, size, &got), -EAGAIN);
	head.magic ^= 1;
	assert_int_equal(weir_frame_check(&head, sizeof(head), &got), -EPROTO);
	head.magic ^= 1;
	head.length = WEIR_SESSION_LANE + 4096;
	assert_int_equal(weir_frame_check(&head, sizeof(head), &got), 0);
	head.length++;
	assert_int_equal(weir_frame_check(&head, sizeof(head), &got),
			 -EMSGSIZE);
	for (size_t i = 1; i < PAIR_COUNT; i++)
		if (pairs[i].op != pairs[0].op)
			get_in_exact_memory(&pairs[i], (size_t)length,
					    -EPROTO);
}

static void another_interface_is_told_with_its_hash(void **state)
{
	int64_t length = put(&pairs[0], 1, 0);
	struct weir_frame head, got;

	memcpy(&head, room, sizeof(head));
	assert_true(head.interface == WEIR_OP_INTERFACE);
	head.interface += 5;
	memcpy(room, &head, sizeof(head));
	assert_int_equal(weir_frame_check(&head, sizeof(head), &got),
			 -EPROTONOSUPPORT);
	assert_true(got.interface == WEIR_OP_INTERFACE + 5);
	get_in_exact_memory(&pairs[0], (size_t)length, -EPROTONOSUPPORT);
	head.interface -= 5;
	head.version++;
	assert_int_equal(weir_frame_check(&head, sizeof(head), &got),
			 -EPROTONOSUPPORT);
	assert_int_equal(got.version, WEIR_FRAME_VERSION + 1);
}

static void refusal_is_the_result(void **state)
{
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		int64_t length = weir_frame_refuse(room, sizeof(room),
						   pairs[i].op, -EDQUOT);

		assert_int_equal(length, 24);
		if (pairs[i].is_answer)
			get_in_exact_memory(&pairs[i], (size_t)length,
					    -EDQUOT);
	}
	assert_int_equal(weir_frame_refuse(room, 23, WEIR_OP_OPEN, -EDQUOT),
			 -ENOBUFS);
	weir_frame_refuse(room, sizeof(room), pairs[1].op, EDQUOT);
	get_in_exact_memory(&pairs[1], 24, -EPROTO);
}

static void frames_without_data_are_small(void **state)
{
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		uint32_t most = most_bytes(&pairs[i]);
		int64_t length = put(&pairs[i], 1, most);

		assert_true(length <= (int64_t)WEIR_FRAME_MOST);
		if (side_of(&pairs[i])->bytes != WEIR_OP_BYTES_DATA)
			assert_true(length <= WEIR_FRAME_SMALL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_op_comes_as_it_was_sent),
		cmocka_unit_test(holes_of_structs_are_not_sent),
		cmocka_unit_test(so_many_bytes_and_no_more),
		cmocka_unit_test(frame_that_does_not_fit_is_not_begun),
		cmocka_unit_test(truncated_frame_waits_for_the_rest),
		cmocka_unit_test(lengths_that_do_not_add_up_are_refused),
		cmocka_unit_test(every_bound_is_checked_on_both_ends),
		cmocka_unit_test(texts_have_one_zero_at_their_end),
		cmocka_unit_test(head_of_another_kind_is_refused),
		cmocka_unit_test(another_interface_is_told_with_its_hash),
		cmocka_unit_test(refusal_is_the_result),
		cmocka_unit_test(frames_without_data_are_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
