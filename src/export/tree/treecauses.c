/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the operations that were carried out where a call was made. */
#include "export/tree/treecauses.h"

#include "analyse/calls/relations.h"
#include "base/hash.h"

#include <errno.h>
#include <stdbool.h>

struct search {
	struct weir_tree_id of;
	struct weir_relations relations;
	struct weir_map parents; /* of the thread's events: index + 1 to that */
	struct weir_map above;	 /* callers of `of': index + 1 */
	struct weir_map *ended;
};

uint64_t weir_treecauses_key(struct weir_tree_id id)
{
	uint64_t parts[] = { id.proc, id.thread, id.index };

	return weir_hash_bytes(parts, sizeof(parts));
}

static int is_process(const struct weir_procinfo *process, void *context)
{
	return process->number == *(const uint32_t *)context;
}

static bool has_caller(const struct weir_relation *relation)
{
	return relation->place.link == WEIR_TREE_NESTED ||
	       relation->place.link == WEIR_TREE_DEFERRED;
}

/* Callers begin before what they call, so that they are known by now. */
static int climb(struct search *s)
{
	uint64_t at = s->of.index + 1;

	while ((at = weir_map_get(&s->parents, at)))
		if (weir_map_put(&s->above, at, 1))
			return -ENOMEM;
	return 0;
}

/* Ends are told by the call that saw them, when it is over. */
static int take_kin(struct search *s, const struct weir_event *event,
		    const struct weir_relation *relation)
{
	uint64_t caller = relation->above.index + 1;
	int err;

	if (event->thread != s->of.thread || !has_caller(relation))
		return 0;
	err = weir_map_put(&s->parents, event->index + 1, caller);
	if (!err && event->index == s->of.index)
		err = climb(s);
	if (err || !weir_map_get(&s->above, caller) ||
	    (relation->end.kind != WEIR_LINKS_COMPLETES &&
	     relation->end.kind != WEIR_LINKS_BATCHED))
		return err;
	return weir_map_put(s->ended, weir_treecauses_key(relation->end.to), 1);
}

static int read_kin(struct search *s, struct weir_reader *reader)
{
	struct weir_relation relation;
	struct weir_event event;
	int err = 0, more = 0;

	while (!err && (more = weir_reader_next(reader, &event)) > 0) {
		err = weir_relations_add(&s->relations, &event,
					 weir_reader_call(reader, &event),
					 &relation);
		if (!err)
			err = take_kin(s, &event, &relation);
	}
	return err ? err : more;
}

int weir_treecauses_find(struct weir_reader *reader, struct weir_tree_id of,
			 struct weir_map *ret_ended)
{
	struct search s = { .of = of, .ended = ret_ended };
	int err = weir_relations_init(&s.relations, reader, NULL);

	*ret_ended = (struct weir_map){ .slots = NULL };
	weir_reader_rewind(reader);
	weir_reader_only(reader, is_process, &of.proc);
	if (!err)
		err = read_kin(&s, reader);
	weir_relations_fini(&s.relations);
	weir_map_fini(&s.parents);
	weir_map_fini(&s.above);
	return err;
}
