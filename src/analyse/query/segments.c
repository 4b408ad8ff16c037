/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows which marked regions and phases a program is in. */
#include "analyse/query/segments.h"

#include "trace/event/detail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct region {
	uint32_t thread, name;
};

struct weir_segments_of {
	struct region *open; /* WEIR_SEGMENTS_DEPTH; NULL: none yet */
	unsigned count;
	uint32_t phase;
};

int weir_segments_init(struct weir_segments *all, uint32_t processes)
{
	*all = (struct weir_segments){
		.of = calloc((size_t)processes + 1, sizeof(*all->of)),
		.processes = processes,
	};
	return all->of ? 0 : -ENOMEM;
}

void weir_segments_fini(struct weir_segments *all)
{
	for (uint32_t i = 0; all->of && i <= all->processes; i++)
		free(all->of[i].open);
	free(all->of);
	weir_names_fini(&all->names);
	*all = (struct weir_segments){ 0 };
}

static int open_region(struct weir_segments_of *of, struct region region)
{
	if (!of->open)
		of->open = calloc(WEIR_SEGMENTS_DEPTH, sizeof(*of->open));
	if (!of->open)
		return -ENOMEM;
	if (of->count < WEIR_SEGMENTS_DEPTH)
		of->open[of->count++] = region;
	return 0;
}

/* The innermost of that name; those inside it have been left with it. */
static void close_region(struct weir_segments_of *of, struct region region)
{
	unsigned i = of->count, kept;

	while (i && (of->open[i - 1].thread != region.thread ||
		     of->open[i - 1].name != region.name))
		i--;
	if (!i)
		return;
	kept = i - 1;
	for (; i < of->count; i++)
		if (of->open[i].thread != region.thread)
			of->open[kept++] = of->open[i];
	of->count = kept;
}

int weir_segments_take(struct weir_segments *all,
		       const struct weir_event *event,
		       const struct weir_call *call)
{
	struct region region = { .thread = event->thread };
	struct weir_segments_of *of;
	struct weir_detail detail;
	struct weir_value value;
	int err;

	if (!event->proc || event->proc > all->processes)
		return 0;
	of = &all->of[event->proc];
	weir_detail_start(&detail, event, call);
	if (!weir_detail_next(&detail, &value) || !value.given || !value.text)
		return 0;
	if (strncmp(call->name, "mark_", 5))
		return 0;
	err = weir_names_add(&all->names, value.text, value.text_len,
			     &region.name);
	if (err)
		return err;
	all->marks++;
	if (!strcmp(call->name, "mark_begin"))
		return open_region(of, region);
	if (!strcmp(call->name, "mark_end"))
		close_region(of, region);
	if (!strcmp(call->name, "mark_phase"))
		of->phase = region.name;
	return 0;
}

/* Whether a thread has regions of its own. */
static int has_own(const struct weir_segments_of *of, uint32_t thread)
{
	for (unsigned i = 0; i < of->count; i++)
		if (of->open[i].thread == thread)
			return 1;
	return 0;
}

uint32_t weir_segments_now(const struct weir_segments *all, uint32_t proc,
			   uint32_t thread, unsigned nth)
{
	const struct weir_segments_of *of;
	int own;

	if (proc > all->processes)
		return 0;
	of = &all->of[proc];
	own = has_own(of, thread);
	for (unsigned i = of->count; i--;)
		if ((!own || of->open[i].thread == thread) && !nth--)
			return of->open[i].name;
	return nth ? 0 : of->phase;
}
