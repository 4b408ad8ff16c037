/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows file systems of one machine, which keeps their files in memory. */
#include "base/filesystem.h"

#include <stddef.h>
#include <string.h>

/* Of those with one number, the first is what it is called. */
static const struct {
	unsigned long type;
	const char *name;
} local[] = {
	{0xef53, "ext4"},      {0xef53, "ext3"},       {0xef53, "ext2"},
	{0x58465342, "xfs"},   {0x9123683e, "btrfs"},  {0x01021994, "tmpfs"},
	{0x794c7630, "overlay"}, {0x2fc12fc1, "zfs"},  {0xf2f52010, "f2fs"},
	{0x858458f6, "ramfs"}, {0x3153464a, "jfs"},
	{0x52654973, "reiserfs"}, {0xca451a4e, "bcachefs"}, {0x4d44, "vfat"},
	{0x2011bab0, "exfat"}, {0x7366746e, "ntfs3"},
};

const char *weir_filesystem_local(unsigned long type)
{
	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		if (local[i].type == type)
			return local[i].name;
	return NULL;
}

bool weir_filesystem_is_local(const char *name)
{
	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		if (!strcmp(local[i].name, name))
			return true;
	return false;
}
