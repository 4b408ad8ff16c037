/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the functions that come after ours in the search order. */
#ifndef WEIR_GATE_NEXT_H
#define WEIR_GATE_NEXT_H

#include "gate/gate.h"

#include <stddef.h>

struct weir_next_slot {
	const char *symbol;
	void **function;
};

/*
 * Fill the slots whose symbol exists further on; others are left as they
 * are. Keeps errno.
 */
void weir_next_fill(const struct weir_next_slot *slots, size_t count);

#endif
