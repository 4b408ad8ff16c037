/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process does with a file besides moving bytes, call by call. */
#include "analyse/facts/uses.h"

#include "check.h"
#include "spec/findings.h"
#include "viewmaker.h"

#include <errno.h>

static struct weir_uses uses;
static struct weir_clues clues;

static int forget(void **state)
{
	weir_uses_fini(&uses);
	weir_clues_fini(&clues);
	return 0;
}

static void take(struct weir_callview view)
{
	assert_int_equal(weir_uses_take(&uses, &clues, &view), 0);
}

static uint64_t counted(uint32_t rule)
{
	for (size_t i = 0; i < clues.count; i++)
		if (clues.list[i].rule == rule)
			return clues.list[i].count;
	return 0;
}

static void seek_to(int64_t place)
{
	take(view_call(WEIR_CLASS_SEEK, place));
}

static void read_at(uint64_t off, uint64_t bytes)
{
	take(view_move(WEIR_CLASS_READ, off, bytes));
}

static void write_at(uint64_t off, uint64_t bytes)
{
	take(view_move(WEIR_CLASS_WRITE, off, bytes));
}

static void seeks_to_where_it_stood_are_idle(void **state)
{
	seek_to(100);
	assert_int_equal(counted(WEIR_RULE_IDLE_SEEKS), 0);
	seek_to(100);
	assert_int_equal(counted(WEIR_RULE_IDLE_SEEKS), 1);
	read_at(100, 50);
	seek_to(150);
	assert_int_equal(counted(WEIR_RULE_IDLE_SEEKS), 2);
	seek_to(151);
	assert_int_equal(counted(WEIR_RULE_IDLE_SEEKS), 2);
	assert_int_equal(uses.list[0].seeks, 4);
}

static void other_handles_and_new_opens_are_not_idle(void **state)
{
	struct weir_callview other = view_call(WEIR_CLASS_SEEK, 100);

	seek_to(100);
	other.event.handle = 2;
	take(other);
	take(view_call(WEIR_CLASS_OPEN, 3));
	take(other);
	assert_int_equal(counted(WEIR_RULE_IDLE_SEEKS), 0);
}

static void a_place_that_is_told_leaves_the_position(void **state)
{
	struct weir_callview told = view_move(WEIR_CLASS_READ, 5000, 10);

	seek_to(100);
	told.marks = WEIR_CALLVIEW_TOLD_WHERE;
	take(told);
	seek_to(100);
	assert_int_equal(counted(WEIR_RULE_IDLE_SEEKS), 1);
	assert_int_equal(counted(WEIR_RULE_SEEK_PAIRS), 0);
}

static void a_seek_and_its_transfer_are_a_pair(void **state)
{
	struct weir_callview other = view_move(WEIR_CLASS_READ, 300, 10);

	seek_to(100);
	read_at(100, 10);
	seek_to(200);
	write_at(200, 10);
	seek_to(300); /* before that, it might have been for several */
	assert_int_equal(counted(WEIR_RULE_SEEK_PAIRS), 2);
	other.event.thread = 2;
	take(other); /* not whose seek it was */
	seek_to(400);
	read_at(500, 10); /* somebody went on in between */
	seek_to(600);
	assert_int_equal(counted(WEIR_RULE_SEEK_PAIRS), 2);
	read_at(600, 10);
	assert_int_equal(weir_uses_end(&uses, &clues), 0);
	assert_int_equal(counted(WEIR_RULE_SEEK_PAIRS), 3);
}

/* The slowest seek is shown, with the call that it was for. */
static void both_calls_of_a_pair_are_shown(void **state)
{
	struct weir_callview seek = view_call(WEIR_CLASS_SEEK, 100);
	struct weir_callview read = view_move(WEIR_CLASS_READ, 100, 10);
	const struct weir_clue *clue;

	for (uint64_t i = 0; i < 6; i += 2) {
		seek.event.index = i;
		seek.event.dur = i == 2 ? 20 : 10;
		take(seek);
		read.event.index = i + 1;
		take(read);
	}
	assert_int_equal(weir_uses_end(&uses, &clues), 0);
	clue = weir_clues_get(&clues, WEIR_RULE_SEEK_PAIRS, 1, 1);
	assert_int_equal(clue->count, 3);
	assert_int_equal(clue->witness.index, 2);
	assert_int_equal(clue->partner.index, 3);
}

