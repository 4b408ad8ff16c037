/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lays out what a process tells of the bytes it wrote (weir run --verify), as
 * derived events `proof` on the handle they were written through. All figures
 * but `end` are of what was written since the last such event of the handle, so
 * they are added up; doc/verify.md tells more.
 */
#ifndef WEIR_LAYOUT_DIGEST_LAYOUT_H
#define WEIR_LAYOUT_DIGEST_LAYOUT_H

#include <stdint.h>

/*
 * Bits of `doubts`: why the sums may be those of other bytes than the object
 * has. Sums that are equal prove all the same. Numbers are for ever.
 */
enum weir_digest_doubt {
	/* Only the beginning: the handle has begun to write. Sums follow,
	 * in an event without this bit, unless the process is killed. */
	WEIR_DIGEST_UNTOLD = 1 << 0,
	/* The file was not empty when this handle was opened. */
	WEIR_DIGEST_EXISTED = 1 << 1,
	/* What was there before could not be taken away exactly. */
	WEIR_DIGEST_OVERWRITTEN = 1 << 2,
	WEIR_DIGEST_TRUNCATED = 1 << 3, /* likewise */
	WEIR_DIGEST_MAPPED = 1 << 4,	/* stores into memory are not seen */
	WEIR_DIGEST_COPIED = 1 << 5,	/* the kernel copied from elsewhere */
	WEIR_DIGEST_SHARED = 1 << 6,	/* others move the position too */
	WEIR_DIGEST_POSITION = 1 << 7,	/* it is not known */
	WEIR_DIGEST_TYPE = 1 << 8,	/* of elements: cannot be followed */
	WEIR_DIGEST_WIDE = 1 << 9,	/* wide characters */
	WEIR_DIGEST_BUFFER = 1 << 10,	/* the bytes could not be looked at */
	WEIR_DIGEST_SHORT = 1 << 11,	/* asynchronous, and not all written */
	WEIR_DIGEST_CROWDED = 1 << 12,	/* too many files, or calls at once */
	WEIR_DIGEST_VIEW = 1 << 13,	/* of a file: cannot be followed */
	WEIR_DIGEST_COARSE = 1 << 14,	/* `extents` hold more than written */
	WEIR_DIGEST_PIECES = 1 << 15,	/* too many: sums were given up */
	WEIR_DIGEST_RACED = 1 << 16,	/* threads wrote the same at once */
	WEIR_DIGEST_BUFFERED = 1 << 17, /* a stream may write it once more */
};

/*
 * Extents as text: FROM-TO, decimal, TO is the first byte after; or
 * FROM-TO*COUNT/STRIDE, the same COUNT times, STRIDE apart. Sorted by FROM
 * and joined by commas. They are those of the whole process so far.
 */
#define WEIR_DIGEST_TEXT 4096

#endif
