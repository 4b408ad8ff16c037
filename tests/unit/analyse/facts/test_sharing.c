/* SPDX-License-Identifier: BSD-3-Clause */
/* Where writes of several processes meet, and who waits for whom. */
#include "analyse/facts/sharing.h"

#include "check.h"
#include "viewmaker.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define LARGE (64 * KIB)

static struct weir_sharing sharing;
static uint64_t now;

static int forget(void **state)
{
	weir_sharing_fini(&sharing);
	now = 1000;
	return 0;
}

static void take(struct weir_callview view, uint32_t proc)
{
	view.pair = view.event.proc = proc;
	view.real = now;
	assert_int_equal(weir_sharing_take(&sharing, &view), 0);
}

static void write_at(uint32_t proc, uint64_t off, uint64_t bytes)
{
	take(view_move(WEIR_CLASS_WRITE, off, bytes), proc);
}

/* From now on, for some time, which is over then. */
static void write_for(uint32_t proc, uint64_t bytes, uint64_t dur)
{
	struct weir_callview view = view_move(WEIR_CLASS_WRITE, 0, bytes);

	view.event.dur = dur;
	take(view, proc);
	now += dur;
}

static void call(uint32_t proc, enum weir_callclass class)
{
	take(view_call(class, 0), proc);
}

static const struct weir_sharing_party *party(uint32_t proc)
{
	for (size_t i = 0; i < sharing.party_count; i++)
		if (sharing.parties[i].proc == proc)
			return &sharing.parties[i];
	fail();
	return NULL;
}

static uint64_t met(uint32_t proc, enum weir_sharing_kind kind)
{
	return weir_sharing_sum_of(&sharing, party(proc), kind).calls;
}

static uint64_t looked(uint32_t proc, enum weir_sharing_kind kind)
{
	return party(proc)->looked[kind];
}

/* Who came first is told of when the second comes. */
static void small_ones_meet_in_blocks(void **state)
{
	for (uint64_t i = 0; i < 5; i++)
		write_at(1, i * 100, 100);
	assert_int_equal(met(1, WEIR_SHARING_SMALL), 0);
	write_at(2, LARGE - 1, 100);
	assert_int_equal(met(1, WEIR_SHARING_SMALL), 5);
	assert_int_equal(met(2, WEIR_SHARING_SMALL), 1);
	write_at(2, LARGE, 100); /* the next block */
	write_at(1, 0, 7);
	assert_int_equal(met(1, WEIR_SHARING_SMALL), 6);
	assert_int_equal(met(2, WEIR_SHARING_SMALL), 1);
	assert_int_equal(looked(2, WEIR_SHARING_SMALL), 2);
	assert_int_equal(weir_sharing_sum_of(&sharing, party(1),
					     WEIR_SHARING_SMALL).bytes, 507);
	assert_int_equal(weir_sharing_sum_of(&sharing, party(1),
					     WEIR_SHARING_SMALL).time, 60);
}

static void large_ones_meet_at_their_ends(void **state)
{
	write_at(1, 0, LARGE + 100);
	write_at(2, LARGE + 100, LARGE);
	write_at(3, 3 * LARGE, LARGE); /* alone */
	assert_int_equal(met(1, WEIR_SHARING_LARGE), 0); /* begins well */
	assert_int_equal(met(2, WEIR_SHARING_LARGE), 1);
	assert_int_equal(met(3, WEIR_SHARING_LARGE), 0);
	assert_int_equal(looked(1, WEIR_SHARING_LARGE), 1);
	assert_int_equal(looked(2, WEIR_SHARING_LARGE), 1);
	assert_int_equal(looked(3, WEIR_SHARING_LARGE), 1);
}

/* Whole pages, but four to a stripe of 1 MiB. */
static void write_quarters(void)
{
	for (uint32_t i = 0; i < 8; i++)
		write_at(i % 4 + 1, i * MIB / 4, MIB / 4);
}

static void stripes_are_units_where_they_are_known(void **state)
{
	struct weir_callview open = view_call(WEIR_CLASS_OPEN, 0);

	write_quarters();
	for (uint32_t i = 1; i <= 4; i++)
		assert_int_equal(met(i, WEIR_SHARING_LARGE), 0);
	forget(NULL);
	open.layer = WEIR_CALLVIEW_MPIIO;
	open.unit = MIB;
	take(open, 1);
	write_quarters();
	assert_int_equal(met(1, WEIR_SHARING_LARGE), 0);
	for (uint32_t i = 2; i <= 4; i++)
		assert_int_equal(met(i, WEIR_SHARING_LARGE), 2);
}

