/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that is handed down to other processes: for whom servers do what. */
#include "analyse/causes/crosscause.h"

#include "analyse/calls/links.h"
#include "base/hash.h"
#include "trace/trace_layout.h"

#include <errno.h>
#include <stdlib.h>

#define CHAIN 16 /* servers that hand down to servers */
#define NOBODY UINT64_MAX /* has caused a batch: no `cid' */

struct weir_crosscause_entry {
	struct weir_crosscause_root root;
	uint64_t cause;	 /* of the root, when that is a server's call */
	uint64_t caused; /* events, so far */
	bool is_known;	 /* the call that has this number was seen */
};

/* What the frames below an outermost call refer to. */
struct top {
	struct weir_crosscause_root root;
	uint64_t cause;
	uint32_t refs;
};

struct gathering {
	struct weir_crosscause *all;
	struct weir_callfacts *facts;
	struct weir_reader *reader;
	struct weir_tree *tree;
	const char *of;
};

uint64_t weir_crosscause_hash(struct weir_tree_id id)
{
	uint64_t parts[] = { id.proc, id.thread, id.index };

	return weir_hash_bytes(parts, sizeof(parts));
}

static void let_go(void *own)
{
	struct top *top = own;

	if (!--top->refs)
		free(top);
}

static int find_entry(struct weir_crosscause *all, uint64_t cid,
		      struct weir_crosscause_entry **ret_entry)
{
	uint64_t at = weir_map_get(&all->numbers, cid);
	size_t room = all->room ? 2 * all->room : 256;
	void *larger;

	*ret_entry = NULL;
	if (at) {
		*ret_entry = &all->entries[at - 1];
		return 0;
	}
	if (all->count == WEIR_CROSSCAUSE_MOST) {
		all->left_out++;
		return 0;
	}
	if (all->count == all->room) {
		larger = reallocarray(all->entries, room,
				      sizeof(*all->entries));
		if (!larger)
			return -ENOMEM;
		all->entries = larger;
		all->room = room;
	}
	if (weir_map_put(&all->numbers, cid, all->count + 1))
		return -ENOMEM;
	*ret_entry = &all->entries[all->count++];
	**ret_entry = (struct weir_crosscause_entry){ .caused = 0 };
	return 0;
}

static uint32_t rank_of(const struct weir_reader *reader, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(reader, proc);
	int64_t rank = process ? weir_procinfo_rank(process) : -1;

	return rank < 0 || rank > UINT32_MAX ? proc : (uint32_t)rank;
}

static int join(struct gathering *g, const struct weir_event *event,
		const struct weir_call *call, uint64_t *ret_key)
{
	struct weir_collective_member member = {
		.proc = event->proc,
		.rank = rank_of(g->reader, event->proc),
		.end = weir_reader_real(g->reader, event) + event->dur,
	};

	*ret_key = 0;
	if (!weir_collective_key(event, call, &member.key))
		return 0;
	*ret_key = member.key;
	return weir_collective_add(&g->all->collective, &member);
}

static int note_cause(struct gathering *g, uint64_t cause, uint32_t proc)
{
	struct weir_crosscause *all = g->all;
	struct weir_crosscause_entry *entry;
	int err = find_entry(all, cause, &entry);

	if (proc <= all->processes)
		all->servers[proc] = 1;
	if (entry)
		entry->caused++;
	else
		all->unknown += !err;
	return err;
}

uint64_t weir_crosscause_cause(const struct weir_crosscause *all,
			       const struct weir_event *event,
			       const struct weir_call *call)
{
	uint64_t cause = weir_links_cause(event, call);

	if (cause || !weir_links_does_batch(call))
		return cause;
	cause = weir_map_get(&all->batches, weir_links_batch(event, call));
	return cause == NOBODY ? 0 : cause;
}

bool weir_crosscause_is_nobodys(const struct weir_crosscause *all,
				const struct weir_event *event,
				const struct weir_call *call)
{
	if (!weir_links_does_batch(call))
		return weir_links_is_nobodys(event, call);
	return weir_map_get(&all->batches,
			    weir_links_batch(event, call)) == NOBODY;
}

/* What is done for several counts with the first of them. */
static int note_part(struct weir_crosscause *all,
		     const struct weir_event *event,
		     const struct weir_call *call, uint64_t cause)
{
	uint64_t batch = weir_links_batch(event, call);

	if (!batch || weir_links_does_batch(call) ||
	    weir_map_get(&all->batches, batch))
		return 0;
	if (all->batches.used == WEIR_CROSSCAUSE_MOST) {
		all->left_out++;
		return 0;
	}
	return weir_map_put(&all->batches, batch, cause ? cause : NOBODY);
}

static int note_cid(struct gathering *g, uint64_t cid, const struct top *top)
{
	struct weir_crosscause_entry *entry;
	int err = find_entry(g->all, cid, &entry);

	if (!entry || entry->is_known)
		return err; /* no two calls have the same */
	entry->root = top->root;
	entry->cause = top->cause;
	entry->is_known = true;
	return 0;
}

bool weir_crosscause_is_root(const struct weir_callfacts *facts,
			     const struct weir_callfact *fact, const char *of)
{
	if (fact->role != WEIR_STACK_CLIENT && fact->role != WEIR_STACK_JOINT)
		return false;
	return !of || weir_callfacts_find(facts, of) == fact->layer;
}

