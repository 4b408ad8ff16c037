/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the calls of a trace in order, as call views. */
#include "analyse/calls/callviews.h"

#include "analyse/calls/arguments.h"
#include "analyse/calls/callmarks.h"
#include "analyse/calls/lately.h"
#include "analyse/calls/learnt.h"
#include "analyse/calls/links.h"
#include "base/grow.h"
#include "trace/bytes/map.h"
#include "trace/event/pending.h"
#include "trace/read/select.h"
#include "trace/layout/sum_layout.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UNWANTED WEIR_LEARNT_UNWANTED
#define CALLS (UINT16_MAX + 1)
#define DEEPEST 8 /* layers are not nested further */

/* What is open above the next event of a thread, and its last file. */
struct thread {
	uint8_t layers[DEEPEST]; /* by depth */
	uint8_t together; /* a bit for each: collective, or below one */
	uint32_t files[DEEPEST]; /* by depth */
	uint32_t file, pair;
};

/* What a call is, found out once. */
struct known {
	const struct weir_call *call;
	uint8_t class, layer, met;
	uint8_t pends; /* it may begin or end an asynchronous operation */
	uint32_t marks;
};

struct weir_callviews {
	struct weir_reader *reader;
	const struct weir_callviews_filter *filter;
	struct weir_learnt learnt;
	struct known *known; /* by id of the call */
	struct thread *threads;
	uint32_t thread_count;
	size_t thread_room;
	struct weir_map thread_index; /* process and thread to number + 1 */
	struct weir_map pairs; /* file and process to number */
	uint32_t pair_count, most_pairs, renames;
	struct weir_lately opened; /* process and descriptor to the file + 1 */
	struct weir_callview echo; /* to be handed out next, with a file */
	struct weir_iotime times;
	struct weir_pending pending;
	uint64_t submitted, completed; /* of what the filter lets pass */
	int overflowed, has_sites;
	uint64_t last_key; /* of the thread before, which often comes again */
	uint32_t last_thread;
};

static const char *const layer_names[WEIR_CALLVIEW_LAYERS] = {
	[WEIR_CALLVIEW_APPLICATION] = "application",
	[WEIR_CALLVIEW_DISK] = "disk",
	[WEIR_CALLVIEW_SERVER] = "server",
	[WEIR_CALLVIEW_BACKEND] = "backend",
	[WEIR_CALLVIEW_SERVE] = "serve",
	[WEIR_CALLVIEW_POSIX] = "posix",
	[WEIR_CALLVIEW_STDIO] = "stdio",
	[WEIR_CALLVIEW_ASYNC] = "async",
	[WEIR_CALLVIEW_CLIENT] = "client",
	[WEIR_CALLVIEW_COMM] = "comm",
	[WEIR_CALLVIEW_MPIIO] = "mpiio",
	[WEIR_CALLVIEW_HDF5] = "hdf5",
	[WEIR_CALLVIEW_PNETCDF] = "pnetcdf",
	[WEIR_CALLVIEW_MARK] = "mark",
	[WEIR_CALLVIEW_OTHER] = "other",
};

const char *weir_callviews_layer_name(unsigned layer)
{
	return layer_names[layer < WEIR_CALLVIEW_LAYERS ? layer :
						       WEIR_CALLVIEW_OTHER];
}

int weir_callviews_is_far(unsigned layer)
{
	return layer == WEIR_CALLVIEW_SERVE || layer == WEIR_CALLVIEW_BACKEND;
}

uint8_t weir_callviews_layer_of(const struct weir_call *call)
{
	if (!call || !call->layer)
		return WEIR_CALLVIEW_OTHER;
	/* Short records do not tell streams from descriptors. */
	if (!strcmp(call->layer, "recent"))
		return WEIR_CALLVIEW_POSIX;
	for (uint8_t i = 1; i < WEIR_CALLVIEW_OTHER; i++)
		if (!strcmp(call->layer, layer_names[i]))
			return i;
	return WEIR_CALLVIEW_OTHER;
}

