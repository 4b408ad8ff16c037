/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps calls that have begun in the order of their ends. */
#ifndef WEIR_DUMP_UNFINISHED_H
#define WEIR_DUMP_UNFINISHED_H

#include "trace/event/dictionary.h"
#include "trace/layout/event.h"

#include <stddef.h>
#include <stdint.h>

struct weir_unfinished_call {
	uint64_t end;
	uint64_t number; /* in the order they were added */
	const struct weir_call *call; /* borrowed; may be NULL */
	struct weir_event event; /* with a detail of its own */
};

/* Zero it to begin. */
struct weir_unfinished {
	struct weir_unfinished_call **heap; /* the earliest first */
	size_t count, room;
	size_t bytes;
	uint64_t number;
};

void weir_unfinished_fini(struct weir_unfinished *all);

/* Copies the event. 0 or -ENOMEM. */
int weir_unfinished_add(struct weir_unfinished *all, uint64_t end,
			const struct weir_event *event,
			const struct weir_call *call);

/*
 * The one that ends first, of several the innermost; NULL when there is none.
 * It stays until it is dropped.
 */
const struct weir_unfinished_call *
weir_unfinished_first(const struct weir_unfinished *all);
void weir_unfinished_drop(struct weir_unfinished *all);

/*
 * No program has so many calls open, but a damaged trace may: then the first
 * has to go before its time, so that memory stays bounded.
 */
int weir_unfinished_is_full(const struct weir_unfinished *all);

#endif
