/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts requests by size. */
#include "analyse/view/sizes.h"

#include "analyse/calls/callclass.h"
#include "analyse/sums/profile.h"
#include "base/grow.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define POWERS 65

/* While sizes are gathered: in all grains, until it is known which. */
struct gathering {
	struct weir_traffic *traffic;
	struct weir_sizes_row *rows; /* EACH, as they come */
	uint32_t count;
	size_t room;
	struct weir_map row_of; /* size + 1 to row + 1 */
	struct weir_sizes_row powers[POWERS];
	struct weir_sizes_row classes[WEIR_SUM_SIZES];
	uint64_t unsure;
	int folded, has_classes;
};

static unsigned int power_of(uint64_t size)
{
	return size ? 64 - (unsigned int)__builtin_clzll(size) : 0;
}

static void name_powers(struct weir_sizes_row rows[POWERS])
{
	for (unsigned int i = 1; i < POWERS; i++) {
		rows[i].from = UINT64_C(1) << (i - 1);
		rows[i].to = 2 * rows[i].from - 1;
	}
}

/* The least size of a class: what the classes' own function says. */
static uint64_t class_begin(uint32_t class)
{
	uint64_t low = 0, high = UINT64_MAX;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (weir_sum_size_class(middle) >= class)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void name_classes(struct weir_sizes_row rows[WEIR_SUM_SIZES])
{
	for (uint32_t i = 0; i < WEIR_SUM_SIZES; i++) {
		rows[i].from = class_begin(i);
		rows[i].to = i + 1 < WEIR_SUM_SIZES ? class_begin(i + 1) - 1 :
						      UINT64_MAX;
	}
}

/* The row of a size, made when it is new; NULL: no memory. */
static struct weir_sizes_row *row_of(struct gathering *g, uint64_t size)
{
	uint64_t row = weir_map_get(&g->row_of, size + 1);

	if (row)
		return &g->rows[row - 1];
	if (WEIR_GROW(g->rows, g->count, g->room))
		return NULL;
	if (weir_map_put(&g->row_of, size + 1, g->count + 1))
		return NULL;
	g->rows[g->count] = (struct weir_sizes_row){ size, size, { 0 } };
	return &g->rows[g->count++];
}

static int add_size(struct gathering *g, uint64_t size, int way)
{
	struct weir_sizes_row *row;

	g->powers[power_of(size)].count[way]++;
	g->classes[weir_sum_size_class(size)].count[way]++;
	if (g->folded)
		return 0;
	if (g->count == WEIR_SIZES_EXACT &&
	    !weir_map_get(&g->row_of, size + 1)) {
		g->folded = 1;
		return 0;
	}
	row = row_of(g, size);
	if (!row)
		return -ENOMEM;
	row->count[way]++;
	return 0;
}

static int add_request(struct gathering *g,
		       const struct weir_traffic_item *item)
{
	int err = 0;

	for (int way = 0; way < 2; way++)
		if (!err && item->ways & 1 << way)
			err = add_size(g, item->event.size, way);
	if (!err && item->open)
		err = weir_traffic_tag(g->traffic, 1);
	return err;
}

/* Calls of one kind that a profile has counted. */
static void add_counted(struct gathering *g, const struct weir_call *call,
			const uint64_t counts[WEIR_SUM_SIZES])
{
	int ways = weir_traffic_ways_of(g->traffic, call);

	for (int i = 0; i < WEIR_SUM_SIZES; i++) {
		for (int way = 0; way < 2; way++)
			if (ways & 1 << way)
				g->classes[i].count[way] += counts[i];
		if (!ways && weir_callclass_of(call) == WEIR_CLASS_SUBMIT)
			g->unsure += counts[i];
	}
}

static const struct weir_call *call_of(struct gathering *g, uint32_t proc,
				       uint16_t call)
{
	struct weir_event event = { .proc = proc, .call = call };

	return weir_reader_call(g->traffic->reader, &event);
}

/* What a killed process left of its sums. */
static void add_sum(struct gathering *g, const struct weir_event *event)
{
	const uint8_t *files = g->traffic->choice.files;
	uint32_t file = event->file;
	struct weir_cell cell = { 0 };
	struct weir_sum sum;

	if (file > weir_reader_names(g->traffic->reader))
		file = 0;
	if ((files && !files[file]) || !weir_sum_read(event, &sum))
		return;
	weir_cell_add_sum(&cell, &sum);
	add_counted(g, call_of(g, event->proc, (uint16_t)sum.key),
		    cell.sizes);
}

static void add_profile_row(struct gathering *g, uint32_t proc,
			    const struct weir_profile_row *from)
{
	const char *glob = g->traffic->choice.file;
	char *name = NULL;
	int wanted = !glob;

	if (glob && from->kind == WEIR_PROFILE_FILE) {
		name = strndup(from->name, from->name_len);
		wanted = name && !fnmatch(glob, name, 0);
	}
	free(name);
	for (uint32_t i = 0; wanted && i < from->row.count; i++)
		add_counted(g, call_of(g, proc, from->row.entries[i].call),
			    from->row.entries[i].cell.sizes);
}

static int add_profile(struct gathering *g, uint32_t proc,
		       const struct weir_bytes *payload)
{
	struct weir_profile_walk walk = { payload->data, payload->used };
	struct weir_profile_row row;
	int more;

	g->has_classes = 1;
	while ((more = weir_profile_next(&walk, &row)) > 0) {
		add_profile_row(g, proc, &row);
		weir_row_fini(&row.row);
	}
	if (more == -EBADMSG) {
		weir_reader_note_damage(g->traffic->reader);
		return 0;
	}
	return more;
}

static int read_profiles(struct gathering *g)
{
	struct weir_reader *reader = g->traffic->reader;
	uint32_t processes = weir_reader_processes(reader);
	struct weir_bytes payload = { 0 };
	int err = 0;

	for (uint32_t proc = 1; !err && proc <= processes; proc++) {
		for (int current = 0; !err && current < 2; current++) {
			int more = weir_reader_profile(reader, proc, current,
						       &payload);

			err = more > 0 ? add_profile(g, proc, &payload) : more;
		}
	}
	weir_bytes_fini(&payload);
	return err;
}

static int read_items(struct gathering *g)
{
	struct weir_traffic_item item;
	int more = 0, err = read_profiles(g);

	while (!err && (more = weir_traffic_next(g->traffic, &item)) > 0) {
		if (item.kind == WEIR_TRAFFIC_REQUEST)
			err = add_request(g, &item);
		else if (item.kind == WEIR_TRAFFIC_SUM)
			add_sum(g, &item.event);
	}
	g->has_classes |= g->traffic->has_sums;
	return err ? err : more;
}

static int by_size(const void *left, const void *right)
{
	const struct weir_sizes_row *a = left, *b = right;

	return (a->from > b->from) - (a->from < b->from);
}

/* Keeps the rows that have requests, in order. */
static int keep_rows(struct weir_sizes *sizes,
		     const struct weir_sizes_row *rows, uint32_t count)
{
	sizes->rows = calloc((size_t)count + 1, sizeof(*rows));
	if (!sizes->rows)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		if (!rows[i].count[0] && !rows[i].count[1])
			continue;
		sizes->rows[sizes->count++] = rows[i];
		for (int way = 0; way < 2; way++)
			sizes->total[way] += rows[i].count[way];
	}
	qsort(sizes->rows, sizes->count, sizeof(*rows), by_size);
	return 0;
}

