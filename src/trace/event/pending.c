/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins asynchronous operations with the calls that saw them complete. */
#include "trace/event/pending.h"

#include "base/grow.h"
#include "base/hash.h"
#include "trace/event/detail.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CQE_MORE 2 /* this is not the last completion of its operation */

#define READ  WEIR_PENDING_READS
#define WRITE WEIR_PENDING_WRITES

/* What a join needs to know of an event. */
struct facts {
	uint64_t layer, id, ring, flags;
	int has_id;
	enum weir_pending_way way;
};

/* Operations that move bytes, by the kind that shows them. */
static const struct {
	const char *show;
	uint64_t op;
	enum weir_pending_way way;
} ways[] = {
	{ "lio_op", 0, READ },    { "lio_op", 1, WRITE },
	{ "iocb_op", 0, READ },   { "iocb_op", 1, WRITE },
	{ "iocb_op", 7, READ },   { "iocb_op", 8, WRITE },
	{ "uring_op", 1, READ },  { "uring_op", 2, WRITE },
	{ "uring_op", 4, READ },  { "uring_op", 5, WRITE },
	{ "uring_op", 22, READ }, { "uring_op", 23, WRITE },
	{ "uring_op", 60, READ }, { "uring_op", 61, WRITE },
};

static enum weir_pending_way way_of(const struct weir_value *op)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (ways[i].op == op->number &&
		    !strcmp(ways[i].show, op->kind->show))
			return ways[i].way;
	return WEIR_PENDING_MOVES_NOTHING;
}

/* Calls for one operation say what it is. */
enum weir_pending_way weir_pending_way_by_call(const struct weir_call *call)
{
	if (!weir_call_is(call, WEIR_MEANS_SUBMIT))
		return WEIR_PENDING_MOVES_NOTHING;
	return weir_call_has(call, WEIR_TRAIT_READS)  ? READ :
	       weir_call_has(call, WEIR_TRAIT_WRITES) ? WRITE :
						 WEIR_PENDING_MOVES_NOTHING;
}

/* Each layer counts its operations by itself. */
static uint64_t layer_of(const struct weir_call *call)
{
	return call->layer ? weir_hash_bytes(call->layer, strlen(call->layer)) :
			     0;
}

static struct facts read_facts(const struct weir_event *event,
			       const struct weir_call *call)
{
	struct facts facts = { .layer = layer_of(call),
			       .id = (uint64_t)event->ret,
			       .way = weir_pending_way_by_call(call) };
	struct weir_detail detail;
	struct weir_value value;

	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value)) {
		if (!value.given)
			continue;
		if (!strcmp(value.name, "id")) {
			facts.id = value.number;
			facts.has_id = 1;
		} else if (!strcmp(value.name, "ring")) {
			facts.ring = value.handle;
		} else if (!strcmp(value.name, "flags")) {
			facts.flags = value.number;
		} else if (!strcmp(value.name, "op") && !facts.way) {
			facts.way = way_of(&value);
		}
	}
	return facts;
}

static uint64_t operation_key(const struct weir_event *event,
			      const struct facts *facts)
{
	uint64_t parts[] = { event->proc, facts->layer, facts->ring,
			     facts->id };

	return weir_hash_numbers(parts, sizeof(parts));
}

/* In the map: the first and the last open one of a key, as index + 1. */
static uint32_t first_of(uint64_t value)
{
	return (uint32_t)value;
}

static uint32_t last_of(uint64_t value)
{
	return (uint32_t)(value >> 32);
}

/* Places of what has ended are used again. */
static int make_op(struct weir_pending *pending, uint32_t *ret_index)
{
	if (pending->spare) {
		*ret_index = pending->spare;
		pending->spare = pending->ops[pending->spare - 1].next;
		return 0;
	}
	if (WEIR_GROW(pending->ops, pending->op_count, pending->op_room))
		return -ENOMEM;
	*ret_index = ++pending->op_count;
	return 0;
}

