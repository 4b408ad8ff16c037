/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process goes through a file: in order, with gaps, in streams. */
#include "analyse/facts/flows.h"

#include "check.h"
#include "viewmaker.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

static struct weir_flows flows;

static int forget(void **state)
{
	weir_flows_fini(&flows);
	return 0;
}

static void take(struct weir_callview view)
{
	assert_int_equal(weir_flows_take(&flows, &view), 0);
}

static void write_at(uint64_t off, uint64_t bytes)
{
	take(view_move(WEIR_CLASS_WRITE, off, bytes));
}

static const struct weir_flow *only(void)
{
	assert_int_equal(flows.count, 1);
	return &flows.list[0];
}

/* Small ones, when neighbours are joined. */
static uint64_t left_of(const struct weir_flow *flow)
{
	return flow->small - flow->joined;
}

static void what_goes_on_is_gathered(void **state)
{
	const struct weir_flow *flow;

	for (uint64_t i = 0; i < 1024; i++)
		write_at(i * KIB, KIB);
	flow = only();
	assert_int_equal(flow->calls, 1024);
	assert_int_equal(flow->small, 1024);
	assert_int_equal(flow->tiny, 1024);
	assert_int_equal(flow->bytes, MIB);
	assert_int_equal(flow->time, 10240);
	assert_int_equal(flow->follow, 1023);
	assert_int_equal(flow->strided, 0);
	assert_int_equal(left_of(flow), 1);
	write_at(MIB, 1); /* one byte more than the buffer holds */
	assert_int_equal(left_of(only()), 2);
	assert_int_equal(weir_extents_bytes(&only()->touched), MIB + 1);
}

static void sizes_are_divided_at_their_limits(void **state)
{
	const struct weir_flow *flow;

	write_at(0, WEIR_FLOW_SMALL);
	write_at(WEIR_FLOW_SMALL, WEIR_FLOW_SMALL - 1);
	write_at(UINT64_C(1) << 30, WEIR_FLOW_PAGE);
	write_at(UINT64_C(1) << 31, WEIR_FLOW_PAGE - 1);
	flow = only();
	assert_int_equal(flow->small, 3);
	assert_int_equal(flow->small_bytes,
			 WEIR_FLOW_SMALL - 1 + 2 * WEIR_FLOW_PAGE - 1);
	assert_int_equal(flow->tiny, 1);
	assert_int_equal(flow->tiny_bytes, WEIR_FLOW_PAGE - 1);
	/* A full buffer was written: the next small one begins a new one. */
	assert_int_equal(left_of(flow), 3);
}

static void equal_gaps_are_strides(void **state)
{
	const struct weir_flow *flow;

	for (uint64_t i = 0; i < 100; i++)
		write_at(MIB + i * 1000, 10);
	flow = only();
	assert_int_equal(flow->follow, 0);
	assert_int_equal(flow->strided, 98); /* two make the first step */
	assert_int_equal(flow->stride_span, 98 * 1000);
	assert_int_equal(flow->stride_time, 980);
	assert_int_equal(left_of(flow), 100);
}

static void strides_may_go_back(void **state)
{
	for (uint64_t i = 100; i--;)
		write_at(MIB + i * 1000, 10);
	assert_int_equal(only()->strided, 98);
	assert_int_equal(only()->stride_span, 98 * 1000);
}

static void several_streams_go_on_at_a_time(void **state)
{
	uint64_t streams = WEIR_FLOW_STREAMS;

	for (uint64_t i = 0; i < 50; i++)
		for (uint64_t s = 0; s < streams; s++)
			write_at((s + 1) * MIB + i * 100, 100);
	assert_int_equal(only()->follow, 49 * streams);
	assert_int_equal(left_of(only()), streams);
}

/* One more than are looked at: none is found again. */
static void too_many_streams_are_none(void **state)
{
	uint64_t streams = WEIR_FLOW_STREAMS + 1;

	for (uint64_t i = 0; i < 50; i++)
		for (uint64_t s = 0; s < streams; s++)
			write_at((s * s + 1) * MIB + i * 100, 100);
	assert_int_equal(only()->follow, 0);
	assert_int_equal(left_of(only()), 50 * streams);
}

/* Where nothing has ended yet nothing goes on, not even the begin of a file. */
static void the_begin_of_a_file_goes_on_from_nothing(void **state)
{
	write_at(MIB, 100);
	write_at(0, 100);
	assert_int_equal(only()->follow, 0);
	assert_int_equal(left_of(only()), 2);
}

/* Written by O_APPEND, they go on at the end. */
static void reads_of(uint64_t count, uint64_t dur)
{
	static uint64_t off;

	for (uint64_t i = 0; i < count; i++, off += 100) {
		struct weir_callview view =
			view_move(WEIR_CLASS_READ, off, 100);

		view.event.dur = dur;
		take(view);
	}
}

static uint64_t waits_of(const struct weir_flow *flow)
{
	const struct weir_flow_pace none = { .calls = { 0 } };

	return weir_flows_waits(&flow->pace, &none);
}

/* What few calls usually take, others tell. */
static void few_are_held_against_all(void **state)
{
	struct weir_flow_pace few = { .calls = { 0 } };

	reads_of(101, 2000);
	few.calls[6] = 1;
	few.time[6] = 3000000;
	assert_int_equal(weir_flows_waits(&few, &only()->pace), 2998000);
	few.calls[6] = 100;
	few.time[6] = 300000000;
	assert_int_equal(weir_flows_waits(&few, &only()->pace), 0);
}

