/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the caller of each event: who called whom. */
#include "analyse/calls/tree.h"

#include "analyse/calls/callclass.h"
#include "base/grow.h"
#include "trace/bytes/map.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * The events of a thread are numbered as they ended, so all calls that one
 * made have lower numbers than itself, and depths tell the rest: the caller
 * is the first event after a call that has less depth. Starts, by which
 * events come here, would not do: on a coarse clock those of neighbours are
 * the same. Times only guard against callers that were lost.
 */

#define MOST_FRAMES 512 /* of a thread; depth is below 256 */

struct thread {
	struct weir_tree_frame *frames; /* the latest first */
	uint32_t proc, frame_count;
	bool has_loss;
	uint64_t ended; /* events up to the highest number that is over */
	uint64_t unknown;
};

struct weir_tree {
	void (*gone)(void *own);
	struct weir_map thread_of; /* number in `threads` + 1 */
	struct thread **threads;
	size_t count, room;
	struct weir_tree_frame *spare;
};

static bool read_number(const char **at, char end, uint64_t most,
			uint64_t *ret_number)
{
	uint64_t number = 0;
	const char *digit = *at;

	for (; *digit >= '0' && *digit <= '9'; digit++) {
		if (number > (most - (uint64_t)(*digit - '0')) / 10)
			return false;
		number = number * 10 + (uint64_t)(*digit - '0');
	}
	if (digit == *at || *digit != end)
		return false;
	*at = digit + 1;
	*ret_number = number;
	return true;
}

bool weir_tree_id_parse(const char *text, struct weir_tree_id *ret_id)
{
	uint64_t proc, thread, index;

	if (!read_number(&text, '.', UINT32_MAX, &proc) ||
	    !read_number(&text, '.', UINT32_MAX, &thread) ||
	    !read_number(&text, '\0', UINT64_MAX, &index) || !proc)
		return false;
	*ret_id = (struct weir_tree_id){ (uint32_t)proc, (uint32_t)thread,
					 index };
	return true;
}

int weir_tree_new(void (*gone)(void *own), struct weir_tree **ret_tree)
{
	struct weir_tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return -ENOMEM;
	tree->gone = gone;
	*ret_tree = tree;
	return 0;
}

static void end_frame(struct weir_tree *tree, struct thread *thread,
		      struct weir_tree_frame **link)
{
	struct weir_tree_frame *frame = *link;

	*link = frame->next;
	thread->frame_count--;
	if (thread->ended <= frame->index)
		thread->ended = frame->index + 1;
	if (frame->own && tree->gone)
		tree->gone(frame->own);
	frame->next = tree->spare;
	tree->spare = frame;
}

void weir_tree_free(struct weir_tree *tree)
{
	struct weir_tree_frame *frame;

	if (!tree)
		return;
	for (size_t i = 0; i < tree->count; i++) {
		while (tree->threads[i]->frames)
			end_frame(tree, tree->threads[i],
				  &tree->threads[i]->frames);
		free(tree->threads[i]);
	}
	while ((frame = tree->spare)) {
		tree->spare = frame->next;
		free(frame);
	}
	free(tree->threads);
	weir_map_fini(&tree->thread_of);
	free(tree);
}

static struct thread *add_thread(struct weir_tree *tree, uint64_t key)
{
	struct thread *thread;

	if (WEIR_GROW(tree->threads, tree->count, tree->room))
		return NULL;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	if (weir_map_put(&tree->thread_of, key, tree->count + 1)) {
		free(thread);
		return NULL;
	}
	thread->proc = (uint32_t)(key >> 32);
	tree->threads[tree->count++] = thread;
	return thread;
}

static struct thread *thread_of(struct weir_tree *tree,
				const struct weir_event *event)
{
	uint64_t key = (uint64_t)event->proc << 32 | event->thread;
	uint64_t at = weir_map_get(&tree->thread_of, key);

	return at ? tree->threads[at - 1] : add_thread(tree, key);
}