int weir_callviews_is_setup(const struct weir_call *call)
{
	return (weir_callmarks_of(call) & WEIR_CALLVIEW_SETUP) != 0;
}

int weir_callviews_new(struct weir_reader *reader,
		       const struct weir_callviews_filter *filter,
		       struct weir_names *names,
		       struct weir_callviews **ret_views)
{
	struct weir_callviews *views = calloc(1, sizeof(*views));

	if (!views)
		return -ENOMEM;
	views->reader = reader;
	views->filter = filter;
	views->most_pairs = WEIR_CALLVIEWS_PAIRS;
	views->known = calloc(CALLS, sizeof(*views->known));
	if (!views->known ||
	    weir_learnt_init(&views->learnt, reader, names, filter->file)) {
		weir_callviews_free(views);
		return -ENOMEM;
	}
	if (filter->process)
		weir_select_process(reader, filter->process);
	*ret_views = views;
	return 0;
}

void weir_callviews_limit(struct weir_callviews *views, uint32_t pairs)
{
	views->most_pairs = pairs;
}

void weir_callviews_free(struct weir_callviews *views)
{
	if (!views)
		return;
	free(views->known);
	weir_learnt_fini(&views->learnt);
	free(views->threads);
	weir_map_fini(&views->thread_index);
	weir_map_fini(&views->pairs);
	weir_lately_fini(&views->opened);
	weir_iotime_fini(&views->times);
	weir_pending_fini(&views->pending);
	free(views);
}

int weir_callviews_number(struct weir_callviews *views, const char *name,
			  size_t len, uint32_t *ret_number)
{
	return weir_learnt_number(&views->learnt, name, len, ret_number);
}

/* One of several records that are stored together, each from its arrival. */
static uint32_t lies_of(const struct weir_call *call)
{
	return call->has_batch && call->has_cause ? WEIR_CALLVIEW_LIES : 0;
}

void weir_callviews_meet(struct weir_callviews *views, uint32_t proc,
			 uint16_t call)
{
	struct weir_event event = { .proc = proc, .call = call };
	struct known *known = &views->known[call];

	if (known->call)
		return;
	known->call = weir_reader_call(views->reader, &event);
	known->class = (uint8_t)weir_callclass_of(known->call);
	known->layer = weir_callviews_layer_of(known->call);
	known->marks = weir_callmarks_of(known->call);
	if (weir_callviews_is_far(known->layer))
		known->marks = WEIR_CALLVIEW_BEHIND | lies_of(known->call);
	known->pends = known->class == WEIR_CLASS_SUBMIT ||
		       known->class == WEIR_CLASS_DONE ||
		       (known->call && known->call->may_hand_over);
	known->met = 1;
}

const struct weir_call *weir_callviews_call(const struct weir_callviews *views,
					    uint16_t call)
{
	return views->known[call].call;
}

enum weir_callclass weir_callviews_class(const struct weir_callviews *views,
					 uint16_t call)
{
	return views->known[call].met ? views->known[call].class :
					 WEIR_CLASS_OTHER;
}

int weir_callviews_overflowed(const struct weir_callviews *views)
{
	return views->overflowed;
}

uint32_t weir_callviews_marks_on(const struct weir_callviews *views,
				 uint16_t call, bool is_channel)
{
	const struct known *known = &views->known[call];

	return known->marks |
	       (is_channel ? weir_learnt_mark(WEIR_CALLVIEW_CHANNEL,
					      known->layer) : 0);
}

int weir_callviews_is_channel(const struct weir_callviews *views,
			      const char *name, size_t len)
{
	(void)views;
	return weir_learnt_is_channel(name, len);
}

int weir_callviews_is_live(const char *name, size_t len)
{
	return weir_learnt_is_live(name, len);
}

void weir_callviews_operations(const struct weir_callviews *views,
			       uint64_t *ret_submitted, uint64_t *ret_completed)
{
	*ret_submitted = views->submitted;
	*ret_completed = views->completed;
}

struct weir_iotime *weir_callviews_times(struct weir_callviews *views)
{
	return &views->times;
}

