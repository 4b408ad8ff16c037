/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for what other processes do for calls, and tells where it belongs. */
#include "export/tree/treewaits.h"

#include <errno.h>
#include <stdlib.h>

static struct weir_treeline_wait *make_wait(struct weir_treeline_wait **list,
					    struct weir_treeline *line)
{
	struct weir_treeline_wait *wait = calloc(1, sizeof(*wait));

	if (!wait)
		return NULL;
	wait->line = line;
	wait->next = *list;
	wait->link = list;
	if (wait->next)
		wait->next->link = &wait->next;
	*list = wait;
	return wait;
}

static void free_wait(struct weir_treeline_wait *wait)
{
	*wait->link = wait->next;
	if (wait->next)
		wait->next->link = wait->link;
	free(wait);
}

static struct weir_treeline_wait *find_wait(const struct weir_treewaits *waits,
					    uint64_t cid)
{
	return cid ? (struct weir_treeline_wait *)(uintptr_t)weir_map_get(
			     &waits->causes, cid)
		   : NULL;
}

static struct weir_treeline_batch *
find_batch(const struct weir_treewaits *waits, uint64_t number)
{
	return (struct weir_treeline_batch *)(uintptr_t)weir_map_get(
		&waits->batches, number);
}

bool weir_treewaits_has(const struct weir_treewaits *waits, uint64_t cid)
{
	return find_wait(waits, cid);
}

static void drop_wait(struct weir_treewaits *waits,
		      struct weir_treeline_wait *wait)
{
	struct weir_treeline *line = wait->line;

	weir_map_remove(&waits->causes, wait->number);
	line->wait = NULL;
	free_wait(wait);
	weir_treeline_put(line);
}

static void drop_batch(struct weir_treewaits *waits,
		       struct weir_treeline_batch *batch)
{
	weir_map_remove(&waits->batches, batch->number);
	*batch->link = batch->next;
	if (batch->next)
		batch->next->link = batch->link;
	weir_treeline_put(batch->first);
	batch->first = NULL;
	weir_treeline_put_batch(batch);
}

/* Others have to wait for what comes for the line. */
static void await(struct weir_treeline *line, uint64_t events)
{
	struct weir_treeline_tree *tree = weir_treeline_tree_of(line);

	if (tree)
		tree->awaited += events;
}

/* One has come, and is not over before `end`. */
static void arrive(struct weir_treeline *line, uint64_t end)
{
	struct weir_treeline_tree *tree = weir_treeline_tree_of(line);

	if (!tree)
		return;
	tree->awaited -= !!tree->awaited;
	if (end != UINT64_MAX && tree->end < end)
		tree->end = end;
}

/* Two calls never have the same number: of such the first counts. */
static int expect(struct weir_treewaits *waits, struct weir_treeline *line,
		  const struct weir_treeline_call *call)
{
	struct weir_treeline_wait *wait;

	if (!call->cid || !call->caused || find_wait(waits, call->cid))
		return 0;
	wait = make_wait(&waits->list, line);
	if (!wait)
		return -ENOMEM;
	weir_treeline_get(line);
	wait->number = call->cid;
	wait->awaited = call->caused;
	line->wait = wait;
	await(line, wait->awaited);
	return weir_map_put(&waits->causes, call->cid, (uintptr_t)wait);
}

static void come_for(struct weir_treewaits *waits, uint64_t cause, uint64_t end)
{
	struct weir_treeline_wait *wait = find_wait(waits, cause);

	if (!wait)
		return;
	arrive(wait->line, end);
	if (!--wait->awaited)
		drop_wait(waits, wait);
}

static int begin_batch(struct weir_treewaits *waits, struct weir_treeline *line,
		       const struct weir_treeline_call *call,
		       struct weir_treeline_batch **ret_batch)
{
	struct weir_treeline_batch *batch = calloc(1, sizeof(*batch));

	*ret_batch = batch;
	if (!batch)
		return -ENOMEM;
	batch->number = call->batch;
	batch->awaited = call->doers;
	batch->first = weir_treeline_get(line);
	batch->refs = 1;
	batch->next = waits->batch_list;
	batch->link = &waits->batch_list;
	if (batch->next)
		batch->next->link = &batch->next;
	waits->batch_list = batch;
	return weir_map_put(&waits->batches, call->batch, (uintptr_t)batch);
}

static int be_part(struct weir_treewaits *waits, struct weir_treeline *line,
		   const struct weir_treeline_call *call)
{
	struct weir_treeline_batch *batch = find_batch(waits, call->batch);
	int err = 0;

	if (!batch && call->doers)
		err = begin_batch(waits, line, call, &batch);
	if (err || !batch)
		return err;
	line->part = make_wait(&batch->parts, line);
	if (!line->part)
		return -ENOMEM;
	line->batch = batch;
	batch->refs++;
	batch->count++;
	await(line, batch->awaited);
	return 0;
}

/* All that it is done for has come before it. */
static void do_batch(struct weir_treewaits *waits, struct weir_treeline *line,
		     const struct weir_treeline_call *call)
{
	struct weir_treeline_batch *batch = find_batch(waits, call->batch);
	const struct weir_treeline_wait *part;

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
		weir_treeline_want_parts(batch);
	if (!--batch->awaited)
		drop_batch(waits, batch);
}

int weir_treewaits_add(struct weir_treewaits *waits, struct weir_treeline *line,
		       const struct weir_treeline_call *call)
{
	int err = expect(waits, line, call);

	if (!err && call->batch && !call->does_batch)
		err = be_part(waits, line, call);
	if (!err && call->does_batch)
		do_batch(waits, line, call);
	if (call->cause)
		come_for(waits, call->cause, call->end);
	return err;
}

struct weir_treeline *weir_treewaits_host(const struct weir_treewaits *waits,
					  const struct weir_treeline_call *call)
{
	struct weir_treeline_wait *wait = find_wait(waits, call->cause);
	struct weir_treeline_batch *batch = NULL;

	if (call->does_batch)
		batch = find_batch(waits, call->batch);
	return wait ? wait->line : batch ? batch->first : NULL;
}

void weir_treewaits_leave(struct weir_treeline *line)
{
	if (line->part)
		free_wait(line->part);
	line->part = NULL;
}

void weir_treewaits_fini(struct weir_treewaits *waits)
{
	while (waits->list)
		drop_wait(waits, waits->list);
	while (waits->batch_list)
		drop_batch(waits, waits->batch_list);
	weir_map_fini(&waits->causes);
	weir_map_fini(&waits->batches);
}
