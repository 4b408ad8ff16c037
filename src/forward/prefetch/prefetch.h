/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies reads from prefetched blocks, and requests more as a file is read; the
 * program's side of wire/prefetch_layout.h.
 */
#ifndef WEIR_PREFETCH_PREFETCH_H
#define WEIR_PREFETCH_PREFETCH_H

#include "forward/prefetch/pattern.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes of an open file from blocks, at most `size`; 0: there are none. It
 * waits for those that are coming. The file was found neither WRITTEN nor
 * BYPASS on the board after the read began, and to have been written as often
 * as `writings` says.
 */
struct weir_prefetch_copy {
	uint32_t open, writings;
	uint64_t offset;
	void *to;
	uint32_t size;
};
uint32_t weir_prefetch_copy(const struct weir_prefetch_copy *copy);

/* So much was read there, of which blocks had `hit`; the end was not seen. */
void weir_prefetch_note(uint32_t open, uint64_t offset, uint64_t size,
			uint64_t hit);

/* The rest of it, which blocks had nothing of, is read by others. */
uint64_t
weir_prefetch_start(uint32_t open); /* 0: it does not matter how long */
void weir_prefetch_stop(uint32_t open, uint64_t start, int64_t got);

/* How it will be read, as the program says. */
void weir_prefetch_advise(uint32_t open, enum weir_pattern_advice advice);
void weir_prefetch_want(uint32_t open, uint64_t from, uint64_t size);
void weir_prefetch_forget(uint32_t open); /* what was prefetched of it */

#endif
