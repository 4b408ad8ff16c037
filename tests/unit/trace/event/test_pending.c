/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations and completions are joined by process, layer, ring and id. */
#include "trace/event/pending.h"

#include "check.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

static const char text[] = "kind id u detail hex\n"
			   "kind ring h detail otherfd\n"
			   "kind flags u detail cqe_flags\n"
			   "kind op u detail uring_op\n"
			   "kind count - result bytes\n"
			   "call 1 uring_op count submit op:op id:id "
			   "ring:ring\n"
			   "call 2 uring_done count done id:id ring:ring "
			   "flags:flags\n"
			   "call 3 aio_read count submit id:id\n"
			   "call 4 aio_return count done id:id\n"
			   "call 5 read count read id:id\n"
			   "kind maybe o detail decimal\n"
			   "layer upper\n"
			   "call 6 write_later count write id:maybe\n"
			   "call 7 done_later count done id:id\n";

/* What happens, and what is known afterwards. */
static const struct {
	uint16_t call;
	uint8_t flags;
	uint32_t proc;
	uint8_t detail[6]; /* small numbers: each is one byte */
	int64_t ret;
	uint64_t submitted, completed, bytes_read, bytes_written;
} steps[] = {
	{ 1, 0, 1, { 22, 7, 8, 3 }, 0, 1, 0, 0, 0 },   /* read, id 7, ring 3 */
	{ 1, 0, 1, { 23, 7, 8, 4 }, 0, 2, 0, 0, 0 },   /* write, ring 4 */
	{ 2, 0, 2, { 7, 8, 3, 0 }, 50, 2, 0, 0, 0 },   /* another process */
	{ 2, 0, 1, { 7, 8, 4, 0 }, 50, 2, 1, 0, 50 },
	{ 2, 0, 1, { 7, 8, 4, 0 }, 50, 2, 1, 0, 50 },  /* told again */
	{ 2, 0, 1, { 7, 8, 3, 2 }, 9, 2, 1, 0, 50 },   /* more will come */
	{ 2, 0, 1, { 7, 8, 3, 0 }, 6, 2, 2, 6, 50 },
	{ 1, 0, 1, { 22, 0, 8, 3 }, 0, 3, 2, 6, 50 },  /* twice the same id */
	{ 1, 0, 1, { 22, 0, 8, 3 }, 0, 4, 2, 6, 50 },
	{ 2, WEIR_EVENT_FAILED, 1, { 0, 8, 3, 0 }, -1, 4, 3, 6, 50 },
	{ 3, 0, 1, { 9 }, 0, 5, 3, 6, 50 },
	{ 3, WEIR_EVENT_FAILED, 1, { 8 }, -1, 5, 3, 6, 50 },
	{ 3, WEIR_EVENT_ENTERED, 1, { 8 }, 0, 5, 3, 6, 50 },
	{ 4, 0, 1, { 9 }, 10, 5, 4, 16, 50 },
	{ 5, 0, 1, { 9 }, 10, 5, 4, 16, 50 },
	{ 2, 0, 1, { 0, 8, 3, 0 }, 1, 5, 5, 17, 50 },
	{ 6, 0, 1, { 0 }, 10, 5, 5, 17, 50 },	       /* done at once */
	{ 6, WEIR_EVENT_FAILED, 1, { 10 }, -1, 5, 5, 17, 50 },
	{ 6, 0, 1, { 10 }, 10, 6, 5, 17, 50 },	       /* id 9 */
	{ 4, 0, 1, { 9 }, 10, 6, 5, 17, 50 },	       /* another layer's */
	{ 7, 0, 1, { 9 }, 0, 6, 6, 17, 50 },
};

static void each_step_counts(void **state)
{
	struct weir_pending pending = { 0 };
	struct weir_dictionary *dictionary;

	assert_int_equal(weir_dictionary_parse(text, strlen(text),
					       &dictionary), 0);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct weir_event event = {
			.call = steps[i].call,
			.flags = steps[i].flags,
			.proc = steps[i].proc,
			.ret = steps[i].ret,
			.detail = steps[i].detail,
			.detail_len = 4,
		};

		assert_int_equal(weir_pending_add(
			&pending, &event,
			weir_dictionary_call(dictionary, event.call)), 0);
		assert_int_equal(pending.submitted, steps[i].submitted);
		assert_int_equal(pending.completed, steps[i].completed);
		assert_int_equal(pending.bytes_read, steps[i].bytes_read);
		assert_int_equal(pending.bytes_written,
				 steps[i].bytes_written);
	}
	assert_int_equal(weir_pending_unseen(&pending), 0);
	weir_pending_fini(&pending);
	weir_dictionary_free(dictionary);
}

/* Against a plain array, with keys that meet in few places. */
static void a_map_forgets_what_is_removed(void **state)
{
	enum { KEYS = 300 };
	uint64_t values[KEYS] = { 0 }, random = 88172645463325252u;
	struct weir_map map = { 0 };

	for (int i = 0; i < 200000; i++) {
		uint64_t key;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		key = random % KEYS;
		if (random >> 40 & 1) {
			values[key] = 0;
			weir_map_remove(&map, key << 40);
		} else {
			values[key] = random | 1;
			assert_int_equal(weir_map_put(&map, key << 40,
						      values[key]), 0);
		}
		key = random / KEYS % KEYS;
		assert_int_equal(weir_map_get(&map, key << 40), values[key]);
	}
	weir_map_fini(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_step_counts),
		cmocka_unit_test(a_map_forgets_what_is_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
