/* SPDX-License-Identifier: BSD-3-Clause */
/* Raw records: what is left out is filled in, what is broken is refused. */
#include "trace/event/records.h"

#include "check.h"

#include <errno.h>
#include <string.h>

#define SITE(n) ((uint64_t)(n) << WEIR_RECORD_SITE_SHIFT)
#define DUR(n)  ((uint64_t)(n) << WEIR_RECORD_DUR_SHIFT)
#define GAP(n)  ((uint64_t)(n) << WEIR_RECORD_GAP_SHIFT)

static void what_is_left_out_is_filled_in(void **state)
{
	uint64_t words[] = {
		WEIR_RECORD_DEF | WEIR_RECORD_OFF | SITE(5) | DUR(10) | GAP(3),
		22 | 1 << 16 | (uint64_t)WEIR_EVENT_RETSIZE << 24 |
			UINT64_C(7) << 32,
		4096, 100,
		SITE(5) | DUR(20) | GAP(1),
		WEIR_RECORD_SIZE | WEIR_RECORD_RET | WEIR_RECORD_FAILED |
			SITE(5),
		1, 11,
		WEIR_RECORD_NOOFF | WEIR_RECORD_WIDE | SITE(5),
		(uint64_t)-5, UINT64_C(1) << 40,
		WEIR_RECORD_DETAIL | SITE(5), 3, 0,
	};
	struct weir_records records;
	struct weir_event e;

	memcpy(&words[sizeof(words) / sizeof(*words) - 1], "abc", 3);
	weir_records_start(&records, words, sizeof(words), 1000);
	assert_int_equal(weir_records_next(&records, &e), 1);
	assert_int_equal(e.call, 22);
	assert_int_equal(e.depth, 1);
	assert_int_equal(e.handle, 7);
	assert_int_equal(e.start, 1003);
	assert_int_equal(e.off, 100);
	assert_int_equal(e.ret, 4096);
	assert_int_equal(e.flags, 0);
	assert_int_equal(weir_records_next(&records, &e), 1);
	assert_int_equal(e.start, 1014);
	assert_int_equal(e.off, 4196);
	assert_int_equal(weir_records_next(&records, &e), 1);
	assert_int_equal(e.off, 8292);
	assert_int_equal(e.ret, 11);
	assert_int_equal(e.flags, WEIR_EVENT_FAILED);
	assert_int_equal(weir_records_next(&records, &e), 1);
	assert_int_equal(e.flags, WEIR_EVENT_NOOFF);
	assert_int_equal(e.start, 1034 - 5);
	assert_true(e.dur == UINT64_C(1) << 40);
	assert_int_equal(weir_records_next(&records, &e), 1);
	assert_int_equal(e.off, 8293);
	assert_int_equal(e.detail_len, 3);
	assert_memory_equal(e.detail, "abc", 3);
	assert_int_equal(weir_records_next(&records, &e), 0);
}

static void broken_records_are_refused(void **state)
{
	static const struct {
		uint64_t words[3];
		size_t count;
	} rows[] = {
		{ { WEIR_RECORD_DEF, 0 }, 2 },
		{ { WEIR_RECORD_WIDE, 0 }, 2 },
		{ { WEIR_RECORD_RET }, 1 },
		{ { WEIR_RECORD_DETAIL }, 1 },
		{ { WEIR_RECORD_DETAIL, 9, 0 }, 3 },
		{ { WEIR_RECORD_DETAIL, UINT64_MAX, 0 }, 3 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct weir_records records;
		struct weir_event e;

		weir_records_start(&records, rows[i].words, rows[i].count * 8,
				   0);
		assert_int_equal(weir_records_next(&records, &e), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_left_out_is_filled_in),
		cmocka_unit_test(broken_records_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
