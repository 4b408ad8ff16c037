/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass by several threads: who gets what, and what ends it. */
#include "analyse/facts/tracescan.h"

#include "analyse/compare/compare.h"
#include "analyse/findings/findings.h"
#include "check.h"
#include "crowdtrace.h"
#include "report/as_json.h"
#include "report/as_screen.h"
#include "sample.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the functions under test call instead of the real ones. */
int __wrap_weir_reader_next(struct weir_reader *reader,
			    struct weir_event *ret_event);
int __real_weir_reader_next(struct weir_reader *reader,
			    struct weir_event *ret_event);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*start)(void *), void *context);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*start)(void *), void *context);

static uint64_t fail_after; /* events; 0: never */
static int threads_left = -1; /* that can be had; -1: any number */

int __wrap_weir_reader_next(struct weir_reader *reader,
			    struct weir_event *ret_event)
{
	if (fail_after && !--fail_after)
		return -ESTALE;
	return __real_weir_reader_next(reader, ret_event);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*start)(void *), void *context)
{
	if (!threads_left)
		return EAGAIN;
	threads_left -= threads_left > 0;
	return __real_pthread_create(thread, attr, start, context);
}

static const struct weir_callviews_filter no_filter;
static uint64_t most_rows; /* memory for rows of files; 0: enough */

/* What a state was given. */
struct seen {
	uint64_t calls;
	uint64_t bytes;
	uint64_t last[1000]; /* moment of the last call on a file */
	uint8_t has[1000];
	uint64_t refuse_at;  /* the call at which it gives up; 0: none */
};

static int take(void *state, const struct weir_callview *view)
{
	struct seen *seen = state;

	assert_true(view->file < 1000);
	assert_true(view->real >= seen->last[view->file]);
	seen->last[view->file] = view->real;
	seen->has[view->file] = 1;
	seen->bytes += view->moved;
	return ++seen->calls == seen->refuse_at ? -ENOSPC : 0;
}

static int pass(int fd, struct seen *seen, unsigned count)
{
	void *states[WEIR_PASS_STATES];
	struct weir_names names = { 0 };
	struct weir_callviews *views;
	struct weir_reader *reader;
	int err;

	assert_int_equal(weir_reader_open(sample_path(fd), &reader), 0);
	assert_int_equal(weir_callviews_new(reader, &no_filter, &names, &views),
			 0);
	for (unsigned i = 0; i < WEIR_PASS_STATES; i++)
		states[i] = &seen[i];
	err = weir_tracescan_run(views, take, states, count);
	weir_callviews_free(views);
	weir_names_fini(&names);
	weir_reader_close(reader);
	return err;
}

static struct seen seen[WEIR_PASS_STATES];

static uint64_t calls_of_all(void)
{
	uint64_t calls = 0;

	for (int i = 0; i < WEIR_PASS_STATES; i++)
		calls += seen[i].calls;
	return calls;
}

static void a_file_is_one_state_s(void **state)
{
	int fd = crowdtrace_make(1);
	uint64_t calls = 0;

	for (unsigned count = 1; count <= WEIR_PASS_STATES; count++) {
		unsigned busy = 0;

		memset(seen, 0, sizeof(seen));
		assert_int_equal(pass(fd, seen, count), 0);
		calls = calls ? calls : calls_of_all();
		assert_int_equal(calls_of_all(), calls);
		for (unsigned file = 1; file < 1000; file++) {
			unsigned owners = 0;

			for (unsigned i = 0; i < WEIR_PASS_STATES; i++)
				owners += seen[i].has[file];
			assert_true(owners <= 1);
		}
		for (unsigned i = 0; i < WEIR_PASS_STATES; i++)
			busy += seen[i].calls > 0;
		assert_true(busy > 1);
	}
	assert_true(calls >= 2 * CROWDTRACE_PROCS * CROWDTRACE_CALLS);
	close(fd);
}

static void a_taker_s_error_ends_the_pass(void **state)
{
	int fd = crowdtrace_make(2);

	for (unsigned count = 1; count <= WEIR_PASS_STATES; count++) {
		for (uint64_t at = 1; at < 1000; at += 499) {
			memset(seen, 0, sizeof(seen));
			for (unsigned i = 0; i < WEIR_PASS_STATES; i++)
				seen[i].refuse_at = at;
			assert_int_equal(pass(fd, seen, count), -ENOSPC);
			for (unsigned i = 0; i < WEIR_PASS_STATES; i++)
				assert_true(seen[i].calls <= at);
		}
	}
	close(fd);
}

