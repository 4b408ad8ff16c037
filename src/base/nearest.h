/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the known word that a mistyped one was meant to be. */
#ifndef WEIR_BASE_NEAREST_H
#define WEIR_BASE_NEAREST_H

#include <stddef.h>

struct weir_nearest {
	const char *best; /* NULL: nothing offered is close enough */
	const char *word; /* what was typed; need not end with NUL */
	size_t length;
	unsigned bound; /* only a smaller distance makes a new best */
};

void weir_nearest_init(struct weir_nearest *n, const char *word,
		       size_t length);

/* Takes the candidate as the best if it is nearer than those before. */
void weir_nearest_offer(struct weir_nearest *n, const char *candidate);

#endif
