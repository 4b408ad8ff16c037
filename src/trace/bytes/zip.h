/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs zstd with its contexts kept, and trusts nothing on the way back. */
#ifndef WEIR_BYTES_ZIP_H
#define WEIR_BYTES_ZIP_H

#include "trace/bytes/bytes.h"

/* Contexts are made when first needed. One thread at a time. */
struct weir_zip {
	void *squeezer;
	void *expander;
	int level; /* of squeezing; 0: fast, which is nearly as good */
};

void weir_zip_fini(struct weir_zip *zip);

/*
 * Appends the squeezed bytes to `to`. Returns 0; -E2BIG when it would not get
 * smaller, and then nothing is appended; -ENOMEM.
 */
int weir_zip_squeeze(struct weir_zip *zip, const void *from, size_t len,
		     struct weir_bytes *to);

/*
 * Fills exactly size bytes at `to`; -EBADMSG when that is not what the frame
 * holds, so a frame can never make more than its reader asked for.
 */
int weir_zip_expand(struct weir_zip *zip, const void *from, size_t len,
		    void *to, size_t size);

#endif
