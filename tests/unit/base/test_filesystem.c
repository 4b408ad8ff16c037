/* SPDX-License-Identifier: BSD-3-Clause */
/* Which file systems are of one machine alone, by number and by name. */
#include "base/filesystem.h"

#include <linux/magic.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void disks_and_memory_are_local(void **state)
{
	assert_string_equal(weir_filesystem_local(EXT4_SUPER_MAGIC), "ext4");
	assert_string_equal(weir_filesystem_local(TMPFS_MAGIC), "tmpfs");
	assert_string_equal(weir_filesystem_local(BTRFS_SUPER_MAGIC), "btrfs");
	assert_true(weir_filesystem_is_local("ext3"));
	assert_true(weir_filesystem_is_local("overlay"));
}

static void what_others_may_have_is_not(void **state)
{
	assert_null(weir_filesystem_local(NFS_SUPER_MAGIC));
	assert_null(weir_filesystem_local(FUSE_SUPER_MAGIC));
	assert_null(weir_filesystem_local(0));
	assert_false(weir_filesystem_is_local("nfs4"));
	assert_false(weir_filesystem_is_local("fuse.glusterfs"));
	assert_false(weir_filesystem_is_local("ext"));
	assert_false(weir_filesystem_is_local(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(disks_and_memory_are_local),
		cmocka_unit_test(what_others_may_have_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
