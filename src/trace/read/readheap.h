/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the cursors read side by side, the earliest event at the top. */
#ifndef WEIR_READ_READHEAP_H
#define WEIR_READ_READHEAP_H

#include "trace/read/cursor.h"

#include <stdint.h>

/* A cursor, with the key at hand: far fewer of them are looked at. */
struct weir_readheap_place {
	uint64_t key;
	struct weir_cursor *cursor;
};

/* Zero it to begin. Behind the heap stand cursors free to be used again. */
struct weir_readheap {
	struct weir_readheap_place *places;
	uint32_t count, cursors, room;
};

void weir_readheap_fini(struct weir_readheap *heap,
			struct weir_cursor_bench *bench);

/* A free cursor, to be started and then put in; borrowed. 0 or -ENOMEM. */
int weir_readheap_borrow(struct weir_readheap *heap,
			 struct weir_cursor **ret_cursor);

/* The one that was borrowed last. */
void weir_readheap_put(struct weir_readheap *heap);

/* The top has moved on, or, `ended`, is free again. */
void weir_readheap_settle(struct weir_readheap *heap, int ended);

/* All are free again. */
void weir_readheap_clear(struct weir_readheap *heap,
			 struct weir_cursor_bench *bench);

#endif
