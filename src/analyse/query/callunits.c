/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins each call of the application with all that was done for it. */
#include "analyse/query/callunits.h"

#include "analyse/calls/callclass.h"
#include "analyse/calls/links.h"
#include "analyse/calls/traffic.h"
#include "base/grow.h"
#include "base/hash.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SEARCHED 16 /* cells; more are looked up */

/* What a frame refers to: whose call it is part of, and what is above. */
struct weir_callunits_span {
	struct weir_callunits_span *next;
	struct weir_callunit *unit;
	uint32_t client, server;
	uint64_t layers;  /* of it and of those above, as bits */
	uint64_t counted; /* those whose bytes were counted */
	bool is_joint;	  /* a collective call that communicates is above */
	bool is_joint_io; /* and a call below that */
};

/* An event that is being added. */
struct arrival {
	const struct weir_event *event;
	const struct weir_callfact *fact;
	const struct weir_tree_place *place;
	const struct weir_callunits_span *above;
	uint64_t start; /* ns since the trace's first event */
	uint64_t key;	/* of its collective call; 0: none */
};

static uint64_t hash_of(unsigned layer, uint32_t client, uint32_t server)
{
	uint64_t parts[] = { layer, client, server };

	return weir_hash_numbers(parts, sizeof(parts));
}

struct weir_callunit_cell *
weir_callunits_find(const struct weir_callunit *unit, unsigned layer,
		    uint32_t client, uint32_t server)
{
	uint64_t at;

	if (unit->index.used) {
		at = weir_map_get(&unit->index,
				  hash_of(layer, client, server));
		return at ? &unit->cells[at - 1] : NULL;
	}
	for (uint32_t i = 0; i < unit->cell_count; i++) {
		struct weir_callunit_cell *cell = &unit->cells[i];

		if (cell->layer == layer && cell->client == client &&
		    cell->server == server)
			return cell;
	}
	return NULL;
}

/* A call may use very many servers: its cells are not searched one by one. */
static int index_cells(struct weir_callunit *unit, uint32_t from)
{
	int err = 0;

	for (uint32_t i = from; !err && i < unit->cell_count; i++) {
		const struct weir_callunit_cell *cell = &unit->cells[i];

		err = weir_map_put(&unit->index,
				   hash_of(cell->layer, cell->client,
					   cell->server), i + 1);
	}
	return err;
}

static int make_cell(struct weir_callunit *unit,
		     const struct weir_callunit_cell *cell,
		     struct weir_callunit_cell **ret_cell)
{
	if (WEIR_GROW(unit->cells, unit->cell_count, unit->cell_room))
		return -ENOMEM;
	*ret_cell = &unit->cells[unit->cell_count];
	**ret_cell = *cell;
	unit->cell_count++;
	if (unit->index.used)
		return index_cells(unit, unit->cell_count - 1);
	return unit->cell_count > SEARCHED ? index_cells(unit, 0) : 0;
}

static int add_to(struct weir_callunit *unit, const struct arrival *a,
		  struct weir_callunit_cell where, uint64_t bytes)
{
	struct weir_callunit_cell *cell = weir_callunits_find(
		unit, where.layer, where.client, where.server);

	if (!cell && make_cell(unit, &where, &cell))
		return -ENOMEM;
	weir_callcells_cover(cell, a->start, a->event->dur);
	cell->bytes += bytes;
	cell->calls++;
	return 0;
}

/* Its cells go to the unit that is made next, which needs about as many. */
static void put_unit(struct weir_callunits *all, struct weir_callunit *unit)
{
	*unit->link = unit->next;
	if (unit->next)
		unit->next->link = unit->link;
	if (unit->node)
		weir_map_remove(&all->by_node, (uintptr_t)unit->node);
	if (unit->root)
		weir_map_remove(&all->by_root, unit->root);
	weir_map_fini(&unit->index);
	unit->next = all->spare;
	all->spare = unit;
}

