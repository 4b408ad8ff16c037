/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the whole blocks of a .weir file and steps over damage. */
#ifndef WEIR_FILE_BLOCKS_H
#define WEIR_FILE_BLOCKS_H

#include "trace/bytes/bytes.h"
#include "trace/bytes/zip.h"
#include "trace/layout/trace_layout.h"

#include <stdint.h>

/*
 * A walk over the headers of one file. Everything is copied by pread: a file
 * that shrinks under a mapping would kill the reader with SIGBUS, and a file
 * that changes under one would change after it was checked.
 */
struct weir_blocks {
	int fd;      /* borrowed */
	uint64_t at; /* where the next header is looked for */
	uint64_t end; /* nothing is read from here on */
	uint64_t damaged_bytes;  /* stepped over between blocks */
	uint64_t damaged_places;
	uint64_t window_at; /* the part of the file in `window` */
	struct weir_bytes window;
};

/* No honest payload is squeezed more than this; what is is a bomb. */
#define WEIR_BLOCKS_MOST_RATIO 256

struct weir_blocks_found {
	struct weir_block head;
	uint64_t at; /* of the header in the file */
};

void weir_blocks_init(struct weir_blocks *blocks, int fd);
void weir_blocks_fini(struct weir_blocks *blocks);

/*
 * Finds the next block that lies whole below `end` (UINT64_MAX: the end of the
 * file). Returns 1, 0 when there is none (yet: the file may grow), -errno.
 */
int weir_blocks_next(struct weir_blocks *blocks, uint64_t end,
		     struct weir_blocks_found *ret_found);

/* Counts what is left behind the last whole block as damage. */
int weir_blocks_close_tail(struct weir_blocks *blocks);

/*
 * Hands all blocks of the file on, to its end and that counted too, or until
 * take() returns an error.
 */
int weir_blocks_each(struct weir_blocks *blocks,
		     int (*take)(void *data,
				 const struct weir_blocks_found *found),
		     void *data);

/* The block whose header was found here before. -EBADMSG, -errno. */
int weir_blocks_at(int fd, uint64_t at, struct weir_blocks_found *ret_found);

/*
 * The first bytes of a payload that is not squeezed, a multiple of 8, in the
 * order of this machine and not verified; zeros where there are none.
 */
int weir_blocks_peek(int fd, const struct weir_blocks_found *found, void *to,
		     size_t len);

/*
 * Reads the payload of a block and verifies it; its numbers are then in the
 * order of this machine, as those of the header are. When the block is zstd as
 * a whole (raw is not 0) `to` gets it unpacked. -EBADMSG when it is damaged.
 */
int weir_blocks_load(int fd, const struct weir_blocks_found *found,
		     struct weir_zip *zip, struct weir_bytes *to);

#endif
