/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from a dictionary what its calls mean. */
#ifndef WEIR_EVENT_MEANING_H
#define WEIR_EVENT_MEANING_H

#include "trace/event/call.h"

/* The words of a `class` line, up to its first id. */
struct weir_meaning_words {
	struct weir_meaning means; /* without its arguments */
	const char *name, *to, *off, *len; /* arguments; NULL: none */
};

/* The class; one that is not known, of a later version, is OTHER. */
void weir_meaning_begin(struct weir_meaning_words *words, const char *class);

/* TRAIT, or WHAT=ARGUMENT; passes over what is not known. */
void weir_meaning_add(struct weir_meaning_words *words, const char *word);

/* The call means that, unless it has been told before. */
void weir_meaning_give(struct weir_call *call,
		       const struct weir_meaning_words *words);

#endif