/* Nobody knows how long a call took that never returned: it is counted. */
static void conclude_unit(struct weir_callunit *unit)
{
	struct weir_callunits *all = unit->all;

	if (unit->is_open)
		all->open++;
	else if (unit->is_wanted && unit->call && !all->err)
		all->err = all->wish->take(all->wish->context, unit);
	put_unit(all, unit);
}

/*
 * No frame is open, all members have come, and so has what servers do for it,
 * which their clocks may put before the call or long after it.
 */
static void put_ref(struct weir_callunit *unit)
{
	if (!--unit->refs && !unit->members && !unit->awaited && unit->call)
		conclude_unit(unit);
}

static void let_go_of_unit(void *own)
{
	struct weir_callunits_span *span = own;
	struct weir_callunit *unit = span->unit;

	span->next = unit->all->spans;
	unit->all->spans = span;
	put_ref(unit);
}

static struct weir_callunit *make_unit(struct weir_callunits *all)
{
	struct weir_callunit *unit = all->spare, old = { 0 };

	if (unit) {
		old = *unit;
		all->spare = unit->next;
	} else {
		unit = malloc(sizeof(*unit));
	}
	if (!unit)
		return NULL;
	*unit = (struct weir_callunit){
		.all = all, .next = all->units, .link = &all->units,
		.cells = old.cells, .cell_room = old.cell_room,
		.number = all->count++,
	};
	if (unit->next)
		unit->next->link = &unit->next;
	all->units = unit;
	return unit;
}

/* The unit of a root, which may not have been seen itself so far. */
static int find_unit(struct weir_callunits *all,
		     const struct weir_crosscause_root *root,
		     struct weir_callunit **ret_unit)
{
	struct weir_collective_node node = { .count = 0 };
	struct weir_callunit *unit = NULL;
	bool is_node = root->key &&
		       weir_collective_find(&all->causes->collective, root->key,
					    root->id.proc, &node) &&
		       node.count > 1;
	bool is_awaited = !is_node &&
			  weir_crosscause_awaited(all->causes, root->id);
	uint64_t key = is_node ? (uintptr_t)node.members :
				 weir_crosscause_hash(root->id);
	struct weir_map *map = is_node ? &all->by_node : &all->by_root;

	/* Most calls cause nothing elsewhere: nobody else looks for these. */
	if (is_node || is_awaited)
		unit = (struct weir_callunit *)(uintptr_t)
			weir_map_get(map, key);
	*ret_unit = unit ? unit : make_unit(all);
	if (unit || !*ret_unit)
		return *ret_unit ? 0 : -ENOMEM;
	unit = *ret_unit;
	unit->members = is_node ? node.count : 1;
	unit->node = is_node ? node.members : NULL;
	unit->root = is_awaited ? key : 0;
	return is_node || is_awaited ?
		       weir_map_put(map, key, (uintptr_t)unit) : 0;
}

static int ways_of(const struct arrival *a)
{
	static const uint8_t ways[WEIR_CLASS_COUNT] = {
		[WEIR_CLASS_READ] = WEIR_TRAFFIC_READ,
		[WEIR_CLASS_GET] = WEIR_TRAFFIC_READ,
		[WEIR_CLASS_WRITE] = WEIR_TRAFFIC_WRITE,
		[WEIR_CLASS_PUT] = WEIR_TRAFFIC_WRITE,
		[WEIR_CLASS_FILL] = WEIR_TRAFFIC_READ,
		[WEIR_CLASS_DRAIN] = WEIR_TRAFFIC_WRITE,
		[WEIR_CLASS_COPY] = WEIR_TRAFFIC_BOTH,
	};
	enum weir_callclass class = weir_callclass_of(a->fact->call);

	return class == WEIR_CLASS_SUBMIT ?
		       (int)weir_pending_way_of(a->event, a->fact->call) :
		       ways[class];
}

/* What a process asked for, and how that went. */
static void note_request(struct weir_callunit *unit, const struct arrival *a)
{
	if (weir_callclass_has_size(weir_callclass_of(a->fact->call))) {
		unit->has_size = true;
		if (a->event->size > unit->size)
			unit->size = a->event->size;
	}
	if (!unit->error && (a->event->flags & WEIR_EVENT_FAILED))
		unit->error = a->event->err;
}