static int begin(const struct weir_event *event, uint64_t key, uint64_t cause,
		 struct top **ret_top)
{
	struct top *top = malloc(sizeof(*top));

	if (!top)
		return -ENOMEM;
	*top = (struct top){ .root = { weir_tree_id_of(event), key },
			     .cause = cause };
	*ret_top = top;
	return 0;
}

static int take(struct gathering *g, const struct weir_event *event,
		const struct weir_callfact *fact,
		const struct weir_tree_place *place)
{
	struct weir_crosscause *all = g->all;
	uint64_t cause, cid, key = 0;
	struct top *top = place->above ? place->above->own : NULL;
	int err = 0;

	if (fact->may_be_joint)
		err = join(g, event, fact->call, &key);
	cause = weir_links_cause(event, fact->call);
	if (!err)
		err = note_part(all, event, fact->call, cause);
	if (!cause && !top)
		cause = weir_crosscause_cause(all, event, fact->call);
	if (!err && cause)
		err = note_cause(g, cause, event->proc);
	if (!event->depth && weir_stack_is_server(fact->role) &&
	    event->proc <= all->processes)
		all->servers[event->proc] = 1;
	if (!err &&
	    (cause || (!top && weir_crosscause_is_root(g->facts, fact, g->of))))
		err = begin(event, key, cause, &top);
	if (err || !top)
		return err;
	top->refs++;
	place->frame->own = top;
	cid = weir_links_cid(event, fact->call);
	return cid ? note_cid(g, cid, top) : 0;
}

static int read_all(struct gathering *g)
{
	struct weir_tree_place place;
	struct weir_event event;
	int err = 0, more;

	while ((more = weir_reader_next(g->reader, &event)) > 0) {
		const struct weir_call *call =
			weir_reader_call(g->reader, &event);

		err = weir_tree_add(g->tree, &event, call, &place);
		if (!err && call && place.frame)
			err = take(g, &event,
				   weir_callfacts_get(g->facts, &event, call),
				   &place);
		if (err)
			return err;
	}
	return more;
}

/* Of servers that hand down to others, the first. */
static bool follow(const struct weir_crosscause *all, uint64_t cause,
		   const struct weir_crosscause_entry **ret_entry)
{
	for (int i = 0; i < CHAIN; i++) {
		uint64_t at = weir_map_get(&all->numbers, cause);
		const struct weir_crosscause_entry *entry;

		if (!at || !all->entries[at - 1].is_known)
			return false;
		entry = &all->entries[at - 1];
		if (!entry->cause) {
			*ret_entry = entry;
			return true;
		}
		cause = entry->cause;
	}
	return false;
}

bool weir_crosscause_find(const struct weir_crosscause *all, uint64_t cause,
			  struct weir_crosscause_root *ret_root)
{
	const struct weir_crosscause_entry *entry;

	if (!follow(all, cause, &entry))
		return false;
	*ret_root = entry->root;
	return true;
}

uint64_t weir_crosscause_awaited(const struct weir_crosscause *all,
				 struct weir_tree_id root)
{
	return weir_map_get(&all->awaited, weir_crosscause_hash(root));
}

/* Whose calls the events are of which only the cause's number is known. */
static int attribute(struct weir_crosscause *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct weir_crosscause_entry *entry = &all->entries[i];
		const struct weir_crosscause_entry *first = entry;
		uint64_t hash;

		if (!entry->caused)
			continue;
		if (!entry->is_known ||
		    (entry->cause && !follow(all, entry->cause, &first))) {
			all->unknown += entry->caused;
			continue;
		}
		hash = weir_crosscause_hash(first->root.id);
		if (weir_map_put(&all->awaited, hash,
				 weir_map_get(&all->awaited, hash) +
					 entry->caused))
			return -ENOMEM;
	}
	return 0;
}

static void number_servers(struct weir_crosscause *all)
{
	for (uint32_t proc = 1; proc <= all->processes; proc++)
		if (all->servers[proc])
			all->servers[proc] = ++all->server_count;
}

int weir_crosscause_gather(struct weir_crosscause *all,
			   struct weir_reader *reader,
			   struct weir_callfacts *facts, const char *of)
{
	struct gathering g = { .all = all, .facts = facts, .reader = reader,
			       .of = of };
	int err;

	*all = (struct weir_crosscause){
		.processes = weir_reader_processes(reader),
	};
	all->servers = calloc((size_t)all->processes + 1,
			      sizeof(*all->servers));
	err = all->servers ? weir_tree_new(let_go, &g.tree) : -ENOMEM;
	if (!err)
		err = read_all(&g);
	weir_tree_free(g.tree);
	weir_collective_sort(&all->collective);
	if (!err)
		err = attribute(all);
	number_servers(all);
	return err;
}

void weir_crosscause_fini(struct weir_crosscause *all)
{
	weir_collective_fini(&all->collective);
	weir_map_fini(&all->numbers);
	weir_map_fini(&all->awaited);
	weir_map_fini(&all->batches);
	free(all->entries);
	free(all->servers);
	*all = (struct weir_crosscause){ 0 };
}
