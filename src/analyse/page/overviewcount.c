/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts a call in all sums of an overview that it is part of. */
#include "analyse/page/overviewcount.h"

#include "trace/event/pending.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

static uint64_t cell_of(uint8_t layer, uint8_t class, uint32_t group)
{
	return (uint64_t)layer << 16 | (uint64_t) class << 8 | group;
}

/* A part of another call's time, and of its bytes: in no layer by itself. */
static int is_inner(const struct weir_overviewcount_call *taken)
{
	return weir_callclass_is_inner(taken->view->class);
}

/* The time is that of who called, no longer. */
static int leave_to(struct weir_overview *overview,
		    const struct weir_overviewcount_call *taken)
{
	const struct weir_sample_open *above = taken->open->above;
	const int64_t less[WEIR_CUBE_SUMS] = {0, 0, 0, -(int64_t)taken->dur};
	int err = 0;

	if (!above || !above->is_wanted || !taken->dur)
		return 0;
	if (!is_inner(taken))
		err = weir_cube_spread(
			&overview->cubes[WEIR_OVERVIEW_CELLS],
			cell_of(above->it.layer, above->it.class, taken->group),
			taken->start, taken->dur, less);
	return err ? err
		   : weir_cube_spread(&overview->cubes[WEIR_OVERVIEW_PATHS],
				      (uint64_t)above->node << 8 | taken->group,
				      taken->start, taken->dur, less);
}

static int add_path(struct weir_overview *overview,
		    const struct weir_overviewcount_call *taken)
{
	const struct weir_sample_open *open = taken->open;
	int64_t dur = (int64_t)taken->dur;
	const int64_t sums[WEIR_CUBE_SUMS] = {
		1,
		(int64_t)taken->view->moved,
		dur,
		dur,
	};

	overview->nodes.nodes[open->node].time += taken->dur;
	return weir_cube_spread(&overview->cubes[WEIR_OVERVIEW_PATHS],
				(uint64_t)open->node << 8 | taken->group,
				taken->start, taken->dur, sums);
}

/* What libraries above move comes down to these, and counts once. */
static int is_of_system(const struct weir_overviewcount *count,
			const struct weir_callview *view)
{
	const struct weir_call *call =
		weir_callviews_call(count->views, view->event.call);

	return view->layer == WEIR_CALLVIEW_POSIX ||
	       view->layer == WEIR_CALLVIEW_STDIO ||
	       view->layer == WEIR_CALLVIEW_ASYNC || !call || !call->layer;
}

/* What an object holds is moved by its library; nobody else knows of it. */
static int is_object(const struct weir_overviewcount_call *taken,
		     const struct weir_outline *outline)
{
	return taken->file < outline->file_count &&
	       outline->files[taken->file].kind == WEIR_OUTLINE_OBJECT;
}

/* The same figures that reports have of files. */
static int add_share(const struct weir_overviewcount *count,
		     const struct weir_overviewcount_call *taken)
{
	struct weir_overview *overview = count->overview;
	const struct weir_callview *view = taken->view;
	int64_t moved = is_of_system(count, view) ||
					is_object(taken, overview->outline) ?
				(int64_t)view->moved :
				0;
	const int64_t sums[WEIR_CUBE_SUMS] = {
		1,
		weir_callview_reads(view) ? moved : 0,
		weir_callview_writes(view) ? moved : 0,
		weir_callview_is_of_file(view) ? (int64_t)view->event.dur : 0,
	};

	if (view->marks & WEIR_CALLVIEW_BEHIND)
		return 0;
	if (!overview->first_of[taken->file] ||
	    overview->first_of[taken->file] > view->event.proc)
		overview->first_of[taken->file] = view->event.proc;
	if (weir_callclass_is_inner(view->class))
		return 0;
	return weir_cube_spread(&overview->cubes[WEIR_OVERVIEW_SHARE],
				(uint64_t)taken->file << 8 | taken->group,
				taken->start, taken->dur, sums);
}

static uint64_t power_of(uint64_t size)
{
	return size ? 63 - (uint64_t)__builtin_clzll(size)
		    : WEIR_OVERVIEW_EMPTY;
}

/* A call as one layer has it. */
struct seen {
	uint8_t layer, class;
	int64_t calls, bytes, time, own;
	int is_sized;
};

