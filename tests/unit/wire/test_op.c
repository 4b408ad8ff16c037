/* SPDX-License-Identifier: BSD-3-Clause */
/* Each op of the table through a slot: stub, checks, dispatch, and back. */
#include "spec/forward_stubs.h"
#include "spec/forward_harness.h"
#include "wanted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* What handlers got, and what they give back. */
static struct {
	unsigned calls;
	int status;
	unsigned char in[SPACE], out[SPACE];
	uint32_t size, answer;
} seen;
static unsigned char lane[WEIR_SESSION_LANE];

static int harness_hear(uint32_t op, void *context, const void *in, void *out,
			struct weir_op_data *data)
{
	const struct weir_op_row *row = weir_op_find(op);

	seen.calls++;
	memcpy(seen.in, in, row->call.size);
	memcpy(out, seen.out, row->answer.size);
	seen.size = data->size;
	data->answer = seen.answer;
	return seen.status;
}

#define SLOTS (sizeof(harness_slots) / sizeof(*harness_slots))

static unsigned char sent[64], came[64];

static int say(size_t place, const void *in, void *ret_out)
{
	bool writes = harness_slots[place].op == WEIR_OP_WRITE;
	struct harness_bytes bytes = {
		.data = sent,
		.size = writes ? sizeof(sent) : 0,
		.answer = came,
		.room = sizeof(came),
	};

	return harness_slots[place].say(in, ret_out, &bytes);
}

/* Stands for a slot in shared memory: the other side does it at once. */
int weir_slots_call(struct weir_slots_call *call)
{
	struct weir_session_slot slot = { .op = call->op };
	struct weir_op_call there = {
		.op = call->op,
		.args = slot.args,
		.results = slot.results,
		.data = { .bytes = lane,
			  .size = call->data_size,
			  .room = sizeof(lane) },
	};
	int ret;

	assert_true(call->args_size <= sizeof(slot.args));
	assert_true(call->results_size <= sizeof(slot.results));
	if (call->args_size)
		memcpy(slot.args, call->args, call->args_size);
	if (call->data_size)
		memcpy(lane, call->data, call->data_size);
	ret = weir_op_do(&harness_handlers, &seen, &there);
	if (call->results_size)
		memcpy(call->results, slot.results, call->results_size);
	if (there.data.answer)
		memcpy(call->answer, lane, there.data.answer);
	call->answer_size = there.data.answer;
	return ret;
}

static int each_by_slot(void **state)
{
	memset(&seen, 0, sizeof(seen));
	memset(lane, 0, sizeof(lane));
	return 0;
}

static const struct wanted_field *find_field(const struct weir_op_row *row,
					     enum wanted_side side,
					     const struct weir_op_field *field)
{
	for (size_t i = 0; i < wanted_field_count; i++) {
		const struct wanted_field *wanted = &wanted_fields[i];

		if (wanted->op == row->op && wanted->side == side &&
		    !strcmp(wanted->name, field->name))
			return wanted;
	}
	fail_msg("%s: nothing tests %s", row->name, field->name);
	return NULL;
}

static size_t compare_side(const struct weir_op_row *row,
			   enum wanted_side which)
{
	const struct weir_op_side *side = wanted_side_of(row, which);

	for (uint32_t i = 0; i < side->count; i++) {
		const struct weir_op_field *field = &side->fields[i];
		const struct wanted_field *wanted =
			find_field(row, which, field);
		bool bounded = wanted->most != UINT64_MAX &&
			       wanted->most != UINT32_MAX;

		assert_int_equal(field->at, wanted->at);
		assert_int_equal(field->size, wanted->size);
		assert_true(field->most ==
			    (bounded ? wanted->most : UINT64_MAX));
		assert_true(field->at + field->size <= side->size);
	}
	return side->count;
}

static void table_says_what_is_tested(void **state)
{
	size_t fields = 0;

	assert_int_equal(weir_op_rows, wanted_op_count);
	for (uint32_t i = 0; i < weir_op_rows; i++) {
		const struct weir_op_row *row = &weir_ops[i];
		const struct wanted_op *wanted = &wanted_ops[i];

		assert_int_equal(row->op, wanted->op);
		assert_string_equal(row->name, wanted->name);
		assert_int_equal(row->by, wanted->by);
		assert_int_equal(row->again, wanted->again);
		assert_int_equal(row->call.fds, wanted->fds[CALL]);
		assert_int_equal(row->answer.fds, wanted->fds[ANSWER]);
		assert_int_equal(row->call.bytes, wanted->bytes[CALL]);
		assert_int_equal(row->answer.bytes, wanted->bytes[ANSWER]);
		fields += compare_side(row, CALL) + compare_side(row, ANSWER);
	}
	assert_int_equal(fields, wanted_field_count);
}

