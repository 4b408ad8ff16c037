/* SPDX-License-Identifier: BSD-3-Clause */
/* Relates an event to others: its caller, what it ends, its cause. */
#ifndef WEIR_CALLS_RELATIONS_H
#define WEIR_CALLS_RELATIONS_H

#include "analyse/calls/links.h"
#include "analyse/calls/tree.h"

struct weir_relation {
	struct weir_tree_place place;
	struct weir_tree_id above; /* of place.above; no process: none */
	struct weir_links_end end;
	bool is_collective;
	uint64_t key; /* of its collective call, as weir_collective_key() */
	uint64_t cause; /* `cid' of what it is done for; 0: nothing */
	uint64_t batch; /* as weir_links_batch() */
};

struct weir_relations {
	struct weir_tree *tree;
	struct weir_links links;
};

/* `gone` as for weir_tree_new(). 0 or -ENOMEM. */
int weir_relations_init(struct weir_relations *all, void (*gone)(void *own));
void weir_relations_fini(struct weir_relations *all);

/* Takes all events in the reader's order. 0 or -ENOMEM. */
int weir_relations_add(struct weir_relations *all,
		       const struct weir_event *event,
		       const struct weir_call *call,
		       struct weir_relation *ret_relation);

#endif
