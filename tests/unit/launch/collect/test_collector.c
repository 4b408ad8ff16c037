/* SPDX-License-Identifier: BSD-3-Clause */
/* The collector as a process: its report, its end, and its being killed. */
#include "launch/collect/collector.h"
#include "launch/collect/collector_report.h"
#include "launch/directory/tracedir.h"
#include "trace/file/store.h"
#include "trace/live/salvage.h"

#include "fakeapp.h"
#include "rawfile.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

struct rig {
	char dir[64];
	struct weir_tracedir place;
	int control, reports;
	pid_t collector;
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

static void clear(const char *dir)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	assert_int_equal(system(command), 0);
}

static int drop_rig(void **state)
{
	struct rig *rig = *state;

	weir_tracedir_close(&rig->place);
	if (rig->place.live[0])
		clear(rig->place.live);
	clear(rig->dir);
	free(rig);
	return 0;
}

static void start_collector(struct rig *rig)
{
	int control[2], reports[2];

	assert_int_equal(pipe2(control, O_CLOEXEC), 0);
	assert_int_equal(pipe2(reports, O_CLOEXEC), 0);
	rig->collector = fork();
	if (!rig->collector) {
		close(control[1]);
		_exit(weir_collector_run(&(struct weir_collector_job){
			      .place = &rig->place,
			      .control_fd = control[0],
			      .report_fd = reports[1]}) != 0);
	}
	close(control[0]);
	close(reports[1]);
	weir_tracedir_close(&rig->place);
	rig->control = control[1];
	rig->reports = reports[0];
}

/* Records `count` numbers in a process of its own; waits rather than drop. */
static pid_t start_app(struct rig *rig, uint64_t count, uint32_t units)
{
	struct fake_thread thread;
	struct fake_app app = {0};
	char path[PATH_MAX + 32];
	pid_t pid = fork();

	if (pid)
		return pid;
	close(rig->control);
	snprintf(path, sizeof(path), "%s/%d-0.live", rig->place.live, getpid());
	if (fake_open(&app, path, units, units) || fake_begin(&app, &thread))
		_exit(1);
	for (uint64_t i = 0; i < count; i++)
		fake_record(&thread, i);
	_exit(0);
}