static struct weir_callview copy_of(uint64_t bytes, uint32_t marks)
{
	struct weir_callview view = view_call(WEIR_CLASS_COPY, (int64_t)bytes);

	view.moved = bytes;
	view.marks = marks;
	return view;
}

static void copies_read_or_write(void **state)
{
	take(view_call(WEIR_CLASS_STAT, 0));
	take(copy_of(100, 0));
	take(view_call(WEIR_CLASS_STAT, 0)); /* it was only read */
	assert_int_equal(counted(WEIR_RULE_REPEATED_STATS), 1);
	take(copy_of(1000, WEIR_CALLVIEW_FILLS));
	take(view_call(WEIR_CLASS_STAT, 0));
	assert_int_equal(counted(WEIR_RULE_REPEATED_STATS), 1);
	assert_int_equal(uses.list[0].read, 100);
	assert_int_equal(uses.list[0].written, 1000);
	assert_int_equal(uses.list[0].time, 50);
	take(copy_of(1, WEIR_CALLVIEW_FILLS | WEIR_CALLVIEW_ECHO));
	assert_int_equal(uses.list[0].time, 50); /* of its other file */
}

/* What is mapped or handed over may be much, so an open was worth it. */
static void other_ways_carry_bytes(void **state)
{
	struct weir_callview map = view_call(WEIR_CLASS_MAP, 0);
	struct weir_callview submit = view_call(WEIR_CLASS_SUBMIT, 0);

	map.event.size = UINT64_C(1) << 20;
	take(view_call(WEIR_CLASS_OPEN, 3));
	take(map); /* munmap() and the like */
	take(view_call(WEIR_CLASS_OPEN, 3));
	assert_int_equal(uses.list[0].again, 1);
	map.marks = WEIR_CALLVIEW_MAPS;
	take(map);
	take(view_call(WEIR_CLASS_OPEN, 3));
	assert_int_equal(uses.list[0].again, 1);
	submit.layer = WEIR_CALLVIEW_ASYNC;
	submit.event.size = UINT64_C(1) << 20;
	take(submit);
	take(view_call(WEIR_CLASS_OPEN, 3));
	assert_int_equal(uses.list[0].again, 1);
	assert_int_equal(uses.files[0].changes, 1); /* who asks, finds it new */
	map.marks |= WEIR_CALLVIEW_FILLS;
	take(map);
	assert_int_equal(uses.files[0].changes, 2);
}

static void a_seek_for_several_is_no_pair(void **state)
{
	seek_to(100);
	read_at(100, 10);
	read_at(110, 10);
	take(view_call(WEIR_CLASS_CLOSE, 0));
	assert_int_equal(weir_uses_end(&uses, &clues), 0);
	assert_int_equal(counted(WEIR_RULE_SEEK_PAIRS), 0);
}

static void failed_seeks_are_nothing(void **state)
{
	struct weir_callview failed = view_call(WEIR_CLASS_SEEK, -1);

	seek_to(100);
	failed.event.flags |= WEIR_EVENT_FAILED;
	take(failed);
	assert_int_equal(uses.list[0].seeks, 1);
	seek_to(100);
	assert_int_equal(counted(WEIR_RULE_IDLE_SEEKS), 1);
}

static void seeks_of_streams_are_counted_only(void **state)
{
	struct weir_callview view = view_call(WEIR_CLASS_SEEK, 100);

	view.layer = WEIR_CALLVIEW_STDIO;
	take(view);
	take(view);
	assert_int_equal(uses.list[0].seeks, 2);
	assert_int_equal(counted(WEIR_RULE_IDLE_SEEKS), 0);
}