static int submit(struct weir_pending *pending, const struct weir_event *event,
		  const struct facts *facts)
{
	uint64_t key = operation_key(event, facts);
	uint64_t value = weir_map_get(&pending->open, key);
	uint32_t index;
	int err = make_op(pending, &index);

	if (err)
		return err;
	pending->submitted++;
	pending->begun = index;
	pending->ops[index - 1] = (struct weir_pending_op){
		.start = event->start, .file = event->file,
		.handle = event->handle, .way = facts->way,
	};
	if (value)
		pending->ops[last_of(value) - 1].next = index;
	return weir_map_put(&pending->open, key,
			    (uint64_t)index << 32 |
				    (value ? first_of(value) : index));
}

/* What is in the map already takes no memory when it is changed. */
int weir_pending_close(struct weir_pending *pending, uint64_t key)
{
	uint64_t value = weir_map_get(&pending->open, key);
	uint32_t index = first_of(value), next;

	if (!value)
		return 0;
	pending->ended = index;
	pending->last = pending->ops[index - 1];
	pending->completed++;
	next = pending->last.next;
	pending->ops[index - 1].next = pending->spare;
	pending->spare = index;
	if (next)
		weir_map_put(&pending->open, key,
			     (uint64_t)last_of(value) << 32 | next);
	else
		weir_map_remove(&pending->open, key);
	return 1;
}

/* The second completion of one operation (a result asked twice) is none. */
static int complete(struct weir_pending *pending,
		    const struct weir_event *event, const struct facts *facts)
{
	uint64_t bytes = event->ret > 0 && !(event->flags & WEIR_EVENT_FAILED) ?
				 (uint64_t)event->ret : 0;

	if (facts->flags & CQE_MORE ||
	    !weir_pending_close(pending, operation_key(event, facts)))
		return 0;
	if (pending->last.way == READ)
		pending->bytes_read += bytes;
	if (pending->last.way == WRITE)
		pending->bytes_written += bytes;
	return 0;
}

/* By the row alone, which says that a call may hand over an operation. */
static enum weir_pending_side side_of(const struct weir_event *event,
				      const struct weir_call *call)
{
	if (!call || event->flags & WEIR_EVENT_ENTERED)
		return WEIR_PENDING_NEITHER;
	if (weir_call_is(call, WEIR_MEANS_COMPLETE))
		return WEIR_PENDING_DONE;
	if ((call->may_hand_over || weir_call_is(call, WEIR_MEANS_SUBMIT)) &&
	    !(event->flags & WEIR_EVENT_FAILED))
		return WEIR_PENDING_SUBMIT;
	return WEIR_PENDING_NEITHER;
}

static enum weir_pending_side find_side(const struct weir_event *event,
					const struct weir_call *call,
					struct facts *facts)
{
	enum weir_pending_side side = side_of(event, call);

	if (side == WEIR_PENDING_NEITHER)
		return side;
	*facts = read_facts(event, call);
	if (call->may_hand_over && !facts->has_id)
		return WEIR_PENDING_NEITHER;
	return side;
}

enum weir_pending_side weir_pending_look(const struct weir_event *event,
					 const struct weir_call *call,
					 uint64_t *ret_key, int *ret_is_last)
{
	struct facts facts;
	enum weir_pending_side side = find_side(event, call, &facts);

	if (side == WEIR_PENDING_NEITHER)
		return side;
	*ret_key = operation_key(event, &facts);
	*ret_is_last = !(facts.flags & CQE_MORE);
	return side;
}

enum weir_pending_way weir_pending_way_of(const struct weir_event *event,
					  const struct weir_call *call)
{
	return call ? read_facts(event, call).way : WEIR_PENDING_MOVES_NOTHING;
}

int weir_pending_add(struct weir_pending *pending,
		     const struct weir_event *event,
		     const struct weir_call *call)
{
	struct facts facts;
	enum weir_pending_side side = find_side(event, call, &facts);

	pending->begun = pending->ended = 0;
	if (side == WEIR_PENDING_NEITHER)
		return 0;
	return side == WEIR_PENDING_SUBMIT ?
		       submit(pending, event, &facts) :
		       complete(pending, event, &facts);
}

void weir_pending_fini(struct weir_pending *pending)
{
	weir_map_fini(&pending->open);
	free(pending->ops);
	*pending = (struct weir_pending){ 0 };
}
