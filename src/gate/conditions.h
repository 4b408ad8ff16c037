/* SPDX-License-Identifier: BSD-3-Clause */
/* When a variable argument is there: the words after `if` in the tables. */
#ifndef WEIR_GATE_CONDITIONS_H
#define WEIR_GATE_CONDITIONS_H

#include <stdbool.h>

#define WEIR_CONDITIONS_O_CREAT   0100
#define WEIR_CONDITIONS_O_TMPFILE 020000000

static inline bool creates(int flags)
{
	return flags & (WEIR_CONDITIONS_O_CREAT | WEIR_CONDITIONS_O_TMPFILE);
}

/* Not knowable from the other arguments: pass on whatever is there. */
static inline bool any(int unused)
{
	return true;
}

#endif
