/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores a column of numbers as planes of bytes, each in its own way. */
#ifndef WEIR_FILE_PLANES_H
#define WEIR_FILE_PLANES_H

#include "trace/bytes/zip.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A column is one byte, the number of planes that follow, lowest bytes first;
 * planes above are zero. A plane is one byte of WEIR_PLANE_*, then
 *   CONST  the byte that all rows have
 *   RAW    the bytes
 *   ZSTD   LEB128 length, a zstd frame
 */
enum weir_plane {
	WEIR_PLANE_CONST = 0,
	WEIR_PLANE_RAW = 1,
	WEIR_PLANE_ZSTD = 2,
};

/* What coding needs; zero it to begin. */
struct weir_planes {
	struct weir_zip zip;
	struct weir_bytes plane, frame; /* scratch */
};

void weir_planes_fini(struct weir_planes *planes);

int weir_planes_put(struct weir_planes *planes, const uint64_t *column,
		    size_t rows, struct weir_bytes *to);

/* A single plane without the count before it: plain bytes. */
int weir_planes_put_bytes(struct weir_planes *planes, const uint8_t *bytes,
			  size_t rows, struct weir_bytes *to);

/* What is left to read of a payload. */
struct weir_planes_source {
	const uint8_t *at;
	size_t left;
};

/* Both return -EBADMSG for anything that is not as it should be. */
int weir_planes_get(struct weir_planes *planes,
		    struct weir_planes_source *source, uint64_t *ret_column,
		    size_t rows);
int weir_planes_get_bytes(struct weir_planes *planes,
			  struct weir_planes_source *source,
			  uint8_t *ret_bytes, size_t rows);

#endif
