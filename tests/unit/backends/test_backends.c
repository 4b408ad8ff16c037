/* SPDX-License-Identifier: BSD-3-Clause */
/* Plug-ins: which can be loaded, and that each stores as it should. */
#include "kit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct weir_backend *used(void)
{
	return weir_backends_used;
}

static void what_is_wrong_is_said(void **state)
{
	static const struct {
		int (*load)(const char *, const char *);
		const char *name, *options;
		int err;
		const char *said;
	} cases[] = {
		{weir_backends_load, "nosuch", "", -ENOENT,
		 "no backend 'nosuch': it is posix"},
		{weir_backends_load, "", "", -ENOENT, "no backend ''"},
		{weir_backends_load, "pos*", "", -ENOENT, "no backend 'pos*'"},
		{weir_backends_load, "missing.so:a=b", "", -ENOENT,
		 "no backend 'missing.so'"},
		{weir_kit_load_broken, "old.so", "", -ENOEXEC,
		 "version 0; this is 2"},
		{weir_kit_load_broken, "lame.so", "", -ENOEXEC,
		 "has no sync()"},
		{weir_kit_load_broken, "dumb.so", "", -ENOEXEC,
		 "has no weir_backend"},
		{weir_kit_load_broken, "meson.build", "", -ENOENT,
		 "no backend"},
		{weir_kit_load, "posix", "rate=1", -EINVAL, "no options"},
		{weir_kit_load, "null", "rate=1", -EINVAL, "no options"},
		{weir_kit_load, "throttle", "rate=fast", -EINVAL, "rate=fast"},
		{weir_kit_load, "throttle", "speed=1", -EINVAL,
		 "no option 'speed='; it has rate=, burst=, latency=\n"},
		{weir_kit_load, "throttle", "rate", -EINVAL,
		 "no option 'rate'"},
		{weir_kit_load, "faulty", "errno=ENOSUCH", -EINVAL,
		 "no errno 'ENOSUCH'"},
		{weir_kit_load, "faulty", "op=jump", -EINVAL, "no op 'jump'"},
		{weir_kit_load, "faulty", "log=log", -ENOTDIR,
		 "log=log: not a whole path"},
		{weir_kit_load, "faulty", "log=/nowhere/log", -ENOENT,
		 "/nowhere/log: No such file"},
	};
	char said[512];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(weir_kit_hear(cases[i].load, cases[i].name,
					       cases[i].options, said),
				 cases[i].err);
		if (!strstr(said, cases[i].said))
			fail_msg("'%s' is not in: %s", cases[i].said, said);
		assert_null(weir_backends_used);
	}
}

static void check_bytes(const char *name, const char *expected, size_t length)
{
	char bytes[128];
	int fd = open(weir_kit_path(name), O_RDONLY);

	assert_int_equal(read(fd, bytes, sizeof(bytes)), length);
	assert_memory_equal(bytes, expected, length);
	close(fd);
}

static void check_extent(void *file, int64_t size)
{
	struct weir_backend_extent extent;
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	assert_int_equal(used()->extent(weir_backends_self, file, &extent), 0);
	assert_int_equal(extent.size, size);
	assert_int_equal(extent.links, 1);
	assert_true(extent.room > 0);
	assert_in_range(extent.seconds, time.tv_sec - 100, time.tv_sec + 1);
}

static void store(const char *name, const char *options)
{
	struct iovec parts[] = {{"abc", 3}, {"", 0}, {"defg", 4}};
	char bytes[16];
	void *file;

	assert_int_equal(weir_kit_load(name, options), 0);
	assert_string_equal(used()->name, name);
	file = weir_kit_open(name);
	assert_int_equal(used()->write(weir_backends_self, file, parts, 3, 2),
			 7);
	check_extent(file, 9);
	assert_int_equal(used()->read(weir_backends_self, file, bytes, 16, 1),
			 8);
	assert_memory_equal(bytes, "\0abcdefg", 8);
	assert_int_equal(used()->read(weir_backends_self, file, bytes, 16, 9),
			 0);
	assert_int_equal(used()->truncate(weir_backends_self, file, 5), 0);
	check_extent(file, 5);
	assert_int_equal(used()->sync(weir_backends_self, file), 0);
	weir_kit_close(file);
	weir_backends_end();
	check_bytes(name, "\0\0abc", 5);
}

static void bytes_are_stored(void **state)
{
	store("posix", "");
	store("posix", NULL);
	store("throttle", "");
	store("throttle", "rate=1G,latency=10us");
	store("faulty", "every=0");
}

static void errors_are_told(void **state)
{
	static const char *const names[] = {"posix", "throttle", "faulty"};
	struct iovec part = {"x", 1};

	for (size_t i = 0; i < 3; i++) {
		void *file;
		int fd = open("/dev/full", O_RDWR);

		assert_int_equal(weir_kit_load(names[i],
					       i == 2 ? "every=0" : ""), 0);
		assert_int_equal(used()->open(weir_backends_self, fd, &file),
				 0);
		assert_int_equal(used()->write(weir_backends_self, file, &part,
					       1, 0), -ENOSPC);
		assert_int_equal(used()->truncate(weir_backends_self, file, 1),
				 -EINVAL);
		weir_kit_close(file);
		assert_int_equal(fcntl(fd, F_GETFD), -1);
		weir_backends_end();
	}
}

