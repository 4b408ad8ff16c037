/* SPDX-License-Identifier: BSD-3-Clause */
/* Live files that are used again: as good as new, and never too soon. */
#include "launch/collect/reserve.h"
#include "trace/control/controlfile.h"
#include "trace/layout/control_layout.h"

#include "fakeapp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <cmocka.h>

#define FIRST WEIR_LIVE_FIRST_UNITS

static char dir[64];
static int dir_fd, control_fd;
static struct weir_reserve reserve;

static int set_up(void **state)
{
	(void)state;
	strcpy(dir, "/dev/shm/weir-test-XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(weir_controlfile_make(dir, NULL), 0);
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY);
	assert_int_equal(weir_controlfile_open(dir_fd, true, &control_fd), 0);
	weir_reserve_open(&reserve, dir_fd, control_fd);
	assert_non_null(reserve.control);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	weir_reserve_close(&reserve);
	weir_reserve_remove(dir_fd);
	unlinkat(dir_fd, "1-0.live", 0);
	unlinkat(dir_fd, WEIR_CONTROL_NAME, 0);
	close(control_fd);
	close(dir_fd);
	return rmdir(dir);
}

/* A process that wrote as many records, so that it used several units. */
static void play(struct fake_app *app, uint32_t units, uint64_t records)
{
	struct fake_thread thread;
	char path[80];

	snprintf(path, sizeof(path), "%s/1-0.live", dir);
	assert_int_equal(fake_open(app, path, units, units), 0);
	assert_int_equal(fake_begin(app, &thread), 0);
	for (uint64_t i = 0; i < records; i++)
		fake_record(&thread, i);
}

static bool keep(void)
{
	struct weir_live_view *view;
	bool kept;

	assert_int_equal(weir_live_open(dir_fd, "1-0.live", &view), 0);
	kept = weir_reserve_keep(&reserve, dir_fd, "1-0.live", view);
	weir_live_close(view);
	return kept;
}

static bool is_zeros(const char *name)
{
	size_t bytes = WEIR_LIVE_HEAD_BYTES +
		       (size_t)FIRST * WEIR_LIVE_UNIT_BYTES;
	uint8_t *data = malloc(bytes);
	int fd = openat(dir_fd, name, O_RDONLY);
	size_t i = 0;

	assert_non_null(data);
	assert_int_equal(pread(fd, data, bytes, 0), bytes);
	while (i < bytes && !data[i])
		i++;
	free(data);
	close(fd);
	return i == bytes;
}

static void a_used_file_becomes_as_good_as_new(void **state)
{
	struct fake_app app = {0};

	(void)state;
	play(&app, FIRST, 5000);
	fake_close(&app);
	assert_true(keep());
	assert_int_equal(reserve.control->reserve, UINT64_C(1) << 32);
	assert_int_equal(faccessat(dir_fd, "1-0.live", F_OK, 0), -1);
	assert_true(is_zeros("0" WEIR_CONTROL_RESERVE));
}

static void a_file_that_is_mapped_is_not_kept(void **state)
{
	struct fake_app app = {0};

	(void)state;
	play(&app, FIRST, 10);
	assert_false(keep());
	assert_int_equal(app.live->pid, getpid()); /* and not wiped */
	fake_close(&app);
}

static void a_file_of_another_size_is_not_kept(void **state)
{
	struct fake_app app = {0};

	(void)state;
	play(&app, FIRST + 1, 10);
	fake_close(&app);
	assert_false(keep());
}

static void only_so_many_are_kept(void **state)
{
	uint32_t kept = 0;

	(void)state;
	for (uint32_t i = 0; i < 100; i++) {
		struct fake_app app = {0};

		play(&app, FIRST, 1);
		fake_close(&app);
		kept += keep();
		unlinkat(dir_fd, "1-0.live", 0);
	}
	assert_in_range(kept, 2, 50);
}

/* Processes write it too: more taken than made must not wrap around. */
static void a_word_that_cannot_be_stops_it(void **state)
{
	struct fake_app app = {0};

	(void)state;
	play(&app, FIRST, 1);
	fake_close(&app);
	reserve.control->reserve = UINT64_C(3) << 32 | 4;
	assert_false(keep());
	reserve.control->reserve = UINT64_MAX;
	assert_false(keep());
}

static void the_end_leaves_nothing(void **state)
{
	struct fake_app app = {0};

	(void)state;
	play(&app, FIRST, 1);
	fake_close(&app);
	assert_true(keep());
	weir_reserve_end(&reserve);
	assert_int_equal(faccessat(dir_fd, "0" WEIR_CONTROL_RESERVE, F_OK, 0),
			 -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(a_used_file_becomes_as_good_as_new),
		TEST(a_file_that_is_mapped_is_not_kept),
		TEST(a_file_of_another_size_is_not_kept),
		TEST(only_so_many_are_kept),
		TEST(a_word_that_cannot_be_stops_it),
		TEST(the_end_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