static void ops_are_found_by_number(void **state)
{
	size_t found = 0;

	for (uint32_t op = 0; op < 1000; op++) {
		const struct weir_op_row *row = weir_op_find(op);

		if (!row)
			assert_string_equal(weir_op_name(op), "?");
		else
			assert_int_equal(row->op, op);
		found += row != NULL;
	}
	assert_int_equal(found, wanted_op_count);
	assert_null(weir_op_find(UINT32_MAX));
}

static void op_goes_there_and_back(size_t place, unsigned seed)
{
	unsigned char in[SPACE] = { 0 }, out[SPACE] = { 0 };
	uint32_t op = harness_slots[place].op;

	memset(&seen, 0, sizeof(seen));
	wanted_fill(op, CALL, seed, in);
	wanted_fill(op, ANSWER, seed, seen.out);
	assert_int_equal(say(place, in, out), 0);
	assert_int_equal(seen.calls, 1);
	wanted_compare(op, CALL, in, seen.in);
	wanted_compare(op, ANSWER, out, seen.out);
}

static void every_op_goes_there_and_back(void **state)
{
	size_t slots = 0;

	for (size_t i = 0; i < wanted_op_count; i++)
		slots += wanted_ops[i].by == WEIR_OP_BY_SLOT;
	assert_int_equal(slots, SLOTS);
	for (size_t i = 0; i < SLOTS; i++)
		for (unsigned seed = 0; seed < 50; seed++)
			op_goes_there_and_back(i, seed);
}

static void bytes_go_with_an_op(void **state)
{
	struct weir_op_write_in in = { .open = 1 };
	struct weir_op_write_out done;
	struct weir_op_read_in ask = { .open = 1, .length = sizeof(came) };
	struct weir_op_read_out out;
	uint32_t size;

	memset(sent, 'x', sizeof(sent));
	assert_int_equal(weir_stub_write(&in, &done, sent, sizeof(sent)), 0);
	assert_int_equal(seen.size, sizeof(sent));
	assert_memory_equal(lane, sent, sizeof(sent));
	seen.answer = 7;
	assert_int_equal(weir_stub_read(&ask, &out, came, sizeof(came), &size),
			 0);
	assert_int_equal(size, 7);
	assert_memory_equal(came, "xxxxxxx", 7);
}

static void failure_is_told_and_brings_no_bytes(void **state)
{
	struct weir_op_read_in ask = { .open = 1 };
	struct weir_op_read_out out;
	uint32_t size;

	seen.answer = 7;
	seen.status = -ENOSPC;
	for (size_t i = 0; i < SLOTS; i++) {
		unsigned char in[SPACE] = { 0 }, results[SPACE];

		assert_int_equal(say(i, in, results), -ENOSPC);
	}
	assert_int_equal(weir_stub_read(&ask, &out, came, sizeof(came), &size),
			 -ENOSPC);
	assert_int_equal(size, 0);
}

/* A call with this field at this value; all others are sound. */
static int call_with(const struct wanted_field *field, uint64_t value)
{
	unsigned char args[WEIR_SESSION_ARGS] = { 0 };
	unsigned char results[WEIR_SESSION_RESULTS];
	struct weir_op_call call = {
		.op = field->op,
		.args = args,
		.results = results,
		.data = { .bytes = lane, .room = sizeof(lane) },
	};

	wanted_fill(field->op, CALL, 1, args);
	wanted_set(field, value, args);
	return weir_op_do(&harness_handlers, NULL, &call);
}

static void every_bound_of_a_call_holds(void **state)
{
	unsigned bounds = 0;

	for (size_t i = 0; i < wanted_field_count; i++) {
		const struct wanted_field *field = &wanted_fields[i];

		if (field->side != CALL ||
		    weir_op_find(field->op)->by != WEIR_OP_BY_SLOT)
			continue;
		assert_int_equal(call_with(field, field->most - 1), 0);
		assert_int_equal(call_with(field, field->most), 0);
		if (field->most >= UINT32_MAX && field->size == 4)
			continue;
		if (field->most == UINT64_MAX)
			continue;
		seen.calls = 0;
		assert_int_equal(call_with(field, field->most + 1), -EINVAL);
		assert_int_equal(call_with(field, UINT64_MAX), -EINVAL);
		assert_int_equal(seen.calls, 0);
		bounds++;
	}
	assert_true(bounds > 10);
}

static void every_bound_of_an_answer_holds(void **state)
{
	for (size_t i = 0; i < wanted_field_count; i++) {
		const struct wanted_field *field = &wanted_fields[i];
		const struct weir_op_row *row = weir_op_find(field->op);
		unsigned char out[SPACE] = { 0 };

		if (field->side != ANSWER)
			continue;
		wanted_fill(field->op, ANSWER, 1, out);
		wanted_set(field, field->most, out);
		assert_true(weir_op_is_sound(&row->answer, out));
		if (field->most >= UINT32_MAX && field->size == 4)
			continue;
		if (field->most == UINT64_MAX)
			continue;
		wanted_set(field, field->most + 1, out);
		assert_false(weir_op_is_sound(&row->answer, out));
	}
}

