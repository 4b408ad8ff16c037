/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks through one block of events, in order of their start. */
#include "trace/read/cursor.h"

#include "base/grow.h"
#include "trace/file/ringblock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct weir_cursor_rank {
	uint64_t start;
	uint64_t rest; /* depth << 32 | row: parents before their children */
};

void weir_cursor_stop(struct weir_cursor *cursor,
		      struct weir_cursor_bench *bench)
{
	if (!cursor->events)
		return;
	free(bench->spare);
	bench->spare = cursor->events;
	cursor->events = NULL;
	bench->held -= cursor->room;
	cursor->room = 0;
}

void weir_cursor_bench_fini(struct weir_cursor_bench *bench)
{
	weir_rows_fini(&bench->rows);
	weir_bytes_fini(&bench->payload);
	free(bench->events);
	free(bench->ranks);
	free(bench->spare);
}

void weir_cursor_bench_rest(struct weir_cursor_bench *bench)
{
	struct weir_cursor_bench empty = {
		.share = bench->share, .memory = bench->memory,
		.held = bench->held,
	};

	weir_cursor_bench_fini(bench);
	*bench = empty;
}

static int make_bench_room(struct weir_cursor_bench *bench, uint32_t count)
{
	if (count <= bench->room)
		return 0;
	if (WEIR_GROW_EXACTLY(bench->events, count) ||
	    WEIR_GROW_EXACTLY(bench->ranks, count))
		return -ENOMEM;
	bench->room = count;
	return 0;
}

/* Once for a site is enough: its events have the file in common. */
static void rename_files(const struct weir_cursor *cursor,
			 struct weir_rows *rows)
{
	const struct weir_numbering *file_of = &cursor->node->file_of;

	for (uint32_t i = 0; i < rows->site_count; i++) {
		struct weir_site *site = &rows->sites[i];

		site->file = weir_numbering_get(file_of, site->file);
	}
}

/* From what the file says to what the reader promises. */
static void finish_event(const struct weir_cursor *cursor,
			 struct weir_event *event)
{
	const struct weir_nodeinfo *info = &cursor->node->info;
	uint64_t end = weir_nodeinfo_mono(info, event->start + event->dur);

	event->start = weir_nodeinfo_mono(info, event->start);
	event->dur = end - event->start;
	event->proc = cursor->proc_base + cursor->block->found.head.proc;
	event->thread = cursor->block->found.head.thread;
	event->err = 0;
	if (event->flags & WEIR_EVENT_FAILED) {
		event->err = (int32_t)event->ret;
		event->ret = -1;
	}
}

static int by_event_rank(const void *left, const void *right)
{
	const struct weir_cursor_rank *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->rest > b->rest) - (a->rest < b->rest);
}

/* A child ends before its parent does, so it stands before it in a block. */
static void rank_events(struct weir_cursor_bench *bench, uint32_t count)
{
	int sorted = 1;

	for (uint32_t i = 0; i < count; i++) {
		struct weir_cursor_rank *rank = &bench->ranks[i];

		rank->start = bench->events[i].start;
		rank->rest = (uint64_t)bench->events[i].depth << 32 | i;
		if (i && by_event_rank(rank - 1, rank) > 0)
			sorted = 0;
	}
	if (!sorted)
		qsort(bench->ranks, count, sizeof(*bench->ranks),
		      by_event_rank);
}

static int read_columns(const struct weir_cursor *cursor,
			struct weir_cursor_bench *bench)
{
	uint32_t count = cursor->block->found.head.count;
	int err = weir_rows_decode(&bench->rows, bench->payload.data,
				   bench->payload.used, count);

	if (err)
		return err;
	rename_files(cursor, &bench->rows);
	for (uint32_t i = 0; i < count; i++)
		weir_rows_next(&bench->rows, &bench->events[i]);
	return 0;
}

static int read_ring(const struct weir_cursor *cursor,
		     struct weir_cursor_bench *bench)
{
	struct weir_ringblock block;
	int err = weir_ringblock_parse(bench->payload.data, bench->payload.used,
				       &block);

	/* As when its events were counted: the file may have changed. */
	if (!err && weir_ringblock_measure(&block).events !=
			    cursor->block->found.head.count)
		err = -EBADMSG;
	return err ? err : weir_ringblock_events(&block,
						 &cursor->node->shelf->names,
						 &bench->rows.detail,
						 bench->events);
}

