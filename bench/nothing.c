/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that do nothing, to see what recording them costs beside the kernel. */
#include <unistd.h>

ssize_t pread(int fd, void *to, size_t bytes, off_t at)
{
	(void)fd;
	(void)to;
	(void)at;
	return (ssize_t)bytes;
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at)
{
	(void)fd;
	(void)from;
	(void)at;
	return (ssize_t)bytes;
}

ssize_t pread64(int fd, void *to, size_t bytes, off64_t at)
	__attribute__((alias("pread")));
ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at)
	__attribute__((alias("pwrite")));
