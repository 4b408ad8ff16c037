/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that come, record and are killed: every record arrives once. */
#include "launch/collect/ends.h"
#include "launch/collect/heading.h"
#include "launch/collect/roster.h"
#include "launch/collect/spool.h"
#include "trace/file/store.h"

#include "fakeapp.h"
#include "rawfile.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#define THREADS 4

struct rig {
	char dir[64], live[80], raw[96];
	struct weir_roster roster;
	struct weir_heading heading;
	struct weir_image_pass pass;
	struct weir_ends ends;
	_Atomic uint64_t *counts; /* shared with the child: commits made */
};

static int make_rig(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	strcpy(rig->dir, "/dev/shm/weir-test-XXXXXX");
	assert_non_null(mkdtemp(rig->dir));
	snprintf(rig->live, sizeof(rig->live), "%s/live", rig->dir);
	snprintf(rig->raw, sizeof(rig->raw), "%s/raw.weir", rig->dir);
	assert_int_equal(mkdir(rig->live, 0700), 0);
	rig->counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_int_equal(weir_roster_open(&rig->roster, rig->live), 0);
	weir_ends_open(&rig->ends, -1);
	rig->pass.ends = &rig->ends;
	rig->pass.chunks = malloc(WEIR_LIVE_UNITS * sizeof(*rig->pass.chunks));
	*state = rig;
	return 0;
}

static int drop_rig(void **state)
{
	struct rig *rig = *state;

	weir_spool_close(rig->pass.spool);
	weir_roster_close(&rig->roster);
	weir_ends_close(&rig->ends);
	free(rig->pass.chunks);
	munmap((void *)(uintptr_t)rig->counts, 4096);
	unlink(rig->raw);
	rmdir(rig->live);
	rmdir(rig->dir);
	free(rig);
	return 0;
}

static void open_spool(struct rig *rig)
{
	unlink(rig->raw);
	assert_int_equal(weir_spool_open(rig->raw, &rig->pass.spool), 0);
	memset(&rig->heading, 0, sizeof(rig->heading));
	memset((void *)(uintptr_t)rig->counts, 0, 4096);
}

static void close_spool(struct rig *rig)
{
	weir_spool_close(rig->pass.spool);
	rig->pass.spool = NULL;
}

static void do_round(struct rig *rig)
{
	rig->pass.round++;
	weir_roster_admit(&rig->roster, &rig->pass, &rig->heading);
	weir_roster_drain(&rig->roster, &rig->pass);
	weir_roster_reap(&rig->roster, &rig->pass, true);
}

struct job {
	struct fake_app *app;
	_Atomic uint64_t *count;
	uint64_t records;
};

static void *record_on(void *arg)
{
	struct job *job = arg;
	struct fake_thread thread;

	if (fake_begin(job->app, &thread))
		return NULL;
	for (uint64_t i = 0; i < job->records; i++) {
		fake_record(&thread, i);
		atomic_fetch_add(job->count, 1);
	}
	fake_end(&thread);
	return NULL;
}