static int take_apart(const struct weir_cursor *cursor,
		      struct weir_cursor_bench *bench)
{
	uint32_t count = cursor->block->found.head.count;
	int err = make_bench_room(bench, count);

	if (!err)
		err = weir_readnode_load(cursor->node, cursor->block,
					 &bench->payload);
	if (!err)
		err = cursor->block->found.head.type == WEIR_BLOCK_RING ?
			      read_ring(cursor, bench) :
			      read_columns(cursor, bench);
	if (err)
		return err;
	for (uint32_t i = 0; i < count; i++)
		finish_event(cursor, &bench->events[i]);
	rank_events(bench, count);
	return 0;
}

static const struct weir_event *
ranked(const struct weir_cursor_bench *bench, uint32_t rank)
{
	return &bench->events[(uint32_t)bench->ranks[rank].rest];
}

/* Room for all of a block or for a share of it, as long as it is read. */
static int take_room(struct weir_cursor *cursor,
		     struct weir_cursor_bench *bench)
{
	uint64_t left = bench->memory > bench->held ?
			bench->memory - bench->held : 0;
	uint64_t room = cursor->block->found.head.count *
			sizeof(struct weir_event) + bench->rows.detail.used;

	if (cursor->events)
		return 0;
	if (room > bench->share)
		room = bench->share;
	/* A file may lie about its times: then the share is too much. */
	if (room > left)
		room = left;
	if (room < sizeof(struct weir_event))
		room = sizeof(struct weir_event);
	if (weir_grow_exactly((void **)&bench->spare, room, 1))
		return -ENOMEM;
	cursor->events = bench->spare;
	bench->spare = NULL;
	cursor->room = room;
	bench->held += room;
	return 0;
}

/* Events stand at the begin of the room, their details at its end. */
static void fill_slice(struct weir_cursor *cursor,
		       const struct weir_cursor_bench *bench)
{
	uint32_t left = cursor->block->found.head.count - cursor->done, n;
	uint8_t *detail = (uint8_t *)cursor->events + cursor->room;
	size_t room = cursor->room;

	for (n = 0; n < left; n++) {
		const struct weir_event *event =
			ranked(bench, cursor->done + n);
		size_t bytes = sizeof(*event) + event->detail_len;

		if (bytes > room)
			break;
		room -= bytes;
		cursor->events[n] = *event;
		if (!event->detail_len)
			continue;
		detail -= event->detail_len;
		memcpy(detail, event->detail, event->detail_len);
		cursor->events[n].detail = detail;
	}
	if (!n) {
		/* Too long a detail is left where it is. */
		cursor->events[n] = *ranked(bench, cursor->done);
		cursor->events[n++].detail = NULL;
	}
	cursor->count = n;
	cursor->at = 0;
}

static void set_key(struct weir_cursor *cursor)
{
	cursor->key = weir_nodeinfo_day(&cursor->node->info,
					cursor->events[cursor->at].start);
}

/* Fills the slice with what comes after `done`. */
static int refill(struct weir_cursor *cursor, struct weir_cursor_bench *bench)
{
	int err;

	if (cursor->done == cursor->block->found.head.count)
		return 0;
	err = take_apart(cursor, bench);
	if (!err)
		err = take_room(cursor, bench);
	if (err)
		return err;
	fill_slice(cursor, bench);
	set_key(cursor);
	return 1;
}

int weir_cursor_start(struct weir_cursor *cursor,
		      struct weir_cursor_bench *bench)
{
	cursor->done = cursor->count = cursor->at = 0;
	return refill(cursor, bench);
}

int weir_cursor_step(struct weir_cursor *cursor,
		     struct weir_cursor_bench *bench)
{
	if (++cursor->at < cursor->count) {
		set_key(cursor);
		return 1;
	}
	cursor->done += cursor->count;
	return refill(cursor, bench);
}

int weir_cursor_fetch(const struct weir_cursor *cursor,
		      struct weir_cursor_bench *bench,
		      const uint8_t **ret_detail)
{
	int err = take_apart(cursor, bench);

	if (err)
		return err;
	*ret_detail = ranked(bench, cursor->done + cursor->at)->detail;
	return 1;
}