static void null_keeps_sizes(void **state)
{
	char bytes[16];
	struct stat is;
	void *file;

	assert_int_equal(weir_kit_load("null", ""), 0);
	file = weir_kit_open("null");
	assert_int_equal(weir_kit_write(file, "hello", 1 << 20), 5);
	check_extent(file, (1 << 20) + 5);
	assert_int_equal(weir_kit_write(file, "hello", 0), 5);
	check_extent(file, (1 << 20) + 5);
	assert_int_equal(used()->read(weir_backends_self, file, bytes, 16,
				      1 << 20), 5);
	assert_memory_equal(bytes, "\0\0\0\0", 5);
	assert_int_equal(used()->truncate(weir_backends_self, file, 3), 0);
	assert_int_equal(used()->read(weir_backends_self, file, bytes, 16, 0),
			 3);
	assert_int_equal(used()->sync(weir_backends_self, file), 0);
	weir_kit_close(file);
	weir_backends_end();
	assert_int_equal(stat(weir_kit_path("null"), &is), 0);
	assert_int_equal(is.st_size, 3);
	assert_int_equal(is.st_blocks, 0);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Nanoseconds that 64 KiB in four writes take; nearly all of it asleep. */
static uint64_t time_of_writes(const char *options)
{
	static char block[16 << 10];
	struct iovec part = {block, sizeof(block)};
	uint64_t start, cpu;
	void *file;

	assert_int_equal(weir_kit_load("throttle", options), 0);
	file = weir_kit_open("slow");
	start = clock_ns(CLOCK_MONOTONIC);
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < 4; i++)
		assert_int_equal(used()->write(weir_backends_self, file, &part,
					       1, 0), sizeof(block));
	start = clock_ns(CLOCK_MONOTONIC) - start;
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	assert_true(cpu < start / 2);
	weir_kit_close(file);
	weir_backends_end();
	return start;
}

/* It may be slower on a busy machine, never faster. */
static void throttle_is_slow(void **state)
{
	assert_true(time_of_writes("rate=512K") >= 125000000);
	assert_true(time_of_writes("rate=512K,latency=20ms") >= 205000000);
	assert_true(time_of_writes("latency=20ms") >= 80000000);
	assert_true(time_of_writes("rate=256K,burst=32K") >= 124000000);
}

static void options_may_be_behind_the_name(void **state)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/weir-backend-faulty.so:log=%s/a.so:b",
		 getenv("WEIR_TEST_BACKENDS"), weir_kit_place);
	assert_int_equal(weir_backends_load(name, ""), 0);
	weir_backends_end();
	assert_int_equal(access(weir_kit_path("a.so:b"), F_OK), 0);
}

static void files_get_their_whole_path(void **state)
{
	static const char *const names[][2] = {
		{"posix", "posix"},
		{"faulty:log=./a.so", "faulty:log=./a.so"},
		{"there.so", "%s/there.so"},
		{"./there.so:a=b:c", "%s/there.so:a=b:c"},
		{"missing.so:x", "missing.so:x"},
	};
	char before[PATH_MAX], wanted[PATH_MAX], name[PATH_MAX];

	assert_non_null(getcwd(before, sizeof(before)));
	close(open(weir_kit_path("there.so"), O_CREAT | O_WRONLY, 0600));
	assert_int_equal(chdir(weir_kit_place), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *mark = strstr(names[i][1], "%s");

		snprintf(wanted, sizeof(wanted), "%s%s",
			 mark ? weir_kit_place : "",
			 mark ? mark + 2 : names[i][1]);
		assert_int_equal(weir_backends_place(names[i][0], name), 0);
		assert_string_equal(name, wanted);
	}
	assert_int_equal(chdir(before), 0);
}

static void the_example_works(void **state)
{
	char line[64] = "";
	FILE *log;
	void *file;

	assert_int_equal(weir_kit_load_broken("counted.so",
					      weir_kit_path("counts")), 0);
	file = weir_kit_open("counted");
	assert_int_equal(weir_kit_write(file, "hello", 0), 5);
	assert_int_equal(weir_kit_write(file, ", you", 5), 5);
	check_extent(file, 10);
	weir_kit_close(file);
	weir_backends_end();
	check_bytes("counted", "hello, you", 10);
	log = fopen(weir_kit_path("counts"), "r");
	assert_non_null(log);
	assert_non_null(fgets(line, sizeof(line), log));
	assert_string_equal(line, "2 requests, 10 bytes\n");
	fclose(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(bytes_are_stored),
		cmocka_unit_test(errors_are_told),
		cmocka_unit_test(null_keeps_sizes),
		cmocka_unit_test(throttle_is_slow),
		cmocka_unit_test(options_may_be_behind_the_name),
		cmocka_unit_test(files_get_their_whole_path),
		cmocka_unit_test(the_example_works),
	};

	return cmocka_run_group_tests(tests, weir_kit_begin, weir_kit_end);
}