static void who_comes_later_meets_nobody(void **state)
{
	call(1, WEIR_CLASS_OPEN);
	write_at(1, 0, 100);
	call(1, WEIR_CLASS_CLOSE);
	call(2, WEIR_CLASS_OPEN);
	write_at(2, 100, 100);
	assert_int_equal(met(1, WEIR_SHARING_SMALL), 0);
	assert_int_equal(met(2, WEIR_SHARING_SMALL), 0);
	call(3, WEIR_CLASS_OPEN);
	call(2, WEIR_CLASS_CLOSE); /* the third has it open still */
	call(4, WEIR_CLASS_OPEN);
	write_at(4, 200, 100);
	assert_int_equal(met(2, WEIR_SHARING_SMALL), 1);
	assert_int_equal(met(4, WEIR_SHARING_SMALL), 1);
}

static void collective_calls_know_what_they_do(void **state)
{
	struct weir_callview view = view_move(WEIR_CLASS_WRITE, 0, 100);

	view.marks = WEIR_CALLVIEW_TOGETHER;
	take(view, 1);
	take(view, 2);
	assert_int_equal(sharing.party_count, 0);
}

/* Beyond that nothing is looked at. */
static void blocks_are_bounded(void **state)
{
	for (uint64_t i = 0; i < 10000; i++)
		for (uint32_t proc = 1; proc <= 2; proc++)
			write_at(proc, i * LARGE, 1);
	assert_int_equal(looked(1, WEIR_SHARING_SMALL), 2048);
	assert_int_equal(met(2, WEIR_SHARING_SMALL), 2048);
}

static void turns_begin_when_others_have_ended(void **state)
{
	write_for(1, MIB, 100);
	now += 100; /* as long as it took */
	write_for(2, MIB, 50);
	now += 51; /* longer than both */
	write_for(3, MIB, 10);
	write_for(3, MIB, 10); /* one turn */
	now -= 1; /* not before that has ended */
	write_for(1, MIB, 10);
	write_for(2, MIB - 1, 10); /* too little */
	write_for(4, MIB, 10);
	assert_int_equal(weir_sharing_end(&sharing), 0);
	assert_int_equal(met(1, WEIR_SHARING_TURN), 0);
	assert_int_equal(looked(1, WEIR_SHARING_TURN), 2);
	assert_int_equal(met(2, WEIR_SHARING_TURN), 1);
	assert_int_equal(looked(2, WEIR_SHARING_TURN), 1);
	assert_int_equal(met(3, WEIR_SHARING_TURN), 0);
	assert_int_equal(looked(3, WEIR_SHARING_TURN), 1);
	assert_int_equal(met(4, WEIR_SHARING_TURN), 1);
	assert_int_equal(weir_sharing_sum_of(&sharing, party(2),
					     WEIR_SHARING_TURN).time, 50);
}

/* A call of the first goes on while another comes and goes. */
static void all_others_have_to_have_ended(void **state)
{
	write_for(1, MIB, 1000);
	now -= 900;
	write_for(2, MIB, 100);
	write_for(3, MIB, 100); /* after 2, but 1 is not over */
	assert_int_equal(weir_sharing_end(&sharing), 0);
	assert_int_equal(met(3, WEIR_SHARING_TURN), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(small_ones_meet_in_blocks,
						forget, forget),
		cmocka_unit_test_setup_teardown(large_ones_meet_at_their_ends,
						forget, forget),
		cmocka_unit_test_setup_teardown(
			stripes_are_units_where_they_are_known, forget,
			forget),
		cmocka_unit_test_setup_teardown(who_comes_later_meets_nobody,
						forget, forget),
		cmocka_unit_test_setup_teardown(
			collective_calls_know_what_they_do, forget, forget),
		cmocka_unit_test_setup_teardown(blocks_are_bounded, forget,
						forget),
		cmocka_unit_test_setup_teardown(
			turns_begin_when_others_have_ended, forget, forget),
		cmocka_unit_test_setup_teardown(all_others_have_to_have_ended,
						forget, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