int weir_callviews_has_sites(const struct weir_callviews *views)
{
	return views->has_sites;
}

static int add_thread(struct weir_callviews *views, uint64_t key)
{
	if (WEIR_GROW(views->threads, views->thread_count, views->thread_room))
		return -ENOMEM;
	views->threads[views->thread_count] = (struct thread){ .together = 0 };
	return weir_map_put(&views->thread_index, key, ++views->thread_count);
}

static int find_thread(struct weir_callviews *views,
		       const struct weir_event *event)
{
	uint64_t key = (uint64_t)event->proc << 32 | event->thread;
	uint64_t number;
	int err;

	if (key == views->last_key && views->thread_count)
		return 0;
	number = weir_map_get(&views->thread_index, key);
	if (!number) {
		err = add_thread(views, key);
		if (err)
			return err;
		number = views->thread_count;
	}
	views->last_key = key;
	views->last_thread = (uint32_t)number - 1;
	return 0;
}

static void note_together(struct thread *thread, struct weir_callview *view)
{
	unsigned depth = view->event.depth;
	unsigned own = 1u << (depth < DEEPEST ? depth : DEEPEST - 1);

	if (depth && thread->together & (depth < DEEPEST ? own >> 1 : own))
		view->marks |= WEIR_CALLVIEW_TOGETHER;
	if (depth >= DEEPEST)
		return;
	thread->together &= (uint8_t)~own;
	if (view->marks & (WEIR_CALLVIEW_TOGETHER | WEIR_CALLVIEW_COLLECTIVE))
		thread->together |= (uint8_t)own;
}

/* Parents come before children, so what is above is what came last. */
static void find_thread_place(struct weir_callviews *views,
			      struct weir_callview *view)
{
	struct thread *thread = &views->threads[views->last_thread];
	uint8_t *layers = thread->layers;
	uint8_t depth = view->event.depth;

	view->above = WEIR_CALLVIEW_APPLICATION;
	view->top = view->layer;
	if (depth)
		view->above = layers[(depth < DEEPEST ? depth : DEEPEST) - 1];
	if (depth && layers[0])
		view->top = layers[0];
	if (depth < DEEPEST)
		layers[depth] = view->marks & WEIR_CALLVIEW_SETUP ?
					WEIR_CALLVIEW_APPLICATION : view->layer;
	note_together(thread, view);
}

int weir_callviews_pair(struct weir_callviews *views, uint32_t file,
			uint32_t proc, uint32_t *ret_pair)
{
	uint64_t key = (uint64_t)file << 32 | proc;
	int err;

	*ret_pair = (uint32_t)weir_map_get(&views->pairs, key);
	if (*ret_pair || !file)
		return 0;
	if (views->pair_count == views->most_pairs) {
		views->overflowed = 1;
		return 0;
	}
	*ret_pair = ++views->pair_count;
	err = weir_map_put(&views->pairs, key, *ret_pair);
	return err ? err : 1;
}

/* Most calls of a thread are on the file of the one before. */
static int number_pair(struct weir_callviews *views, struct weir_callview *view)
{
	struct thread *thread = &views->threads[views->last_thread];
	int fresh = 0;

	view->pair = view->fresh = 0;
	if (view->event.flags & WEIR_EVENT_ENTERED ||
	    view->layer == WEIR_CALLVIEW_MARK ||
	    view->marks & WEIR_CALLVIEW_BEHIND)
		return 0; /* in no sum, so it is not the first either */
	if (thread->file != view->file)
		fresh = weir_callviews_pair(views, view->file, view->event.proc,
					    &thread->pair);
	thread->file = view->file;
	view->pair = thread->pair;
	view->fresh = fresh > 0;
	return fresh < 0 ? fresh : 0;
}

/* Libraries that return no number of bytes are believed to move all. */
static uint64_t moved(const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;

	if (event->flags & WEIR_EVENT_FAILED ||
	    !weir_callclass_moves(view->class))
		return 0;
	if (view->layer == WEIR_CALLVIEW_HDF5 ||
	    view->layer == WEIR_CALLVIEW_PNETCDF)
		return event->size;
	return event->ret > 0 ? (uint64_t)event->ret : 0;
}

