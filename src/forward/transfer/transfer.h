/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes between the program and a forwarded file, at a place in it. */
#ifndef WEIR_TRANSFER_TRANSFER_H
#define WEIR_TRANSFER_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

/* Beyond it, only the kernel knows whether a file may be so long. */
#define WEIR_TRANSFER_FAR (UINT64_C(1) << 43)

/* As an offset: wherever the open file is, and it moves on. */
#define WEIR_TRANSFER_HERE UINT64_MAX

struct weir_transfer {
	int fd;
	uint32_t open, flags; /* of the open file */
	const struct iovec *parts;
	int count;
	uint64_t total, offset;
	bool is_done; /* in memory: a file that is not born */
	int64_t done; /* then: what came of it */
};

/* Bytes, or -errno. */
int64_t weir_transfer_write(const struct weir_transfer *way);
int64_t weir_transfer_read(const struct weir_transfer *way);

/* To the end of the file; *ret_end: behind what was written. */
int64_t weir_transfer_append(const struct weir_transfer *way,
			     uint64_t *ret_end);

#endif
