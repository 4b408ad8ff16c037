/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns calls into entries and exits, thread by thread. */
#include "export/nesting.h"

#include "base/grow.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>

struct weir_nesting_thread {
	struct weir_nesting_call *calls; /* the innermost last */
	size_t count, room;
	uint64_t last; /* time of what was told last */
};

void weir_nesting_init(struct weir_nesting *all,
		       int (*leave)(void *context,
				    const struct weir_nesting_call *call),
		       void *context)
{
	*all = (struct weir_nesting){ .leave = leave, .context = context };
}

void weir_nesting_fini(struct weir_nesting *all)
{
	for (uint32_t i = 0; i < all->count; i++) {
		free(all->threads[i]->calls);
		free(all->threads[i]);
	}
	free(all->threads);
	weir_map_fini(&all->thread_of);
}

static struct weir_nesting_thread *add_thread(struct weir_nesting *all,
					      uint64_t key)
{
	struct weir_nesting_thread *thread;

	if (WEIR_GROW(all->threads, all->count, all->room))
		return NULL;
	thread = calloc(1, sizeof(*thread));
	if (!thread || weir_map_put(&all->thread_of, key, all->count + 1)) {
		free(thread);
		return NULL;
	}
	all->threads[all->count++] = thread;
	return thread;
}

static struct weir_nesting_thread *thread_of(struct weir_nesting *all,
					     const struct weir_event *event)
{
	uint64_t key = (uint64_t)event->proc << 32 | event->thread;
	uint64_t at = weir_map_get(&all->thread_of, key);

	return at ? all->threads[at - 1] : add_thread(all, key);
}

/* Not later than `limit`, and not before what was told already. */
static int leave_last(struct weir_nesting *all,
		      struct weir_nesting_thread *thread, uint64_t limit)
{
	struct weir_nesting_call *call = &thread->calls[--thread->count];
	uint64_t end = call->has_end ? call->end : limit;

	if (end > limit)
		end = limit;
	if (end < thread->last)
		end = thread->last;
	if (!call->has_end && limit == UINT64_MAX)
		end = thread->last; /* nothing came after it */
	all->changed += call->has_end && end != call->end;
	call->end = end;
	thread->last = end;
	return all->leave(all->context, call);
}

/* How many of the open calls the event lies within. */
static uint32_t count_around(const struct weir_nesting_thread *thread,
			     const struct weir_dump_event *described)
{
	const struct weir_tree_place *place = &described->relation->place;
	uint32_t count = thread->count;

	if (place->above)
		while (count && thread->calls[count - 1].event.index !=
					place->above->index)
			count--;
	if (place->above && count)
		return count;
	/* not among those that are exported: times and depths tell */
	if (place->link == WEIR_TREE_TOP)
		return 0;
	for (count = thread->count; count; count--) {
		const struct weir_nesting_call *call =
			&thread->calls[count - 1];

		if (call->event.depth < described->event->depth &&
		    call->has_end &&
		    call->end >= described->start + described->event->dur)
			break;
	}
	return count;
}

static struct weir_nesting_call *push(struct weir_nesting_thread *thread)
{
	if (WEIR_GROW(thread->calls, thread->count, thread->room))
		return NULL;
	return &thread->calls[thread->count++];
}

int weir_nesting_enter(struct weir_nesting *all,
		       const struct weir_dump_event *described,
		       struct weir_nesting_call **ret_call)
{
	const struct weir_event *event = described->event;
	struct weir_nesting_thread *thread = thread_of(all, event);
	uint64_t start = described->start;
	struct weir_nesting_call *call;
	uint32_t around;
	int err = 0;

	if (!thread)
		return -ENOMEM;
	around = count_around(thread, described);
	while (!err && thread->count > around)
		err = leave_last(all, thread, start);
	if (err)
		return err;
	call = push(thread);
	if (!call)
		return -ENOMEM;
	*call = (struct weir_nesting_call){
		.event = *event,
		.call = described->call,
		.start = start < thread->last ? thread->last : start,
		.end = start + event->dur < start ? UINT64_MAX - 1 :
						    start + event->dur,
		.has_end = !(event->flags & WEIR_EVENT_ENTERED),
	};
	call->event.detail = NULL;
	call->event.detail_len = 0;
	all->changed += call->start != start;
	thread->last = call->start;
	*ret_call = call;
	return 0;
}

struct weir_nesting_call *
weir_nesting_around(const struct weir_nesting *all,
		    const struct weir_nesting_call *call)
{
	uint64_t key = (uint64_t)call->event.proc << 32 | call->event.thread;
	uint64_t at = weir_map_get(&all->thread_of, key);
	const struct weir_nesting_thread *thread =
		at ? all->threads[at - 1] : NULL;

	return thread && thread->count > 1 ?
		       &thread->calls[thread->count - 2] : NULL;
}

int weir_nesting_finish(struct weir_nesting *all)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < all->count; i++)
		while (!err && all->threads[i]->count)
			err = leave_last(all, all->threads[i], UINT64_MAX);
	return err;
}