static uint64_t event_end(const struct weir_event *event)
{
	if (event->flags & WEIR_EVENT_ENTERED ||
	    event->start + event->dur < event->start)
		return UINT64_MAX;
	return event->start + event->dur;
}

/* Nothing that begins now, or later, can be part of it. */
static bool is_over(const struct weir_tree_frame *frame, uint64_t now)
{
	return frame->end < now || frame->passed < now;
}

/*
 * Whether the event ended later and began later, so that it is no caller of
 * the frame's. Of one instant callers come first, but for those of a loss.
 */
static bool is_passed_by(const struct weir_tree_frame *frame,
			 const struct weir_event *event)
{
	if (frame->passed <= event->start || frame->index >= event->index)
		return false;
	return !frame->is_loss || frame->start < event->start;
}

/*
 * Hundreds of calls of one instant are operations of a list: those that were
 * passed may go. A damaged trace may have any number of calls open, the oldest
 * of which go.
 */
static void end_frames(struct weir_tree *tree, struct thread *thread,
		       const struct weir_event *event)
{
	struct weir_tree_frame **link = &thread->frames;
	bool crowded = thread->frame_count >= MOST_FRAMES;
	uint32_t kept = 0;

	while (*link) {
		struct weir_tree_frame *frame = *link;

		if (is_over(frame, event->start) || kept == 2 * MOST_FRAMES ||
		    (crowded && frame->passed == event->start)) {
			end_frame(tree, thread, link);
			continue;
		}
		kept++;
		if (is_passed_by(frame, event))
			frame->passed = event->start;
		link = &frame->next;
	}
}

static bool holds(const struct weir_tree_frame *frame,
		  const struct weir_event *event)
{
	uint64_t end = event->flags & WEIR_EVENT_ENTERED ? event->start
							 : event_end(event);

	return !frame->is_loss && frame->depth < event->depth &&
	       frame->index > event->index && frame->start <= event->start &&
	       frame->end >= end;
}

/* The first that ended after it and has less depth. */
static struct weir_tree_frame *find_above(const struct thread *thread,
					  const struct weir_event *event)
{
	struct weir_tree_frame *frame = thread->frames, *found = NULL;

	for (; frame; frame = frame->next)
		if (holds(frame, event) &&
		    (!found || frame->index < found->index))
			found = frame;
	return found;
}

/*
 * Whether the true caller may have been lost and a later call, which began in
 * the same instant, been taken for it.
 */
static bool is_doubtful(const struct thread *thread,
			const struct weir_tree_frame *above,
			const struct weir_event *event)
{
	const struct weir_tree_frame *frame = thread->frames;

	if (above->start != event->start || event->dur)
		return false;
	for (; frame; frame = frame->next)
		if (frame->is_loss && frame->index > event->index &&
		    frame->index < above->index)
			return true;
	return false;
}

bool weir_tree_is_upper(const struct weir_call *call)
{
	static const char *const lower[] = { "posix", "stdio", "async" };

	if (!call || !call->layer)
		return false;
	for (size_t i = 0; i < sizeof(lower) / sizeof(*lower); i++)
		if (!strcmp(call->layer, lower[i]))
			return false;
	return true;
}

/* By what the call is for, in the dictionary: never by its time. */
static bool stores_what_was_kept(const struct weir_call *call)
{
	return weir_tree_is_upper(call) &&
	       (weir_call_is(call, WEIR_MEANS_CLOSE) ||
		weir_call_is(call, WEIR_MEANS_FLUSH));
}

static bool stores(const struct weir_call *call)
{
	return weir_callclass_of(call) == WEIR_CLASS_WRITE;
}

static void place_event(struct thread *thread, const struct weir_event *event,
			const struct weir_call *call,
			struct weir_tree_place *to)
{
	if (!event->depth) {
		to->link = WEIR_TREE_TOP;
		return;
	}
	to->link = WEIR_TREE_UNKNOWN;
	to->above = find_above(thread, event);
	if (to->above && is_doubtful(thread, to->above, event))
		to->above = NULL;
	if (to->above && to->above->depth + 1 == event->depth)
		to->link = to->above->defers && stores(call) ?
				   WEIR_TREE_DEFERRED : WEIR_TREE_NESTED;
	thread->unknown += to->link == WEIR_TREE_UNKNOWN;
}