static void wait_for(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void a_run_is_reported(void **state)
{
	struct rig *rig = *state;
	struct weir_collector_report report;
	char path[PATH_MAX];
	struct stat st;

	start_collector(rig);
	wait_for(start_app(rig, 100000, 2000));
	wait_for(start_app(rig, 10, 8));
	close(rig->control);
	assert_int_equal(read(rig->reports, &report, sizeof(report)),
			 sizeof(report));
	wait_for(rig->collector);
	close(rig->reports);
	assert_int_equal(report.news, WEIR_COLLECTOR_DONE);
	assert_int_equal(report.raw_error, 0);
	assert_int_equal(report.pack_error, 0);
	assert_int_equal(report.lost + report.dropped, 0);
	assert_int_equal(report.totals.processes, 2);
	assert_int_equal(report.totals.events, 100010);
	assert_int_equal(
		stat(weir_tracedir_path(&rig->place, ".weir", path), &st), 0);
	assert_int_equal(st.st_size, report.totals.bytes);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(
		lstat(weir_tracedir_path(&rig->place, ".live", path), &st), -1);
	assert_int_equal(
		lstat(weir_tracedir_path(&rig->place, ".lock", path), &st), -1);
	assert_int_equal(lstat(rig->place.live, &st), -1);
}

static void waiting_is_reported(void **state)
{
	struct rig *rig = *state;
	struct weir_collector_report report;
	struct fake_app app = {0};
	char path[PATH_MAX + 32];

	start_collector(rig);
	snprintf(path, sizeof(path), "%s/1-0.live", rig->place.live);
	assert_int_equal(fake_open(&app, path, 8, 8), 0);
	close(rig->control);
	assert_int_equal(read(rig->reports, &report, sizeof(report)),
			 sizeof(report));
	assert_int_equal(report.news, WEIR_COLLECTOR_WAITS);
	assert_int_equal(report.running, 1);
	fake_close(&app);
	assert_int_equal(read(rig->reports, &report, sizeof(report)),
			 sizeof(report));
	assert_int_equal(report.news, WEIR_COLLECTOR_DONE);
	close(rig->reports);
	wait_for(rig->collector);
}

/* What the dead collector stored and what lies in the live files. */
static void touch(const struct rig *rig, const char *suffix)
{
	char path[PATH_MAX];
	int fd = open(weir_tracedir_path(&rig->place, suffix, path),
		      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static bool is_there(const struct rig *rig, const char *suffix)
{
	char path[PATH_MAX];
	struct stat st;

	return !lstat(weir_tracedir_path(&rig->place, suffix, path), &st);
}

/* The trace was removed, and another run makes one of the same name. */
static void another_trace_of_that_name_stays(void **state)
{
	static const char *const files[] = {".weir", ".weir.tmp", ".live",
					    ".lock", NULL};
	struct weir_collector_report report;
	struct rig *rig = *state;

	start_collector(rig);
	wait_for(start_app(rig, 100000, 2000));
	while (!is_there(rig, ".weir.tmp"))
		usleep(1000);
	clear(rig->dir);
	assert_int_equal(mkdir(rig->dir, 0700), 0);
	for (int i = 0; files[i]; i++)
		touch(rig, files[i]);
	close(rig->control);
	assert_int_equal(read(rig->reports, &report, sizeof(report)),
			 sizeof(report));
	wait_for(rig->collector);
	close(rig->reports);
	for (int i = 0; files[i]; i++)
		assert_true(is_there(rig, files[i]));
	/* What was still to come had no place, and that is told. */
	assert_int_equal(report.pack_error, -ENOENT);
}

static void read_what_is_left(struct rig *rig, struct raw_file *raw)
{
	char raw_path[PATH_MAX], rest_path[PATH_MAX];
	struct weir_store *store;
	uint32_t next = 1;

	weir_tracedir_path(&rig->place, ".weir", raw_path);
	weir_tracedir_path(&rig->place, ".rest", rest_path);
	memset(raw, 0, sizeof(*raw));
	if (!access(raw_path, R_OK))
		raw_read_on(raw, raw_path);
	assert_int_equal(weir_store_create(rest_path, &store), 0);
	assert_int_equal(weir_salvage_dir(rig->place.live, store, &next), 0);
	weir_store_close(store);
	raw->may_repeat = 1;
	raw_read_on(raw, rest_path);
}

static void a_killed_collector_loses_nothing(void **state)
{
	static struct raw_file raw;
	int repeats = 0, stored = 0;

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct rig *rig;
		uint64_t known;
		pid_t app;

		make_rig((void **)&rig);
		start_collector(rig);
		app = start_app(rig, 200000, 600);
		usleep((useconds_t)(rand() % 8000));
		kill(rig->collector, SIGKILL);
		wait_for(rig->collector);
		wait_for(app);
		close(rig->control);
		close(rig->reports);
		read_what_is_left(rig, &raw);
		assert_int_equal(raw.broken, 0);
		known = raw.records + raw.dropped;
		if (known != 200000)
			print_message("# round %d: %llu records, %llu drops\n",
				      i, (unsigned long long)raw.records,
				      (unsigned long long)raw.dropped);
		assert_int_equal(known, 200000);
		repeats += raw.repeats;
		stored += raw.procs > 2;
		drop_rig((void **)&rig);
	}
	print_message("# killed: %d with blocks stored, %d chunks twice\n",
		      stored, repeats);
}

#define IN_RIG(test) cmocka_unit_test_setup_teardown(test, make_rig, drop_rig)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_RIG(a_run_is_reported),
		IN_RIG(waiting_is_reported),
		IN_RIG(another_trace_of_that_name_stays),
		cmocka_unit_test(a_killed_collector_loses_nothing),
	};

	srand((unsigned)getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
