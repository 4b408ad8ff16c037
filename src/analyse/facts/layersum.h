/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up the calls of a layer. */
#ifndef WEIR_FACTS_LAYERSUM_H
#define WEIR_FACTS_LAYERSUM_H

#include "analyse/sums/row.h"
#include "trace/event/dictionary.h"

#include <stdbool.h>
#include <stdint.h>

/* Of the calls of one layer. Times are nanoseconds of all processes. */
struct weir_layer_sum {
	uint64_t calls;
	uint64_t time; /* of those that no call of the same layer made */
	uint64_t self; /* without what they spent in layers below; wraps */
	uint64_t read, written;
};

/* Calls below may outlast the one above, as clocks tell it. */
static inline uint64_t weir_layer_sum_self(const struct weir_layer_sum *sum)
{
	return (int64_t)sum->self > 0 ? sum->self : 0;
}

/*
 * Calls of one kind of which only sums are known, on a file or on what is none,
 * to its layer, by number. Which of them made others is not known.
 */
void weir_layersum_add(struct weir_layer_sum *layers,
		       const struct weir_call *call,
		       const struct weir_cell *cell, bool is_channel);

#endif
