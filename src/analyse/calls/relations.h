/* SPDX-License-Identifier: BSD-3-Clause */
/* What an event is to others: its caller, what it completes, its node. */
#ifndef WEIR_CALLS_RELATIONS_H
#define WEIR_CALLS_RELATIONS_H

#include "analyse/calls/links.h"
#include "analyse/calls/tree.h"

struct weir_kin {
	struct weir_tree_place place;
	struct weir_tree_id above; /* of place.above; no process: none */
	struct weir_links_end end;
	bool is_collective;
	uint64_t key; /* of its collective call, as weir_collective_key() */
	uint64_t cause; /* `cid' of what it is done for; 0: nothing */
	uint64_t batch; /* as weir_links_batch() */
};

struct weir_kinship {
	struct weir_tree *tree;
	struct weir_links links;
};

/* `gone` as for weir_tree_new(). 0 or -ENOMEM. */
int weir_kinship_init(struct weir_kinship *all, void (*gone)(void *own));
void weir_kinship_fini(struct weir_kinship *all);

/* Takes all events in the reader's order. 0 or -ENOMEM. */
int weir_kinship_add(struct weir_kinship *all, const struct weir_event *event,
		     const struct weir_call *call, struct weir_kin *ret_kin);

#endif