/* Also when the batch that fails is the last one. */
static void a_late_error_is_told(void **state)
{
	int fd = crowdtrace_make(3);
	uint64_t calls;

	memset(seen, 0, sizeof(seen));
	assert_int_equal(pass(fd, seen, 2), 0);
	calls = seen[1].calls;
	memset(seen, 0, sizeof(seen));
	seen[1].refuse_at = calls;
	assert_int_equal(pass(fd, seen, 2), -ENOSPC);
	close(fd);
}

static void the_reader_s_error_ends_the_pass(void **state)
{
	int fd = crowdtrace_make(4);

	for (unsigned count = 1; count <= WEIR_PASS_STATES; count++) {
		memset(seen, 0, sizeof(seen));
		fail_after = 5000;
		assert_int_equal(pass(fd, seen, count), -ESTALE);
		assert_int_equal(calls_of_all(), 4999);
	}
	close(fd);
}

static void fewer_threads_do_it_too(void **state)
{
	int fd = crowdtrace_make(5);
	uint64_t calls;

	memset(seen, 0, sizeof(seen));
	assert_int_equal(pass(fd, seen, 1), 0);
	calls = calls_of_all();
	for (int left = 0; left < 3; left++) {
		memset(seen, 0, sizeof(seen));
		threads_left = left;
		assert_int_equal(pass(fd, seen, 4), 0);
		assert_int_equal(calls_of_all(), calls);
	}
	threads_left = -1;
	close(fd);
}

/* Also when a process's first call on it never returned. */
static void processes_of_files_are_counted(void **state)
{
	for (unsigned workers = 1; workers < 4; workers++) {
		struct weir_runfacts facts = { 0 };
		const struct weir_stock *files = &facts.totals.files;
		struct weir_reader *reader;
		int fd = crowdtrace_make(6);
		unsigned shared = 0;

		assert_int_equal(weir_reader_open(sample_path(fd), &reader),
				 0);
		assert_int_equal(weir_runfacts_gather(&facts, reader,
						      &no_filter, workers), 0);
		for (size_t i = 0; i < files->count; i++)
			shared += weir_stock_at(files, i)->processes ==
				  CROWDTRACE_PROCS;
		assert_int_equal(shared, 2 * CROWDTRACE_SHARED);
		assert_int_equal(facts.totals.entered, 2 * CROWDTRACE_PROCS);
		weir_runfacts_fini(&facts);
		weir_reader_close(reader);
		close(fd);
	}
}

/* Beyond a number that memory can bear, calls are summed up only. */
static void too_many_pairs_are_not_looked_into(void **state)
{
	struct weir_names names = { 0 };
	struct weir_callviews *views;
	struct weir_reader *reader;
	int fd = crowdtrace_make(7);
	uint32_t pair;

	assert_int_equal(weir_reader_open(sample_path(fd), &reader), 0);
	assert_int_equal(weir_callviews_new(reader, &no_filter, &names, &views),
			 0);
	for (uint32_t i = 0; i < WEIR_CALLVIEWS_PAIRS; i++) {
		assert_int_equal(
			weir_callviews_pair(views, i / 512 + 1, i % 512, &pair),
			1);
		assert_int_equal(pair, i + 1);
	}
	assert_false(weir_callviews_overflowed(views));
	assert_int_equal(weir_callviews_pair(views, 1, 512, &pair), 0);
	assert_int_equal(pair, 0);
	assert_true(weir_callviews_overflowed(views));
	assert_int_equal(weir_callviews_pair(views, 1, 1, &pair), 0);
	assert_int_equal(pair, 2); /* as before */
	assert_int_equal(weir_callviews_pair(views, 0, 1, &pair), 0);
	assert_int_equal(pair, 0);
	weir_callviews_free(views);
	weir_names_fini(&names);
	weir_reader_close(reader);
	close(fd);
}

static int speaks(const struct weir_findings *findings, uint32_t rule)
{
	for (size_t i = 0; i < findings->count; i++)
		if (findings->list[i].rule == &weir_rules[rule])
			return 1;
	return 0;
}

/* All that `weir report` prints, in both forms. */
static char *report_of(int fd, unsigned workers)
{
	struct weir_runfacts facts = { .most_rows = most_rows };
	struct weir_findings findings = { 0 };
	struct weir_as_screen screen = {
		.facts = &facts, .findings = &findings, .top = 100,
		.details = 1,
	};
	struct weir_reader *reader;
	struct weir_text out;
	struct stat size;
	int to = sample_file();
	char *text;

	assert_int_equal(weir_reader_open(sample_path(fd), &reader), 0);
	assert_int_equal(weir_runfacts_gather(&facts, reader, &no_filter,
					      workers), 0);
	assert_int_equal(weir_findings_conclude(&facts, &findings), 0);
	assert_true(speaks(&findings, WEIR_RULE_SCATTERED_WRITES));
	assert_true(speaks(&findings, WEIR_RULE_CHUNKS_AGAIN));
	assert_true(speaks(&findings, WEIR_RULE_SAME_READS));
	screen.reader = reader;
	assert_int_equal(weir_text_init(&out, to), 0);
	assert_int_equal(weir_as_json_write(&out, &facts, &findings, reader),
			 0);
	assert_int_equal(weir_as_screen_write(&out, &screen), 0);
	assert_int_equal(weir_text_flush(&out), 0);
	weir_text_fini(&out);
	assert_int_equal(fstat(to, &size), 0);
	text = calloc(1, (size_t)size.st_size + 1);
	assert_int_equal(pread(to, text, (size_t)size.st_size, 0),
			 size.st_size);
	close(to);
	weir_findings_fini(&findings);
	weir_runfacts_fini(&facts);
	weir_reader_close(reader);
	return text;
}