/* A process of some threads in a pool so small that units are used again. */
static pid_t start_app(struct rig *rig, uint32_t units, uint64_t records)
{
	struct job jobs[THREADS];
	pthread_t threads[THREADS];
	struct fake_app app = {0};
	char path[128];
	pid_t pid = fork();

	if (pid)
		return pid;
	snprintf(path, sizeof(path), "%s/%d-0.live", rig->live, getpid());
	if (fake_open(&app, path, units, units))
		_exit(1);
	for (int i = 0; i < THREADS; i++) {
		jobs[i] = (struct job){&app, &rig->counts[i * 8], records};
		pthread_create(&threads[i], NULL, record_on, &jobs[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static bool is_running(pid_t pid)
{
	siginfo_t info = {0};

	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
	return !info.si_pid;
}

static void serve_until_gone(struct rig *rig, pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	for (int i = 0; i < 1000; i++) {
		do_round(rig);
		if (!rig->roster.count)
			return;
		usleep(1000);
	}
	fail();
}

static uint64_t sum_of_counts(struct rig *rig)
{
	uint64_t sum = 0;

	for (int i = 0; i < THREADS; i++)
		sum += atomic_load(&rig->counts[i * 8]);
	return sum;
}

/* Killed between a commit and its count, each thread may have one more. */
static void check_all_arrived(struct rig *rig, struct raw_file *raw)
{
	uint64_t offered = sum_of_counts(rig);
	uint64_t known;

	raw_read(raw, rig->raw);
	assert_int_equal(raw->broken, 0);
	assert_int_equal(raw->torn, 0);
	known = raw->records + raw->dropped + raw->lost;
	assert_true(known >= offered && known <= offered + THREADS);
	assert_true(raw->dropped - raw->told_drops == 0 || raw->dropped > 127);
	if (offered) {
		assert_int_equal(raw->dicts, 1);
		assert_true(raw->heads >= 1);
	}
}

static void records_arrive_in_order(void **state)
{
	struct rig *rig = *state;
	static struct raw_file raw;
	pid_t pid;

	open_spool(rig);
	pid = start_app(rig, 64, 100000);
	while (is_running(pid))
		do_round(rig);
	serve_until_gone(rig, pid);
	close_spool(rig);
	check_all_arrived(rig, &raw);
	assert_int_equal(sum_of_counts(rig), THREADS * 100000);
	assert_int_equal(raw.records + raw.dropped, THREADS * 100000);
	assert_int_equal(raw.procs, 2);
}

static void kills_lose_nothing(void **state)
{
	struct rig *rig = *state;
	static struct raw_file raw;

	for (int i = 0; i < 300; i++) {
		uint64_t until = weir_clock_ns(CLOCK_MONOTONIC) +
				 (uint64_t)(rand() % 3000) * 1000;
		pid_t pid;

		open_spool(rig);
		pid = start_app(rig, 8 + (uint32_t)rand() % 24, UINT64_MAX);
		while (weir_clock_ns(CLOCK_MONOTONIC) < until)
			do_round(rig);
		kill(pid, SIGKILL);
		serve_until_gone(rig, pid);
		close_spool(rig);
		check_all_arrived(rig, &raw);
	}
}

static void threads_come_and_go(void **state)
{
	struct rig *rig = *state;
	static struct raw_file raw;
	pid_t pid;

	open_spool(rig);
	pid = fork();
	if (!pid) {
		struct fake_app app = {0};
		struct fake_thread thread;
		char path[128];

		snprintf(path, sizeof(path), "%s/1-0.live", rig->live);
		if (fake_open(&app, path, 16, 16))
			_exit(1);
		for (int i = 0; i < 5000; i++) {
			while (fake_begin(&app, &thread))
				usleep(100);
			while (fake_record(&thread, 0))
				usleep(100);
			atomic_fetch_add(&rig->counts[0], 1);
			fake_end(&thread);
		}
		_exit(0);
	}
	while (is_running(pid))
		do_round(rig);
	serve_until_gone(rig, pid);
	close_spool(rig);
	raw_read(&raw, rig->raw);
	assert_int_equal(raw.broken, 0);
	assert_int_equal(raw.records, 5000);
}

static void calls_in_flight_are_told(void **state)
{
	struct rig *rig = *state;
	static struct raw_file raw;
	struct fake_thread thread;
	struct fake_app app = {0};
	char path[128];

	open_spool(rig);
	snprintf(path, sizeof(path), "%s/1-0.live", rig->live);
	assert_int_equal(fake_open(&app, path, 8, 8), 0);
	assert_int_equal(fake_begin(&app, &thread), 0);
	fake_record(&thread, 0);
	thread.slot->frames[0].start = 1000;
	thread.slot->frames[0].call = 5;
	thread.slot->frames[1].start = 2000;
	thread.slot->frames[1].call = 6;
	thread.commit += 3 * WEIR_COMMIT_DEPTH_ONE; /* the third: not filled */
	fake_publish(&thread);
	do_round(rig);
	assert_int_equal(rig->roster.count, 1);
	fake_close(&app);
	do_round(rig);
	assert_int_equal(rig->roster.count, 0);
	close_spool(rig);
	raw_read(&raw, rig->raw);
	assert_int_equal(raw.broken, 0);
	assert_int_equal(raw.records, 1);
	assert_int_equal(raw.entered, 2);
}

/* Of our own: whatever ends the test, the mount is gone with it. */
static int mount_disk(const char *disk)
{
	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -1;
	return mount("weir-test", disk, "tmpfs", 0, "size=8m");
}

/* Eight MiB of disk for far more records: each is somewhere in the ledger. */
static void full_disk_is_accounted_for(void **state)
{
	struct rig *rig = *state;
	static struct raw_file raw;
	char disk[80];
	pid_t pid;

	snprintf(disk, sizeof(disk), "%s/disk", rig->dir);
	mkdir(disk, 0700);
	if (mount_disk(disk)) {
		rmdir(disk);
		print_message("# SKIPPED: mounting needs root: %s\n",
			      strerror(errno));
		skip();
	}
	snprintf(rig->raw, sizeof(rig->raw), "%s/raw.weir", disk);
	open_spool(rig);
	pid = start_app(rig, 6000, 500000);
	while (is_running(pid))
		do_round(rig);
	serve_until_gone(rig, pid);
	assert_int_equal(weir_heading_update(&rig->heading,
					     weir_spool_store(rig->pass.spool)),
			 0);
	close_spool(rig);
	check_all_arrived(rig, &raw);
	print_message("# full disk: %llu stored, %llu lost, %llu dropped\n",
		      (unsigned long long)raw.records,
		      (unsigned long long)raw.lost,
		      (unsigned long long)raw.dropped);
	assert_true(raw.lost > 0);
	assert_int_equal(raw.records + raw.lost + raw.dropped,
			 THREADS * 500000);
	assert_int_equal(rig->roster.err, 0);
	assert_int_equal(raw.procs, 2);
	assert_int_equal(raw.heads, 2);
	unlink(rig->raw);
	umount(disk);
	rmdir(disk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(records_arrive_in_order,
						make_rig, drop_rig),
		cmocka_unit_test_setup_teardown(kills_lose_nothing, make_rig,
						drop_rig),
		cmocka_unit_test_setup_teardown(threads_come_and_go, make_rig,
						drop_rig),
		cmocka_unit_test_setup_teardown(calls_in_flight_are_told,
						make_rig, drop_rig),
		cmocka_unit_test_setup_teardown(full_disk_is_accounted_for,
						make_rig, drop_rig),
	};

	srand((unsigned)getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