/* fcntl() does many things; its command is the event's size. */
static int is_lock(const struct weir_callview *view)
{
	const uint64_t commands[] = { F_SETLK, F_SETLKW, F_OFD_SETLK,
				      F_OFD_SETLKW };

	if (!(view->marks & WEIR_CALLVIEW_CONTROLS))
		return 0;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (view->event.size == commands[i])
			return 1;
	return 0;
}

/* The call that an event tells of: of sums, the one that was summed up. */
static uint16_t call_told(const struct weir_event *event)
{
	struct weir_sum sum;

	if (event->call != WEIR_NOTE_SUM || !weir_sum_read(event, &sum))
		return event->call;
	return (uint16_t)sum.key;
}

/* Its parts have told the time and the bytes. */
static void be_within(struct weir_callview *view)
{
	view->moved = 0;
	if (!view->event.depth)
		view->above = view->layer;
}

static int fill_view(struct weir_callviews *views, struct weir_callview *view)
{
	const struct weir_event *event = &view->event;
	int err = find_thread(views, event);

	if (err)
		return err;
	views->has_sites |= (event->flags & WEIR_EVENT_SITE) != 0;
	weir_callviews_meet(views, event->proc, call_told(event));
	view->class = views->known[event->call].class;
	view->layer = views->known[event->call].layer;
	view->marks = views->known[event->call].marks;
	view->real = weir_reader_real(views->reader, event);
	view->moved = moved(view);
	view->unit = 0;
	view->begins = view->class == WEIR_CLASS_SUBMIT ?
			       (uint8_t)weir_pending_way_of(
				       event, views->known[event->call].call) :
			       WEIR_PENDING_MOVES_NOTHING;
	if (is_lock(view))
		view->marks |= WEIR_CALLVIEW_LOCKS;
	views->renames += (view->marks & WEIR_CALLVIEW_RENAMES) != 0;
	view->renames = views->renames;
	find_thread_place(views, view);
	if (weir_links_does_batch(views->known[event->call].call))
		be_within(view);
	weir_arguments_read(views->known[event->call].call, view);
	return 0;
}

static uint64_t opened_key(const struct weir_event *event, int64_t fd)
{
	return (uint64_t)event->proc << 32 | (uint32_t)fd;
}

/* Which file a descriptor stands for, as its last open told. */
static int note_open(struct weir_callviews *views,
		     const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;
	uint64_t before;

	if (view->class != WEIR_CLASS_OPEN ||
	    view->layer != WEIR_CALLVIEW_POSIX || event->ret < 0)
		return 0;
	return weir_lately_swap(&views->opened, opened_key(event, event->ret),
				event->file + UINT64_C(1), &before);
}

/* Only of files that the process has been seen with, so that it is no news. */
static int make_echo(struct weir_callviews *views,
		     const struct weir_callview *view)
{
	struct weir_callview *echo = &views->echo;
	const struct known *known = &views->known[view->event.call];
	int32_t fd;
	int err;

	echo->file = 0;
	if (view->class != WEIR_CLASS_COPY || !view->moved ||
	    views->filter->everything ||
	    !weir_arguments_other(known->call, &view->event, &fd))
		return 0;
	*echo = *view;
	echo->event.detail_len = echo->event.handle = 0;
	echo->event.file = (uint32_t)weir_lately_get(
		&views->opened, opened_key(&view->event, fd)) - 1;
	echo->marks = (known->marks ^ WEIR_CALLVIEW_FILLS) | WEIR_CALLVIEW_ECHO;
	err = weir_learnt_tell(&views->learnt, echo);
	if (err)
		return err;
	echo->pair = (uint32_t)weir_map_get(
		&views->pairs, (uint64_t)echo->file << 32 | echo->event.proc);
	if (echo->file == UNWANTED || !echo->pair)
		echo->file = 0;
	return 0;
}

