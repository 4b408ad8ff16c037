/* SPDX-License-Identifier: BSD-3-Clause */
/* Rescue files: what goes in comes out, and damaged ones are refused. */
#include "../stand.h"

#include "serve/failures/failures.h"
#include "serve/failures/unstored.h"
#include "serve/files/filefailures.h"
#include "serve/rescue/rescueall.h"
#include "serve/rescue/rescuefile.h"
#include "serve/staging/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], target[128], rescue[PATH_MAX];

static void make_target(void)
{
	struct stand_file *file = &stand_files[0];
	struct stat st;

	file->fd = open(target, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(file->fd >= 0);
	assert_int_equal(pwrite(file->fd, "0123456789", 10, 0), 10);
	assert_int_equal(fstat(file->fd, &st), 0);
	file->file.kept->dev = st.st_dev;
	file->file.kept->ino = st.st_ino;
	strcpy(file->file.kept->path, target);
}

/* Two writes in a row, one apart, and one that needs two ranges. */
static void fail_to_store(void)
{
	static char large[WEIR_RESCUEFILE_RANGE + 10];

	memset(large, 'z', sizeof(large));
	stand_files[0].bad_end = UINT64_MAX;
	stand_files[0].bad_error = ENOSPC;
	stand_write(0, 2, "ab", 2);
	stand_write(0, 4, "cd", 2);
	stand_write(0, 8, "xy", 2);
	stand_write(0, 100, large, sizeof(large));
	assert_int_equal(weir_stage_file(&stand_files[0].file), -ENOSPC);
}

static int begin(void **state)
{
	int err = stand_begin(state);

	strcpy(folder, "/tmp/weir-rescue-XXXXXX");
	if (err || !mkdtemp(folder))
		return -1;
	snprintf(target, sizeof(target), "%s/data", folder);
	make_target();
	fail_to_store();
	assert_int_equal(weir_rescueall(folder), 0);
	strcpy(rescue, weir_state->ledger[0].rescue);
	return 0;
}

static int end(void **state)
{
	unlink(rescue);
	unlink(target);
	rmdir(folder);
	close(stand_files[0].fd);
	return stand_end(state);
}

static void what_goes_in_comes_out(void **state)
{
	char bytes[10];
	struct stat st;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(weir_state->ledger[i].fate,
				 WEIR_FATE_RESCUED);
	assert_int_equal(weir_rescuefile_recover(rescue, false), 0);
	assert_int_equal(pread(stand_files[0].fd, bytes, 10, 0), 10);
	assert_memory_equal(bytes, "01abcd67xy", 10);
	assert_int_equal(fstat(stand_files[0].fd, &st), 0);
	assert_int_equal(st.st_size, 100 + WEIR_RESCUEFILE_RANGE + 10);
	assert_int_equal(pread(stand_files[0].fd, bytes, 10,
			       st.st_size - 10), 10);
	assert_memory_equal(bytes, "zzzzzzzzzz", 10);
	/* and it is over */
	assert_int_equal(access(rescue, F_OK), -1);
}

static int try_copy(const unsigned char *bytes, size_t size)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);
	struct weir_rescuefile boat;
	int err;

	assert_int_equal(write(fd, bytes, size), size);
	err = weir_rescuefile_open(fd, &boat);
	if (!err)
		weir_rescuefile_close(&boat);
	close(fd);
	return err;
}

static unsigned char *read_rescue(size_t *ret_size)
{
	int fd = open(rescue, O_RDONLY);
	struct stat st;
	unsigned char *bytes;

	fstat(fd, &st);
	bytes = malloc((size_t)st.st_size + 1);
	*ret_size = (size_t)read(fd, bytes, (size_t)st.st_size);
	close(fd);
	return bytes;
}

static void damaged_ones_are_refused(void **state)
{
	size_t size;
	unsigned char *bytes = read_rescue(&size);

	(void)state;
	assert_int_equal(try_copy(bytes, size), 0);
	/* all of the head and the path, some of the rest */
	for (size_t i = 0; i < size; i += i < 200 ? 1 : size / 50) {
		bytes[i] ^= 0x10;
		assert_int_equal(try_copy(bytes, size), -EBADMSG);
		bytes[i] ^= 0x10;
	}
	for (size_t cut = 0; cut < size; cut += size / 50)
		assert_int_equal(try_copy(bytes, cut), -EBADMSG);
	bytes[size] = 0;
	assert_int_equal(try_copy(bytes, size + 1), -EBADMSG);
	free(bytes);
}

static void a_file_that_was_changed_is_left_alone(void **state)
{
	char byte;

	(void)state;
	assert_int_equal(pwrite(stand_files[0].fd, "new!", 4, 0), 4);
	assert_int_equal(ftruncate(stand_files[0].fd, 11), 0);
	assert_int_equal(weir_rescuefile_recover(rescue, false), -ESTALE);
	assert_int_equal(pread(stand_files[0].fd, &byte, 1, 3), 1);
	assert_int_equal(byte, '!');
	assert_int_equal(access(rescue, F_OK), 0);
	assert_int_equal(weir_rescuefile_recover(rescue, true), 0);
	assert_int_equal(pread(stand_files[0].fd, &byte, 1, 3), 1);
	assert_int_equal(byte, 'b');
}

static void another_file_by_this_name_is_left_alone(void **state)
{
	char kept[160];
	struct stat st;
	int fd;

	(void)state;
	snprintf(kept, sizeof(kept), "%s.old", target);
	assert_int_equal(rename(target, kept), 0);
	fd = open(target, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(weir_rescuefile_recover(rescue, false), -ESTALE);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 0);
	unlink(target);
	assert_int_equal(weir_rescuefile_recover(rescue, true), -ENOENT);
	/* never through a link */
	assert_int_equal(symlink(kept, target), 0);
	assert_int_equal(weir_rescuefile_recover(rescue, true), -ELOOP);
	close(fd);
	unlink(kept);
}

static void one_that_is_there_is_not_overwritten(void **state)
{
	size_t size, size_again;
	unsigned char *before = read_rescue(&size), *again;
	char name[PATH_MAX];

	(void)state;
	assert_int_equal(
		weir_rescuefile_write(folder, &stand_files[0].file, name), 0);
	assert_string_not_equal(name, rescue);
	again = read_rescue(&size_again);
	assert_int_equal(size, size_again);
	assert_memory_equal(before, again, size);
	free(before);
	free(again);
	unlink(name);
}

static void what_no_name_leads_to_is_given_up(void **state)
{
	(void)state;
	unlink(target);
	stand_files[0].bad_error = EIO;
	weir_failures_read();
	weir_filefailures_add(&stand_files[0].file, 2, 4, EIO);
	assert_int_equal(weir_unstored_count(), 1);
	assert_int_equal(weir_rescueall(folder), 0);
	assert_int_equal(weir_state->ledger[weir_state->failures - 1].fate,
			 WEIR_FATE_DISCARDED);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(what_goes_in_comes_out),
		CASE(damaged_ones_are_refused),
		CASE(a_file_that_was_changed_is_left_alone),
		CASE(another_file_by_this_name_is_left_alone),
		CASE(one_that_is_there_is_not_overwritten),
		CASE(what_no_name_leads_to_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