/* A process comes to its call; of one of several, the lowest rank's counts. */
static void come(struct weir_callunits *all, struct weir_callunit *unit,
		 const struct arrival *a)
{
	uint32_t rank = weir_collective_rank(all->reader, a->event->proc);

	unit->members -= !!unit->members;
	unit->awaited += (int64_t)weir_crosscause_awaited(
		all->causes, weir_tree_id_of(a->event));
	if (!unit->call) {
		unit->start = a->start;
		unit->segment = weir_segments_now(&all->segments,
						  a->event->proc,
						  a->event->thread, 0);
	}
	if (!unit->call || rank < unit->rank) {
		unit->call = a->fact->call;
		unit->id = weir_tree_id_of(a->event);
		unit->rank = rank;
	}
	unit->ways |= ways_of(a);
	note_request(unit, a);
	all->orphans += a->place->link == WEIR_TREE_UNKNOWN;
	all->sited += !!(a->event->flags & WEIR_EVENT_SITE);
	unit->is_wanted |= all->wish->wants(all->wish->context, a->event,
					    unit);
}

/* Who works for others makes no calls of the application. */
static bool is_server(const struct weir_callunits *all, uint32_t proc)
{
	const struct weir_crosscause *of = all->causes;

	return proc <= of->processes && of->servers[proc];
}

/* Which call a server's event is for. */
static int find_cause(struct weir_callunits *all, const struct arrival *a,
		      uint64_t cause, struct weir_callunits_span *span)
{
	struct weir_crosscause_root root;
	int err;

	if (!weir_crosscause_find(all->causes, cause, &root)) {
		all->uncaused++;
		return 0;
	}
	err = find_unit(all, &root, &span->unit);
	if (err)
		return err;
	span->unit->awaited--;
	span->client = root.id.proc;
	span->server = a->event->proc;
	if (weir_links_does_batch(a->fact->call)) /* its parts have told it */
		span->layers = span->counted = UINT64_C(1) << a->fact->layer;
	return 0;
}

/* What is below a call is counted with it. */
static bool is_uncaused(const struct weir_callunits *all,
			const struct arrival *a)
{
	return weir_stack_is_server(a->fact->role) && !a->place->above &&
	       !weir_crosscause_is_nobodys(all->causes, a->event,
					   a->fact->call);
}

/* Where an event belongs; without a unit: nowhere. */
static int find_span(struct weir_callunits *all, const struct arrival *a,
		     struct weir_callunits_span *span)
{
	struct weir_crosscause_root root = {weir_tree_id_of(a->event), a->key};
	uint64_t cause = weir_links_cause(a->event, a->fact->call);
	int err;

	*span = (struct weir_callunits_span){ 0 };
	if (!cause && !a->above)
		cause = weir_crosscause_cause(all->causes, a->event,
					      a->fact->call);
	if (cause)
		return find_cause(all, a, cause, span);
	if (a->above) {
		*span = *a->above;
		return 0;
	}
	if (is_server(all, a->event->proc)) {
		all->uncaused += is_uncaused(all, a);
		return 0;
	}
	if (!weir_crosscause_is_root(all->facts, a->fact, all->wish->of))
		return 0;
	err = find_unit(all, &root, &span->unit);
	if (err)
		return err;
	span->client = a->event->proc;
	come(all, span->unit, a);
	return 0;
}

static bool is_client_wanted(const struct weir_callunits *all, uint32_t client)
{
	return !all->wish->clients ||
	       (client <= all->causes->processes && all->wish->clients[client]);
}