static int add_step(struct weir_overview *overview,
		    const struct weir_overviewcount_call *taken,
		    const struct seen *seen)
{
	uint32_t step =
		weir_marksteps_row(&overview->marks, taken->view->event.proc);
	const int64_t sums[WEIR_CUBE_SUMS] = {seen->calls, seen->bytes,
					      seen->time};

	if (step >= overview->step_count)
		return 0;
	if (overview->steps[step].end < taken->start + taken->dur)
		overview->steps[step].end = taken->start + taken->dur;
	return weir_cube_add(
		&overview->cubes[WEIR_OVERVIEW_STEPSUM], 0,
		(uint64_t)step << 24 |
			cell_of(seen->layer, seen->class, taken->group),
		sums);
}

static int add_seen(struct weir_overview *overview,
		    const struct weir_overviewcount_call *taken,
		    const struct seen *seen)
{
	const int64_t cell[WEIR_CUBE_SUMS] = {seen->calls, seen->bytes,
					      seen->time, seen->own};
	const int64_t size[WEIR_CUBE_SUMS] = {seen->calls, seen->bytes};
	int err = weir_cube_spread(
		&overview->cubes[WEIR_OVERVIEW_CELLS],
		cell_of(seen->layer, seen->class, taken->group), taken->start,
		taken->dur, cell);

	overview->layers[seen->layer] = 1;
	if (!err && seen->is_sized)
		err = weir_cube_spread(
			&overview->cubes[WEIR_OVERVIEW_SIZES],
			cell_of(seen->layer, seen->class, 0) |
				power_of(taken->view->event.size),
			taken->start, 0, size);
	return err ? err : add_step(overview, taken, seen);
}

static int add_layer(struct weir_overview *overview,
		     const struct weir_overviewcount_call *taken)
{
	const struct weir_callview *view = taken->view;
	const struct seen seen = {
		.layer = view->layer,
		.class = taken->class,
		.calls = 1,
		.bytes = (int64_t)view->moved,
		.time = view->above != view->layer ? (int64_t)taken->dur : 0,
		.own = (int64_t)taken->dur,
		.is_sized = weir_callclass_has_size(view->class),
	};

	return is_inner(taken) ? 0 : add_seen(overview, taken, &seen);
}

static const uint8_t classes_of_ways[] = {
	[WEIR_PENDING_MOVES_NOTHING] = WEIR_CLASS_OTHER,
	[WEIR_PENDING_READS] = WEIR_CLASS_READ,
	[WEIR_PENDING_WRITES] = WEIR_CLASS_WRITE,
};

/*
 * An operation counts when it is handed over, and its bytes when they have
 * been moved: only then is it known how many. False: it is neither.
 */
static int see_operation(const struct weir_overviewcount *count,
			 const struct weir_callview *view, struct seen *seen)
{
	const struct weir_call *call =
		weir_callviews_call(count->views, view->event.call);

	if (!call)
		return 0;
	if (view->class == WEIR_CLASS_DONE) {
		seen->class = classes_of_ways[view->way];
		seen->bytes = (int64_t)view->moved;
		return 1;
	}
	if (view->class != WEIR_CLASS_SUBMIT)
		return 0;
	seen->class =
		classes_of_ways[weir_pending_way_of(&view->event, call)];
	seen->calls = seen->is_sized = 1;
	return 1;
}

/* Calls of old traces, too, which tell no layer. */
static int is_of_kernel(const struct weir_overviewcount *count,
			const struct weir_callview *view)
{
	const struct weir_call *call =
		weir_callviews_call(count->views, view->event.call);

	return view->layer == WEIR_CALLVIEW_POSIX ||
	       (view->layer == WEIR_CALLVIEW_OTHER && call && !call->layer);
}

static int add_os(struct weir_overviewcount *count,
		  const struct weir_overviewcount_call *taken)
{
	const struct weir_callview *view = taken->view;
	struct seen seen = {.layer = WEIR_OVERVIEW_OS, .class = taken->class};
	int known = 1;

	if (view->layer == WEIR_CALLVIEW_ASYNC) {
		known = see_operation(count, view, &seen);
	} else if (view->class == WEIR_CLASS_FILL ||
		   view->class == WEIR_CLASS_DRAIN) {
		if (weir_callview_counts(view))
			seen.class = view->class == WEIR_CLASS_FILL
					     ? WEIR_CLASS_READ
					     : WEIR_CLASS_WRITE;
		seen.calls = seen.is_sized = 1;
		seen.bytes = (int64_t)view->moved;
	} else if (is_of_kernel(count, view)) {
		seen.calls = 1;
		seen.bytes = (int64_t)view->moved;
		seen.is_sized = weir_callclass_has_size(view->class);
	} else {
		known = 0;
	}
	if (!known)
		return 0;
	if (view->above != view->layer || is_inner(taken))
		seen.time = seen.own = (int64_t)taken->dur;
	return add_seen(count->overview, taken, &seen);
}