int weir_sizes_gather(struct weir_sizes *sizes, struct weir_traffic *traffic,
		      int powers)
{
	struct gathering g = { .traffic = traffic };
	int err;

	name_powers(g.powers);
	name_classes(g.classes);
	err = read_items(&g);
	*sizes = (struct weir_sizes){
		.folded = g.folded,
		.unsure = g.unsure,
		.grain = g.has_classes	      ? WEIR_SIZES_CLASSES :
			 powers || g.folded ? WEIR_SIZES_POWERS :
						WEIR_SIZES_EACH,
	};
	if (!err)
		err = sizes->grain == WEIR_SIZES_CLASSES ?
			      keep_rows(sizes, g.classes, WEIR_SUM_SIZES) :
		      sizes->grain == WEIR_SIZES_POWERS ?
			      keep_rows(sizes, g.powers, POWERS) :
			      keep_rows(sizes, g.rows, g.count);
	weir_map_fini(&g.row_of);
	free(g.rows);
	return err;
}

int weir_sizes_fold(const struct weir_sizes *sizes,
		    struct weir_sizes *ret_folded)
{
	struct weir_sizes_row powers[POWERS] = { 0 };

	name_powers(powers);
	for (uint32_t i = 0; i < sizes->count; i++)
		for (int way = 0; way < 2; way++)
			powers[power_of(sizes->rows[i].from)].count[way] +=
				sizes->rows[i].count[way];
	*ret_folded = (struct weir_sizes){ .grain = WEIR_SIZES_POWERS };
	return keep_rows(ret_folded, powers, POWERS);
}

void weir_sizes_fini(struct weir_sizes *sizes)
{
	free(sizes->rows);
	*sizes = (struct weir_sizes){ 0 };
}
