/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of weir's own processes, as a collector and the reader get them. */
#include "selftrace/selftrace.h"

#include "launch/collect/collector.h"
#include "launch/collect/collector_report.h"
#include "launch/directory/tracedir.h"
#include "trace/event/detail.h"
#include "trace/read/reader.h"
#include "trace/layout/trace_layout.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* As spec/serve.calls and backend.calls number them, for ever. */
enum {
	SERVE_WRITE = 1960,
	SERVE_COMMIT = 1964,
	SERVE_READ = 1965,
	SERVE_UNLINKED = 1971,
	SERVE_CALL = 1972,
	BACKEND_READ = 1981,
	BACKEND_SYNC = 1982,
	BACKEND_EXTENT = 1984,
};

#define THREADS 8
#define LINES	3000   /* of a thread */
#define FLOOD	800000 /* more than there is memory for */

struct rig {
	char dir[64];
	struct weir_tracedir place;
	struct weir_collector_report report;
	struct weir_reader *reader;
};

static int make_rig(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	strcpy(rig->dir, "/tmp/weir-test-XXXXXX");
	assert_non_null(mkdtemp(rig->dir));
	assert_int_equal(weir_tracedir_create(&rig->place, rig->dir), 0);
	assert_int_equal(weir_tracedir_lock(&rig->place), 0);
	assert_int_equal(weir_tracedir_make_live(&rig->place), 0);
	*state = rig;
	return 0;
}

static int drop_rig(void **state)
{
	struct rig *rig = *state;
	char command[PATH_MAX + 16];

	if (rig->reader)
		weir_reader_close(rig->reader);
	weir_tracedir_close(&rig->place);
	snprintf(command, sizeof(command), "rm -rf '%s'", rig->dir);
	assert_int_equal(system(command), 0);
	free(rig);
	return 0;
}

/* After the process has ended: nobody takes chunks from it meanwhile. */
static void collect(struct rig *rig)
{
	int control[2], reports[2];
	struct weir_collector_job job = {.place = &rig->place};

	assert_int_equal(pipe2(control, O_CLOEXEC), 0);
	assert_int_equal(pipe2(reports, O_CLOEXEC), 0);
	close(control[1]);
	job.control_fd = control[0];
	job.report_fd = reports[1];
	assert_int_equal(weir_collector_run(&job), 0);
	assert_int_equal(read(reports[0], &rig->report, sizeof(rig->report)),
			 sizeof(rig->report));
	close(control[0]);
	close(reports[0]);
	close(reports[1]);
}

