/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a file of a trace, which need not stay open to be read. */
#include "trace/read/readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_KEPT 1024

int weir_readfile_find(const char *path, int *ret_fd)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -EBADMSG;
	}
	*ret_fd = fd;
	return 0;
}

int weir_readfile_init(struct weir_readfile *file, const char *path, int fd,
		       int keep)
{
	struct stat st;
	int err = fstat(fd, &st) < 0 ? -errno : 0;

	if (!err)
		file->path = strdup(path);
	if (!err && !file->path)
		err = -ENOMEM;
	file->is_kept = !err && keep;
	if (!file->is_kept)
		close(fd);
	if (err)
		return err;
	file->fd = fd;
	file->device = st.st_dev;
	file->inode = st.st_ino;
	return 0;
}

void weir_readfile_fini(struct weir_readfile *file)
{
	if (file->path && file->is_kept)
		close(file->fd);
	free(file->path);
	*file = (struct weir_readfile){ 0 };
}

int weir_readfile_open(const struct weir_readfile *file, int *ret_fd)
{
	struct stat st;
	int fd, err;

	if (!file->path || file->is_kept) {
		*ret_fd = file->fd;
		return 0;
	}
	err = weir_readfile_find(file->path, &fd);
	if (err)
		return err == -EBADMSG || err == -ENOENT ? -ESTALE : err;
	if (fstat(fd, &st) < 0 || st.st_dev != file->device ||
	    st.st_ino != file->inode) {
		close(fd);
		return -ESTALE;
	}
	*ret_fd = fd;
	return 0;
}

void weir_readfile_close(const struct weir_readfile *file, int fd)
{
	if (file->path && !file->is_kept)
		close(fd);
}

uint32_t weir_readfile_most(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > 4 * MOST_KEPT)
		return MOST_KEPT;
	return (uint32_t)limit.rlim_cur / 4;
}
