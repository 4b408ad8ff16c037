/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what the time of processes and layers goes to: time in I/O. */
#include "analyse/calls/iotime.h"

#include "base/grow.h"

#include <errno.h>
#include <string.h>

#define GAPS 65536 /* of a layer; of more the older half is forgotten */

void weir_iotime_fini(struct weir_iotime *times)
{
	for (int i = 0; i < WEIR_CALLVIEW_LAYERS; i++)
		free(times->layers[i].gaps);
	free(times->processes);
	*times = (struct weir_iotime){ 0 };
}

enum weir_iotime_part weir_iotime_part_of(uint32_t marks)
{
	static const struct {
		uint32_t mark;
		enum weir_iotime_part part;
	} parts[] = {
		{ WEIR_CALLVIEW_SETUP, WEIR_IOTIME_LIBRARY },
		{ WEIR_CALLVIEW_SPAWNS, WEIR_IOTIME_STARTING },
		{ WEIR_CALLVIEW_CHANNEL, WEIR_IOTIME_WAITING },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (marks & parts[i].mark)
			return parts[i].part;
	return WEIR_IOTIME_IO;
}

/* Calls come by their starts: what is new of one is what lies behind. */
static void cover(struct weir_iotime_span *span, uint64_t start, uint64_t dur)
{
	uint64_t end = start + dur < start ? UINT64_MAX : start + dur;
	uint64_t from = start > span->until ? start : span->until;

	if (dur > span->longest)
		span->longest = dur;
	if (end <= from)
		return;
	span->time += end - from;
	span->until = end;
}

static int add_gap(struct weir_iotime_layer *layer, uint64_t to)
{
	struct weir_iotime_gap gap = { layer->span.until, to };

	if (layer->gap_count == GAPS) {
		layer->gap_count /= 2;
		memmove(layer->gaps, layer->gaps + layer->gap_count,
			layer->gap_count * sizeof(gap));
	}
	if (WEIR_GROW(layer->gaps, layer->gap_count, layer->gap_room))
		return -ENOMEM;
	layer->gaps[layer->gap_count++] = gap;
	return 0;
}

/* What began long ago ends: all gaps since then were none. */
static void cover_back(struct weir_iotime_layer *layer, uint64_t start,
		       uint64_t end)
{
	while (layer->gap_count) {
		struct weir_iotime_gap *gap =
			&layer->gaps[layer->gap_count - 1];

		if (gap->to <= start)
			break;
		if (gap->from < start) {
			layer->span.time += gap->to - start;
			gap->to = start;
			break;
		}
		layer->span.time += gap->to - gap->from;
		layer->gap_count--;
	}
	if (end > start)
		cover(&layer->span, start, end - start);
}

/* Ends of operations are told with a time that is nobody's. */
static int cover_layer(struct weir_iotime *times,
		       const struct weir_callview *view, bool is_pending)
{
	struct weir_iotime_layer *layer = &times->layers[view->layer];
	uint64_t end = view->real + view->event.dur;
	int err = 0;

	if (view->class == WEIR_CLASS_DONE) {
		if (view->began)
			cover_back(layer, view->began, end);
		return 0;
	}
	if (!is_pending)
		layer->gap_count = 0;
	else if (view->real > layer->span.until)
		err = add_gap(layer, view->real);
	cover(&layer->span, view->real, view->event.dur);
	return err;
}

static int find_parts(struct weir_iotime *times, uint32_t proc,
		      struct weir_iotime_span **ret_parts)
{
	if (proc >= times->count) {
		if (WEIR_GROW_ZEROED(times->processes, (size_t)proc + 1,
				     times->room))
			return -ENOMEM;
		times->count = proc + 1;
	}
	*ret_parts = times->processes[proc].parts;
	return 0;
}

int weir_iotime_take(struct weir_iotime *times,
		     const struct weir_callview *view, bool is_pending)
{
	struct weir_iotime_span *parts;
	int err = 0;

	if (weir_callview_counts(view) &&
	    !(view->marks & WEIR_CALLVIEW_LIES) &&
	    !weir_callclass_is_inner(view->class))
		err = cover_layer(times, view, is_pending);
	/* What a call calls is within its time. */
	if (err || view->event.depth || view->marks & WEIR_CALLVIEW_BEHIND)
		return err;
	err = find_parts(times, view->event.proc, &parts);
	if (!err)
		cover(&parts[weir_iotime_part_of(view->marks)], view->real,
		      view->event.dur);
	return err;
}

int weir_iotime_add(struct weir_iotime *times, uint32_t proc,
		    enum weir_iotime_part part, uint64_t time,
		    uint64_t longest)
{
	struct weir_iotime_span *parts;
	int err = find_parts(times, proc, &parts);

	if (err)
		return err;
	parts[part].time += time;
	if (longest > parts[part].longest)
		parts[part].longest = longest;
	return 0;
}

struct weir_iotime_span weir_iotime_of(const struct weir_iotime *times,
				       uint32_t proc,
				       enum weir_iotime_part part)
{
	if (proc >= times->count)
		return (struct weir_iotime_span){ 0 };
	return times->processes[proc].parts[part];
}

struct weir_iotime_span weir_iotime_most(const struct weir_iotime *times,
					 enum weir_iotime_part part,
					 uint32_t *ret_proc)
{
	struct weir_iotime_span most = { 0 };

	*ret_proc = 0;
	for (uint32_t i = 0; i < times->count; i++) {
		const struct weir_iotime_span *span =
			&times->processes[i].parts[part];

		if (span->time <= most.time)
			continue;
		most = *span;
		*ret_proc = i;
	}
	return most;
}
