/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads, writes and closes files of the kernel, for plug-ins that end there. */
#ifndef WEIR_BACKENDS_PLAIN_H
#define WEIR_BACKENDS_PLAIN_H

#include <weir/backend.h>

/* A file is its descriptor; all return -errno, and never EINTR. */
int64_t weir_plain_write(int fd, const struct iovec *parts, int count,
			 int64_t offset);
int64_t weir_plain_read(int fd, void *bytes, uint64_t length, int64_t offset);
int weir_plain_sync(int fd);
int weir_plain_truncate(int fd, int64_t length);
int weir_plain_extent(int fd, struct weir_backend_extent *ret_extent);

#endif
