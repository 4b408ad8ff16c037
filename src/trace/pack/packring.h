/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites the RING blocks of a raw file: descriptors and names for handles. */
#ifndef WEIR_PACK_PACKRING_H
#define WEIR_PACK_PACKRING_H

#include "trace/pack/packprocess.h"
#include "trace/pack/packwork.h"

struct weir_blocks_found;

/*
 * Takes a RING block of the last input for the process, whose number in the
 * packed file is `number`. What came before is left out. 0 or -errno.
 */
int weir_packring_take(struct weir_packwork *work,
		       struct weir_packprocess *process, uint32_t number,
		       const struct weir_blocks_found *found);

#endif
