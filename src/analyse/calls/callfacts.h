/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out once what is to be known of each call of a trace. */
#ifndef WEIR_CALLS_CALLFACTS_H
#define WEIR_CALLS_CALLFACTS_H

#include "analyse/calls/stack.h"
#include "trace/event/dictionary.h"
#include "trace/layout/event.h"

#include <stdbool.h>
#include <stdint.h>

/* Layers of a trace that are told apart; what is beyond is the last. */
#define WEIR_CALLFACTS_LAYERS 62

struct weir_callfacts_layer {
	const char *name; /* borrowed from the dictionary */
	struct weir_stack_place place;
	bool is_used;
};

struct weir_callfact {
	const struct weir_call *call; /* NULL: not looked at */
	uint8_t layer;
	uint8_t role;	  /* of the layer: enum weir_stack_role */
	bool moves;	  /* bytes */
	bool is_inner;	  /* part of a call of its layer: counts in nothing */
	bool pends;	  /* it may begin or end an operation */
	bool may_be_joint; /* it has `coll' and `seq' */
};

/* Wants weir_callfacts_fini. */
struct weir_callfacts {
	struct weir_callfact *facts; /* by number of the call */
	struct weir_callfacts_layer layers[WEIR_CALLFACTS_LAYERS];
	unsigned layer_count;
};

/* 0 or -ENOMEM. */
int weir_callfacts_init(struct weir_callfacts *all);
void weir_callfacts_fini(struct weir_callfacts *all);

/* Of an event that is no note and whose call is known. */
const struct weir_callfact *weir_callfacts_get(struct weir_callfacts *all,
					       const struct weir_event *event,
					       const struct weir_call *call);

/* -1: no event has this layer. */
int weir_callfacts_find(const struct weir_callfacts *all, const char *layer);

/* Whether layer a stands above b. */
bool weir_callfacts_is_above(const struct weir_callfacts *all, unsigned a,
			     unsigned b);

/*
 * That a call moved by itself; what an operation moves is told by its end, and
 * is the operation's.
 */
uint64_t weir_callfacts_bytes(const struct weir_callfact *fact,
			      const struct weir_event *event);

#endif
