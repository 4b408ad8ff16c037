/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where forwarded data goes: a plug-in of `weir serve --backend FILE.so`. It
 * exports one symbol, weir_backend. Functions are called by several threads at
 * once, also for the same file, and return -errno when they fail; sizes are
 * like those of the system calls of the same name: what is short is asked for
 * again. A function may take as long as it needs; nobody waits for it but who
 * wants what it does.
 *
 *	gcc -shared -fPIC -o mine.so mine.c
 */
#ifndef WEIR_BACKEND_H
#define WEIR_BACKEND_H

#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_BACKEND_VERSION 2

/*
 * What programs read comes from read() here, also while nobody writes the
 * file: what the kernel has of it is something else, or faster than it should
 * be. Without it, programs ask the kernel.
 */
#define WEIR_BACKEND_READS 1u

struct weir_backend_extent {
	int64_t size;
	int64_t seconds, nanoseconds; /* of the last change */
	uint64_t links;
	uint64_t room; /* bytes that are free where it lies; UINT64_MAX: who
			  knows */
};

struct weir_backend {
	uint32_t version; /* WEIR_BACKEND_VERSION */
	uint32_t flags; /* WEIR_BACKEND_* */
	const char *name;
	/*
	 * `options` as the user wrote them behind the name ("" if nothing).
	 * Each daemon begins anew; one that was killed never ended. Where it
	 * begins, standard error is still the user's: say what is wrong there.
	 * The working directory is not.
	 */
	int (*begin)(const char *options, void **ret_self);
	void (*end)(void *self);
	/*
	 * The file as the program opened it, but an open of its own, for
	 * reading too where the program might. With 0 the descriptor is the
	 * plug-in's, which closes it in close().
	 */
	int (*open)(void *self, int fd, void **ret_file);
	void (*close)(void *self, void *file);
	/* count <= IOV_MAX. */
	int64_t (*write)(void *self, void *file, const struct iovec *parts,
			 int count, int64_t offset);
	/* 0: behind the end. */
	int64_t (*read)(void *self, void *file, void *bytes, uint64_t length,
			int64_t offset);
	/* What was written outlives the machine when it returns 0. */
	int (*sync)(void *self, void *file);
	int (*truncate)(void *self, void *file, int64_t length);
	int (*extent)(void *self, void *file,
		      struct weir_backend_extent *ret_extent);
	/*
	 * As read, of what one program reads soon, and nobody is likely to
	 * read again: it need not be kept anywhere. NULL: read does that.
	 */
	int64_t (*fetch)(void *self, void *file, void *bytes, uint64_t length,
			 int64_t offset);
};

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const struct weir_backend weir_backend;

#ifdef __cplusplus
}
#endif

#endif