/* What servers did is told by client, and once more for all of these. */
static int add_outermost(struct weir_callunits_span *span,
			 const struct arrival *a, uint64_t bytes)
{
	struct weir_callunit_cell where = { .client = span->client,
					    .layer = a->fact->layer };
	bool at_server = weir_stack_is_server(a->fact->role);
	int err;

	if (span->server && !at_server)
		return 0; /* a server's own affair */
	if (at_server)
		where.server = a->event->proc;
	err = add_to(span->unit, a, where, bytes);
	if (err || !at_server)
		return err;
	where.client = 0;
	return add_to(span->unit, a, where, bytes);
}

/*
 * Where communication was not recorded, it is what is left of a collective call
 * without the I/O below: both are told apart from all layers.
 */
static int add_joint(struct weir_callunits_span *span, const struct arrival *a)
{
	struct weir_callunit_cell where = { .client = span->client };

	if (a->fact->role == WEIR_STACK_JOINT && a->key && !span->is_joint) {
		span->is_joint = true;
		where.layer = WEIR_CALLUNIT_JOINT;
		return add_to(span->unit, a, where, 0);
	}
	if (!span->is_joint || span->is_joint_io ||
	    a->fact->role != WEIR_STACK_CLIENT)
		return 0;
	span->is_joint_io = true;
	where.layer = WEIR_CALLUNIT_JOINT_IO;
	return add_to(span->unit, a, where, 0);
}

/* What a call within one of its own layer moved. */
static void add_bytes(const struct weir_callunits_span *span,
		      const struct arrival *a, uint64_t bytes)
{
	bool at_server = weir_stack_is_server(a->fact->role);
	uint32_t server = at_server ? a->event->proc : 0;
	struct weir_callunit_cell *cell = weir_callunits_find(
		span->unit, a->fact->layer, span->client, server);

	if (cell)
		cell->bytes += bytes;
	cell = at_server ? weir_callunits_find(span->unit, a->fact->layer, 0,
					       server) : NULL;
	if (cell)
		cell->bytes += bytes;
}

/* Bytes count once in a layer; not where a call above told them already. */
static int count_arrival(struct weir_callunits *all,
			 struct weir_callunits_span *span,
			 const struct arrival *a)
{
	uint64_t bit = UINT64_C(1) << a->fact->layer;
	uint64_t bytes = span->counted & bit ? 0 :
			 weir_callfacts_bytes(a->fact, a->event);
	int err = 0;

	if (bytes)
		span->counted |= bit;
	if (!is_client_wanted(all, span->client) || a->fact->is_inner)
		return 0;
	if (!(span->layers & bit)) {
		span->layers |= bit;
		err = add_outermost(span, a, bytes);
	} else if (bytes) {
		add_bytes(span, a, bytes);
	}
	return err || span->server ? err : add_joint(span, a);
}

/* Calls below find it in the frame; spans that are free are used again. */
static int keep_span(struct weir_callunits *all,
		     const struct weir_callunits_span *span,
		     struct weir_tree_frame *frame)
{
	struct weir_callunits_span *kept = all->spans;

	if (kept)
		all->spans = kept->next;
	else
		kept = malloc(sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	*kept = *span;
	kept->unit->refs++;
	frame->own = kept;
	return 0;
}

static int add_arrival(struct weir_callunits *all, const struct arrival *a,
		       struct weir_callunits_span *span)
{
	int err = find_span(all, a, span);

