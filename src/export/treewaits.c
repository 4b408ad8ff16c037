/* SPDX-License-Identifier: BSD-3-Clause */
/* Work for other processes: what is to come, and where it belongs. */
#include "export/treewaits.h"

#include <errno.h>
#include <stdlib.h>

static struct weir_treebuffer_wait *
make_wait(struct weir_treebuffer_wait **list, struct weir_treebuffer_line *line)
{
	struct weir_treebuffer_wait *wait = calloc(1, sizeof(*wait));

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

static void free_wait(struct weir_treebuffer_wait *wait)
{
	*wait->link = wait->next;
	if (wait->next)
		wait->next->link = wait->link;
	free(wait);
}

static struct weir_treebuffer_wait *
find_wait(const struct weir_treebuffer *buffer, uint64_t cid)
{
	return cid ? (struct weir_treebuffer_wait *)(uintptr_t)
			     weir_map_get(&buffer->causes, cid) : NULL;
}

static struct weir_treebuffer_batch *
find_batch(const struct weir_treebuffer *buffer, uint64_t number)
{
	return (struct weir_treebuffer_batch *)(uintptr_t)
		weir_map_get(&buffer->batches, number);
}

bool weir_treewaits_has(const struct weir_treebuffer *buffer, uint64_t cid)
{
	return find_wait(buffer, cid);
}

static void drop_wait(struct weir_treebuffer *buffer,
		      struct weir_treebuffer_wait *wait)
{
	struct weir_treebuffer_line *line = wait->line;

	weir_map_remove(&buffer->causes, wait->number);
	line->wait = NULL;
	free_wait(wait);
	weir_treebuffer_put(line);
}

static void drop_batch(struct weir_treebuffer *buffer,
		       struct weir_treebuffer_batch *batch)
{
	weir_map_remove(&buffer->batches, batch->number);
	*batch->link = batch->next;
	if (batch->next)
		batch->next->link = batch->link;
	weir_treebuffer_put(batch->first);
	batch->first = NULL;
	weir_treebuffer_put_batch(batch);
}

/* Others have to wait for what comes for the line. */
static void await(struct weir_treebuffer_line *line, uint64_t events)
{
	struct weir_treebuffer_tree *tree = weir_treebuffer_tree_of(line);

	if (tree)
		tree->awaited += events;
}

/* One has come, and is not over before `end`. */
static void arrive(struct weir_treebuffer_line *line, uint64_t end)
{
	struct weir_treebuffer_tree *tree = weir_treebuffer_tree_of(line);

	if (!tree)
		return;
	tree->awaited -= !!tree->awaited;
	if (end != UINT64_MAX && tree->end < end)
		tree->end = end;
}

/* Two calls never have the same number: of such the first counts. */
static int expect(struct weir_treebuffer *buffer,
		  struct weir_treebuffer_line *line,
		  const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_wait *wait;

	if (!call->cid || !call->caused || find_wait(buffer, call->cid))
		return 0;
	wait = make_wait(&buffer->waits, line);
	if (!wait)
		return -ENOMEM;
	weir_treebuffer_get(line);
	wait->number = call->cid;
	wait->awaited = call->caused;
	line->wait = wait;
	await(line, wait->awaited);
	return weir_map_put(&buffer->causes, call->cid, (uintptr_t)wait);
}

static void come_for(struct weir_treebuffer *buffer, uint64_t cause,
		     uint64_t end)
{
	struct weir_treebuffer_wait *wait = find_wait(buffer, cause);

	if (!wait)
		return;
	arrive(wait->line, end);
	if (!--wait->awaited)
		drop_wait(buffer, wait);
}

static int begin_batch(struct weir_treebuffer *buffer,
		       struct weir_treebuffer_line *line,
		       const struct weir_treebuffer_call *call,
		       struct weir_treebuffer_batch **ret_batch)
{
	struct weir_treebuffer_batch *batch = calloc(1, sizeof(*batch));

	*ret_batch = batch;
	if (!batch)
		return -ENOMEM;
	batch->number = call->batch;
	batch->awaited = call->doers;
	batch->first = weir_treebuffer_get(line);
	batch->refs = 1;
	batch->next = buffer->batch_list;
	batch->link = &buffer->batch_list;
	if (batch->next)
		batch->next->link = &batch->next;
	buffer->batch_list = batch;
	return weir_map_put(&buffer->batches, call->batch, (uintptr_t)batch);
}

static int be_part(struct weir_treebuffer *buffer,
		   struct weir_treebuffer_line *line,
		   const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_batch *batch = find_batch(buffer, call->batch);
	int err = 0;

	if (!batch && call->doers)
		err = begin_batch(buffer, line, call, &batch);
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
static void do_batch(struct weir_treebuffer *buffer,
		     struct weir_treebuffer_line *line,
		     const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_batch *batch = find_batch(buffer, call->batch);
	const struct weir_treebuffer_wait *part;

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
		weir_treebuffer_tell_parts(batch);
	if (!--batch->awaited)
		drop_batch(buffer, batch);
}

int weir_treewaits_add(struct weir_treebuffer *buffer,
		       struct weir_treebuffer_line *line,
		       const struct weir_treebuffer_call *call)
{
	int err = expect(buffer, line, call);

	if (!err && call->batch && !call->does_batch)
		err = be_part(buffer, line, call);
	if (!err && call->does_batch)
		do_batch(buffer, line, call);
	if (call->cause)
		come_for(buffer, call->cause, call->end);
	return err;
}

struct weir_treebuffer_line *
weir_treewaits_host(const struct weir_treebuffer *buffer,
		    const struct weir_treebuffer_call *call)
{
	struct weir_treebuffer_wait *wait = find_wait(buffer, call->cause);
	struct weir_treebuffer_batch *batch = NULL;

	if (call->does_batch)
		batch = find_batch(buffer, call->batch);
	return wait ? wait->line : batch ? batch->first : NULL;
}

void weir_treewaits_leave(struct weir_treebuffer_line *line)
{
	if (line->part)
		free_wait(line->part);
	line->part = NULL;
}

void weir_treewaits_fini(struct weir_treebuffer *buffer)
{
	while (buffer->waits)
		drop_wait(buffer, buffer->waits);
	while (buffer->batch_list)
		drop_batch(buffer, buffer->batch_list);
	weir_map_fini(&buffer->causes);
	weir_map_fini(&buffer->batches);
}
