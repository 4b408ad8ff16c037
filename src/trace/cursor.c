/* SPDX-License-Identifier: BSD-3-Clause */
/* A place in one block of events, in order of their start. */
#include "trace/cursor.h"

#include <errno.h>
#include <stdlib.h>

struct weir_cursor_rank {
	uint64_t start;
	uint64_t rest; /* depth << 32 | row: parents before their children */
};

void weir_cursor_fini(struct weir_cursor *cursor)
{
	free(cursor->events);
	weir_bytes_fini(&cursor->detail);
}

void weir_cursor_bench_fini(struct weir_cursor_bench *bench)
{
	weir_rows_fini(&bench->rows);
	weir_bytes_fini(&bench->payload);
	free(bench->events);
	free(bench->ranks);
	weir_zip_fini(&bench->zip);
}

static int make_room(struct weir_cursor_bench *bench, uint32_t count)
{
	void *larger;

	if (count <= bench->room)
		return 0;
	larger = realloc(bench->events, count * sizeof(*bench->events));
	if (!larger)
		return -ENOMEM;
	bench->events = larger;
	larger = realloc(bench->ranks, count * sizeof(*bench->ranks));
	if (!larger)
		return -ENOMEM;
	bench->ranks = larger;
	bench->room = count;
	return 0;
}

/* Once for a site is enough: its events have the file in common. */
static void rename_files(const struct weir_cursor *cursor,
			 struct weir_rows *rows)
{
	const struct weir_map *file_of = &cursor->node->file_of;

	for (uint32_t i = 0; i < rows->site_count; i++) {
		struct weir_site *site = &rows->sites[i];

		site->file = (uint32_t)weir_map_get(file_of, site->file);
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
	event->proc = cursor->proc_base + cursor->block->head.proc;
	event->thread = cursor->block->head.thread;
	event->err = 0;
	if (event->flags & WEIR_EVENT_FAILED) {
		event->err = (int32_t)event->ret;
		event->ret = -1;
	}
}

static int by_rank(const void *left, const void *right)
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
		if (i && by_rank(rank - 1, rank) > 0)
			sorted = 0;
	}
	if (!sorted)
		qsort(bench->ranks, count, sizeof(*bench->ranks), by_rank);
}

static int take_apart(struct weir_cursor *cursor,
		      struct weir_cursor_bench *bench)
{
	const struct weir_blocks_found *block = cursor->block;
	uint32_t count = block->head.count;
	int err = make_room(bench, count);

	if (!err)
		err = weir_blocks_load(cursor->node->fd, block, &bench->zip,
				       &bench->payload);
	if (!err)
		err = weir_rows_decode(&bench->rows, bench->payload.data,
				       bench->payload.used, count);
	if (err)
		return err;
	rename_files(cursor, &bench->rows);
	for (uint32_t i = 0; i < count; i++) {
		weir_rows_next(&bench->rows, &bench->events[i]);
		finish_event(cursor, &bench->events[i]);
	}
	rank_events(bench, count);
	return 0;
}

static int make_slice_room(struct weir_cursor *cursor, uint32_t count)
{
	struct weir_event *larger;

	if (count <= cursor->room)
		return 0;
	larger = realloc(cursor->events, count * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	cursor->events = larger;
	cursor->room = count;
	return 0;
}

/* Details are copied in two steps, as their bytes move while they grow. */
static int copy_slice(struct weir_cursor *cursor,
		      const struct weir_cursor_bench *bench)
{
	size_t at = 0;
	int err = 0;

	cursor->detail.used = 0;
	for (uint32_t i = 0; !err && i < cursor->count; i++) {
		const struct weir_cursor_rank *rank =
			&bench->ranks[cursor->done + i];
		const struct weir_event *event =
			&bench->events[(uint32_t)rank->rest];

		cursor->events[i] = *event;
		if (event->detail_len)
			err = weir_bytes_add(&cursor->detail, event->detail,
					     event->detail_len);
	}
	for (uint32_t i = 0; !err && cursor->detail.used && i < cursor->count;
	     i++) {
		cursor->events[i].detail = cursor->detail.data + at;
		at += cursor->events[i].detail_len;
	}
	return err;
}

static void set_key(struct weir_cursor *cursor)
{
	const struct weir_nodeinfo *info = &cursor->node->info;

	cursor->key = cursor->events[cursor->at].start - info->mono0 +
		      info->real0;
}

/* Fills the slice with what comes after `done`. */
static int refill(struct weir_cursor *cursor, struct weir_cursor_bench *bench)
{
	uint32_t left = cursor->block->head.count - cursor->done;
	int err;

	if (!left)
		return 0;
	cursor->at = 0;
	cursor->count = left < bench->slice ? left : bench->slice;
	err = take_apart(cursor, bench);
	if (!err)
		err = make_slice_room(cursor, cursor->count);
	if (!err)
		err = copy_slice(cursor, bench);
	if (err)
		return err;
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
