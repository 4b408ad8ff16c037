/* SPDX-License-Identifier: BSD-3-Clause */
/* Names collective calls alike in all ranks, without asking them. */
#ifndef WEIR_LAYERS_COLLKEY_H
#define WEIR_LAYERS_COLLKEY_H

#include <stdint.h>

/*
 * The key of what all ranks of a communicator are about to open: of the layer,
 * the communicator, and how many they have opened by it before. 0: it cannot
 * be told who they are.
 */
uint64_t weir_collkey_of(const char *layer, long comm, const void *from);

/* What the ranks' numbers in the world make, in whatever order. 0: none. */
uint64_t weir_collkey_group(long comm, const void *from);

uint32_t weir_collkey_ranks(long comm, const void *from); /* 0: not known */

/*
 * A call that all ranks make on what they opened has the number `seq'; opening
 * it is 0. Where it has one and no key, nobody knows who takes part.
 */

#endif
