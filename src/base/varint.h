/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes LEB128 numbers and the zigzag form of signed ones. */
#ifndef WEIR_BASE_VARINT_H
#define WEIR_BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>

#define WEIR_VARINT_MAX 10 /* bytes of the longest number */

/* Writes value at to, which has WEIR_VARINT_MAX bytes; returns the length. */
static inline size_t weir_varint_put(uint8_t *to, uint64_t value)
{
	size_t n = 0;

	while (value >= 0x80) {
		to[n++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	to[n++] = (uint8_t)value;
	return n;
}

/*
 * Reads a number from len bytes; returns the bytes it took, 0 when it does
 * not end within them or is longer than 64 bits.
 */
static inline size_t weir_varint_get(const uint8_t *from, size_t len,
				     uint64_t *ret_value)
{
	uint64_t value = 0;

	for (size_t n = 0; n < len && n < WEIR_VARINT_MAX; n++) {
		value |= (uint64_t)(from[n] & 0x7f) << (7 * n);
		if (!(from[n] & 0x80)) {
			if (n == WEIR_VARINT_MAX - 1 && from[n] > 1)
				return 0;
			*ret_value = value;
			return n + 1;
		}
	}
	return 0;
}

static inline uint64_t weir_varint_zigzag(int64_t value)
{
	return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t weir_varint_unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#endif
