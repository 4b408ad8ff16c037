/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the functions that come after ours in the search order. */
#ifndef WEIR_GATE_NEXT_H
#define WEIR_GATE_NEXT_H

#include "gate/gate.h"

#include <stddef.h>

struct weir_next_slot {
	const char *symbol;
	const char *versions; /* any of these, by blanks; NULL: the default */
	void **function;
};

/*
 * Notes the objects that were loaded after ours when the program started.
 * What is in these is found without a lock from then on, as signal handlers
 * and forked children need it.
 */
void weir_next_prepare(void);

/*
 * Sets *function to the function of that name in an object loaded after
 * ours: true. False: there is none, and *function is left as it is. Never
 * allocates, so it is safe before the first constructor; keeps errno.
 */
bool weir_next_set(const char *symbol, const char *versions, void **function);

/* The same of a variable: that library's own, not a copy that others use. */
bool weir_next_variable(const char *symbol, const char *versions,
			void **ret_variable);

/* What weir_next_set() does, for each slot. */
void weir_next_fill(const struct weir_next_slot *slots, size_t count);

/* The file name of our own library, or NULL. */
const char *weir_next_own_name(void);

#endif
