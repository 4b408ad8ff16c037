/* SPDX-License-Identifier: BSD-3-Clause */
/* What an event is to others: its caller, what it completes, its node. */
#include "analyse/calls/relations.h"

#include "analyse/calls/collective.h"

int weir_kinship_init(struct weir_kinship *all, void (*gone)(void *own))
{
	*all = (struct weir_kinship){ .tree = NULL };
	return weir_tree_new(gone, &all->tree);
}

void weir_kinship_fini(struct weir_kinship *all)
{
	weir_tree_free(all->tree);
	weir_links_fini(&all->links);
}

/*
 * Completions are told by the call that saw them when it is over: their numbers
 * are the last below it. If there are several, and calls before them, these
 * were made for all.
 */
static bool is_batched(const struct weir_event *event,
		       struct weir_tree_frame *above)
{
	uint64_t ends = above->ends++ + (above->index - event->index);

	return ends > 1 && above->below > ends;
}

int weir_kinship_add(struct weir_kinship *all, const struct weir_event *event,
		     const struct weir_call *call, struct weir_kin *ret_kin)
{
	struct weir_kin *kin = ret_kin;
	int err = weir_tree_add(all->tree, event, call, &kin->place);

	if (!err)
		err = weir_links_add(&all->links, event, call, &kin->end);
	if (err)
		return err;
	kin->above = (struct weir_tree_id){ 0 };
	if (kin->place.above)
		kin->above = (struct weir_tree_id){
			event->proc, event->thread, kin->place.above->index,
		};
	if (kin->end.kind == WEIR_LINKS_COMPLETES && kin->place.above &&
	    weir_tree_is_upper(call) && is_batched(event, kin->place.above))
		kin->end.kind = WEIR_LINKS_BATCHED;
	kin->cause = weir_links_cause(event, call);
	kin->batch = weir_links_batch(event, call);
	kin->is_collective = weir_collective_key(event, call, &kin->key);
	return 0;
}
