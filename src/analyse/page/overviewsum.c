/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds sums of calls to an overview: by all but time. */
#include "analyse/page/overviewsum.h"

#include <errno.h>

/* What the sums of one kind of call go to. */
struct summed {
	uint32_t group, file;
	uint8_t layer, class;
	uint32_t call;
	const struct weir_cell *cell;
};

/* Classes of sizes by the powers of two that they reach. */
static const uint8_t powers[WEIR_SUM_SIZES] = {6,  10, 13, 16, 20,
					       22, 23, 26, 30, 31};

static int add_sizes(struct weir_overview *overview, const struct summed *s)
{
	int err = 0;

	if (!weir_callclass_has_size(s->class))
		return 0;
	for (int i = 0; !err && i < WEIR_SUM_SIZES; i++) {
		const int64_t sums[WEIR_CUBE_SUMS] = {
			(int64_t)s->cell->sizes[i],
		};

		if (!s->cell->sizes[i])
			continue;
		err = weir_cube_add(&overview->cubes[WEIR_OVERVIEW_SIZES], 0,
				    (uint64_t)s->layer << 16 |
					    (uint64_t)s->class << 8 | powers[i],
				    sums);
	}
	return err;
}

static int add_share(struct weir_overview *overview, const struct summed *s)
{
	const struct weir_cell *cell = s->cell;
	int reads = s->class == WEIR_CLASS_READ || s->class == WEIR_CLASS_GET;
	int writes = s->class == WEIR_CLASS_WRITE || s->class == WEIR_CLASS_PUT;
	const struct weir_outline *outline = overview->outline;
	int is_object = s->file < outline->file_count &&
			outline->files[s->file].kind == WEIR_OUTLINE_OBJECT;
	int counts = s->layer == WEIR_CALLVIEW_POSIX ||
		     s->layer == WEIR_CALLVIEW_STDIO ||
		     s->layer == WEIR_CALLVIEW_ASYNC || is_object;
	const int64_t sums[WEIR_CUBE_SUMS] = {
		(int64_t)cell->calls,
		counts ? (int64_t)((reads ? cell->bytes : 0) + cell->done[0])
		       : 0,
		counts ? (int64_t)((writes ? cell->bytes : 0) + cell->done[1])
		       : 0,
		(int64_t)cell->time,
	};

	if (weir_callclass_is_inner(s->class))
		return 0;
	return weir_cube_add(&overview->cubes[WEIR_OVERVIEW_SHARE], 0,
			     (uint64_t)s->file << 8 | s->group, sums);
}

/* Nobody knows who called whom: all of its time is a call's own. */
static void sums_of(const struct summed *s, int64_t ret_sums[WEIR_CUBE_SUMS])
{
	const struct weir_cell *cell = s->cell;

	ret_sums[0] = (int64_t)cell->calls;
	ret_sums[1] = weir_callclass_moves(s->class) ? (int64_t)cell->bytes : 0;
	ret_sums[2] = ret_sums[3] = (int64_t)cell->time;
}

/* In a layer, or in that of the system. */
static int add_cell(struct weir_overview *overview, const struct summed *s)
{
	int64_t sums[WEIR_CUBE_SUMS];
	int err;

	sums_of(s, sums);
	err = weir_cube_add(&overview->cubes[WEIR_OVERVIEW_CELLS], 0,
			    (uint64_t)s->layer << 16 | (uint64_t)s->class << 8 |
				    s->group,
			    sums);
	overview->layers[s->layer] = 1;
	return err ? err : add_sizes(overview, s);
}

/* What operations moved, as reads and as writes. */
static int add_ends(struct weir_overview *overview, const struct summed *s)
{
	static const uint8_t classes[2] = { WEIR_CLASS_READ,
					    WEIR_CLASS_WRITE };
	int err = 0;

	for (int i = 0; !err && i < 2; i++) {
		const struct weir_cell cell = { .bytes = s->cell->done[i] };
		struct summed os = *s;

		os.layer = WEIR_OVERVIEW_OS;
		os.class = classes[i];
		os.cell = &cell;
		err = cell.bytes ? add_cell(overview, &os) : 0;
	}
	return err;
}

static int add_os(struct weir_overview *overview, const struct summed *s)
{
	struct summed os = *s;

	if (s->class == WEIR_CLASS_DONE)
		return s->layer == WEIR_CALLVIEW_ASYNC ?
			       add_ends(overview, s) : 0;
	os.layer = WEIR_OVERVIEW_OS;
	if (s->class == WEIR_CLASS_FILL)
		os.class = WEIR_CLASS_READ;
	else if (s->class == WEIR_CLASS_DRAIN)
		os.class = WEIR_CLASS_WRITE;
	else if (s->layer != WEIR_CALLVIEW_POSIX &&
		 s->layer != WEIR_CALLVIEW_ASYNC)
		return 0;
	return add_cell(overview, &os);
}

static int add_one(struct weir_overview *overview, const struct summed *s)
{
	int64_t sums[WEIR_CUBE_SUMS];
	uint32_t node;
	int err = weir_callpaths_get(&overview->nodes, WEIR_CALLPATHS_NONE,
				     s->call, &node);

	if (err)
		return err;
	sums_of(s, sums);
	overview->nodes.nodes[node].time += s->cell->time;
	err = weir_cube_add(&overview->cubes[WEIR_OVERVIEW_PATHS], 0,
			    (uint64_t)node << 8 | s->group, sums);
	if (!weir_callclass_is_inner(s->class))
		err = err ? err : add_cell(overview, s);
	err = err ? err : add_os(overview, s);
	return err ? err : add_share(overview, s);
}

int weir_overviewsum_add(struct weir_overview *overview,
			 struct weir_callviews *views, uint32_t proc,
			 uint32_t file, const struct weir_row *row)
{
	const struct weir_outline *outline = overview->outline;
	int err = 0;

	if (!overview->first_of[file] || overview->first_of[file] > proc)
		overview->first_of[file] = proc;
	for (uint32_t i = 0; !err && i < row->count; i++) {
		uint16_t id = row->entries[i].call;
		const struct weir_call *call;
		struct summed s = {
			.group = proc <= outline->processes
					 ? outline->group_of[proc]
					 : WEIR_OUTLINE_NOBODY,
			.file = file,
			.cell = &row->entries[i].cell,
		};

		weir_callviews_meet(views, proc, id);
		call = weir_callviews_call(views, id);
		s.layer = weir_callviews_layer_of(call);
		s.class = (uint8_t)weir_callclass_of(call);
		if (weir_outline_is_note(s.layer))
			continue;
		s.call = weir_overview_call(id, s.class);
		overview->calls[s.call] = 1;
		err = add_one(overview, &s);
	}
	return err;
}
