/* SPDX-License-Identifier: BSD-3-Clause */
/* Relates an event to others: its caller, what it ends, its cause. */
#include "analyse/calls/relations.h"

int weir_relations_init(struct weir_relations *all,
			const struct weir_reader *reader,
			void (*gone)(void *own))
{
	int err;

	*all = (struct weir_relations){ .tree = NULL };
	err = weir_worlds_init(&all->worlds, reader);
	return err ? err : weir_tree_new(gone, &all->tree);
}

void weir_relations_fini(struct weir_relations *all)
{
	weir_tree_free(all->tree);
	weir_links_fini(&all->links);
	weir_worlds_fini(&all->worlds);
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

int weir_relations_add(struct weir_relations *all,
		       const struct weir_event *event,
		       const struct weir_call *call,
		       struct weir_relation *ret_relation)
{
	struct weir_relation *relation = ret_relation;
	int err = weir_tree_add(all->tree, event, call, &relation->place);

	if (!err)
		err = weir_links_add(&all->links, event, call, &relation->end);
	if (err)
		return err;
	relation->above = (struct weir_tree_id){ 0 };
	if (relation->place.above)
		relation->above = (struct weir_tree_id){
			event->proc,
			event->thread,
			relation->place.above->index,
		};
	if (relation->end.kind == WEIR_LINKS_COMPLETES &&
	    relation->place.above && weir_tree_is_upper(call) &&
	    is_batched(event, relation->place.above))
		relation->end.kind = WEIR_LINKS_BATCHED;
	relation->cause = weir_links_cause(event, call);
	relation->batch = weir_links_batch(event, call);
	relation->joint = weir_collective_key(&all->worlds, event, call,
					      &relation->key);
	all->unjoined[relation->joint] +=
		weir_collective_why(relation->joint) != NULL;
	return 0;
}
