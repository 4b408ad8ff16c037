/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds files that the service has, by name or by what stat tells. */
#include "forward/files/servedfiles.h"

#include "base/append.h"
#include "base/sys.h"
#include "base/append.h"
#include "forward/files/procnames.h"
#include "forward/link/attach.h"
#include "forward/link/direct.h"
#include "forward/link/link.h"
#include "gate/confined.h"
#include "spec/forward_stubs.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#define DEVICES 16
#define BARS	2 /* before the prefixes of WEIR_FORWARD */

static uint64_t devices[DEVICES];
static int device_count; /* more than DEVICES: any may be one */

static void add_device(const char *name, size_t length)
{
	char path[PATH_MAX];
	struct stat about;

	if (!length || length >= sizeof(path))
		return;
	memcpy(path, name, length);
	path[length] = 0;
	if (weir_sys4(SYS_newfstatat, AT_FDCWD, path, &about, 0))
		return;
	if (device_count < DEVICES)
		devices[device_count] = about.st_dev;
	device_count++;
}

void weir_servedfiles_begin(const char *where)
{
	for (int bars = 0; bars < BARS && where; bars++) {
		where = strchr(where, '|');
		where = where ? where + 1 : NULL;
	}
	while (where && *where) {
		size_t length = strcspn(where, ":|");

		add_device(where, length);
		where += length + (where[length] == ':');
		if (*where == '|')
			break;
	}
}

/* A mount below a prefix is found when a file there is opened. */
static bool is_on_device(uint64_t device)
{
	for (int i = 0; i < device_count && i < DEVICES; i++)
		if (devices[i] == device)
			return true;
	return device_count > DEVICES;
}

static bool is_name_wanted(int dir, const char *path)
{
	char name[PATH_MAX];
	long fd = dir;
	size_t length;

	if (path && *path)
		fd = weir_sys4(SYS_openat, dir, path, O_PATH | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	length = weir_procnames_path((int)fd, name, sizeof(name));
	if (path && *path)
		weir_sys1(SYS_close, fd);
	return length && weir_link_wants(name);
}

/* Without a session too; who cannot map it otherwise attaches. */
static bool has_board(const struct stat *about, int dir, const char *path)
{
	if (weir_link.board)
		return true;
	if (weir_confined || !is_on_device(about->st_dev) ||
	    !is_name_wanted(dir, path))
		return false;
	return weir_direct_table() || (!weir_attach() && weir_link.board);
}

static bool look_up_inode(uint64_t dev, uint64_t ino,
			  struct weir_servedfile *ret_served)
{
	int place = weir_board_find(weir_link.board, dev, ino);
	const struct weir_board_file *file;

	if (place < 0)
		return false;
	file = &weir_link.board->files[place];
	ret_served->file = (uint32_t)place;
	ret_served->turn = atomic_load(&file->turn) & ~1u;
	ret_served->flags = atomic_load(&file->flags);
	return ret_served->turn && atomic_load(&file->ino) == ino &&
	       atomic_load(&file->dev) == dev;
}

bool weir_servedfiles_find_inode(uint64_t dev, uint64_t ino,
				 struct weir_servedfile *ret_served)
{
	return weir_link.board && look_up_inode(dev, ino, ret_served);
}

bool weir_servedfiles_find(const struct stat *about, int dir, const char *path,
			   struct weir_servedfile *ret_served)
{
	ret_served->turn = 0;
	if (!S_ISREG(about->st_mode) || !has_board(about, dir, path) ||
	    look_up_inode(about->st_dev, about->st_ino, ret_served))
		return ret_served->turn;
	ret_served->turn = 0;
	return false;
}

/* Nobody has looked at the name yet: the kernel reads it first. */
bool weir_servedfiles_find_name(int dir, const char *path, bool follow,
				struct weir_servedfile *ret_served)
{
	int flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
	struct stat about;

	ret_served->turn = 0;
	if (weir_sys4(SYS_newfstatat, dir, path ? path : "", &about, flags))
		return false;
	if (S_ISLNK(about.st_mode) && follow &&
	    weir_sys4(SYS_newfstatat, dir, path, &about, 0))
		return false;
	return weir_servedfiles_find(&about, dir, path, ret_served);
}

int weir_servedfiles_commit(const struct weir_servedfile *served)
{
	struct weir_op_commit_in in = {.file = served->file,
				       .turn = served->turn};

	return weir_stub_commit(&in, NULL);
}

int weir_servedfiles_bypass(const struct weir_servedfile *served)
{
	struct weir_op_bypass_in in = {.file = served->file,
				       .turn = served->turn};

	return weir_stub_bypass(&in, NULL);
}

void weir_servedfiles_unlinked(const struct weir_servedfile *served)
{
	struct weir_op_unlinked_in in = {.file = served->file,
					 .turn = served->turn};

	weir_stub_unlinked(&in, NULL);
}

void weir_servedfiles_commit_all(void)
{
	struct weir_servedfile served;

	if (!weir_link.board && !weir_direct_table() && weir_attach())
		return;
	for (uint32_t i = 0; i < WEIR_BOARD_FILES; i++) {
		const struct weir_board_file *file = &weir_link.board->files[i];

		served = (struct weir_servedfile){
			.file = i, .turn = atomic_load(&file->turn) & ~1u};
		if (atomic_load(&file->ino) &&
		    atomic_load(&file->flags) & WEIR_FILE_WRITTEN)
			weir_servedfiles_commit(&served);
	}
}
