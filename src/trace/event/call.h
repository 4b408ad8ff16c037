/* SPDX-License-Identifier: BSD-3-Clause */
/* A call as the dictionary of a trace has it: its arguments and its meaning. */
#ifndef WEIR_EVENT_CALL_H
#define WEIR_EVENT_CALL_H

#include "spec/classes.h"

#include <stdbool.h>
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

/*
 * What a call is for, whatever it is called. Arguments count from 1; 0: the
 * call has none that says this.
 */
struct weir_meaning {
	enum weir_means class;
	uint32_t traits; /* enum weir_trait */
	uint8_t name;	 /* which file */
	uint8_t to;	 /* the second name */
	uint8_t off, len; /* the part of the file, or how long it is to be */
	bool is_guessed; /* the trace does not tell it */
};

struct weir_call {
	const char *name;
	const char *role; /* in words of readers that know no classes */
	const char *layer; /* NULL where the trace does not say */
	const struct weir_kind *result;
	const struct weir_argument *arguments;
	uint32_t argument_count;
	struct weir_meaning means;
	int has_path; /* an argument in the detail is a path */
	int may_hand_over; /* an operation, if its `id` is given */
	int hands_down; /* work to other processes, if its `cid` is given */
	int has_cause;	/* done for the call whose `cid` is its `for` */
	int has_batch;	/* part of what a server did for several at once */
	int is_served;	/* by the daemon of forwarded files, not a program */
};

static inline bool weir_call_has(const struct weir_call *call, uint32_t traits)
{
	return (call->means.traits & traits) != 0;
}

static inline bool weir_call_is(const struct weir_call *call,
				enum weir_means class)
{
	return call->means.class == class;
}

#endif