	if (err || !span->unit)
		return err;
	err = keep_span(all, span, a->place->frame);
	if (err)
		return err;
	if (!span->unit->file)
		span->unit->file = a->event->file;
	span->unit->ways_below |= ways_of(a);
	if (a->event->flags & WEIR_EVENT_ENTERED) {
		span->unit->is_open |= !span->server;
		all->open += !!span->server;
		return 0;
	}
	err = count_arrival(all, span, a);
	/* Calls below must know what has been counted. */
	*(struct weir_callunits_span *)a->place->frame->own = *span;
	return err;
}

/* A call stays until all operations that it began have ended. */
static int begin_operation(struct weir_callunits *all, const struct arrival *a,
			   const struct weir_callunits_span *span)
{
	struct weir_callunit_cell *cell = !span->unit || span->server ? NULL :
		weir_callunits_find(span->unit, a->fact->layer, span->client,
				    0);
	const struct weir_operations_whose whose = {
		cell ? span->unit : NULL, span->client
	};
	int err = weir_operations_begin(&all->operations, whose);

	if (err || !cell)
		return err;
	weir_callcells_open(cell, a->start);
	span->unit->refs++;
	return 0;
}

/* What an operation moves, and its time, are the call's that began it. */
static void end_operation(struct weir_callunits *all, const struct arrival *a)
{
	struct weir_operations_whose own =
		weir_operations_end(&all->operations);
	struct weir_callunit_cell *cell = !own.unit ? NULL :
		weir_callunits_find(own.unit, a->fact->layer, own.client, 0);

	if (!cell)
		return;
	cell->bytes += weir_traffic_moved(a->event, a->fact->call);
	weir_callcells_close(cell, a->start + a->event->dur);
	put_ref(own.unit);
}

static int add_with_operation(struct weir_callunits *all,
			      const struct arrival *a)
{
	struct weir_pending *pending = &all->operations.pending;
	struct weir_callunits_span span;
	int err = add_arrival(all, a, &span);

	if (err || !a->fact->pends)
		return err;
	err = weir_pending_add(pending, a->event, a->fact->call);
	if (!err && pending->begun)
		err = begin_operation(all, a, &span);
	if (!err && pending->ended)
		end_operation(all, a);
	return err;
}

static int take_event(struct weir_callunits *all,
		      const struct weir_event *event)
{
	const struct weir_call *call = weir_reader_call(all->reader, event);
	struct weir_tree_place place;
	struct arrival a = { .event = event, .place = &place };
	int err = weir_tree_add(all->tree, event, call, &place);

	all->has_sums |= event->call == WEIR_NOTE_SUM;
	if (err || !call || !place.frame)
		return err;
	a.fact = weir_callfacts_get(all->facts, event, call);
	if (a.fact->role == WEIR_STACK_NONE) {
		if (!strcmp(all->facts->layers[a.fact->layer].name, "recent"))
			all->has_short = true;
		return weir_segments_take(&all->segments, event, call);
	}
	a.above = place.above ? place.above->own : NULL;
	a.start = weir_reader_real(all->reader, event) -
		  weir_reader_begin(all->reader);
	if (a.fact->may_be_joint)
		weir_collective_key(&all->causes->worlds, event, call, &a.key);
	return add_with_operation(all, &a);
}

/* What was waited for in vain. */
static void conclude_all(struct weir_callunits *all)
{
	weir_tree_free(all->tree);
	all->tree = NULL;
	while (all->units)
		conclude_unit(all->units);
}

int weir_callunits_gather(struct weir_callunits *all,
			  struct weir_reader *reader,
			  const struct weir_crosscause *causes,
			  struct weir_callfacts *facts,
			  const struct weir_callunits_wish *wish)
{
	struct weir_event event;
	int more = 0, err;

	*all = (struct weir_callunits){ .reader = reader, .facts = facts,
					.causes = causes, .wish = wish };
	err = weir_segments_init(&all->segments, causes->processes);
	if (!err)
		err = weir_tree_new(let_go_of_unit, &all->tree);
	while (!err && (more = weir_reader_next(reader, &event)) > 0) {
		err = take_event(all, &event);
		err = err ? err : all->err;
	}
	all->err = err ? err : all->err;
	conclude_all(all);
	return all->err ? all->err : more;
}

void weir_callunits_fini(struct weir_callunits *all)
{
	struct weir_callunit *unit;
	struct weir_callunits_span *span;

	conclude_all(all);
	while ((unit = all->spare)) {
		all->spare = unit->next;
		free(unit->cells);
		free(unit);
	}
	while ((span = all->spans)) {
		all->spans = span->next;
		free(span);
	}
	weir_segments_fini(&all->segments);
	weir_operations_fini(&all->operations);
	weir_map_fini(&all->by_node);
	weir_map_fini(&all->by_root);
	*all = (struct weir_callunits){ 0 };
}
