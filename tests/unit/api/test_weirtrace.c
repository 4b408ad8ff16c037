/* SPDX-License-Identifier: BSD-3-Clause */
/* The library for other programs: filters, refusals, values, losses. */
#include "check.h"
#include "sample.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <weir/trace.h>

static struct weirtrace *open_sample(int rounds)
{
	int fd = sample_packed(rounds);
	struct weirtrace *trace;

	assert_int_equal(weirtrace_open(sample_path(fd), &trace), 0);
	close(fd);
	return trace;
}

static const struct weirtrace_event *find(struct weirtrace *trace,
					  const char *name)
{
	const struct weirtrace_event *event;

	while (weirtrace_next(trace, &event) > 0)
		if (!strcmp(weirtrace_event_name(event), name))
			return event;
	fail_msg("there is no %s", name);
	return NULL;
}

static uint64_t count_events(struct weirtrace *trace)
{
	const struct weirtrace_event *event;
	uint64_t count = 0;
	int more;

	while ((more = weirtrace_next(trace, &event)) > 0)
		count++;
	assert_int_equal(more, 0);
	return count;
}

static void every_event_is_handed_out(void **state)
{
	struct weirtrace *trace = open_sample(SAMPLE_ROUNDS);

	assert_int_equal(count_events(trace), SAMPLE_EVENTS(SAMPLE_ROUNDS));
	assert_false(weirtrace_is_damaged(trace));
	weirtrace_close(trace);
	weirtrace_close(NULL);
}

static void texts_end_with_nul_and_tell_their_length(void **state)
{
	static const char path[] = "\xff\x1b[31m \"quoted\\\" \xc3\xa9\n";
	struct weirtrace *trace = open_sample(1);
	const struct weirtrace_event *event = find(trace, "openat");
	const struct weirtrace_value *value;
	size_t len;

	value = weirtrace_event_find(event, "path");
	assert_non_null(value);
	assert_int_equal(weirtrace_value_type(value), WEIRTRACE_TEXT);
	assert_string_equal(weirtrace_value_text(value, &len), path);
	assert_int_equal(len, strlen(path));
	assert_string_equal(weirtrace_value_show(value), "quoted");
	assert_int_equal(weirtrace_value_unsigned(value), 0);
	assert_null(weirtrace_value_member(value, 0));
	assert_null(weirtrace_event_find(event, "nothing"));
	assert_null(weirtrace_event_argument(event, 1000));
	value = weirtrace_event_find(event, "dir");
	assert_int_equal(weirtrace_value_signed(value), -100);
	assert_string_equal(weirtrace_value_text(value, NULL), "");
	weirtrace_close(trace);
}

static void values_form_a_tree(void **state)
{
	struct weirtrace *trace = open_sample(1);
	const struct weirtrace_value *value, *member;

	value = weirtrace_event_find(find(trace, "stat"), "st");
	assert_int_equal(weirtrace_value_type(value), WEIRTRACE_RECORD);
	assert_int_equal(weirtrace_value_members(value), 13);
	member = weirtrace_value_member(value, 7);
	assert_string_equal(weirtrace_value_name(member), "size");
	assert_int_equal(weirtrace_value_unsigned(member), 0100007);
	assert_null(weirtrace_value_member(value, 13));

	value = weirtrace_event_find(find(trace, "writev"), "vec");
	assert_int_equal(weirtrace_value_type(value), WEIRTRACE_LIST);
	assert_int_equal(weirtrace_value_members(value), 2);
	member = weirtrace_value_member(value, 1);
	assert_int_equal(weirtrace_value_type(member), WEIRTRACE_RECORD);
	member = weirtrace_value_member(member, 1);
	assert_string_equal(weirtrace_value_name(member), "length");
	assert_int_equal(weirtrace_value_unsigned(member),
			 0x7fff00001000 + 16);

	value = weirtrace_event_find(find(trace, "pipe"), "fds");
	member = weirtrace_value_member(value, 1);
	assert_int_equal(weirtrace_value_signed(member), 8);
	assert_string_equal(weirtrace_value_name(member), "");
	weirtrace_close(trace);
}

