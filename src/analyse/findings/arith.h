/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes with counts and times that neither wrap nor go below 0. */
#ifndef WEIR_FINDINGS_ARITH_H
#define WEIR_FINDINGS_ARITH_H

#include <stdint.h>

/* Part of a number; products of two need not fit. */
static inline uint64_t weir_arith_part(uint64_t all, uint64_t some,
				       uint64_t of)
{
	__extension__ typedef unsigned __int128 wide;

	return of ? (uint64_t)((wide)all * some / of) : 0;
}

static inline uint64_t weir_arith_less(uint64_t from, uint64_t what)
{
	return from > what ? from - what : 0;
}

#endif