/* All that has ended before it began has lower numbers than what is below. */
static uint64_t count_below(const struct thread *thread,
			    const struct weir_event *event)
{
	const struct weir_tree_frame *frame = thread->frames;
	uint64_t ended = thread->ended;

	for (; frame; frame = frame->next)
		if (frame->index < event->index && frame->index >= ended)
			ended = frame->index + 1;
	return ended < event->index ? event->index - ended : 0;
}

static struct weir_tree_frame *make_frame(struct weir_tree *tree)
{
	struct weir_tree_frame *frame = tree->spare;

	if (!frame)
		return malloc(sizeof(*frame));
	tree->spare = frame->next;
	return frame;
}

static int add_frame(struct weir_tree *tree, struct thread *thread,
		     const struct weir_event *event,
		     const struct weir_call *call,
		     struct weir_tree_frame **ret_frame)
{
	struct weir_tree_frame *frame = make_frame(tree);

	if (!frame)
		return -ENOMEM;
	*frame = (struct weir_tree_frame){
		.next = thread->frames,
		.index = event->index,
		.start = event->start,
		.end = event_end(event),
		.passed = UINT64_MAX,
		.below = count_below(thread, event),
		.depth = event->depth,
		.defers = stores_what_was_kept(call),
	};
	thread->frames = frame;
	thread->frame_count++;
	*ret_frame = frame;
	return 0;
}

static int add_loss(struct weir_tree *tree, struct thread *thread,
		    const struct weir_event *event)
{
	struct weir_tree_frame *frame;
	int err = add_frame(tree, thread, event, NULL, &frame);

	if (err)
		return err;
	frame->is_loss = true;
	frame->end = UINT64_MAX; /* what was lost may end later */
	thread->has_loss = true;
	return 0;
}

int weir_tree_add(struct weir_tree *tree, const struct weir_event *event,
		  const struct weir_call *call,
		  struct weir_tree_place *ret_place)
{
	struct thread *thread = thread_of(tree, event);

	if (!thread)
		return -ENOMEM;
	*ret_place = (struct weir_tree_place){ .link = WEIR_TREE_TOP };
	end_frames(tree, thread, event);
	if (event->call >= WEIR_NOTE_FIRST)
		return event->call == WEIR_NOTE_LOSS ?
			       add_loss(tree, thread, event) : 0;
	place_event(thread, event, call, ret_place);
	return add_frame(tree, thread, event, call, &ret_place->frame);
}

static enum weir_tree_why explain(const struct thread *thread,
				  const struct weir_procinfo *process)
{
	uint64_t hidden = 0;

	if (thread->has_loss)
		return WEIR_TREE_LOST;
	if (!process)
		return WEIR_TREE_UNEXPLAINED;
	if (process->dropped || process->outside || process->lost)
		return WEIR_TREE_LOST;
	for (int i = 0; i < 4; i++)
		hidden += process->hidden[i];
	if (hidden)
		return WEIR_TREE_FILTERED;
	return strcmp(process->state, "exited") ? WEIR_TREE_CUT
						: WEIR_TREE_UNEXPLAINED;
}

void weir_tree_unknown(const struct weir_tree *tree,
		       const struct weir_reader *reader,
		       uint64_t ret_counts[WEIR_TREE_WHYS])
{
	for (int i = 0; i < WEIR_TREE_WHYS; i++)
		ret_counts[i] = 0;
	for (size_t i = 0; i < tree->count; i++) {
		const struct thread *thread = tree->threads[i];
		const struct weir_procinfo *process =
			weir_reader_process(reader, thread->proc);

		ret_counts[explain(thread, process)] += thread->unknown;
	}
}
