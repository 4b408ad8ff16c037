/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the one hash of the house: XXH3, 64 bits, compiled in. */
#ifndef WEIR_BASE_HASH_H
#define WEIR_BASE_HASH_H

/* Header-only: the library inside applications links nothing but libc. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <endian.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t weir_hash_bytes(const void *bytes, size_t len)
{
	return XXH3_64bits(bytes, len);
}

#define WEIR_HASH_MOST 16 /* numbers */

/* Of so many bytes of numbers, at most 16: the same on every machine. */
static inline uint64_t weir_hash_numbers(const uint64_t *numbers, size_t len)
{
	uint64_t turned[WEIR_HASH_MOST];

	if (htole16(1) == 1)
		return XXH3_64bits(numbers, len);
	for (size_t i = 0; i < len / sizeof(*numbers); i++)
		turned[i] = htole64(numbers[i]);
	return XXH3_64bits(turned, len);
}

#endif
