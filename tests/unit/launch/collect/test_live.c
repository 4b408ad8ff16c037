/* SPDX-License-Identifier: BSD-3-Clause */
/* Live files seen from outside: order, reuse, growth and hostile ones. */
#include "trace/file/store.h"
#include "trace/live/live.h"
#include "trace/live/salvage.h"

#include "fakeapp.h"
#include "rawfile.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

static struct weir_live_chunk chunks[WEIR_LIVE_UNITS];
static char dir[64], path[80];
static int dir_fd;

static int make_dir(void **state)
{
	(void)state;
	strcpy(dir, "/dev/shm/weir-test-XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/1-0.live", dir);
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY);
	return 0;
}

static int drop_dir(void **state)
{
	(void)state;
	unlink(path);
	close(dir_fd);
	return rmdir(dir);
}

static struct weir_live_view *open_view(void)
{
	struct weir_live_view *view;

	assert_int_equal(weir_live_open(dir_fd, "1-0.live", &view), 0);
	return view;
}

static void chunks_come_in_order(void **state)
{
	struct weir_live_view *view;
	struct fake_thread thread;
	struct fake_app app = {0};
	uint32_t expected = 1;

	(void)state;
	assert_int_equal(fake_open(&app, path, 100, 100), 0);
	/* The pool hands out low units first: start with the high ones. */
	app.live->free[0] = 0;
	assert_int_equal(fake_begin(&app, &thread), 0);
	view = open_view();
	for (uint64_t i = 0; thread.sequence < 20; i++) {
		fake_record(&thread, i);
		if (thread.sequence == 10)
			app.live->free[0] = ~UINT64_C(0);
	}
	assert_int_equal(weir_live_take(view, chunks), 19);
	for (uint32_t i = 0; i < 19; i++)
		assert_int_equal(chunks[i].sequence, expected++);
	assert_int_equal(weir_live_take(view, chunks), 19); /* still there */
	weir_live_release(view, chunks, 19);
	assert_int_equal(weir_live_take(view, chunks), 0);
	weir_live_close(view);
	fake_close(&app);
}

static void growing_adds_free_units(void **state)
{
	struct weir_live_view *view;
	struct fake_app app = {0};

	(void)state;
	assert_int_equal(fake_open(&app, path, 64, 1000), 0);
	view = open_view();
	assert_int_equal(weir_live_grow(view), 1);
	assert_int_equal(app.live->ready, 64 + WEIR_LIVE_WINDOW_UNITS);
	assert_int_equal(weir_live_grow(view), 1);
	assert_int_equal(app.live->ready, 1000);
	assert_int_equal(weir_live_grow(view), 0);
	assert_true(app.live->free[999 / 64] >> 999 % 64 & 1);
	assert_false(app.live->free[1000 / 64] >> 1000 % 64 & 1);
	memset(fake_unit(&app, 999), 1, WEIR_LIVE_UNIT_BYTES);
	weir_live_close(view);
	fake_close(&app);
}

static void a_gone_image_is_noticed(void **state)
{
	struct weir_live_view *view;
	struct fake_app app = {0};

	(void)state;
	assert_int_equal(fake_open(&app, path, 8, 8), 0);
	view = open_view();
	assert_false(weir_live_is_gone(view));
	fake_close(&app);
	assert_true(weir_live_is_gone(view));
	weir_live_close(view);
}

static void files_that_are_none_are_refused(void **state)
{
	struct weir_live_view *view;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);

	(void)state;
	assert_int_equal(weir_live_open(dir_fd, "1-0.live", &view), -EAGAIN);
	assert_int_equal(ftruncate(fd, WEIR_LIVE_HEAD_BYTES), 0);
	assert_int_equal(weir_live_open(dir_fd, "1-0.live", &view), -EAGAIN);
	assert_int_equal(pwrite(fd, "WEIRliv2", 8, 0), 8);
	assert_int_equal(weir_live_open(dir_fd, "1-0.live", &view), -EBADMSG);
	assert_int_equal(weir_live_load(dir_fd, "1-0.live", &view), -EBADMSG);
	close(fd);
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(weir_live_open(dir_fd, "1-0.live", &view), -ELOOP);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(weir_live_open(dir_fd, "1-0.live", &view), -EBADMSG);
}

