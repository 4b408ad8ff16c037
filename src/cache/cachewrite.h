/* SPDX-License-Identifier: BSD-3-Clause */
/* One write that is in an index, and what is called when it leaves. */
#ifndef WEIR_CACHE_CACHEWRITE_H
#define WEIR_CACHE_CACHEWRITE_H

#include <stdbool.h>
#include <stdint.h>

/* One write; its owner embeds it, and must keep it until it is gone. */
struct weir_write {
	uint64_t stamp;
	uint64_t offset;
	const unsigned char *bytes;
	uint32_t length;
	/* of the index: */
	uint32_t shown;	 /* bytes that are seen */
	uint32_t flying; /* parts of a batch that are its, until that is over */
	bool met;	 /* it overlaps another one, or replaced one that did */
};

/* Must not call the index. Nothing here looks at the write afterwards. */
typedef void (*weir_index_gone)(void *arg, struct weir_write *write);

#endif