/* Whose time is within that of a call on the same file. */
static void find_part(struct weir_callviews *views, struct weir_callview *view)
{
	uint32_t *files = views->threads[views->last_thread].files;
	unsigned depth = view->event.depth;

	view->is_part = depth && view->file &&
			files[(depth < DEEPEST ? depth : DEEPEST) - 1] ==
				view->file;
	if (depth < DEEPEST)
		files[depth] = view->file;
}

/*
 * Only when one has ended it is known which way its bytes went, and of which
 * file it was. An end of what nobody saw begin, or that was told before, moves
 * nothing.
 */
static int join_operation(struct weir_callviews *views,
			  struct weir_callview *view)
{
	const struct known *known = &views->known[view->event.call];
	const struct weir_pending_op *op = &views->pending.last;
	int err;

	view->began = 0;
	view->way = WEIR_PENDING_MOVES_NOTHING;
	if (!known->pends)
		return 0;
	err = weir_pending_add(&views->pending, &view->event, known->call);
	if (err || view->class != WEIR_CLASS_DONE)
		return err;
	if (!views->pending.ended) {
		view->moved = 0;
		return 0;
	}
	view->way = (uint8_t)op->way;
	view->began = view->real - (view->event.start - op->start);
	if (!view->event.file)
		view->event.file = op->file;
	return 0;
}

/* What a killed process left of its sums: times are ticks there. */
static int add_sum_time(struct weir_callviews *views,
			const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;
	const struct weir_nodeinfo *node =
		weir_reader_node_of(views->reader, event->proc);
	struct weir_sum sum;
	uint64_t mult = node ? node->mult : UINT64_C(1) << 32;
	uint16_t call = call_told(event);

	if (call >= WEIR_NOTE_FIRST || !weir_sum_read(event, &sum) ||
	    !(sum.key & WEIR_SUM_OUTERMOST))
		return 0;
	return weir_iotime_add(
		&views->times, event->proc,
		weir_iotime_part_of(views->known[call].marks |
				    weir_learnt_mark(
					    view->marks & WEIR_CALLVIEW_NO_FILE,
					    views->known[call].layer)),
		weir_sum_ns(sum.time, mult),
		weir_sum_ns(sum.longest, mult));
}

static int add_time(struct weir_callviews *views, struct weir_callview *view)
{
	if (view->event.call == WEIR_NOTE_SUM)
		return add_sum_time(views, view);
	if (view->event.flags & WEIR_EVENT_ENTERED ||
	    view->layer == WEIR_CALLVIEW_MARK)
		return 0;
	return weir_iotime_take(&views->times, view,
				views->pending.open.used != 0);
}

int weir_callviews_next(struct weir_callviews *views,
			struct weir_callview *ret_view)
{
	const struct weir_pending *pending = &views->pending;
	struct weir_event *event = &ret_view->event;
	uint64_t submitted, completed;
	int more, err;

	if (views->echo.file) {
		*ret_view = views->echo;
		views->echo.file = 0;
		return 1;
	}
	while ((more = weir_reader_next(views->reader, event)) > 0) {
		if (event->call == WEIR_NOTE_LOSS && views->filter->everything)
			return 1;
		if (event->call >= WEIR_NOTE_FIRST &&
		    event->call != WEIR_NOTE_SUM)
			continue;
		submitted = pending->submitted;
		completed = pending->completed;
		err = fill_view(views, ret_view);
		err = err ? err : join_operation(views, ret_view);
		err = err ? err : note_open(views, ret_view);
		err = err ? err : weir_learnt_tell(&views->learnt, ret_view);
		find_part(views, ret_view);
		err = err ? err : make_echo(views, ret_view);
		if (err)
			return err;
		if (ret_view->file == UNWANTED && views->filter->everything)
			return 1;
		if (ret_view->file == UNWANTED && views->echo.file)
			return weir_callviews_next(views, ret_view);
		if (ret_view->file == UNWANTED)
			continue;
		views->submitted += pending->submitted - submitted;
		views->completed += pending->completed - completed;
		err = number_pair(views, ret_view) ?:
			      add_time(views, ret_view);
		return err ? err : 1;
	}
	return more;
}
