/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the figures of one call, of the metric that is asked for. */
#include "analyse/query/queryvalue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A cell of the unit and the row that it counts for. */
struct pick {
	uint64_t keys[WEIR_QUERY_GROUPS];
	const struct weir_callunit_cell *cell;
};

/* Used again for each unit. */
struct weir_queryvalue_room {
	struct pick *picks;
	const struct weir_callunit_cell **by_client;
	uint32_t *servers;
	uint32_t room;
};

struct work {
	struct weir_queryvalue *all;
	const struct weir_callunit *unit;
	struct weir_queryvalue_room *room;
	struct pick *run; /* those of one row, the upper layers first */
	uint32_t count;
	uint64_t common[WEIR_QUERY_GROUPS]; /* what all rows have */
};

struct figure {
	bool is_there, is_estimate;
	double value;
};

static void free_room(struct weir_queryvalue_room *room)
{
	if (!room)
		return;
	free(room->picks);
	free(room->by_client);
	free(room->servers);
	free(room);
}

void weir_queryvalue_fini(struct weir_queryvalue *all)
{
	free_room(all->room);
	free(all->host_of);
	free(all->program_of);
	free(all->client_of);
	free(all->servers);
	free(all->where);
	*all = (struct weir_queryvalue){ 0 };
}

static int size_room(struct weir_queryvalue *all, uint32_t count)
{
	struct weir_queryvalue_room *room = all->room;

	if (!room)
		room = all->room = calloc(1, sizeof(*room));
	if (!room)
		return -ENOMEM;
	if (count <= room->room)
		return 0;
	free(room->picks);
	free(room->by_client);
	free(room->servers);
	room->room = 2 * count;
	room->picks = calloc(room->room, sizeof(*room->picks));
	room->by_client = calloc(room->room, sizeof(*room->by_client));
	room->servers = calloc(room->room, sizeof(*room->servers));
	if (room->picks && room->by_client && room->servers)
		return 0;
	room->room = 0;
	return -ENOMEM;
}

static bool is_wanted_process(const uint8_t *wanted,
			      const struct weir_queryvalue *of, uint32_t proc)
{
	return !wanted || (proc <= of->causes->processes && wanted[proc]);
}

static enum weir_stack_role role_of(const struct work *w, unsigned layer)
{
	if (layer >= WEIR_CALLFACTS_LAYERS)
		return WEIR_STACK_NONE;
	return w->all->facts->layers[layer].place.role;
}

/* What servers did for several clients is not the sum of what each got. */
static bool is_pooled(const struct weir_query *query)
{
	return query->metric > WEIR_QUERY_AVG_LATENCY &&
	       query->metric != WEIR_QUERY_COMM_TIME &&
	       !weir_queryparse_groups_clients(query);
}

/* Whether a client has communication that was recorded. */
static bool has_comm(const struct work *w, uint32_t client)
{
	int comm = weir_callfacts_find(w->all->facts, "comm");

	return comm >= 0 &&
	       weir_callunits_find(w->unit, (unsigned)comm, client, 0);
}

/* Whether cells of this kind count for the metric. */
static bool counts(const struct work *w, const struct weir_callunit_cell *cell)
{
	const struct weir_query *query = w->all->query;
	enum weir_stack_role role = role_of(w, cell->layer);

	if (query->metric == WEIR_QUERY_COMM_TIME)
		return role == WEIR_STACK_COMM ||
		       (cell->layer == WEIR_CALLUNIT_JOINT &&
			!has_comm(w, cell->client));
	if (cell->layer >= WEIR_CALLFACTS_LAYERS)
		return false;
	if (query->metric > WEIR_QUERY_AVG_LATENCY)
		return weir_stack_is_server(role) &&
		       is_pooled(query) == !cell->client;
	return cell->client && w->all->layers >> cell->layer & 1;
}