static void filters_come_before_events(void **state)
{
	struct weirtrace *trace = open_sample(10);
	const struct weirtrace_event *event;

	assert_int_equal(weirtrace_only_process(trace, "100"), 0);
	assert_int_equal(weirtrace_only_file(trace, "*/in*"), 0);
	assert_int_equal(weirtrace_only_file(trace, "*.bin"), 0);
	assert_int_equal(weirtrace_next(trace, &event), 1);
	do {
		const struct weirtrace_process *process =
			weirtrace_nth_process(trace,
					      weirtrace_event_process(event));

		assert_int_equal(weirtrace_process_pid(process), 100);
		assert_string_equal(weirtrace_event_path(event, NULL),
				    "/home/user/in.bin");
	} while (weirtrace_next(trace, &event) > 0);
	assert_int_equal(weirtrace_only_process(trace, "1"), -EBUSY);
	assert_int_equal(weirtrace_only_file(trace, "*"), -EBUSY);
	assert_int_equal(weirtrace_only_between(trace, 0, 1), -EBUSY);
	weirtrace_close(trace);

	trace = open_sample(10);
	assert_int_equal(weirtrace_only_process(trace, "200"), 0);
	assert_int_equal(count_events(trace), 1);
	weirtrace_close(trace);

	trace = open_sample(10);
	assert_int_equal(weirtrace_only_between(trace, UINT64_MAX - 1,
						UINT64_MAX), 0);
	assert_int_equal(count_events(trace), 0);
	weirtrace_close(trace);
}

static void losses_and_processes_are_told(void **state)
{
	struct weirtrace *trace = open_sample(1);
	const struct weirtrace_event *event = find(trace, "weir:loss");
	const struct weirtrace_process *process;

	assert_true(weirtrace_event_flags(event) & WEIRTRACE_LOSS);
	assert_int_equal(weirtrace_event_size(event), 1);
	assert_int_equal(weirtrace_event_arguments(event), 0);
	assert_string_equal(weirtrace_event_role(event), "");
	assert_true(weirtrace_count(trace, WEIRTRACE_DROPPED));
	assert_int_equal(weirtrace_count(trace, WEIRTRACE_OVERWRITTEN), 0);
	assert_int_equal(weirtrace_count(trace, 4711), 0);
	assert_int_equal(weirtrace_count(trace, 0), 0);
	process = weirtrace_nth_process(trace, 1);
	assert_int_equal(weirtrace_process_pid(process), 100);
	assert_string_equal(weirtrace_process_host(process), "node01");
	assert_string_equal(weirtrace_process_argument(process, 1),
			    "two\nlines 100%");
	assert_null(weirtrace_process_argument(process, 2));
	assert_string_equal(weirtrace_process_state(process), "exited");
	assert_null(weirtrace_nth_process(trace, 0));
	assert_null(weirtrace_nth_process(trace,
					  weirtrace_processes(trace) + 1));
	assert_null(weirtrace_nth_file(trace, 0, NULL));
	assert_null(weirtrace_nth_file(trace, weirtrace_files(trace) + 1,
				       NULL));
	weirtrace_close(trace);
}

static void what_is_no_trace_is_refused_in_words(void **state)
{
	struct weirtrace *trace = NULL;
	int fd = sample_file();

	assert_int_equal(write(fd, "nothing of the kind", 19), 19);
	assert_int_equal(weirtrace_open(sample_path(fd), &trace), -EBADMSG);
	assert_int_equal(weirtrace_open("/nowhere", &trace), -ENOENT);
	assert_null(trace);
	assert_string_equal(weirtrace_strerror(-EBADMSG), "not a trace");
	assert_string_equal(weirtrace_strerror(-ENOENT),
			    "No such file or directory");
	assert_string_equal(weirtrace_strerror(-123456), "unknown error");
	assert_string_equal(weirtrace_version(), WEIR_VERSION);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_is_handed_out),
		cmocka_unit_test(texts_end_with_nul_and_tell_their_length),
		cmocka_unit_test(values_form_a_tree),
		cmocka_unit_test(filters_come_before_events),
		cmocka_unit_test(losses_and_processes_are_told),
		cmocka_unit_test(what_is_no_trace_is_refused_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
