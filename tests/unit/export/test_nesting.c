/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls as entries and exits: in which order, and at which times. */
#include "export/nesting.h"

#include "analyse/calls/relations.h"
#include "trace/layout/trace_layout.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

/* What came out, as `1(10 2(20 )30 )40`: index and start, or end. */
static char told[4096];

static void tell(const char *form, unsigned long long number,
		 unsigned long long time)
{
	size_t used = strlen(told);

	snprintf(told + used, sizeof(told) - used, form, number, time);
}

static int leave(void *context, const struct weir_nesting_call *call)
{
	tell(" %llu)%llu", call->event.index, call->end);
	return 0;
}

struct made {
	uint64_t start, dur, index;
	uint8_t depth, flags;
};

static uint64_t play(const struct made *calls, size_t count)
{
	struct weir_relations relations;
	struct weir_nesting nesting;
	uint64_t changed;

	told[0] = '\0';
	assert_int_equal(weir_relations_init(&relations, NULL, NULL), 0);
	weir_nesting_init(&nesting, leave, NULL);
	for (size_t i = 0; i < count; i++) {
		struct weir_event event = {
			.start = calls[i].start, .dur = calls[i].dur,
			.index = calls[i].index, .depth = calls[i].depth,
			.flags = calls[i].flags, .proc = 1, .thread = 1,
		};
		struct weir_nesting_call *entered;
		struct weir_relation relation;
		struct weir_dump_event described = {
			.event = &event,
			.start = event.start,
			.relation = &relation,
		};

		assert_int_equal(
			weir_relations_add(&relations, &event, NULL, &relation),
			0);
		assert_int_equal(weir_nesting_enter(&nesting, &described,
						    &entered), 0);
		tell(" %llu(%llu", entered->event.index, entered->start);
	}
	assert_int_equal(weir_nesting_finish(&nesting), 0);
	changed = nesting.changed;
	weir_nesting_fini(&nesting);
	weir_relations_fini(&relations);
	return changed;
}

#define PLAY(...)                                       \
	play((const struct made[]){ __VA_ARGS__ },      \
	     sizeof((const struct made[]){ __VA_ARGS__ }) / \
		     sizeof(struct made))

static void calls_lie_within_their_callers(void **state)
{
	assert_int_equal(PLAY({ 10, 90, 3, 0, 0 }, { 20, 30, 1, 1, 0 },
			      { 25, 5, 0, 2, 0 }, { 60, 10, 2, 1, 0 },
			      { 200, 5, 4, 0, 0 }), 0);
	assert_string_equal(told, " 3(10 1(20 0(25 0)30 1)50 2(60 2)70 3)100"
				  " 4(200 4)205");
}

/* On a coarse clock neighbours and callers share their times. */
static void one_instant_is_told_in_order(void **state)
{
	assert_int_equal(PLAY({ 10, 0, 2, 0, 0 }, { 10, 0, 0, 1, 0 },
			      { 10, 0, 1, 1, 0 }, { 10, 0, 3, 0, 0 }), 0);
	assert_string_equal(told, " 2(10 0(10 0)10 1(10 1)10 2)10 3(10 3)10");
}

static void what_never_returned_ends_with_the_next(void **state)
{
	assert_int_equal(PLAY({ 10, 0, 1, 0, WEIR_EVENT_ENTERED },
			      { 20, 5, 0, 1, 0 }, { 50, 5, 2, 0, 0 }), 0);
	assert_string_equal(told, " 1(10 0(20 0)25 1)50 2(50 2)55");
	assert_int_equal(PLAY({ 10, 0, 0, 0, WEIR_EVENT_ENTERED }), 0);
	assert_string_equal(told, " 0(10 0)10");
}

/* As in a damaged trace: times are changed, and that is counted. */
static void what_overlaps_is_cut(void **state)
{
	assert_int_equal(PLAY({ 10, 100, 0, 0, 0 }, { 50, 10, 1, 0, 0 }), 1);
	assert_string_equal(told, " 0(10 0)50 1(50 1)60");
	assert_int_equal(PLAY({ 10, UINT64_MAX, 0, 0, 0 },
			      { 5, 1, 1, 0, 0 }), 3);
	assert_string_equal(told, " 0(10 0)10 1(10 1)10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_lie_within_their_callers),
		cmocka_unit_test(one_instant_is_told_in_order),
		cmocka_unit_test(what_never_returned_ends_with_the_next),
		cmocka_unit_test(what_overlaps_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