/* The first of a client's cells; they stand together. */
static uint32_t first_of(const struct work *w, uint32_t client)
{
	uint32_t low = 0, high = w->unit->cell_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (w->room->by_client[middle]->client < client)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether a client has used a server that is wanted. */
static bool used_wanted(const struct work *w, uint32_t client)
{
	const struct weir_callunit_cell *const *cells = w->room->by_client;

	for (uint32_t i = first_of(w, client);
	     i < w->unit->cell_count && cells[i]->client == client; i++)
		if (cells[i]->server &&
		    is_wanted_process(w->all->servers, w->all,
				      cells[i]->server))
			return true;
	return false;
}

static bool is_asked_for(const struct work *w,
			 const struct weir_callunit_cell *cell)
{
	const struct weir_queryvalue *all = w->all;
	uint32_t at = cell->server ? cell->server : cell->client;

	if (!counts(w, cell) || !is_wanted_process(all->where, all, at))
		return false;
	if (!all->servers)
		return true;
	return cell->server ? is_wanted_process(all->servers, all, cell->server)
			    : used_wanted(w, cell->client);
}

/* 0: it has no rank, or its program is not known. */
static uint64_t client_key(const struct weir_queryvalue *all,
			   enum weir_query_key key, uint32_t client)
{
	uint64_t number;

	if (key == WEIR_QUERY_PROCESS || client > all->causes->processes)
		return client;
	if (key == WEIR_QUERY_PROGRAM)
		return all->program_of[client];
	number = all->client_of[client];
	return client && number < WEIR_QUERYROWS_NO_RANK ? number + 1 : 0;
}

static uint64_t row_key(const struct work *w, enum weir_query_key key,
			const struct weir_callunit_cell *cell)
{
	const struct weir_queryvalue *all = w->all;
	uint32_t at = cell->server ? cell->server : cell->client;

	switch (key) {
	case WEIR_QUERY_LAYER:
		return cell->layer;
	case WEIR_QUERY_CLIENT:
		return cell->client <= all->causes->processes ?
			       all->client_of[cell->client] : cell->client;
	case WEIR_QUERY_RANK:
	case WEIR_QUERY_PROCESS:
	case WEIR_QUERY_PROGRAM:
		return client_key(all, key, cell->client);
	case WEIR_QUERY_SERVER:
		return cell->server && cell->server <=
					       all->causes->processes ?
			       all->causes->servers[cell->server] : 0;
	case WEIR_QUERY_HOST:
		return at <= all->causes->processes ? all->host_of[at] :
							  0;
	default:
		return 0;
	}
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Upper layers come first, as leave_uppermost() wants them. */
static int by_row(const void *left, const void *right, void *context)
{
	const struct pick *a = left, *b = right;
	const struct work *w = context;
	int order = 0;

	for (unsigned i = 0; !order && i < w->all->query->group_count; i++)
		order = compare_numbers(a->keys[i], b->keys[i]);
	if (!order && a->cell->layer != b->cell->layer &&
	    a->cell->layer < WEIR_CALLFACTS_LAYERS &&
	    b->cell->layer < WEIR_CALLFACTS_LAYERS)
		order = weir_callfacts_is_above(w->all->facts, a->cell->layer,
						b->cell->layer)
				? -1
				: 1;
	return order ? order
		     : compare_numbers((uintptr_t)a->cell, (uintptr_t)b->cell);
}

static int by_client(const void *left, const void *right)
{
	const struct weir_callunit_cell *const *a = left, *const *b = right;
	int order = compare_numbers((*a)->client, (*b)->client);

	return order ? order : compare_numbers((uintptr_t)*a, (uintptr_t)*b);
}

/* Cells of one client are looked for again for each of its rows. */
static void order_cells(struct work *w)
{
	uint32_t count = w->unit->cell_count;

	for (uint32_t i = 0; i < count; i++)
		w->room->by_client[i] = &w->unit->cells[i];
	if (count > 1)
		qsort(w->room->by_client, count, sizeof(*w->room->by_client),
		      by_client);
}

static uint32_t pick_cells(struct work *w)
{
	const struct weir_query *query = w->all->query;
	uint32_t count = 0;

	for (uint32_t i = 0; i < w->unit->cell_count; i++) {
		const struct weir_callunit_cell *cell = &w->unit->cells[i];
		struct pick *pick = &w->room->picks[count];

		if (!is_asked_for(w, cell))
			continue;
		pick->cell = cell;
		for (unsigned k = 0; k < query->group_count; k++)
			pick->keys[k] = w->common[k] +
					row_key(w, query->groups[k], cell);
		count++;
	}
	if (count > 1)
		qsort_r(w->room->picks, count, sizeof(*w->room->picks), by_row,
			w);
	return count;
}

static bool is_later(const struct work *w, unsigned layer)
{
	return w->all->facts->layers[layer].place.is_later;
}

/* The next cell from *at on that lies at or below one, for the same client. */
static const struct weir_callunit_cell *
next_below(const struct work *w, const struct weir_callunit_cell *cell,
	   uint32_t *at)
{
	while (*at < w->unit->cell_count) {
		const struct weir_callunit_cell *it =
			w->room->by_client[(*at)++];

		if (it->client != cell->client)
			return NULL;
		if (it->layer >= WEIR_CALLFACTS_LAYERS ||
		    role_of(w, it->layer) == WEIR_STACK_COMM ||
		    weir_callfacts_is_above(w->all->facts, it->layer,
					    cell->layer))
			continue;
		if (cell->server && it->server != cell->server)
			continue;
		if (is_later(w, it->layer) && !is_later(w, cell->layer))
			continue;
		if (!it->server ||
		    is_wanted_process(w->all->servers, w->all, it->server))
			return it;
	}
	return NULL;
}

/* Of the layer that follows below, in which the same clients did something. */
static uint64_t longest_below(const struct work *w)
{
	const struct weir_callfacts *facts = w->all->facts;
	const struct weir_callunit_cell *it;
	uint64_t most = 0;
	int next = -1;

	/* I/O is beside communication */
	if (role_of(w, w->run->cell->layer) == WEIR_STACK_COMM)
		return 0;
	for (uint32_t i = 0; i < w->count; i++) {
		uint32_t at = first_of(w, w->run[i].cell->client);

		while ((it = next_below(w, w->run[i].cell, &at))) {
			if (it->layer == w->run[i].cell->layer)
				continue;
			if (next >= 0 && it->layer != next &&
			    weir_callfacts_is_above(facts, (unsigned)next,
						    it->layer))
				continue;
			if (it->layer != next)
				most = 0;
			next = it->layer;
			if (it->covered > most)
				most = it->covered;
		}
	}
	return most;
}

static struct figure tell_latency(const struct work *w)
{
	uint64_t most = 0, below;

	for (uint32_t i = 0; i < w->count; i++)
		if (w->run[i].cell->covered > most)
			most = w->run[i].cell->covered;
	if (w->all->query->exclusive) {
		below = longest_below(w);
		most -= below < most ? below : most;
	}
	return (struct figure){ .is_there = true, .value = (double)most };
}

static void add_rate(struct figure *to, const struct weir_callunit_cell *cell)
{
	if (!cell->bytes || !cell->covered)
		return;
	to->is_there = true;
	to->value += 1e9 * (double)cell->bytes / (double)cell->covered;
}

/* The lowest layer in which bytes were moved for those of the row. */
static int lowest_of(const struct work *w)
{
	const struct weir_callunit_cell *it;
	int lowest = -1;

	for (uint32_t i = 0; i < w->count; i++) {
		uint32_t at = first_of(w, w->run[i].cell->client);

		while ((it = next_below(w, w->run[i].cell, &at)))
			if (it->bytes && it->layer != lowest &&
			    (lowest < 0 ||
			     weir_callfacts_is_above(w->all->facts,
						     (unsigned)lowest,
						     it->layer)))
				lowest = it->layer;
	}
	return lowest;
}

/* In a collective call some write what others have given them. */
static struct figure tell_throughput(const struct work *w)
{
	struct figure figure = { .is_there = false };
	bool exclusive = w->all->query->exclusive;
	int lowest = exclusive ? w->run->cell->layer : lowest_of(w);
	const struct weir_callunit_cell *it;

	for (uint32_t i = 0; i < w->count; i++) {
		uint32_t at = first_of(w, w->run[i].cell->client);

		if (exclusive)
			add_rate(&figure, w->run[i].cell);
		while (!exclusive &&
		       (it = next_below(w, w->run[i].cell, &at)))
			if (it->layer == lowest)
				add_rate(&figure, it);
	}
	return figure;
}

static struct figure tell_count(const struct work *w)
{
	struct figure figure = { .is_there = true };

	for (uint32_t i = 0; i < w->count; i++)
		figure.value += (double)w->run[i].cell->calls;
	return figure;
}

static struct figure tell_bytes(const struct work *w)
{
	struct figure figure = { .is_there = false };

	for (uint32_t i = 0; i < w->count; i++)
		figure.value += (double)w->run[i].cell->bytes;
	figure.is_there = figure.value > 0;
	return figure;
}

static int by_server_number(const void *left, const void *right)
{
	return compare_numbers(*(const uint32_t *)left,
			       *(const uint32_t *)right);
}

static struct figure tell_io_nodes(const struct work *w)
{
	uint32_t *servers = w->room->servers, distinct = 0;

	for (uint32_t i = 0; i < w->count; i++)
		servers[i] = w->run[i].cell->server;
	qsort(servers, w->count, sizeof(*servers), by_server_number);
	for (uint32_t i = 0; i < w->count; i++)
		distinct += !i || servers[i] != servers[i - 1];
	return (struct figure){ .is_there = true, .value = distinct };
}

/* Where the communication itself was not recorded: what is left of the call. */
static struct figure tell_comm_time(const struct work *w)
{
	struct figure figure = { .is_there = true };
	double most = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		const struct weir_callunit_cell *cell = w->run[i].cell, *io;
		uint64_t time = cell->covered;

		if (cell->layer == WEIR_CALLUNIT_JOINT) {
			figure.is_estimate = true;
			io = weir_callunits_find(w->unit,
						 WEIR_CALLUNIT_JOINT_IO,
						 cell->client, 0);
			time -= io && io->covered < time ? io->covered :
				io ? time : 0;
		}
		if ((double)time > most)
			most = (double)time;
	}
	figure.value = most;
	return figure;
}

/* A request that a server answered from its memory made none. */
static struct figure tell_disk_accesses(const struct work *w)
{
	struct figure figure = { .is_there = true };

	for (uint32_t i = 0; i < w->count; i++)
		if (role_of(w, w->run[i].cell->layer) == WEIR_STACK_DISK)
			figure.value += (double)w->run[i].cell->calls;
	return figure;
}

static uint64_t time_in(const struct work *w, const char *layer,
			const struct weir_callunit_cell *like)
{
	int number = weir_callfacts_find(w->all->facts, layer);
	const struct weir_callunit_cell *cell = number < 0 ? NULL :
		weir_callunits_find(w->unit, (unsigned)number, like->client,
				    like->server);

	return cell ? cell->covered : 0;
}

/*
 * A server's disk is active while it is accessed and idle for the rest of the
 * server's time for the call.
 */
static struct figure tell_power(const struct work *w)
{
	const struct weir_diskmodel *disk = w->all->disk;
	struct figure figure = { .is_there = false };

	for (uint32_t i = 0; i < w->count; i++) {
		const struct weir_callunit_cell *cell = w->run[i].cell;
		uint64_t server = time_in(w, "server", cell);
		uint64_t active = time_in(w, "disk", cell);
		double joules;

		if (server && role_of(w, cell->layer) == WEIR_STACK_DISK)
			continue; /* told with the server */
		if (server < active)
			server = active;
		if (!server)
			continue;
		joules = 1e-9 * (disk->active_watts * (double)active +
				 disk->idle_watts * (double)(server - active));
		figure.is_there = true;
		figure.value += w->all->query->metric == WEIR_QUERY_ENERGY ?
					joules : 1e9 * joules / (double)server;
	}
	return figure;
}

static struct figure (*const tellers[WEIR_QUERY_METRICS])(
	const struct work *w) = {
	[WEIR_QUERY_LATENCY] = tell_latency,
	[WEIR_QUERY_THROUGHPUT] = tell_throughput,
	[WEIR_QUERY_COUNT] = tell_count,
	[WEIR_QUERY_BYTES] = tell_bytes,
	[WEIR_QUERY_AVG_LATENCY] = tell_latency,
	[WEIR_QUERY_IO_NODES] = tell_io_nodes,
	[WEIR_QUERY_COMM_TIME] = tell_comm_time,
	[WEIR_QUERY_DISK_ACCESSES] = tell_disk_accesses,
	[WEIR_QUERY_POWER] = tell_power,
	[WEIR_QUERY_ENERGY] = tell_power,
};

/* Where layers are not told apart, the uppermost stands for all. */
static uint32_t leave_uppermost(const struct work *w, uint32_t count)
{
	uint32_t same = 1;

	if (w->all->query->metric > WEIR_QUERY_AVG_LATENCY)
		return count;
	while (same < count &&
	       w->run[same].cell->layer == w->run->cell->layer)
		same++;
	return same;
}

static int tell_rows(struct work *w, uint32_t count)
{
	const struct weir_query *query = w->all->query;
	size_t bytes = query->group_count * sizeof(uint64_t);
	struct figure figure;
	int err = 0;

	for (uint32_t from = 0, to; !err && from < count; from = to) {
		w->run = &w->room->picks[from];
		for (to = from + 1; to < count; to++)
			if (memcmp(w->room->picks[to].keys, w->run->keys,
				   bytes))
				break;
		w->count = leave_uppermost(w, to - from);
		figure = tellers[query->metric](w);
		if (figure.is_there)
			err = weir_queryrows_add(w->all->rows, w->run->keys,
						 w->unit, figure.value,
						 figure.is_estimate);
	}
	return err;
}

int weir_queryvalue_add(struct weir_queryvalue *all,
			const struct weir_callunit *unit,
			const struct weir_querykeys_told *told)
{
	const struct weir_query *query = all->query;
	struct work w = { .all = all, .unit = unit };
	int err = size_room(all, unit->cell_count + 1);

	if (err)
		return err;
	w.room = all->room;
	for (unsigned i = 0; i < query->group_count; i++)
		w.common[i] = weir_querykeys_common(query->groups[i],
						    unit, told);
	order_cells(&w);
	return tell_rows(&w, pick_cells(&w));
}
