/* SPDX-License-Identifier: BSD-3-Clause */
/* Sees to it that memory that is freed goes back to the system. */
#ifndef WEIR_BASE_GIVEBACK_H
#define WEIR_BASE_GIVEBACK_H

#include <malloc.h>

/*
 * Large lists go back to the system when they are freed: libc would keep more
 * and more of them from there on. For tools that make some and forget them.
 */
static inline void weir_giveback_large(void)
{
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

/* And now what was freed of small pieces, if whole pages are. */
static inline void weir_giveback_small(void)
{
	malloc_trim(0);
}

#endif
