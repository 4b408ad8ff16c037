/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows how one process reads or writes one file through one layer. */
#include "analyse/facts/flows.h"

#include "base/grow.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Fewer calls do not tell what they usually take; and so much longer, it is
 * not they that take it. */
#define FEW  16
#define LONG 6

/* No stream goes on there: it is behind the last byte that can be. */
#define NOWHERE UINT64_MAX

void weir_flows_fini(struct weir_flows *flows)
{
	for (size_t i = 0; i < flows->count; i++)
		weir_extents_fini(&flows->list[i].touched);
	free(flows->list);
	weir_bypair_fini(&flows->first);
	weir_map_fini(&flows->around);
	*flows = (struct weir_flows){ 0 };
}

int weir_flows_has(enum weir_callclass class)
{
	return class >= WEIR_CLASS_READ && class <= WEIR_CLASS_DRAIN;
}

/* By itself, or for one that is; or as its argument asks for. */
static uint8_t is_collective(const struct weir_callview *view)
{
	const uint32_t both =
		WEIR_CALLVIEW_MEANT_TOGETHER | WEIR_CALLVIEW_WENT_APART;

	return (view->marks &
		(WEIR_CALLVIEW_COLLECTIVE | WEIR_CALLVIEW_TOGETHER)) ||
	       (view->marks & both) == WEIR_CALLVIEW_MEANT_TOGETHER;
}

static int is_of(const struct weir_flow *flow, const struct weir_callview *view)
{
	return flow->layer == view->layer && flow->class == view->class &&
	       flow->top == view->top &&
	       flow->collective == is_collective(view);
}

/* A pair has few flows: one for each layer and direction. */
static struct weir_flow *find_flow(struct weir_flows *flows,
				   const struct weir_callview *view)
{
	uint32_t *first = weir_bypair_get(&flows->first, view->pair), at;
	struct weir_flow *flow;

	for (at = first ? *first : 0; at; at = flow->next) {
		flow = &flows->list[at - 1];
		if (is_of(flow, view))
			return flow;
	}
	if (!first || WEIR_GROW(flows->list, flows->count, flows->room))
		return NULL;
	flow = &flows->list[flows->count++];
	memset(flow, 0, sizeof(*flow));
	flow->whole = view->whole;
	flow->next = *first;
	*first = (uint32_t)flows->count;
	flow->file = view->file;
	flow->proc = view->event.proc;
	flow->pair = view->pair;
	flow->layer = view->layer;
	flow->class = view->class;
	flow->top = view->top;
	flow->collective = is_collective(view);
	for (int i = 0; i < WEIR_FLOW_STREAMS; i++)
		flow->streams[i].next = NOWHERE;
	return flow;
}

/* The stream that it goes on with; NULL: it begins one. */
static struct weir_flow_stream *followed(struct weir_flow *flow, uint64_t off)
{
	for (int i = 0; i < WEIR_FLOW_STREAMS; i++)
		if (flow->streams[i].next == off)
			return &flow->streams[i];
	return NULL;
}

/* A place for a new one: that which was left alone longest. */
static struct weir_flow_stream *begun(struct weir_flow *flow)
{
	struct weir_flow_stream *stream = &flow->streams[0];

	for (int i = 1; i < WEIR_FLOW_STREAMS; i++)
		if (flow->streams[i].used < stream->used)
			stream = &flow->streams[i];
	stream->held = stream->run = 0;
	return stream;
}

/* Of a microsecond, of four, of sixteen ... */
static void note_pace(struct weir_flow_pace *pace, uint64_t dur)
{
	int at = 0;

	for (uint64_t limit = 1000; at < WEIR_FLOW_PACES - 1 && dur >= limit;
	     limit *= 4)
		at++;
	pace->time[at] += dur;
	pace->calls[at]++;
}

static uint64_t count_calls(const struct weir_flow_pace *pace)
{
	uint64_t calls = 0;

	for (int i = 0; i < WEIR_FLOW_PACES; i++)
		calls += pace->calls[i];
	return calls;
}

/* The mean of those that take about as long as the one in the middle. */
static uint64_t usual_time(const struct weir_flow_pace *pace)
{
	uint64_t calls = count_calls(pace), seen = 0;
	int at = 0;

	while (at < WEIR_FLOW_PACES - 1 &&
	       (seen += pace->calls[at]) * 2 < calls)
		at++;
	return pace->calls[at] ? pace->time[at] / pace->calls[at] : 0;
}

uint64_t weir_flows_waits(const struct weir_flow_pace *pace,
			  const struct weir_flow_pace *run)
{
	int are_few = count_calls(pace) < FEW && count_calls(run);
	uint64_t usual = usual_time(are_few ? run : pace), waits = 0;

	for (int i = 0; i < WEIR_FLOW_PACES; i++)
		if (pace->time[i] > pace->calls[i] * usual * LONG)
			waits += pace->time[i] - pace->calls[i] * usual;
	return waits;
}