/* As the operating system sees it, once: 0, 1 read, 2 written, 3 both. */
static int way_of(const struct weir_overviewcount *count,
		  const struct weir_callview *view)
{
	const struct weir_call *call =
		weir_callviews_call(count->views, view->event.call);

	if (view->layer == WEIR_CALLVIEW_STDIO)
		return view->class == WEIR_CLASS_FILL	  ? 1
		       : view->class == WEIR_CLASS_DRAIN ? 2
							  : 0;
	if (view->layer == WEIR_CALLVIEW_ASYNC &&
	    view->class == WEIR_CLASS_SUBMIT && call)
		return (int)weir_pending_way_of(&view->event, call);
	if (view->layer != WEIR_CALLVIEW_POSIX &&
	    view->layer != WEIR_CALLVIEW_OTHER)
		return 0;
	return view->class == WEIR_CLASS_READ	  ? 1
	       : view->class == WEIR_CLASS_WRITE ? 2
						  : 0;
}

/* Each part of the file gets the bytes that are its own. */
static int add_access(struct weir_overviewcount *count,
		      const struct weir_overviewcount_call *taken)
{
	struct weir_overview *overview = count->overview;
	const struct weir_event *event = &taken->view->event;
	const struct weir_outline_file *file;
	int way = way_of(count, taken->view), err = 0;
	uint64_t at = (uint64_t)event->off, size = taken->view->moved, end;

	if (!way || taken->file >= overview->outline->file_count ||
	    taken->file >= WEIR_OUTLINE_PLACED ||
	    event->flags & WEIR_EVENT_FAILED)
		return 0;
	if (event->flags & WEIR_EVENT_NOOFF || event->off < 0) {
		overview->unplaced[taken->file]++;
		return 0;
	}
	if (taken->view->class == WEIR_CLASS_SUBMIT)
		size = event->size;
	file = &overview->outline->files[taken->file];
	end = at + size < at ? UINT64_MAX : at + size;
	for (int64_t first = 1; !err && (first || at < end); first = 0) {
		uint64_t part = at / file->unit;
		uint64_t to = (part + 1) * file->unit;

		if (part >= WEIR_OUTLINE_OFFSETS - 1) {
			part = WEIR_OUTLINE_OFFSETS - 1;
			to = end;
		}
		to = to < end ? to : end;
		err = weir_cube_add(
			&overview->cubes[WEIR_OVERVIEW_ACCESS],
			taken->start / overview->outline->width,
			(uint64_t)taken->file << 16 | part << 8 |
				(uint64_t)(way - 1),
			(const int64_t[]){first, (int64_t)(to - at), 0, 0});
		at = to;
	}
	return err;
}

/* What ends an operation takes no time that is its own. */
static int add_latency(struct weir_overview *overview,
		       const struct weir_overviewcount_call *taken)
{
	const int64_t sums[WEIR_CUBE_SUMS] = {1, (int64_t)taken->dur};
	uint64_t call =
		weir_overview_call(taken->view->event.call, taken->class);

	if (taken->view->class == WEIR_CLASS_DONE)
		return 0;
	return weir_cube_spread(&overview->cubes[WEIR_OVERVIEW_LATENCY],
				call << 8 | weir_overview_quarter(taken->dur),
				taken->start, 0, sums);
}

int weir_overviewcount_add(struct weir_overviewcount *count,
			   const struct weir_overviewcount_call *taken)
{
	struct weir_overview *overview = count->overview;
	int err = add_layer(overview, taken);

	err = err ? err : add_os(count, taken);
	err = err ? err : add_path(overview, taken);
	err = err ? err : leave_to(overview, taken);
	err = err ? err : add_share(count, taken);
	err = err ? err : add_latency(overview, taken);
	return err || taken->class == WEIR_OVERVIEW_WAITS
		       ? err
		       : add_access(count, taken);
}
