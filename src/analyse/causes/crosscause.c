/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells for which calls of other processes work is done. */
#include "analyse/causes/crosscause.h"

#include "analyse/calls/links.h"
#include "base/grow.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>

#define CHAIN  16	  /* servers that work for servers */
#define NOBODY UINT64_MAX /* has caused a batch: no `cid' */

struct weir_crosscause_call {
	struct weir_crosscause_root root;
	uint64_t cause;	  /* of the root, when that is a server's call */
	uint32_t caused;  /* events that name it, */
	uint32_t batched; /* and that do a batch whose first part it is */
	bool is_known;	  /* the call that has this number was seen */
};

struct weir_crosscause_batch {
	uint64_t cause; /* of its first part, or NOBODY; 0: not seen */
	uint64_t doers;
};

/* What the frames below an outermost call refer to. */
struct top {
	struct weir_crosscause_root root;
	uint64_t cause;
	uint32_t refs;
};

struct gathering {
	struct weir_crosscause *all;
	struct weir_reader *reader;
	/* Where roots are asked for: */
	struct weir_callfacts *facts;
	struct weir_tree *tree;
	const char *of;
};

uint64_t weir_crosscause_hash(struct weir_tree_id id)
{
	uint64_t parts[] = { id.proc, id.thread, id.index };

	return weir_hash_numbers(parts, sizeof(parts));
}

static void put_top(void *own)
{
	struct top *top = own;

	if (!--top->refs)
		free(top);
}

/* --- calls and batches by their numbers -------------------------------- */

/* NULL: no event has told of it. */
static struct weir_crosscause_call *
find_call(const struct weir_crosscause *all, uint64_t cid)
{
	uint64_t at = weir_map_get(&all->numbers, cid);

	return at ? &all->calls[at - 1] : NULL;
}

static struct weir_crosscause_batch *
find_batch(const struct weir_crosscause *all, uint64_t key)
{
	uint64_t at = weir_map_get(&all->batch_numbers, key);

	return at ? &all->batches[at - 1] : NULL;
}

/* 0, and NULL when there are too many; or -ENOMEM. */
static int get_call(struct weir_crosscause *all, uint64_t cid,
		    struct weir_crosscause_call **ret_call)
{
	*ret_call = find_call(all, cid);
	if (*ret_call)
		return 0;
	if (all->call_count == WEIR_CROSSCAUSE_MOST) {
		all->left_out++;
		return 0;
	}
	if (WEIR_GROW(all->calls, all->call_count, all->call_room) ||
	    weir_map_put(&all->numbers, cid, all->call_count + 1))
		return -ENOMEM;
	*ret_call = &all->calls[all->call_count++];
	**ret_call = (struct weir_crosscause_call){ .caused = 0 };
	return 0;
}

static int get_batch(struct weir_crosscause *all, uint64_t key,
		     struct weir_crosscause_batch **ret_batch)
{
	*ret_batch = find_batch(all, key);
	if (*ret_batch)
		return 0;
	if (all->batch_count == WEIR_CROSSCAUSE_MOST) {
		all->left_out++;
		return 0;
	}
	if (WEIR_GROW(all->batches, all->batch_count, all->batch_room) ||
	    weir_map_put(&all->batch_numbers, key, all->batch_count + 1))
		return -ENOMEM;
	*ret_batch = &all->batches[all->batch_count++];
	**ret_batch = (struct weir_crosscause_batch){ .cause = 0 };
	return 0;
}

bool weir_crosscause_knows(const struct weir_crosscause *all, uint64_t cid)
{
	const struct weir_crosscause_call *call = find_call(all, cid);

	return call && call->is_known;
}

uint64_t weir_crosscause_caused(const struct weir_crosscause *all, uint64_t cid)
{
	const struct weir_crosscause_call *call = find_call(all, cid);

	return call ? call->caused : 0;
}

uint64_t weir_crosscause_doers(const struct weir_crosscause *all,
			       uint64_t batch)
{
	const struct weir_crosscause_batch *it = find_batch(all, batch);

	return it ? it->doers : 0;
}

uint64_t weir_crosscause_cause(const struct weir_crosscause *all,
			       const struct weir_event *event,
			       const struct weir_call *call)
{
	uint64_t cause = weir_links_cause(event, call);
	const struct weir_crosscause_batch *batch;

	if (cause || !weir_links_does_batch(call))
		return cause;
	batch = find_batch(all, weir_links_batch(event, call));
	return !batch || batch->cause == NOBODY ? 0 : batch->cause;
}

