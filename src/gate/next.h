/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the functions that come after ours in the search order. */
#ifndef WEIR_GATE_NEXT_H
#define WEIR_GATE_NEXT_H

#include "gate/gate.h"

#include <stddef.h>

#define WEIR_NEXT_MOST 1024 /* slots in one call */

struct weir_next_slot {
	const char *symbol;
	const char *versions; /* any of these, by blanks; NULL: the default */
	void **function;
};

/*
 * Fill the slots whose symbol exists in an object loaded after ours; others
 * are left as they are. Never allocates, so it is safe before the first
 * constructor; keeps errno.
 */
void weir_next_fill(const struct weir_next_slot *slots, size_t count);

/* The file name of our own library, or NULL. */
const char *weir_next_own_name(void);

#endif