/* Would it fit into the buffer of what went before? */
static void gather_stream(struct weir_flow *flow,
			  struct weir_flow_stream *stream, int follows,
			  const struct weir_callview *view)
{
	uint64_t bytes = view->moved;

	if (bytes >= WEIR_FLOW_SMALL) {
		stream->held = WEIR_FLOW_GATHERED;
	} else if (follows && stream->held + bytes <= WEIR_FLOW_GATHERED) {
		stream->held += bytes;
		flow->joined++;
		flow->joined_bytes += bytes;
		flow->joined_time += view->event.dur;
		note_pace(&flow->pace, view->event.dur);
	} else {
		stream->held = bytes;
	}
}

/* The same place again is neither a stride nor far away. */
static void note_step(struct weir_flow *flow, const struct weir_callview *view)
{
	int64_t step = (int64_t)((uint64_t)view->event.off - flow->last_off);
	uint64_t far = step < 0 ? -(uint64_t)step : (uint64_t)step;
	int64_t before = flow->last_step;

	flow->last_step = step;
	if (!flow->placed || !step || view->moved >= WEIR_FLOW_SMALL)
		return;
	if (flow->placed == 1 || step != before) {
		flow->scattered++;
		return;
	}
	flow->strided++;
	flow->stride_span += far;
	flow->stride_time += view->event.dur;
}

/* What buffers of pages held, and larger ones could have. */
static void note_follow(struct weir_flow *flow,
			const struct weir_flow_stream *stream,
			const struct weir_callview *view)
{
	flow->follow++;
	flow->last_step = 0;
	if (view->moved < WEIR_FLOW_PAGE || view->moved >= WEIR_FLOW_SMALL ||
	    stream->run < WEIR_FLOW_RUN)
		return;
	flow->paced++;
	flow->paced_bytes += view->moved;
	flow->paced_time += view->event.dur;
}

static int place_transfer(struct weir_flow *flow,
			  const struct weir_callview *view)
{
	uint64_t off = (uint64_t)view->event.off;
	struct weir_flow_stream *stream = followed(flow, off);
	int follows = stream != NULL;

	if (follows) {
		note_follow(flow, stream, view);
	} else {
		note_step(flow, view);
		stream = begun(flow);
	}
	gather_stream(flow, stream, follows, view);
	stream->next = off + view->moved;
	stream->run += view->moved;
	stream->used = flow->calls;
	flow->last_off = off;
	flow->placed++;
	return weir_extents_add(&flow->touched, off, off + view->moved);
}

static void count_transfer(struct weir_flow *flow,
			   const struct weir_callview *view)
{
	uint64_t bytes = view->moved, dur = view->event.dur;
	struct weir_witness witness = weir_witness_of(&view->event);

	flow->calls++;
	flow->bytes += bytes;
	flow->time += dur;
	weir_witness_take(&flow->slowest, witness);
	if (bytes >= WEIR_FLOW_SMALL)
		return;
	flow->small++;
	flow->small_bytes += bytes;
	flow->small_time += dur;
	weir_witness_take(&flow->slowest_small, witness);
	if (bytes >= WEIR_FLOW_PAGE)
		return;
	flow->tiny++;
	flow->tiny_bytes += bytes;
	flow->tiny_time += dur;
}

int weir_flows_take(struct weir_flows *flows, const struct weir_callview *view)
{
	struct weir_flow *flow;

	if (!view->moved)
		return 0; /* the end of a file, or an error: nothing moved */
	flow = find_flow(flows, view);
	if (!flow)
		return -ENOMEM;
	count_transfer(flow, view);
	if (!(view->event.flags & WEIR_EVENT_NOOFF))
		return place_transfer(flow, view);
	/* O_APPEND: each goes on at the end. */
	gather_stream(flow, &flow->appended, flow->appended.held != 0, view);
	return 0;
}

/* Adds to what a map has of a key; it keeps no 0. */
static int add_to(struct weir_map *map, uint64_t key, uint64_t amount)
{
	uint64_t sum = weir_map_get(map, key) + amount;

	return sum ? weir_map_put(map, key, sum) : 0;
}

static uint64_t whole_key(uint32_t whole, uint32_t proc)
{
	return (uint64_t)whole << 32 | proc;
}

int weir_flows_surround(struct weir_flows *flows,
			const struct weir_callview *view)
{
	return add_to(&flows->around,
		      whole_key(view->whole, view->event.proc),
		      view->event.dur);
}

int weir_flows_end(struct weir_flows *flows)
{
	__extension__ typedef unsigned __int128 wide;
	struct weir_map calls = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < flows->count; i++) {
		const struct weir_flow *flow = &flows->list[i];

		if (flow->layer == WEIR_CALLVIEW_HDF5)
			err = add_to(&calls, whole_key(flow->whole, flow->proc),
				     flow->calls);
	}
	for (size_t i = 0; !err && i < flows->count; i++) {
		struct weir_flow *flow = &flows->list[i];
		uint64_t key = whole_key(flow->whole, flow->proc);
		uint64_t all = weir_map_get(&calls, key);
		wide around = weir_map_get(&flows->around, key);

		if (all && flow->layer == WEIR_CALLVIEW_HDF5)
			flow->around = (uint64_t)(around * flow->calls / all);
	}
	weir_map_fini(&calls);
	return err;
}
