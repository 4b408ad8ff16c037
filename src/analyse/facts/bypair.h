/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what belongs to a pair of file and process by its number. */
#ifndef WEIR_FACTS_BYPAIR_H
#define WEIR_FACTS_BYPAIR_H

#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>

/* Zero it to begin. Numbers are dense: an array is all it takes. */
struct weir_bypair {
	uint32_t *index; /* of the pair, + 1; 0: none yet */
	uint32_t room;
};

/* Where the index of a pair is, or is to be; NULL: no memory. */
static inline uint32_t *weir_bypair_get(struct weir_bypair *by, uint32_t pair)
{
	return WEIR_GROW_ZEROED(by->index, (size_t)pair + 1, by->room)
		       ? NULL
		       : &by->index[pair];
}

static inline void weir_bypair_fini(struct weir_bypair *by)
{
	free(by->index);
}

#endif