bool weir_crosscause_is_nobodys(const struct weir_crosscause *all,
				const struct weir_event *event,
				const struct weir_call *call)
{
	const struct weir_crosscause_batch *batch;

	if (!weir_links_does_batch(call))
		return weir_links_is_nobodys(event, call);
	batch = find_batch(all, weir_links_batch(event, call));
	return batch && batch->cause == NOBODY;
}

/* --- what one event tells ---------------------------------------------- */

static int add_member(struct gathering *g, const struct weir_event *event,
		      const struct weir_call *call, uint64_t *ret_key)
{
	struct weir_collective_member member = { .proc = event->proc };

	if (weir_collective_key(&g->all->worlds, event, call, &member.key) !=
	    WEIR_COLLECTIVE_JOINED)
		return 0;
	*ret_key = member.key;
	member.rank = weir_collective_rank(g->reader, event->proc);
	member.end = weir_reader_real(g->reader, event) + event->dur;
	return weir_collective_add(&g->all->collective, &member);
}

/* Of a batch its first part tells the cause, as it may have several. */
static int count_batch(struct weir_crosscause *all,
		       const struct weir_event *event,
		       const struct weir_call *call, uint64_t cause)
{
	uint64_t key = weir_links_batch(event, call);
	struct weir_crosscause_batch *batch;
	int err;

	if (!key)
		return 0;
	err = get_batch(all, key, &batch);
	if (!batch)
		return err;
	if (weir_links_does_batch(call))
		batch->doers++;
	else if (!batch->cause)
		batch->cause = cause ? cause : NOBODY;
	return 0;
}

/* All but the call itself, whose root may have to be known. */
static int count_event(struct gathering *g, const struct weir_event *event,
		       const struct weir_call *call, bool may_be_joint,
		       uint64_t *ret_key)
{
	struct weir_crosscause *all = g->all;
	uint64_t cause = weir_links_cause(event, call);
	struct weir_crosscause_call *of = NULL;
	int err = 0;

	*ret_key = 0;
	if (may_be_joint)
		err = add_member(g, event, call, ret_key);
	err = err ? err : count_batch(all, event, call, cause);
	all->caused += cause != 0;
	all->nobodys += !cause && weir_links_is_nobodys(event, call);
	if (err || !cause)
		return err;
	err = get_call(all, cause, &of);
	if (of)
		of->caused++;
	else
		all->unknown += !err;
	return err;
}

/* No two calls have the same number: of such the first counts. */
static int add_known_call(struct weir_crosscause *all, uint64_t cid,
			  const struct top *top)
{
	struct weir_crosscause_call *call;
	int err = get_call(all, cid, &call);

	if (!call || call->is_known)
		return err;
	call->is_known = true;
	if (top) {
		call->root = top->root;
		call->cause = top->cause;
	}
	return 0;
}

static int read_counts(struct gathering *g)
{
	struct weir_event event;
	uint64_t key, cid;
	int err = 0, more = 0;

	while (!err && (more = weir_reader_next(g->reader, &event)) > 0) {
		const struct weir_call *call =
			weir_reader_call(g->reader, &event);

		err = count_event(g, &event, call, true, &key);
		cid = weir_links_cid(&event, call);
		if (!err && cid)
			err = add_known_call(g->all, cid, NULL);
	}
	return err ? err : more;
}

int weir_crosscause_count(struct weir_crosscause *all,
			  struct weir_reader *reader)
{
	struct gathering g = { .all = all, .reader = reader };
	int err;

	*all = (struct weir_crosscause){ .processes = 0 };
	err = weir_worlds_init(&all->worlds, reader);
	if (!err)
		err = read_counts(&g);
	weir_collective_sort(&all->collective);
	return err;
}

/* --- outermost calls --------------------------------------------------- */

bool weir_crosscause_is_root(const struct weir_callfacts *facts,
			     const struct weir_callfact *fact, const char *of)
{
	if (fact->role != WEIR_STACK_CLIENT && fact->role != WEIR_STACK_JOINT)
		return false;
	return !of || weir_callfacts_find(facts, of) == fact->layer;
}

static int make_top(const struct weir_event *event, uint64_t key,
		    uint64_t cause, struct top **ret_top)
{
	struct top *top = malloc(sizeof(*top));

	if (!top)
		return -ENOMEM;
	*top = (struct top){ .root = { weir_tree_id_of(event), key },
			     .cause = cause };
	*ret_top = top;
	return 0;
}

static void mark_server(struct weir_crosscause *all, uint32_t proc)
{
	if (proc <= all->processes)
		all->servers[proc] = 1;
}

