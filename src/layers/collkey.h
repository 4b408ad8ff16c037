/* SPDX-License-Identifier: BSD-3-Clause */
/* Names collective calls alike in all ranks, without asking them. */
#ifndef WEIR_LAYERS_COLLKEY_H
#define WEIR_LAYERS_COLLKEY_H

#include <stdint.h>

/*
 * The key of a file that was just opened by all ranks of a communicator: of
 * the layer, the ranks' numbers in the world, the file's name, and how often
 * these have opened it before. 0: it cannot be told.
 */
uint64_t weir_collkey_of(const char *layer, long comm, const char *name,
			 const void *from);

/*
 * The same in two steps: what the ranks' numbers make, while there is a
 * communicator (0: it cannot be told), and the key later.
 */
uint64_t weir_collkey_group(long comm, const void *from);
uint32_t weir_collkey_ranks(long comm, const void *from); /* 0: the same */
uint64_t weir_collkey_in(const char *layer, uint64_t group, const char *name);

#endif
