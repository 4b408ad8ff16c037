/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rules of a trace from the words of the user. */
#ifndef WEIR_RANKS_RULES_H
#define WEIR_RANKS_RULES_H

#include <stddef.h>

struct weir_rules {
	char *text; /* strings, each with its NUL: + or -, then a pattern */
	size_t bytes;
};

/*
 * Adds a pattern; kind is '+' (include) or '-' (exclude). A pattern with a /
 * in it that begins with neither / nor * is taken from the working directory.
 * 0 or -errno; -E2BIG: all together are longer than a process is told.
 */
int weir_rules_add(struct weir_rules *rules, char kind, const char *pattern);
void weir_rules_fini(struct weir_rules *rules);

#endif
