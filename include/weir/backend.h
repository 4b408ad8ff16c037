/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where forwarded data goes: a plug-in of `weir serve --backend FILE.so`. It
 * exports one symbol, weir_backend. Functions are called by several threads at
 * once, and return -errno; sizes like the system calls of the same name. A
 * descriptor is the file as the program opened it (an open of its own, for
 * reading too where the program might).
 */
#ifndef WEIR_BACKEND_H
#define WEIR_BACKEND_H

#include <stdint.h>
#include <sys/uio.h>

#define WEIR_BACKEND_VERSION 1

struct weir_backend_extent {
	int64_t size;
	int64_t seconds, nanoseconds; /* of the last change */
	uint64_t links;
	uint64_t room; /* bytes that are free where it lies */
};

struct weir_backend {
	uint32_t version;
	const char *name;
	/* `options` as the user wrote them behind the name ("" if nothing). */
	int (*begin)(const char *options, void **ret_self);
	void (*end)(void *self);
	int (*open)(void *self, int fd, void **ret_file);
	void (*close)(void *self, void *file);
	int64_t (*write)(void *self, void *file, const struct iovec *parts,
			 int count, int64_t offset);
	int64_t (*read)(void *self, void *file, void *bytes, uint64_t length,
			int64_t offset);
	int (*sync)(void *self, void *file);
	int (*truncate)(void *self, void *file, int64_t length);
	int (*extent)(void *self, void *file,
		      struct weir_backend_extent *ret_extent);
};

extern const struct weir_backend weir_backend;

#endif