static void asking_again_tells_nothing(void **state)
{
	take(view_call(WEIR_CLASS_STAT, 0));
	assert_int_equal(counted(WEIR_RULE_REPEATED_STATS), 0);
	take(view_call(WEIR_CLASS_STAT, 0));
	read_at(0, 10);
	take(view_call(WEIR_CLASS_STAT, 0));
	assert_int_equal(counted(WEIR_RULE_REPEATED_STATS), 2);
	write_at(0, 10); /* now there is something new */
	take(view_call(WEIR_CLASS_STAT, 0));
	take(view_call(WEIR_CLASS_OTHER, 0)); /* ftruncate, chmod ... */
	take(view_call(WEIR_CLASS_STAT, 0));
	assert_int_equal(counted(WEIR_RULE_REPEATED_STATS), 2);
	assert_int_equal(uses.list[0].looks, 5);
}

static void what_is_not_there_is_missed(void **state)
{
	struct weir_callview view = view_call(WEIR_CLASS_STAT, -1);

	view.event.flags |= WEIR_EVENT_FAILED;
	view.event.err = ENOENT;
	take(view);
	view.class = WEIR_CLASS_OPEN;
	take(view);
	view.event.err = EACCES;
	take(view);
	assert_int_equal(uses.list[0].missing, 2);
	assert_int_equal(uses.list[0].looks, 0);
	assert_int_equal(uses.list[0].opens, 0);
}

static void syncs_for_little_are_noted(void **state)
{
	write_at(0, 10);
	take(view_call(WEIR_CLASS_SYNC, 0)); /* one is needed */
	assert_int_equal(counted(WEIR_RULE_FREQUENT_SYNCS), 0);
	write_at(0, (1 << 20) - 1);
	take(view_call(WEIR_CLASS_SYNC, 0));
	assert_int_equal(counted(WEIR_RULE_FREQUENT_SYNCS), 1);
	write_at(0, 1 << 20);
	take(view_call(WEIR_CLASS_SYNC, 0));
	assert_int_equal(counted(WEIR_RULE_FREQUENT_SYNCS), 1);
	take(view_call(WEIR_CLASS_SYNC, 0));
	assert_int_equal(counted(WEIR_RULE_FREQUENT_SYNCS), 2);
	assert_int_equal(uses.list[0].syncs, 4);
}

static void what_is_read_and_written_back(void **state)
{
	read_at(0, 100);
	write_at(0, 100);
	assert_int_equal(counted(WEIR_RULE_READ_MODIFY_WRITE), 1);
	write_at(0, 100); /* nothing was read for it */
	read_at(0, 100);
	write_at(0, 99); /* not all of it */
	read_at(0, 100);
	write_at(1, 100);
	read_at(0, 100);
	read_at(0, 0); /* the end: forget what was before */
	write_at(0, 100);
	assert_int_equal(counted(WEIR_RULE_READ_MODIFY_WRITE), 1);
	read_at(0, 100);
	write_at(0, 200);
	assert_int_equal(counted(WEIR_RULE_READ_MODIFY_WRITE), 2);
}

static void writes_that_wait_are_known_by_the_open(void **state)
{
	struct weir_callview open = view_call(WEIR_CLASS_OPEN, 3);

	write_at(0, 10);
	open.marks = WEIR_CALLVIEW_SYNCHRONOUS | WEIR_CALLVIEW_CREATES;
	take(open);
	write_at(0, 10);
	write_at(10, 10);
	assert_int_equal(counted(WEIR_RULE_SYNCHRONOUS_WRITES), 2);
	assert_int_equal(uses.list[0].created, 1);
	assert_int_equal(uses.list[0].written, 30);
	open.marks = 0;
	take(open);
	write_at(0, 10);
	assert_int_equal(counted(WEIR_RULE_SYNCHRONOUS_WRITES), 2);
}

