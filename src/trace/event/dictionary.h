/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the dictionary of a trace: its calls and their arguments. */
#ifndef WEIR_EVENT_DICTIONARY_H
#define WEIR_EVENT_DICTIONARY_H

#include "trace/layout/event.h"

#include <stddef.h>
#include <stdint.h>

/* Where the value of an argument stands in an event. */
enum weir_place {
	WEIR_PLACE_NONE,
	WEIR_PLACE_HANDLE, /* the event's fd and file */
	WEIR_PLACE_SIZE,
	WEIR_PLACE_OFF,
	WEIR_PLACE_DETAIL,
};

struct weir_kind {
	const char *name;
	const char *show; /* how to print a value */
	char wire;        /* WEIR_WIRE_* */
	enum weir_place place;
	const char *place_word; /* as the trace has it */
};

struct weir_argument {
	const char *name;
	const struct weir_kind *kind;
};

struct weir_call {
	const char *name;
	const char *role;
	const char *layer; /* NULL where the trace does not say */
	const struct weir_kind *result;
	const struct weir_argument *arguments;
	uint32_t argument_count;
	int has_path; /* an argument in the detail is a path */
	int may_hand_over; /* an operation, if its `id` is given */
	int hands_down; /* work to other processes, if its `cid` is given */
	int has_cause;	/* done for the call whose `cid` is its `for` */
	int has_batch;	/* part of what a server did for several at once */
	int is_served;	/* by the daemon of forwarded files, not a program */
};

struct weir_dictionary;

/*
 * Parses the text of a DICT block. Lines that begin with an unknown word are
 * passed over: later versions may add some. -EBADMSG when a line cannot be
 * understood, -ENOMEM.
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