/* What `write` does in a process of its own is read from the trace. */
static void play(struct rig *rig, void (*write)(void))
{
	struct weir_ownlive_trait traits[] = {
		{"role", "server"}, {"cache", "7"}, {NULL, NULL}};
	struct weir_ownlive_title title = {rig->place.live, "a service",
					   traits};
	pid_t pid = fork();

	if (!pid) {
		if (weir_selftrace_begin(&title))
			_exit(1);
		write();
		weir_selftrace_end();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	collect(rig);
	assert_int_equal(weir_reader_open(rig->dir, &rig->reader), 0);
}

static struct weir_event next(struct rig *rig)
{
	struct weir_event event;

	assert_int_equal(weir_reader_next(rig->reader, &event), 1);
	return event;
}

static uint64_t argument(struct rig *rig, const struct weir_event *event,
			 const char *name)
{
	struct weir_detail detail;
	struct weir_value value;

	weir_detail_start(&detail, event, weir_reader_call(rig->reader, event));
	while (weir_detail_next(&detail, &value))
		if (!strcmp(value.name, name) && value.given)
			return value.number;
	fail();
	return 0;
}

static void expect_file(struct rig *rig, const struct weir_event *event,
			const char *name)
{
	size_t length;
	const char *found = weir_reader_name(rig->reader, event->file, &length);

	assert_non_null(found);
	assert_int_equal(length, strlen(name));
	assert_memory_equal(found, name, length);
}

static void write_nested(void)
{
	uint32_t handle = weir_selftrace_name("/a/file");
	struct weir_selftrace_event commit = {.call = SERVE_COMMIT,
					      .handle = handle};
	struct weir_selftrace_event sync = {
		.call = BACKEND_SYNC, .handle = handle, .ret = -28};
	struct weir_selftrace_event written = {
		.call = SERVE_WRITE,
		.handle = handle,
		.start = weir_selftrace_now(),
		.size = 77,
		.off = 1 << 20,
		.has_off = true,
		.ret = 77,
	};

	weir_selftrace_enter(SERVE_COMMIT, handle);
	weir_selftrace_enter(BACKEND_SYNC, handle);
	weir_selftrace_leave(&sync);
	weir_selftrace_number(&written, UINT64_MAX);
	weir_selftrace_number(&written, 9);
	weir_selftrace_number(&written, 3);
	weir_selftrace_put(&written);
	weir_selftrace_number(&commit, 5);
	weir_selftrace_leave(&commit);
}

static void calls_are_nested(void **state)
{
	struct rig *rig = *state;
	struct weir_event written, commit, sync;

	play(rig, write_nested);
	written = next(rig);
	assert_int_equal(written.call, SERVE_WRITE);
	assert_int_equal(written.depth, 0);
	assert_int_equal(written.size, 77);
	assert_int_equal(written.off, 1 << 20);
	assert_int_equal(written.ret, 77);
	assert_true(argument(rig, &written, "for") == UINT64_MAX);
	assert_int_equal(argument(rig, &written, "batch"), 9);
	assert_int_equal(argument(rig, &written, "fate"), 3);
	expect_file(rig, &written, "/a/file");
	commit = next(rig);
	assert_int_equal(commit.call, SERVE_COMMIT);
	assert_int_equal(commit.depth, 0);
	assert_true(commit.flags & WEIR_EVENT_NOOFF);
	assert_int_equal(argument(rig, &commit, "for"), 5);
	assert_int_not_equal(commit.thread, written.thread);
	assert_true(written.start + written.dur <= commit.start + commit.dur);
	sync = next(rig);
	assert_int_equal(sync.call, BACKEND_SYNC);
	assert_int_equal(sync.depth, 1);
	assert_int_equal(sync.thread, commit.thread);
	assert_int_equal(sync.err, 28);
	assert_true(sync.start >= commit.start &&
		    sync.start + sync.dur <= commit.start + commit.dur);
	assert_int_equal(weir_reader_next(rig->reader, &sync), 0);
}

static void the_process_is_a_server(void **state)
{
	struct rig *rig = *state;
	const struct weir_procinfo *about;

	play(rig, write_nested);
	assert_int_equal(weir_reader_processes(rig->reader), 1);
	about = weir_reader_process(rig->reader, 1);
	assert_true(weir_procinfo_is_server(about));
	assert_string_equal(weir_procinfo_tells(about, "cache"), "7");
	assert_int_equal(about->arg_count, 1);
	assert_string_equal(about->args[0], "a service");
	assert_string_equal(about->state, "exited");
}

static void write_and_cancel(void)
{
	struct weir_selftrace_event inner = {.call = BACKEND_EXTENT};
	struct weir_selftrace_event outer = {.call = SERVE_UNLINKED};

	weir_selftrace_enter(SERVE_COMMIT, 0);
	if (weir_selftrace_cancel() || weir_selftrace_is_inside())
		_exit(2);
	weir_selftrace_enter(SERVE_UNLINKED, 0);
	weir_selftrace_enter(BACKEND_EXTENT, 0);
	weir_selftrace_leave(&inner);
	if (weir_selftrace_cancel())
		weir_selftrace_leave(&outer);
}

static void a_call_that_did_something_is_told(void **state)
{
	struct rig *rig = *state;
	struct weir_event event;

	play(rig, write_and_cancel);
	assert_int_equal(next(rig).call, SERVE_UNLINKED);
	event = next(rig);
	assert_int_equal(event.call, BACKEND_EXTENT);
	assert_int_equal(event.depth, 1);
	assert_int_equal(weir_reader_next(rig->reader, &event), 0);
}

static void die_within(void)
{
	weir_selftrace_enter(SERVE_READ, weir_selftrace_name("/b"));
	weir_selftrace_enter(BACKEND_READ, 0);
	raise(SIGKILL);
}

static void a_kill_leaves_what_was_entered(void **state)
{
	struct rig *rig = *state;
	struct weir_event event;

	play(rig, die_within);
	event = next(rig);
	assert_int_equal(event.call, SERVE_READ);
	assert_true(event.flags & WEIR_EVENT_ENTERED);
	expect_file(rig, &event, "/b");
	event = next(rig);
	assert_int_equal(event.call, BACKEND_READ);
	assert_int_equal(event.depth, 1);
	assert_string_equal(weir_reader_process(rig->reader, 1)->state, "cut");
}

static void *write_lines(void *unused)
{
	for (uint64_t i = 0; i < LINES; i++) {
		struct weir_selftrace_event event = {
			.call = SERVE_WRITE,
			.size = i,
			.has_off = true,
			.off = i * i,
			.ret = (int64_t)i,
		};

		weir_selftrace_number(&event, i);
		weir_selftrace_put(&event);
		event.call = SERVE_CALL;
		event.detail_bytes = 0;
		weir_selftrace_enter(event.call, 0);
		weir_selftrace_text(&event, "op");
		weir_selftrace_number(&event, i);
		weir_selftrace_leave(&event);
	}
	return unused;
}

/* One after the other: those that come use what the others left. */
static void write_by_many(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_lines, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void threads_write_at_once(void **state)
{
	struct rig *rig = *state;
	uint64_t sums[2] = {0}, counts[2] = {0};
	struct weir_event event;

	play(rig, write_by_many);
	while (weir_reader_next(rig->reader, &event) > 0) {
		int kind = event.call == SERVE_CALL;

		assert_int_equal(argument(rig, &event, "for"), event.size);
		assert_int_equal(event.off, event.size * event.size);
		assert_int_equal(event.ret, event.size);
		sums[kind] += event.size;
		counts[kind]++;
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(counts[i], THREADS * LINES);
		assert_int_equal(sums[i],
				 (uint64_t)THREADS * LINES * (LINES - 1) / 2);
	}
	assert_int_equal(rig->report.dropped, 0);
}

static void write_flood(void)
{
	for (uint64_t i = 0; i < FLOOD; i++) {
		struct weir_selftrace_event event = {
			.call = SERVE_WRITE,
			.size = i,
		};

		weir_selftrace_number(&event, UINT64_MAX);
		weir_selftrace_put(&event);
	}
}

static void what_finds_no_room_is_counted(void **state)
{
	struct rig *rig = *state;

	play(rig, write_flood);
	assert_true(rig->report.dropped > 0);
	assert_true(rig->report.totals.events > 0);
	assert_int_equal(rig->report.dropped + weir_reader_calls(rig->reader),
			 FLOOD);
}

static void nothing_is_written_without_a_trace(void **state)
{
	struct weir_selftrace_event event = {.call = SERVE_WRITE};
	struct weir_ownlive_title title = {.directory = "/nowhere/at/all"};

	assert_false(weir_selftrace_is_on);
	assert_false(weir_selftrace_enter(SERVE_READ, 0));
	assert_false(weir_selftrace_is_inside());
	assert_int_equal(weir_selftrace_name("/a"), 0);
	assert_int_equal(weir_selftrace_now(), 0);
	weir_selftrace_put(&event);
	assert_int_equal(weir_selftrace_begin(&title), -2);
	assert_false(weir_selftrace_is_on);
}

#define RIGGED(name) cmocka_unit_test_setup_teardown(name, make_rig, drop_rig)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_written_without_a_trace),
		RIGGED(calls_are_nested),
		RIGGED(the_process_is_a_server),
		RIGGED(a_call_that_did_something_is_told),
		RIGGED(a_kill_leaves_what_was_entered),
		RIGGED(threads_write_at_once),
		RIGGED(what_finds_no_room_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
