/* SPDX-License-Identifier: BSD-3-Clause */
/* What fuzz targets have in common. */
#ifndef WEIR_TESTS_TARGET_H
#define WEIR_TESTS_TARGET_H

#include "mutate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(int holds)
{
	if (!holds)
		abort();
}

/* The same file for each input, as none is made anew as fast as that. */
static inline int memory_file(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(fd >= 0 && !ftruncate(fd, 0) &&
	     pwrite(fd, data, size, 0) == (ssize_t)size &&
	     !lseek(fd, 0, SEEK_SET));
	return fd;
}

/* A copy with a zero behind it, to be freed. */
static inline char *text_of(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	must(!!text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* The parts of a text, for its shape. */
static inline size_t find_line(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = memchr(bytes, '\n', size);

	return end ? (size_t)(end - bytes) + 1 : 0;
}

#endif
