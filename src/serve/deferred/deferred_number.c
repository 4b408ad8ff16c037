/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the numbers (st_dev, st_ino) of deferred files. Who asks for them is
 * told those that the file will have: it is made without a name (O_TMPFILE),
 * which it gets when it is materialised. Where the file system has no such
 * files, it is materialised at once.
 */
#include "serve/deferred/deferred.h"
#include "serve/deferred/deferred_file.h"
#include "serve/state/keptfds.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void show_number(const struct weir_deferred *deferred, uint64_t dev,
			uint64_t ino)
{
	struct weir_board_number *number =
		&weir_state_board->deferred_numbers[deferred->place];

	atomic_store(&number->dev, dev);
	atomic_store(&number->ino, ino); /* the last: it is what is asked for */
}

void weir_deferred_forget_number(struct weir_deferred *deferred)
{
	show_number(deferred, 0, 0);
	if (deferred->inode >= 0 ||
	    weir_keptfds_inherited(WEIR_KEPTFDS_INODE, deferred->place) >= 0)
		weir_keptfds_drop_later(WEIR_KEPTFDS_INODE, deferred->place);
	if (deferred->inode >= 0)
		close(deferred->inode);
	deferred->inode = -1;
}

/* The next daemon has it too, before anybody is told. */
static int make_inode(struct weir_deferred *deferred)
{
	bool has_name =
		atomic_load(&deferred->kept->phase) == WEIR_DEFERRED_NAMED;
	int flags = O_RDWR | O_CLOEXEC | O_TMPFILE | (has_name ? 0 : O_EXCL);
	int fd = openat(deferred->parent, ".", flags, 0600);
	int err = fd < 0 ? -EOPNOTSUPP : 0;

	if (!err)
		err = weir_keptfds_keep(WEIR_KEPTFDS_INODE, deferred->place,
					fd);
	if (!err)
		deferred->inode = fd;
	else if (fd >= 0)
		close(fd);
	return err;
}

static int find_number(struct weir_deferred *deferred)
{
	struct stat about;
	int err = 0;

	if (atomic_load(&deferred->kept->phase) == WEIR_DEFERRED_MATERIALISED ||
	    weir_deferred_is_sealed(deferred))
		return -EOPNOTSUPP;
	if (deferred->inode < 0)
		err = make_inode(deferred);
	if (!err && fstat(deferred->inode, &about))
		err = -errno;
	if (!err)
		show_number(deferred, about.st_dev, about.st_ino);
	return err;
}

int weir_deferred_number(const struct weir_op_number_in *in)
{
	const uint64_t token[2] = {in->token0, in->token1};
	struct weir_deferred_visit visit;
	int err = weir_deferred_visit(&visit, in->session, token, in->open);

	if (err)
		return err;
	err = find_number(visit.deferred);
	weir_deferred_leave_visit(&visit);
	return err;
}

static bool is_named(const struct weir_deferred *deferred, const char *name)
{
	struct stat ours, there;

	return !fstat(deferred->inode, &ours) &&
	       !fstatat(deferred->parent, name, &there, AT_SYMLINK_NOFOLLOW) &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

static int open_inode(const struct weir_deferred *deferred)
{
	int fd = fcntl(deferred->inode, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

/* What has lost a name gets no other: then a file is made as any other. */
int weir_deferred_name_inode(struct weir_deferred *deferred, const char *name)
{
	char path[64];

	if (deferred->inode < 0)
		return -EOPNOTSUPP;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", deferred->inode);
	if (linkat(AT_FDCWD, path, deferred->parent, name, AT_SYMLINK_FOLLOW) &&
	    !(errno == EEXIST && is_named(deferred, name)))
		return errno == ENOENT || errno == EPERM || errno == EXDEV
			       ? -EOPNOTSUPP
			       : -errno;
	return open_inode(deferred);
}

int weir_deferred_take_inode(struct weir_deferred *deferred, const char *name)
{
	int fd = weir_deferred_name_inode(deferred, name);

	if (fd >= 0)
		unlinkat(deferred->parent, name, 0);
	return fd == -EOPNOTSUPP ? open_inode(deferred) : fd;
}
