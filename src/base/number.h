/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes numbers, sizes and times as people write them. */
#ifndef WEIR_BASE_NUMBER_H
#define WEIR_BASE_NUMBER_H

#include <stdint.h>

/*
 * Each takes the whole text or nothing: 0, -EINVAL (not such a number) or
 * -ERANGE (too large). They call nothing and allocate nothing, so they may
 * run inside a recorded program.
 */
int weir_number_parse(const char *text, uint64_t *ret_value);
/* Bytes: decimal, optionally followed by K, M, G or T (powers of 1024). */
int weir_number_parse_size(const char *text, uint64_t *ret_bytes);
/*
 * A time in nanoseconds: a decimal with at most nine digits after the point,
 * in seconds unless s, ms, us or ns follows.
 */
int weir_number_parse_time(const char *text, uint64_t *ret_ns);
/*
 * Two times A-B. A missing A is 0, a missing B is UINT64_MAX; A must not be
 * after B.
 */
int weir_number_parse_span(const char *text, uint64_t *ret_from,
			   uint64_t *ret_to);

#endif