/* What does a batch is counted for the first of those it is done for. */
static int count_doer(struct weir_crosscause *all,
		      const struct weir_event *event,
		      const struct weir_call *call, uint64_t *ret_cause)
{
	struct weir_crosscause_call *of;
	int err;

	*ret_cause = weir_crosscause_cause(all, event, call);
	if (!*ret_cause)
		return 0;
	err = get_call(all, *ret_cause, &of);
	if (of)
		of->batched++;
	else
		all->unknown += !err;
	return err;
}

static int count_with_root(struct gathering *g, const struct weir_event *event,
			   const struct weir_callfact *fact,
			   const struct weir_tree_place *place)
{
	struct weir_crosscause *all = g->all;
	struct top *top = place->above ? place->above->own : NULL;
	uint64_t cause = weir_links_cause(event, fact->call), cid, key;
	int err = count_event(g, event, fact->call, fact->may_be_joint, &key);

	if (!err && !cause && !top)
		err = count_doer(all, event, fact->call, &cause);
	if (cause || (!event->depth && weir_stack_is_server(fact->role)))
		mark_server(all, event->proc);
	if (!err &&
	    (cause || (!top && weir_crosscause_is_root(g->facts, fact, g->of))))
		err = make_top(event, key, cause, &top);
	if (err || !top)
		return err;
	top->refs++;
	place->frame->own = top;
	cid = weir_links_cid(event, fact->call);
	return cid ? add_known_call(all, cid, top) : 0;
}

static int read_roots(struct gathering *g)
{
	struct weir_tree_place place;
	struct weir_event event;
	int err = 0, more;

	while ((more = weir_reader_next(g->reader, &event)) > 0) {
		const struct weir_call *call =
			weir_reader_call(g->reader, &event);

		err = weir_tree_add(g->tree, &event, call, &place);
		if (!err && call && place.frame)
			err = count_with_root(
				g, &event,
				weir_callfacts_get(g->facts, &event, call),
				&place);
		if (err)
			return err;
	}
	return more;
}

/* Of servers that work for others, the first. */
static const struct weir_crosscause_call *
first_cause(const struct weir_crosscause *all, uint64_t cause)
{
	for (int i = 0; i < CHAIN; i++) {
		const struct weir_crosscause_call *call =
			find_call(all, cause);

		if (!call || !call->is_known)
			return NULL;
		if (!call->cause)
			return call;
		cause = call->cause;
	}
	return NULL;
}

bool weir_crosscause_find(const struct weir_crosscause *all, uint64_t cause,
			  struct weir_crosscause_root *ret_root)
{
	const struct weir_crosscause_call *first = first_cause(all, cause);

	if (first)
		*ret_root = first->root;
	return first;
}

uint64_t weir_crosscause_awaited(const struct weir_crosscause *all,
				 struct weir_tree_id root)
{
	return weir_map_get(&all->awaited, weir_crosscause_hash(root));
}

/* Whose calls the events are of which only the cause's number is known. */
static int count_awaited(struct weir_crosscause *all)
{
	for (size_t i = 0; i < all->call_count; i++) {
		const struct weir_crosscause_call *call = &all->calls[i];
		const struct weir_crosscause_call *first = NULL;
		uint64_t events = (uint64_t)call->caused + call->batched;
		uint64_t hash;

		if (!events)
			continue;
		if (call->is_known)
			first = call->cause ? first_cause(all, call->cause) :
					      call;
		if (!first) {
			all->unknown += events;
			continue;
		}
		hash = weir_crosscause_hash(first->root.id);
		if (weir_map_put(&all->awaited, hash,
				 weir_map_get(&all->awaited, hash) + events))
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
	if (!all->servers)
		return -ENOMEM;
	err = weir_worlds_init(&all->worlds, reader);
	if (!err)
		err = weir_tree_new(put_top, &g.tree);
	if (!err)
		err = read_roots(&g);
	weir_tree_free(g.tree);
	weir_collective_sort(&all->collective);
	if (!err)
		err = count_awaited(all);
	number_servers(all);
	return err;
}

void weir_crosscause_fini(struct weir_crosscause *all)
{
	weir_collective_fini(&all->collective);
	weir_worlds_fini(&all->worlds);
	weir_map_fini(&all->numbers);
	weir_map_fini(&all->batch_numbers);
	weir_map_fini(&all->awaited);
	free(all->calls);
	free(all->batches);
	free(all->servers);
	*all = (struct weir_crosscause){ 0 };
}
