/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds calls to an overview, one by one. */
#include "analyse/page/overviewtake.h"

#include "analyse/calls/links.h"
#include "analyse/page/overviewsum.h"
#include "base/grow.h"
#include "trace/event/detail.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_INDEX   UINT64_MAX
#define UNWANTED   UINT32_MAX
#define MOST_STEPS 8192

static void forget_open(void *open)
{
	weir_sample_close(open);
}

int weir_overviewtake_init(struct weir_overviewtake *take)
{
	return weir_tree_new(forget_open, &take->tree);
}

void weir_overviewtake_fini(struct weir_overviewtake *take)
{
	weir_tree_free(take->tree);
	free(take->file_of);
	free(take->orders);
}

/* Pipes wait for others: that is no I/O, whatever the call does. */
static uint8_t class_of(const struct weir_callview *view)
{
	return view->marks & WEIR_CALLVIEW_CHANNEL &&
			       !(view->marks & (WEIR_CALLVIEW_SETUP |
						WEIR_CALLVIEW_SPAWNS))
		       ? WEIR_OVERVIEW_WAITS
		       : view->class;
}

static int grow_files(struct weir_overviewtake *take, uint32_t number)
{
	return WEIR_GROW_ZEROED(take->file_of, (size_t)number + 1,
				take->file_room);
}

static int find_outline_file(struct weir_overviewtake *take, uint32_t number,
			     uint32_t *ret_file)
{
	const struct weir_outline *outline = take->count.overview->outline;
	size_t len = 0;
	const char *name;

	*ret_file = weir_outline_others(outline);
	if (number == UNWANTED)
		return 0;
	if (number >= take->file_room && grow_files(take, number))
		return -ENOMEM;
	if (!take->file_of[number]) {
		name = weir_names_get(take->names, number, &len);
		take->file_of[number] =
			(uint16_t)(weir_outline_file(outline, name, len) + 1);
	}
	*ret_file = take->file_of[number] - 1u;
	return 0;
}

/* Clocks, and damage, may say what cannot be. */
static void clamp(const struct weir_outline *outline,
		  struct weir_overviewcount_call *taken)
{
	uint64_t real = taken->view->real, dur = taken->view->event.dur;
	uint64_t start = real > outline->begin ? real - outline->begin : 0;

	start = start < outline->span ? start : outline->span;
	taken->start = start;
	taken->dur = dur < outline->span - start ? dur : outline->span - start;
	if (taken->view->class == WEIR_CLASS_DONE)
		taken->dur = 0; /* the time of an end is nobody's */
}

static int note_site(struct weir_overview *overview,
		     const struct weir_event *event, uint32_t *ret_site)
{
	uint32_t bytes = weir_detail_site_bytes(event), number;
	uint8_t text[4 + 256];
	int err;

	*ret_site = WEIR_SAMPLE_NONE;
	if (!bytes || bytes > sizeof(text) - 4)
		return 0;
	memcpy(text, &event->proc, 4);
	memcpy(text + 4, event->detail + event->detail_len - bytes, bytes);
	if (overview->sites.count >= WEIR_OVERVIEW_SITES) {
		overview->lost_sites = 1;
		return 0;
	}
	err = weir_names_add(&overview->sites, text, 4 + bytes, &number);
	if (err)
		return err;
	*ret_site = number - 1;
	if (number <= overview->site_room &&
	    overview->site_list[number - 1].proc)
		return 0;
	if (WEIR_GROW_ZEROED(overview->site_list, number, overview->site_room))
		return -ENOMEM;
	overview->site_list[number - 1] = (struct weir_overview_site){
		.start = event->start,
		.dur = event->dur,
		.proc = event->proc,
		.text = number,
	};
	return 0;
}

/* Its number among those of its process on its file in its layer, from 1. */
static int count_order(struct weir_overviewtake *take,
		       const struct weir_callview *view, uint32_t *ret_order)
{
	size_t room = take->order_room;

	*ret_order = 0;
	if (!view->pair || !weir_callclass_has_size(view->class) ||
	    take->count.overview->outline->facts->overflowed)
		return 0;
	if (weir_grow_zeroed((void **)&take->orders, (size_t)view->pair + 1,
			     &room,
			     WEIR_CALLVIEW_LAYERS * sizeof(*take->orders)))
		return -ENOMEM;
	take->order_room = (uint32_t)room;
	*ret_order =
		++take->orders[view->pair * WEIR_CALLVIEW_LAYERS + view->layer];
	return 0;
}

static uint8_t flags_of(const struct weir_event *event,
			enum weir_tree_link link)
{
	uint8_t flags = 0;

	flags |= event->flags & WEIR_EVENT_FAILED ? WEIR_SAMPLE_FAILED : 0;
	flags |= event->flags & WEIR_EVENT_ENTERED ? WEIR_SAMPLE_ENTERED : 0;
	flags |= event->flags & WEIR_EVENT_NOOFF ? WEIR_SAMPLE_NOOFF : 0;
	flags |= link == WEIR_TREE_UNKNOWN ? WEIR_SAMPLE_UNKNOWN : 0;
	return flags;
}