static void a_file_cut_short_costs_only_itself(void **state)
{
	struct weir_live_view *view;
	struct fake_thread thread;
	struct fake_app app = {0};

	(void)state;
	assert_int_equal(fake_open(&app, path, 64, 64), 0);
	assert_int_equal(fake_begin(&app, &thread), 0);
	for (uint64_t i = 0; thread.sequence < 9; i++)
		fake_record(&thread, i);
	view = open_view();
	assert_int_equal(truncate(path, WEIR_LIVE_HEAD_BYTES), 0);
	weir_live_take(view, chunks);
	assert_true(weir_live_is_damaged(view));
	assert_int_equal(truncate(path, 0), 0);
	weir_live_take(view, chunks);
	assert_true(weir_live_is_gone(view));
	weir_live_close(view);
	munmap(app.live, app.size);
}

/* Random bytes everywhere: whatever comes out lies within bounds. */
static void noise_is_survived(void **state)
{
	static struct weir_salvage_rest rest;
	struct weir_live_view *view;
	struct fake_app app = {0};

	(void)state;
	for (unsigned seed = 0; seed < 300; seed++) {
		uint32_t *word, records, calls;

		srand(seed);
		unlink(path);
		assert_int_equal(fake_open(&app, path, 16, 16), 0);
		word = fake_unit(&app, 0);
		for (uint32_t i = 0; i < 16 * WEIR_LIVE_UNIT_BYTES / 4; i++)
			word[i] = rand() % 3 ? (uint32_t)rand() % 64
					     : (uint32_t)rand() * 5u;
		for (uint32_t i = 0; i < 16; i++)
			((struct weir_slot *)fake_unit(&app, i))->state =
				WEIR_SLOT_LIVE + rand() % 2;
		app.live->full[0] = (uint64_t)rand() << 32 | (uint64_t)rand();
		app.live->ready = seed % 2 ? UINT32_MAX : 16;
		app.live->slots = UINT32_MAX;
		view = open_view();
		for (uint32_t n = weir_live_take(view, chunks); n--;) {
			assert_true(chunks[n].used <= WEIR_LIVE_DATA_BYTES);
			weir_salvage_count(chunks[n].data, chunks[n].used,
					   &records, &calls);
			assert_true(calls <= records);
		}
		for (uint32_t i = 0; i < weir_live_slots(view); i++)
			weir_salvage_rest(view, i, &rest);
		weir_live_close(view);
		fake_close(&app);
	}
}

static void read_file(char *to, size_t size)
{
	int fd = open(path, O_RDONLY);

	assert_int_equal(read(fd, to, size), size);
	close(fd);
}

static void salvage_changes_nothing(void **state)
{
	static char before[WEIR_LIVE_HEAD_BYTES + 16 * WEIR_LIVE_UNIT_BYTES];
	static char after[sizeof(before)];
	static struct raw_file raw;
	char raw_path[80];
	struct weir_store *store;
	struct fake_thread thread;
	struct fake_app app = {0};
	uint32_t next = 5;

	(void)state;
	snprintf(raw_path, sizeof(raw_path), "%s/raw.weir", dir);
	assert_int_equal(fake_open(&app, path, 16, 16), 0);
	assert_int_equal(fake_begin(&app, &thread), 0);
	for (uint64_t i = 0; i < 5000; i++)
		fake_record(&thread, i);
	read_file(before, sizeof(before));
	assert_int_equal(weir_store_create(raw_path, &store), 0);
	assert_int_equal(weir_salvage_dir(dir, store, &next), 0);
	weir_store_close(store);
	read_file(after, sizeof(after));
	assert_memory_equal(before, after, sizeof(before));
	raw_read(&raw, raw_path);
	unlink(raw_path);
	assert_int_equal(raw.broken, 0);
	assert_int_equal(raw.records, 5000);
	assert_int_equal(next, 6);
	fake_close(&app);
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, make_dir, drop_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIR(chunks_come_in_order),
		IN_DIR(growing_adds_free_units),
		IN_DIR(a_gone_image_is_noticed),
		IN_DIR(files_that_are_none_are_refused),
		IN_DIR(a_file_cut_short_costs_only_itself),
		IN_DIR(noise_is_survived),
		IN_DIR(salvage_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
