/* SPDX-License-Identifier: BSD-3-Clause */
/* Relates an event to others: its caller, what it ends, its cause. */
#ifndef WEIR_CALLS_RELATIONS_H
#define WEIR_CALLS_RELATIONS_H

#include "analyse/calls/collective.h"
#include "analyse/calls/links.h"
#include "analyse/calls/tree.h"

struct weir_relation {
	struct weir_tree_place place;
	struct weir_tree_id above; /* of place.above; no process: none */
	struct weir_links_end end;
	enum weir_collective_kind joint;
	uint64_t key; /* of its collective call, if it is joined */
	uint64_t cause; /* `cid' of what it is done for; 0: nothing */
	uint64_t batch; /* as weir_links_batch() */
};

struct weir_relations {
	struct weir_tree *tree;
	struct weir_links links;
	struct weir_worlds worlds;
	uint64_t unjoined[WEIR_COLLECTIVE_KINDS]; /* calls, by the doubt */
};

/*
 * reader as for weir_worlds_init(), `gone` as for weir_tree_new(). 0 or
 * -ENOMEM; wants weir_relations_fini() either way.
 */
int weir_relations_init(struct weir_relations *all,
			const struct weir_reader *reader,
			void (*gone)(void *own));
void weir_relations_fini(struct weir_relations *all);

/* Takes all events in the reader's order. 0 or -ENOMEM. */
int weir_relations_add(struct weir_relations *all,
		       const struct weir_event *event,
		       const struct weir_call *call,
		       struct weir_relation *ret_relation);

#endif