/* A few that wait for the storage do so for their bytes. */
static void waits_are_told_apart(void **state)
{
	const struct weir_flow *flow;

	reads_of(1001, 2000);
	flow = only();
	assert_int_equal(flow->joined_time, 2000000);
	assert_int_equal(waits_of(flow), 0);
	reads_of(10, 500000);
	flow = only();
	assert_int_equal(flow->joined_time, 7000000);
	assert_int_equal(waits_of(flow), 10 * 498000);
	reads_of(2000, 500000); /* now this is what they usually take */
	assert_int_equal(waits_of(only()), 0);
}

static void unknown_places_are_gathered(void **state)
{
	struct weir_callview view = view_move(WEIR_CLASS_WRITE, 0, 100);

	view.event.flags |= WEIR_EVENT_NOOFF;
	for (int i = 0; i < 5; i++)
		take(view);
	assert_int_equal(only()->calls, 5);
	assert_int_equal(only()->small, 5);
	assert_int_equal(only()->placed, 0);
	assert_int_equal(only()->follow, 0);
	assert_int_equal(left_of(only()), 1);
	assert_int_equal(only()->touched.count, 0);
}

static void nothing_moved_is_nothing(void **state)
{
	write_at(0, 100);
	write_at(500, 0);
	write_at(100, 100);
	assert_int_equal(only()->calls, 2);
	assert_int_equal(only()->placed, 2);
	assert_int_equal(only()->follow, 1);
	assert_int_equal(only()->small, 2);
	assert_int_equal(left_of(only()), 1);
}

static void one_place_again_is_no_stride(void **state)
{
	for (int i = 0; i < 10; i++)
		write_at(MIB, 100);
	assert_int_equal(only()->strided, 0);
	assert_int_equal(only()->scattered, 0);
	assert_int_equal(left_of(only()), 10);
	write_at(0, 100);
	write_at(5 * MIB, 100);
	write_at(9 * MIB, WEIR_FLOW_SMALL); /* large ones may lie anywhere */
	assert_int_equal(only()->scattered, 2);
}

static void flows_are_told_apart(void **state)
{
	struct weir_callview view = view_move(WEIR_CLASS_WRITE, 0, 100);

	take(view);
	view.marks = WEIR_CALLVIEW_COLLECTIVE;
	take(view);
	view.top = WEIR_CALLVIEW_HDF5;
	take(view);
	view.layer = WEIR_CALLVIEW_MPIIO;
	take(view);
	view.class = WEIR_CLASS_READ;
	take(view);
	view.pair = 2;
	take(view);
	take(view);
	assert_int_equal(flows.count, 6);
	assert_int_equal(flows.list[5].calls, 2);
	assert_int_equal(flows.list[1].collective, 1);
	assert_int_equal(flows.list[2].top, WEIR_CALLVIEW_HDF5);
	assert_int_equal(flows.list[4].class, WEIR_CLASS_READ);
}

static void the_slowest_are_known(void **state)
{
	struct weir_callview view = view_move(WEIR_CLASS_WRITE, 0, MIB);

	view.event.dur = 500;
	view.event.index = 7;
	take(view);
	view = view_move(WEIR_CLASS_WRITE, MIB, 10);
	view.event.index = 8;
	take(view);
	view.event.index = 9; /* as slow: the first counts */
	take(view);
	assert_int_equal(only()->slowest.index, 7);
	assert_int_equal(only()->slowest_small.index, 8);
}

/* No offset, size or product of them may do harm. */
static void any_number_can_be_taken(void **state)
{
	static const uint64_t odd[] = {
		0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX,
		UINT64_MAX - 1, UINT64_C(1) << 32,
	};
	size_t count = sizeof(odd) / sizeof(*odd);

	for (size_t i = 0; i < count * count * count; i++) {
		struct weir_callview view =
			view_move(WEIR_CLASS_WRITE, odd[i % count],
				  odd[i / count % count]);

		view.event.dur = odd[i / count / count];
		take(view);
	}
	assert_int_equal(only()->calls, count * count * (count - 1));
}

static void only_transfers_have_flows(void **state)
{
	assert_true(weir_flows_has(WEIR_CLASS_READ));
	assert_true(weir_flows_has(WEIR_CLASS_WRITE));
	assert_true(weir_flows_has(WEIR_CLASS_DRAIN));
	assert_false(weir_flows_has(WEIR_CLASS_OPEN));
	assert_false(weir_flows_has(WEIR_CLASS_SEEK));
	assert_false(weir_flows_has(WEIR_CLASS_DONE));
}

#define unit(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(what_goes_on_is_gathered),
		unit(sizes_are_divided_at_their_limits),
		unit(equal_gaps_are_strides),
		unit(strides_may_go_back),
		unit(several_streams_go_on_at_a_time),
		unit(too_many_streams_are_none),
		unit(the_begin_of_a_file_goes_on_from_nothing),
		unit(waits_are_told_apart),
		unit(few_are_held_against_all),
		unit(unknown_places_are_gathered),
		unit(nothing_moved_is_nothing),
		unit(one_place_again_is_no_stride),
		unit(flows_are_told_apart),
		unit(the_slowest_are_known),
		unit(any_number_can_be_taken),
		unit(only_transfers_have_flows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
