/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the dictionary of a trace: its calls and their arguments. */
#ifndef WEIR_EVENT_DICTIONARY_H
#define WEIR_EVENT_DICTIONARY_H

#include "trace/event/call.h"
#include "trace/layout/event.h"

#include <stddef.h>
#include <stdint.h>

struct weir_dictionary;

/*
 * Parses the text of a DICT block. Lines that begin with an unknown word are
 * passed over: later versions may add some. What a call means of which no line
 * tells it is guessed. -EBADMSG when a line cannot be understood, -ENOMEM.
 */
int weir_dictionary_parse(const void *text, size_t size,
			  struct weir_dictionary **ret_dictionary);
void weir_dictionary_free(struct weir_dictionary *dictionary);

/* NULL when the id is not known; so is everything when dictionary is NULL. */
const struct weir_call *
weir_dictionary_call(const struct weir_dictionary *dictionary, uint16_t id);

/*
 * Bytes that a call moved which moves some, and did not fail. HDF5 says that
 * it has done what it was asked for, not how much that is.
 */
uint64_t weir_dictionary_moved(const struct weir_call *call,
			       const struct weir_event *event);

/* The kinds in their order, from 0; NULL after the last. */
const struct weir_kind *
weir_dictionary_kind(const struct weir_dictionary *dictionary, uint32_t n);

#endif
