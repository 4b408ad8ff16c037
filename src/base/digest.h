/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes a digest of an object's bytes that is a sum: every 8-byte word,
 * times a number that belongs to its place, modulo 2^128. So it does not matter
 * in which order, by whom and in what pieces the bytes are written; bytes that
 * are zero (holes too) add nothing; and what is overwritten can be taken away
 * again. doc/verify.md describes it so that others can compute it.
 */
#ifndef WEIR_BASE_DIGEST_H
#define WEIR_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_digest {
	uint64_t low, high;
};

/* Bytes that lie from `position` on, added and taken away. */
void weir_digest_add(struct weir_digest *d, uint64_t position,
		     const void *bytes, size_t size);
void weir_digest_take(struct weir_digest *d, uint64_t position,
		      const void *bytes, size_t size);

/*
 * The same of bytes that are all 1, in no time. The sum over all that was
 * written is that of the whole object if each byte was written once.
 */
void weir_digest_cover(struct weir_digest *d, uint64_t position,
		       uint64_t size);
void weir_digest_bare(struct weir_digest *d, uint64_t position,
		      uint64_t size);

/* Of digests. */
static inline void weir_digest_sum(struct weir_digest *d,
				   const struct weir_digest *other)
{
	d->low += other->low;
	d->high += other->high + (d->low < other->low);
}

static inline void weir_digest_sub(struct weir_digest *d,
				   const struct weir_digest *other)
{
	d->high -= other->high + (d->low < other->low);
	d->low -= other->low;
}

static inline bool weir_digest_equal(const struct weir_digest *one,
				     const struct weir_digest *other)
{
	return one->low == other->low && one->high == other->high;
}

#endif