static int describe_call(struct weir_overviewtake *take,
			 const struct weir_overviewcount_call *taken,
			 const struct weir_tree_place *place)
{
	const struct weir_event *event = &taken->view->event;
	const struct weir_call *call =
		weir_callviews_call(take->count.views, event->call);
	struct weir_exemplar *it = &taken->open->it;
	int err;

	*it = (struct weir_exemplar){
		.id = weir_tree_id_of(event),
		.above = place->above ? place->above->index : NO_INDEX,
		.cid = weir_links_cid(event, call),
		.cause = weir_links_cause(event, call),
		.start = taken->start,
		.dur = event->dur,
		.size = event->size,
		.off = event->off,
		.ret = event->flags & WEIR_EVENT_FAILED ? -(int64_t)event->err
							: event->ret,
		.key = UINT64_MAX,
		.below = place->frame->below,
		.call = event->call,
		.file = (uint16_t)taken->file,
		.layer = taken->view->layer,
		.class = taken->class,
		.depth = event->depth,
		.flags = flags_of(event, place->link),
		.parent = WEIR_SAMPLE_NONE,
	};
	*(weir_links_does_batch(call) ? &it->cause : &it->batch) =
		weir_links_batch(event, call);
	err = count_order(take, taken->view, &it->order);
	return err ? err : note_site(take->count.overview, event, &it->site);
}

/* What the calls below it will ask for. */
static int open_call(struct weir_overviewtake *take,
		     struct weir_overviewcount_call *taken,
		     const struct weir_tree_place *place)
{
	struct weir_overview *overview = take->count.overview;
	struct weir_sample_open *above =
		place->above ? place->above->own : NULL;
	struct weir_sample_open *open = weir_sample_open(above);
	int err;

	if (!open)
		return -ENOMEM;
	place->frame->own = open;
	taken->open = open;
	open->is_wanted = taken->view->file != UNWANTED;
	err = weir_callpaths_get(
		&overview->nodes, above ? above->node : WEIR_CALLPATHS_NONE,
		weir_overview_call(taken->view->event.call, taken->class),
		&open->node);
	return err ? err : describe_call(take, taken, place);
}

static int make_steps(struct weir_overview *overview)
{
	if (overview->marks.count > MOST_STEPS) {
		overview->lost_steps = 1;
		return 0;
	}
	while (overview->step_count < overview->marks.count) {
		const struct weir_markstep *row =
			&overview->marks.rows[overview->step_count];

		if (WEIR_GROW(overview->steps, overview->step_count,
			      overview->step_room))
			return -ENOMEM;
		overview->steps[overview->step_count++] =
			(struct weir_overview_step){
				.phase = row->phase,
				.has_step = row->has_step,
				.step = row->step,
				.begin = row->start,
			};
	}
	return 0;
}

static int take_mark(struct weir_overviewtake *take,
		     const struct weir_overviewcount_call *taken)
{
	struct weir_overview *overview = take->count.overview;
	const struct weir_event *event = &taken->view->event;
	const struct weir_call *call =
		weir_callviews_call(take->count.views, event->call);
	int err;

	if (!call)
		return 0;
	err = weir_marksteps_take(&overview->marks, event, call, taken->start);
	if (err == -E2BIG) {
		overview->lost_steps = 1;
		return 0;
	}
	return err ? err : make_steps(overview);
}

static int take_call(struct weir_overviewtake *take,
		     const struct weir_callview *view,
		     const struct weir_tree_place *place)
{
	struct weir_overview *overview = take->count.overview;
	const struct weir_event *event = &view->event;
	const struct weir_outline *outline = overview->outline;
	struct weir_overviewcount_call taken = {.view = view,
					.class = class_of(view)};
	uint64_t key =
		weir_outline_key(event->proc, event->thread, event->index);
	int err = find_outline_file(take, view->file, &taken.file);

	if (err)
		return err;
	taken.group = event->proc <= outline->processes
			      ? outline->group_of[event->proc]
			      : WEIR_OUTLINE_NOBODY;
	clamp(outline, &taken);
	if (weir_outline_is_note(view->layer))
		return take_mark(take, &taken);
	err = open_call(take, &taken, place);
	if (err || !taken.open->is_wanted)
		return err;
	overview->calls[weir_overview_call(event->call, taken.class)] = 1;
	overview->unknown += place->link == WEIR_TREE_UNKNOWN;
	if (!(event->flags & WEIR_EVENT_ENTERED))
		err = weir_overviewcount_add(&take->count, &taken);
	return err ? err
		   : weir_sample_take(&overview->sample, taken.open,
				      weir_map_get(&outline->evidence, key) !=
					      0);
}

/* What a killed process left of its sums: times are ticks there. */
static int take_sum(struct weir_overviewtake *take,
		    const struct weir_callview *view)
{
	const struct weir_nodeinfo *node =
		weir_reader_node_of(take->reader, view->event.proc);
	struct weir_entry entry = {0};
	struct weir_row row = {.count = 1, .entries = &entry};
	struct weir_sum sum;
	uint32_t file;
	int err;

	if (view->file == UNWANTED || !weir_sum_read(&view->event, &sum) ||
	    (uint16_t)sum.key >= WEIR_NOTE_FIRST)
		return 0;
	entry.call = (uint16_t)sum.key;
	weir_cell_add_sum(&entry.cell, &sum);
	weir_cell_scale(&entry.cell, node ? node->mult : UINT64_C(1) << 32);
	err = find_outline_file(take, view->file, &file);
	return err ? err
		   : weir_overviewsum_add(take->count.overview,
					  take->count.views, view->event.proc,
					  file, &row);
}

int weir_overviewtake_add(struct weir_overviewtake *take,
			  const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;
	struct weir_tree_place place;
	int err;

	if (event->call == WEIR_NOTE_SUM)
		return take_sum(take, view);
	err = weir_tree_add(
		take->tree, event,
		event->call < WEIR_NOTE_FIRST
			? weir_callviews_call(take->count.views, event->call)
			: NULL,
		&place);
	if (err || event->call >= WEIR_NOTE_FIRST)
		return err;
	return take_call(take, view, &place);
}