static void the_report_does_not_tell_how_many_worked(void **state)
{
	static const unsigned counts[] = { 2, 3, 5, 8 };

	for (uint64_t seed = 10; seed < 13; seed += SEVERAL) {
		int fd = crowdtrace_make(seed);
		char *alone = report_of(fd, 1);

		for (int i = 0; i < 4; i++) {
			char *text = report_of(fd, counts[i]);

			assert_string_equal(text, alone);
			free(text);
		}
		free(alone);
		close(fd);
	}
}

/* Nor when there is no room for a row of each file. */
static void files_are_added_up_by_any_number(void **state)
{
	int fd = crowdtrace_make(14);
	char *whole = report_of(fd, 1), *alone;

	most_rows = WEIR_PASS_STATES; /* a byte each */
	alone = report_of(fd, 1);
	assert_null(strstr(whole, "files added up"));
	assert_non_null(strstr(alone, "files added up"));
	for (unsigned workers = 2; workers < 6; workers += 3) {
		char *text = report_of(fd, workers);

		assert_string_equal(text, alone);
		free(text);
	}
	most_rows = 0;
	free(alone);
	free(whole);
	close(fd);
}

/* Two runs, of which files may have no row. */
static void compare_short_of_memory(int fds[2], struct weir_compare *compare,
				    struct weir_compare_run runs[2])
{
	static struct weir_findings none;

	for (int i = 0; i < 2; i++) {
		struct weir_runfacts *facts = calloc(1, sizeof(*facts));
		struct weir_reader *reader;

		facts->most_rows = WEIR_PASS_STATES;
		facts->runs = 2;
		assert_int_equal(weir_reader_open(sample_path(fds[i]),
						  &reader), 0);
		assert_int_equal(weir_runfacts_gather(facts, reader,
						      &no_filter, 1), 0);
		runs[i] = (struct weir_compare_run){ "x", reader, facts,
						     &none };
	}
	assert_int_equal(weir_compare_make(compare, runs, 5), 0);
}

/* What one run has alone, the other may have added up: nobody knows. */
static void compared_files_are_all_there(void **state)
{
	int fds[2] = { crowdtrace_make(15), crowdtrace_make(16) };
	struct weir_compare compare = { 0 };
	struct weir_compare_run runs[2];

	compare_short_of_memory(fds, &compare, runs);
	assert_true(compare.files.count > 0);
	assert_int_equal(compare.files.only[0] + compare.files.only[1], 0);
	for (int run = 0; run < 2; run++) {
		uint64_t calls = compare.others.calls.of[run];
		uint64_t files = compare.others.members[run];

		for (size_t i = 0; i < compare.files.count; i++) {
			calls += compare.files.list[i].calls.of[run];
			files += compare.files.list[i].members[run];
		}
		assert_true(compare.others.members[run] > 0);
		assert_int_equal(calls, compare.figures[WEIR_FIGURE_CALLS]
						.of[run]);
		/* and the calls on no file */
		assert_in_range(files,
				compare.figures[WEIR_FIGURE_FILES].of[run],
				compare.figures[WEIR_FIGURE_FILES].of[run] + 1);
	}
	weir_compare_fini(&compare);
	for (int i = 0; i < 2; i++) {
		weir_runfacts_fini((struct weir_runfacts *)runs[i].facts);
		free((void *)runs[i].facts);
		weir_reader_close((struct weir_reader *)runs[i].reader);
		close(fds[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_one_state_s),
		cmocka_unit_test(a_taker_s_error_ends_the_pass),
		cmocka_unit_test(a_late_error_is_told),
		cmocka_unit_test(the_reader_s_error_ends_the_pass),
		cmocka_unit_test(fewer_threads_do_it_too),
		cmocka_unit_test(processes_of_files_are_counted),
		cmocka_unit_test(too_many_pairs_are_not_looked_into),
		cmocka_unit_test(the_report_does_not_tell_how_many_worked),
		cmocka_unit_test(files_are_added_up_by_any_number),
		cmocka_unit_test(compared_files_are_all_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
