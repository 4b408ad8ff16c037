/* SPDX-License-Identifier: BSD-3-Clause */
/* All is read and written, or it is said that it was not. */
#include "base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int memory(const char *text)
{
	int fd = memfd_create("whole", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(weir_whole_write(fd, text, strlen(text)), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void a_file_is_read_up_to_its_end(void **state)
{
	int fd = memory("twelve bytes");
	char text[32] = "";

	(void)state;
	assert_int_equal(weir_whole_fill(fd, text, sizeof(text)), 12);
	assert_string_equal(text, "twelve bytes");
	assert_int_equal(weir_whole_fill(fd, text, sizeof(text)), 0);
	assert_int_equal(weir_whole_fill_at(fd, text, 5, 7), 5);
	assert_memory_equal(text, "bytes", 5);
	close(fd);
}

static void what_lacks_is_an_error(void **state)
{
	int fd = memory("twelve bytes");
	char text[32];

	(void)state;
	assert_int_equal(weir_whole_read(fd, text, 6), 0);
	assert_memory_equal(text, "twelve", 6);
	assert_int_equal(weir_whole_read(fd, text, 7), -EBADMSG);
	assert_int_equal(weir_whole_read_at(fd, text, 12, 0), 0);
	assert_int_equal(weir_whole_read_at(fd, text, 12, 1), -EBADMSG);
	close(fd);
	assert_int_equal(weir_whole_read(fd, text, 1), -EBADF);
}

static void a_file_is_written_in_place(void **state)
{
	int fd = memory("twelve bytes");
	char text[13] = "";

	(void)state;
	assert_int_equal(weir_whole_write_at(fd, "eleven", 6, 0), 0);
	assert_int_equal(weir_whole_read_at(fd, text, 12, 0), 0);
	assert_string_equal(text, "eleven bytes");
	close(fd);
	fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(weir_whole_write(fd, text, 12), -ENOSPC);
	close(fd);
}

/* More than a pipe holds: neither side does it in one call. */
static void a_pipe_is_no_obstacle(void **state)
{
	enum { BYTES = 1 << 20 };
	char *bytes = calloc(1, BYTES), *got = malloc(BYTES);
	int ends[2], status;
	pid_t child;

	(void)state;
	assert_true(bytes && got);
	for (int i = 0; i < BYTES; i++)
		bytes[i] = (char)(i * 31);
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child)
		_exit(!!weir_whole_write(ends[1], bytes, BYTES));
	close(ends[1]);
	assert_int_equal(weir_whole_read(ends[0], got, BYTES), 0);
	assert_memory_equal(bytes, got, BYTES);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(ends[0]);
	free(bytes);
	free(got);
}

static void a_short_file_is_a_text(void **state)
{
	char text[8] = "before";

	(void)state;
	assert_int_equal(weir_whole_load("/proc/self/comm", text, 4), 3);
	assert_int_equal(strlen(text), 3);
	assert_int_equal(weir_whole_load("/there/is/none", text, 8), -ENOENT);
	assert_string_equal(text, "");
}

static void a_copy_ends_with_nul(void **state)
{
	int fd = memory("twelve bytes");
	char *text = weir_whole_copy(fd, 5, 7);

	(void)state;
	assert_string_equal(text, "bytes");
	free(text);
	assert_null(weir_whole_copy(fd, 6, 7));
	assert_int_equal(errno, EBADMSG);
	close(fd);
}

static void a_file_is_made_once(void **state)
{
	char path[] = "/tmp/weir-whole-XXXXXX", text[8];
	struct stat st;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(weir_whole_create(path, "text", 4), -EEXIST);
	unlink(path);
	assert_int_equal(weir_whole_create(path, "text", 4), 0);
	assert_int_equal(weir_whole_load(path, text, sizeof(text)), 4);
	assert_string_equal(text, "text");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_up_to_its_end),
		cmocka_unit_test(what_lacks_is_an_error),
		cmocka_unit_test(a_file_is_written_in_place),
		cmocka_unit_test(a_pipe_is_no_obstacle),
		cmocka_unit_test(a_short_file_is_a_text),
		cmocka_unit_test(a_copy_ends_with_nul),
		cmocka_unit_test(a_file_is_made_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
