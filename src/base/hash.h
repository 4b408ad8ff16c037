/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the one hash of the house: XXH3, 64 bits, compiled in. */
#ifndef WEIR_BASE_HASH_H
#define WEIR_BASE_HASH_H

/* Header-only: the library inside applications links nothing but libc. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stddef.h>
#include <stdint.h>

static inline uint64_t weir_hash_bytes(const void *bytes, size_t len)
{
	return XXH3_64bits(bytes, len);
}

#endif
