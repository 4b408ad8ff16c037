/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers (st_dev, st_ino) of files that are not born. Who asks for them is
 * told those that the file will have: it is made without a name (O_TMPFILE),
 * which it gets when it is born. Where the file system has no such files, it is
 * born.
 */
#include "serve/cradle_own.h"
#include "serve/hold.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void tell(const struct weir_cradle *unborn, uint64_t dev, uint64_t ino)
{
	struct weir_board_number *number =
		&weir_state_board->deferred_numbers[unborn->place];

	atomic_store(&number->dev, dev);
	atomic_store(&number->ino, ino); /* the last: it is what is asked for */
}

void weir_cradle_forget_number(struct weir_cradle *unborn)
{
	tell(unborn, 0, 0);
	if (unborn->inode >= 0 ||
	    weir_hold_inherited(WEIR_HOLD_INODE, unborn->place) >= 0)
		weir_hold_drop_later(WEIR_HOLD_INODE, unborn->place);
	if (unborn->inode >= 0)
		close(unborn->inode);
	unborn->inode = -1;
}

/* The next daemon has it too, before anybody is told. */
static int make_inode(struct weir_cradle *unborn)
{
	bool has_name = atomic_load(&unborn->kept->stage) == WEIR_STAGE_NAMED;
	int flags = O_RDWR | O_CLOEXEC | O_TMPFILE | (has_name ? 0 : O_EXCL);
	int fd = openat(unborn->parent, ".", flags, 0600);
	int err = fd < 0 ? -EOPNOTSUPP : 0;

	if (!err)
		err = weir_hold_keep(WEIR_HOLD_INODE, unborn->place, fd);
	if (!err)
		unborn->inode = fd;
	else if (fd >= 0)
		close(fd);
	return err;
}

static int find_number(struct weir_cradle *unborn)
{
	struct stat about;
	int err = 0;

	if (atomic_load(&unborn->kept->stage) == WEIR_STAGE_BORN ||
	    weir_cradle_is_sealed(unborn))
		return -EOPNOTSUPP;
	if (unborn->inode < 0)
		err = make_inode(unborn);
	if (!err && fstat(unborn->inode, &about))
		err = -errno;
	if (!err)
		tell(unborn, about.st_dev, about.st_ino);
	return err;
}

int weir_cradle_number(const struct weir_op_number_in *in)
{
	const uint64_t token[2] = {in->token0, in->token1};
	struct weir_cradle_visit visit;
	int err = weir_cradle_visit(&visit, in->session, token, in->open);

	if (err)
		return err;
	err = find_number(visit.unborn);
	weir_cradle_leave_visit(&visit);
	return err;
}

static bool is_named(const struct weir_cradle *unborn, const char *name)
{
	struct stat ours, there;

	return !fstat(unborn->inode, &ours) &&
	       !fstatat(unborn->parent, name, &there, AT_SYMLINK_NOFOLLOW) &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

static int open_inode(const struct weir_cradle *unborn)
{
	int fd = fcntl(unborn->inode, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

/* What has lost a name gets no other: then a file is made as any other. */
int weir_cradle_name_inode(struct weir_cradle *unborn, const char *name)
{
	char path[64];

	if (unborn->inode < 0)
		return -EOPNOTSUPP;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", unborn->inode);
	if (linkat(AT_FDCWD, path, unborn->parent, name, AT_SYMLINK_FOLLOW) &&
	    !(errno == EEXIST && is_named(unborn, name)))
		return errno == ENOENT || errno == EPERM || errno == EXDEV
			       ? -EOPNOTSUPP
			       : -errno;
	return open_inode(unborn);
}

int weir_cradle_take_inode(struct weir_cradle *unborn, const char *name)
{
	int fd = weir_cradle_name_inode(unborn, name);

	if (fd >= 0)
		unlinkat(unborn->parent, name, 0);
	return fd == -EOPNOTSUPP ? open_inode(unborn) : fd;
}
