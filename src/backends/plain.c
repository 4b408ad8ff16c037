/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes system calls on a descriptor, again when a signal came between. */
#include "backends/plain.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The kernel refuses longer lists; the caller asks for the rest. */
int64_t weir_plain_write(int fd, const struct iovec *parts, int count,
			 int64_t offset)
{
	ssize_t done;

	do {
		done = pwritev(fd, parts, count < IOV_MAX ? count : IOV_MAX,
			       offset);
	} while (done < 0 && errno == EINTR);
	return done < 0 ? -errno : done;
}

int64_t weir_plain_read(int fd, void *bytes, uint64_t length, int64_t offset)
{
	ssize_t got;

	do {
		got = pread(fd, bytes, length, offset);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

int weir_plain_sync(int fd)
{
	int failed;

	do {
		failed = fsync(fd);
	} while (failed && errno == EINTR);
	return failed ? -errno : 0;
}

int weir_plain_truncate(int fd, int64_t length)
{
	int failed;

	do {
		failed = ftruncate(fd, length);
	} while (failed && errno == EINTR);
	return failed ? -errno : 0;
}

/* A file system that does not count its blocks says 0 of all. */
static uint64_t room_of(const struct statfs *system)
{
	return system->f_blocks ? (uint64_t)system->f_bavail *
					  (uint64_t)system->f_bsize :
				  UINT64_MAX;
}

int weir_plain_extent(int fd, struct weir_backend_extent *ret_extent)
{
	struct statfs system;
	struct stat is;

	if (fstat(fd, &is))
		return -errno;
	*ret_extent = (struct weir_backend_extent){
		.size = is.st_size,
		.seconds = is.st_mtim.tv_sec,
		.nanoseconds = is.st_mtim.tv_nsec,
		.links = is.st_nlink,
		.room = fstatfs(fd, &system) ? UINT64_MAX : room_of(&system),
	};
	return 0;
}
