/* SPDX-License-Identifier: BSD-3-Clause */
/* Work for other processes: what is to come, and where it belongs. */
#include "export/ties.h"

#include <errno.h>
#include <stdlib.h>

static struct weir_grove_tie *make_tie(struct weir_grove_tie **list,
				       struct weir_grove_line *line)
{
	struct weir_grove_tie *tie = calloc(1, sizeof(*tie));

	if (!tie)
		return NULL;
	tie->line = line;
	tie->next = *list;
	tie->link = list;
	if (tie->next)
		tie->next->link = &tie->next;
	*list = tie;
	return tie;
}

static void free_tie(struct weir_grove_tie *tie)
{
	*tie->link = tie->next;
	if (tie->next)
		tie->next->link = tie->link;
	free(tie);
}

static struct weir_grove_tie *find_tie(const struct weir_grove *grove,
				       uint64_t cid)
{
	return cid ? (struct weir_grove_tie *)(uintptr_t)
			     weir_map_get(&grove->causes, cid) : NULL;
}

static struct weir_grove_batch *find_batch(const struct weir_grove *grove,
					   uint64_t number)
{
	return (struct weir_grove_batch *)(uintptr_t)
		weir_map_get(&grove->batches, number);
}

bool weir_ties_has(const struct weir_grove *grove, uint64_t cid)
{
	return find_tie(grove, cid);
}

static void drop_tie(struct weir_grove *grove, struct weir_grove_tie *tie)
{
	struct weir_grove_line *line = tie->line;

	weir_map_remove(&grove->causes, tie->number);
	line->tie = NULL;
	free_tie(tie);
	weir_grove_put(line);
}

static void drop_batch(struct weir_grove *grove,
		       struct weir_grove_batch *batch)
{
	weir_map_remove(&grove->batches, batch->number);
	*batch->link = batch->next;
	if (batch->next)
		batch->next->link = batch->link;
	weir_grove_put(batch->first);
	batch->first = NULL;
	weir_grove_put_batch(batch);
}

/* Others have to wait for what comes for the line. */
static void await(struct weir_grove_line *line, uint64_t events)
{
	struct weir_grove_stem *stem = weir_grove_stem_of(line);

	if (stem)
		stem->awaited += events;
}

/* One has come, and is not over before `end`. */
static void arrive(struct weir_grove_line *line, uint64_t end)
{
	struct weir_grove_stem *stem = weir_grove_stem_of(line);

	if (!stem)
		return;
	stem->awaited -= !!stem->awaited;
	if (end != UINT64_MAX && stem->end < end)
		stem->end = end;
}

/* Two calls never have the same number: of such the first counts. */
static int expect(struct weir_grove *grove, struct weir_grove_line *line,
		  const struct weir_grove_call *call)
{
	struct weir_grove_tie *tie;

	if (!call->cid || !call->caused || find_tie(grove, call->cid))
		return 0;
	tie = make_tie(&grove->ties, line);
	if (!tie)
		return -ENOMEM;
	weir_grove_get(line);
	tie->number = call->cid;
	tie->awaited = call->caused;
	line->tie = tie;
	await(line, tie->awaited);
	return weir_map_put(&grove->causes, call->cid, (uintptr_t)tie);
}

static void come_for(struct weir_grove *grove, uint64_t cause, uint64_t end)
{
	struct weir_grove_tie *tie = find_tie(grove, cause);

	if (!tie)
		return;
	arrive(tie->line, end);
	if (!--tie->awaited)
		drop_tie(grove, tie);
}

static int begin_batch(struct weir_grove *grove, struct weir_grove_line *line,
		       const struct weir_grove_call *call,
		       struct weir_grove_batch **ret_batch)
{
	struct weir_grove_batch *batch = calloc(1, sizeof(*batch));

	*ret_batch = batch;
	if (!batch)
		return -ENOMEM;
	batch->number = call->batch;
	batch->awaited = call->doers;
	batch->first = weir_grove_get(line);
	batch->refs = 1;
	batch->next = grove->batch_list;
	batch->link = &grove->batch_list;
	if (batch->next)
		batch->next->link = &batch->next;
	grove->batch_list = batch;
	return weir_map_put(&grove->batches, call->batch, (uintptr_t)batch);
}

static int be_part(struct weir_grove *grove, struct weir_grove_line *line,
		   const struct weir_grove_call *call)
{
	struct weir_grove_batch *batch = find_batch(grove, call->batch);
	int err = 0;

	if (!batch && call->doers)
		err = begin_batch(grove, line, call, &batch);
	if (err || !batch)
		return err;
	line->part = make_tie(&batch->parts, line);
	if (!line->part)
		return -ENOMEM;
	line->batch = batch;
	batch->refs++;
	batch->count++;
	await(line, batch->awaited);
	return 0;
}

/* All that it is done for has come before it. */
static void do_batch(struct weir_grove *grove, struct weir_grove_line *line,
		     const struct weir_grove_call *call)
{
	struct weir_grove_batch *batch = find_batch(grove, call->batch);
	const struct weir_grove_tie *part;

	if (!batch)
		return;
	line->does_batch = true;
	line->batch = batch;
	batch->refs++;
	if (!batch->doer.proc) {
		batch->doer = line->id;
		batch->host = line->parent ? line->parent->id : line->id;
	}
	for (part = batch->parts; part; part = part->next)
		arrive(part->line, call->end);
	if (line->is_wanted || line->has_wanted)
		weir_grove_tell_parts(batch);
	if (!--batch->awaited)
		drop_batch(grove, batch);
}

int weir_ties_add(struct weir_grove *grove, struct weir_grove_line *line,
		  const struct weir_grove_call *call)
{
	int err = expect(grove, line, call);

	if (!err && call->batch && !call->does_batch)
		err = be_part(grove, line, call);
	if (!err && call->does_batch)
		do_batch(grove, line, call);
	if (call->cause)
		come_for(grove, call->cause, call->end);
	return err;
}

struct weir_grove_line *weir_ties_host(const struct weir_grove *grove,
				       const struct weir_grove_call *call)
{
	struct weir_grove_tie *tie = find_tie(grove, call->cause);
	struct weir_grove_batch *batch = NULL;

	if (call->does_batch)
		batch = find_batch(grove, call->batch);
	return tie ? tie->line : batch ? batch->first : NULL;
}

void weir_ties_leave(struct weir_grove_line *line)
{
	if (line->part)
		free_tie(line->part);
	line->part = NULL;
}

void weir_ties_fini(struct weir_grove *grove)
{
	while (grove->ties)
		drop_tie(grove, grove->ties);
	while (grove->batch_list)
		drop_batch(grove, grove->batch_list);
	weir_map_fini(&grove->causes);
	weir_map_fini(&grove->batches);
}