static void stub_refuses_an_answer_out_of_bounds(void **state)
{
	struct weir_op_read_out lie = { .got = WEIR_SESSION_LANE + 1 };
	struct weir_op_read_in in = { .open = 1 };
	struct weir_op_read_out out;
	uint32_t size;

	memcpy(seen.out, &lie, sizeof(lie));
	assert_int_equal(weir_stub_read(&in, &out, came, sizeof(came), &size),
			 -EPROTO);
}

static int call_with_bytes(uint32_t op, uint32_t size)
{
	unsigned char args[WEIR_SESSION_ARGS] = { 0 };
	unsigned char results[WEIR_SESSION_RESULTS];
	struct weir_op_call call = {
		.op = op,
		.args = args,
		.results = results,
		.data = { .bytes = lane, .size = size, .room = sizeof(lane) },
	};

	return weir_op_do(&harness_handlers, NULL, &call);
}

static void only_who_takes_bytes_gets_them(void **state)
{
	for (size_t i = 0; i < SLOTS; i++) {
		uint32_t op = harness_slots[i].op;
		int one = op == WEIR_OP_WRITE ? 0 : -EINVAL;

		assert_int_equal(call_with_bytes(op, 0), 0);
		assert_int_equal(call_with_bytes(op, 1), one);
		assert_int_equal(call_with_bytes(op, WEIR_SESSION_LANE), one);
		assert_int_equal(call_with_bytes(op, WEIR_SESSION_LANE + 1),
				 -EINVAL);
		assert_int_equal(call_with_bytes(op, UINT32_MAX), -EINVAL);
	}
}

/* Whatever else is wrong with it. */
static void what_is_no_op_by_slot_is_refused(void **state)
{
	unsigned char args[WEIR_SESSION_ARGS], results[WEIR_SESSION_RESULTS];
	struct weir_op_call call = { .args = args, .results = results };

	memset(args, 0xff, sizeof(args));
	for (call.op = 0; call.op < 300; call.op++) {
		const struct weir_op_row *row = weir_op_find(call.op);

		if (row && row->by == WEIR_OP_BY_SLOT)
			continue;
		assert_int_equal(weir_op_do(&harness_handlers, NULL, &call),
				 -ENOSYS);
	}
	assert_int_equal(call_with_bytes(UINT32_MAX, 0), -ENOSYS);
	assert_int_equal(seen.calls, 0);
}

static void handler_that_is_not_there_is_refused(void **state)
{
	static const struct weir_op_handlers none;
	unsigned char bytes[WEIR_SESSION_ARGS] = { 0 };
	struct weir_op_call call = { .args = bytes, .results = bytes };

	for (size_t i = 0; i < SLOTS; i++) {
		call.op = harness_slots[i].op;
		assert_int_equal(weir_op_do(&none, NULL, &call), -ENOSYS);
	}
}

static void calls_can_be_read(void **state)
{
	struct weir_op_commit_in commit = { 3, 4, 1 };
	struct weir_op_truncate_in truncate = { 5, UINT64_C(1) << 62 };
	char text[80];
	size_t length;

	length = weir_op_print(text, sizeof(text), WEIR_OP_COMMIT, &commit);
	assert_string_equal(text, "commit(file 3, turn 4, how 1)");
	assert_int_equal(length, strlen(text));
	weir_op_print(text, sizeof(text), WEIR_OP_TRUNCATE, &truncate);
	assert_string_equal(text,
			    "truncate(open 5, length 4611686018427387904)");
	weir_op_print(text, sizeof(text), WEIR_OP_STATUS, NULL);
	assert_string_equal(text, "status()");
	weir_op_print(text, sizeof(text), 77, NULL);
	assert_string_equal(text, "?()");
	for (size_t size = 1; size < 30; size++) {
		memset(text, 'z', sizeof(text));
		length = weir_op_print(text, size, WEIR_OP_COMMIT, &commit);
		assert_int_equal(length, strlen(text));
		assert_true(length < size);
		assert_int_equal(text[size], 'z');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_says_what_is_tested),
		cmocka_unit_test(ops_are_found_by_number),
		cmocka_unit_test_setup(every_op_goes_there_and_back,
				       each_by_slot),
		cmocka_unit_test_setup(bytes_go_with_an_op, each_by_slot),
		cmocka_unit_test_setup(failure_is_told_and_brings_no_bytes,
				       each_by_slot),
		cmocka_unit_test_setup(every_bound_of_a_call_holds,
				       each_by_slot),
		cmocka_unit_test(every_bound_of_an_answer_holds),
		cmocka_unit_test_setup(stub_refuses_an_answer_out_of_bounds,
				       each_by_slot),
		cmocka_unit_test_setup(only_who_takes_bytes_gets_them,
				       each_by_slot),
		cmocka_unit_test_setup(what_is_no_op_by_slot_is_refused,
				       each_by_slot),
		cmocka_unit_test_setup(handler_that_is_not_there_is_refused,
				       each_by_slot),
		cmocka_unit_test(calls_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