static void removal_is_known_by_the_call(void **state)
{
	struct weir_callview view = view_call(WEIR_CLASS_OTHER, -1);

	view.marks = WEIR_CALLVIEW_REMOVES;
	view.event.flags |= WEIR_EVENT_FAILED;
	take(view);
	assert_int_equal(uses.list[0].removed, 0);
	view.event.flags = WEIR_EVENT_NOOFF;
	take(view);
	assert_int_equal(uses.list[0].removed, 1);
}

/* Not each open is one too many: of a new file, or for much. */
static void opens_for_little_are_repeated(void **state)
{
	struct weir_callview open = view_call(WEIR_CLASS_OPEN, 3);
	struct weir_callview away = view_call(WEIR_CLASS_OTHER, 0);

	take(open);
	read_at(0, 10);
	take(open);
	assert_int_equal(uses.list[0].again, 1);
	read_at(0, 1 << 20);
	take(open);
	assert_int_equal(uses.list[0].again, 1);
	away.marks = WEIR_CALLVIEW_RENAMES;
	take(away);
	take(open);
	assert_int_equal(uses.list[0].again, 1);
	assert_int_equal(uses.list[0].opens, 4);
}

static void what_is_written_over_is_of_one_version(void **state)
{
	write_at(0, 100);
	write_at(0, 100);
	take(view_call(WEIR_CLASS_SYNC, 0));
	write_at(50, 100);
	assert_int_equal(weir_uses_end(&uses, &clues), 0);
	assert_int_equal(uses.list[0].writing.bytes, 300);
	assert_int_equal(uses.list[0].writing.once, 200);
}

/* Another process may have changed it, or put another in its place. */
static void asking_after_a_change_tells_something(void **state)
{
	struct weir_callview view = view_call(WEIR_CLASS_STAT, 0);
	struct weir_callview other = view_move(WEIR_CLASS_WRITE, 0, 10);

	take(view);
	other.pair = 2;
	other.event.proc = 2;
	take(other);
	take(view);
	view.renames = 1;
	take(view);
	view.event.handle++;
	take(view);
	assert_int_equal(counted(WEIR_RULE_REPEATED_STATS), 0);
	take(view);
	assert_int_equal(counted(WEIR_RULE_REPEATED_STATS), 1);
}

static void libraries_above_are_not_looked_at(void **state)
{
	struct weir_callview view = view_move(WEIR_CLASS_WRITE, 0, 10);

	view.layer = WEIR_CALLVIEW_MPIIO;
	take(view);
	assert_int_equal(uses.count, 0);
}

static void pairs_are_kept_apart(void **state)
{
	struct weir_callview view = view_call(WEIR_CLASS_STAT, 0);

	for (uint32_t i = 1; i < 200; i++) {
		view.pair = i;
		view.file = i % 10;
		view.event.proc = i / 10 + 1;
		take(view);
	}
	assert_int_equal(uses.count, 199);
	assert_int_equal(counted(WEIR_RULE_REPEATED_STATS), 0);
	for (uint32_t i = 1; i < 200; i++)
		assert_int_equal(uses.list[i - 1].file, i % 10);
}

#define unit(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(seeks_to_where_it_stood_are_idle),
		unit(other_handles_and_new_opens_are_not_idle),
		unit(a_place_that_is_told_leaves_the_position),
		unit(a_seek_and_its_transfer_are_a_pair),
		unit(a_seek_for_several_is_no_pair),
		unit(other_ways_carry_bytes),
		unit(copies_read_or_write),
		unit(both_calls_of_a_pair_are_shown),
		unit(failed_seeks_are_nothing),
		unit(seeks_of_streams_are_counted_only),
		unit(asking_again_tells_nothing),
		unit(what_is_not_there_is_missed),
		unit(syncs_for_little_are_noted),
		unit(what_is_read_and_written_back),
		unit(writes_that_wait_are_known_by_the_open),
		unit(removal_is_known_by_the_call),
		unit(opens_for_little_are_repeated),
		unit(what_is_written_over_is_of_one_version),
		unit(asking_after_a_change_tells_something),
		unit(libraries_above_are_not_looked_at),
		unit(pairs_are_kept_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
