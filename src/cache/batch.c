/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins neighbouring writes to runs for the file system, and has those leave
 * that are stored. See index.h for why some that are stored stay.
 */
#include "cache/batch.h"

#include "base/grow.h"
#include "cache/index_own.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* A batch while it flies. */
struct flight {
	struct iovec *parts;
	/*
	 * Whose they are. A write of which several parts were stored is kept
	 * with the last of them only: so it has `flying` places here, all in
	 * runs that were not stored, or a single one.
	 */
	struct weir_write **writes;
	struct weir_batch_run *runs;
	bool *stored; /* one a run */
	size_t count, parts_room, writes_room, runs_room;
	uint32_t run_count;
};

/* A run that is being made: the last parts of the flight. */
struct making {
	struct flight *flight;
	const struct weir_batch_shape *shape;
	uint64_t start, end; /* equal: none */
	uint64_t limit;
	size_t first;
	uint64_t even; /* the last multiple of `align` in it, if any */
	size_t even_count; /* parts before that */
};

static uint64_t round_down(uint64_t number, uint64_t to)
{
	return number - number % to;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

static void begin_run(struct making *making, uint64_t start, size_t first)
{
	uint64_t most = start + making->shape->most;
	uint64_t even = round_down(most, making->shape->align);

	making->start = making->end = making->even = start;
	making->limit = even > start ? even : most;
	making->first = making->even_count = first;
}

static int end_run(struct making *making, uint64_t end, size_t count)
{
	struct flight *flight = making->flight;
	int err = WEIR_GROW(flight->runs, flight->run_count,
			    flight->runs_room);

	if (err)
		return err;
	flight->runs[flight->run_count++] = (struct weir_batch_run){
		.offset = making->start,
		.length = end - making->start,
		.count = (int)(count - making->first),
	};
	begin_run(making, end, count);
	return 0;
}

/* No more parts fit: all up to the last even place, if there is one. */
static int end_full_run(struct making *making)
{
	uint64_t end = making->end;
	int err;

	if (making->even == making->start)
		return end_run(making, end, making->flight->count);
	err = end_run(making, making->even, making->even_count);
	making->end = end;
	return err;
}

static int add_part(struct making *making, struct weir_write *write,
		    uint64_t end)
{
	struct flight *flight = making->flight;
	int err = WEIR_GROW(flight->parts, flight->count, flight->parts_room);

	if (!err)
		err = WEIR_GROW(flight->writes, flight->count,
				flight->writes_room);
	if (err)
		return err;
	flight->parts[flight->count] = (struct iovec){
		.iov_base = (void *)(uintptr_t)(write->bytes +
						(making->end - write->offset)),
		.iov_len = end - making->end,
	};
	flight->writes[flight->count++] = write;
	write->flying++;
	making->end = end;
	return 0;
}

/* Of a piece what fits, up to the next even place. */
static int add_some(struct making *making, const struct weir_piece *piece)
{
	struct flight *flight = making->flight;
	uint64_t align = making->shape->align;
	uint64_t even = round_down(making->end, align) + align;
	uint64_t end = smaller(smaller(piece->end, making->limit), even);
	int err = add_part(making, piece->write, end);

	if (err)
		return err;
	if (end == even) {
		making->even = even;
		making->even_count = flight->count;
	}
	if (end == making->limit)
		return end_run(making, end, flight->count);
	if (flight->count - making->first == IOV_MAX)
		return end_full_run(making);
	return 0;
}

static int add_piece(struct making *making, const struct weir_piece *piece)
{
	int err = 0;

	if (making->end != piece->offset) {
		if (making->end > making->start)
			err = end_run(making, making->end,
				      making->flight->count);
		begin_run(making, piece->offset, making->flight->count);
	}
	while (!err && making->end < piece->end)
		err = add_some(making, piece);
	return err;
}

static void free_flight(struct flight *flight)
{
	free(flight->parts);
	free(flight->writes);
	free(flight->runs);
	free(flight->stored);
	free(flight);
}

static void call_off(struct flight *flight)
{
	for (size_t i = 0; i < flight->count; i++)
		flight->writes[i]->flying = 0;
	free_flight(flight);
}

static int add_all(struct weir_index *index, struct making *making)
{
	uint64_t before = making->shape->before;
	const struct weir_piece *piece = index->pieces.first;
	int err = 0;

	for (; !err && piece; piece = piece->next)
		if (!before || piece->write->stamp < before)
			err = add_piece(making, piece);
	if (!err && making->end > making->start)
		err = end_run(making, making->end, making->flight->count);
	return err;
}

/* Where its parts are is known when there are no more. */
static int complete(struct flight *flight)
{
	struct iovec *parts = flight->parts;

	flight->stored = calloc(flight->run_count + 1, sizeof(bool));
	if (!flight->stored)
		return -ENOMEM;
	for (uint32_t i = 0; i < flight->run_count; i++) {
		flight->runs[i].parts = parts;
		parts += flight->runs[i].count;
	}
	return 0;
}

int weir_batch_gather(struct weir_index *index,
		      const struct weir_batch_shape *shape,
		      struct weir_batch *ret_batch)
{
	struct flight *flight;
	struct making making = { .shape = shape };
	int err;

	if (index->flies)
		return -EBUSY;
	flight = calloc(1, sizeof(*flight));
	if (!flight)
		return -ENOMEM;
	making.flight = flight;
	begin_run(&making, 0, 0);
	err = add_all(index, &making);
	if (!err)
		err = complete(flight);
	if (err) {
		call_off(flight);
		return err;
	}
	index->flies = true;
	index->late = UINT64_MAX;
	*ret_batch = (struct weir_batch){ flight->runs, flight->run_count,
					  flight };
	return 0;
}

/* Where a part ends: who writes it may have moved its beginning. */
static uint64_t end_of_part(const struct weir_write *write,
			    const struct iovec *part)
{
	const unsigned char *end =
		(const unsigned char *)part->iov_base + part->iov_len;

	return write->offset + (uint64_t)(end - write->bytes);
}

void weir_batch_each(const struct weir_batch *batch, uint32_t run,
		     weir_batch_look look, void *arg)
{
	const struct flight *flight = batch->own;
	const struct weir_batch_run *whole = &batch->runs[run];
	size_t first = (size_t)(whole->parts - flight->parts);
	struct weir_index_piece piece = { .offset = whole->offset };

	for (size_t i = 0; i < (size_t)whole->count; i++) {
		struct weir_write *write = flight->writes[first + i];

		if (i + 1 < (size_t)whole->count &&
		    flight->writes[first + i + 1] == write)
			continue;
		piece.length = end_of_part(write, &whole->parts[i]) -
			       piece.offset;
		piece.bytes = write->bytes + (piece.offset - write->offset);
		look(arg, write, &piece);
		piece.offset += piece.length;
	}
}

void weir_batch_stored(struct weir_index *index, struct weir_batch *batch,
		       uint32_t run)
{
	struct flight *flight = batch->own;
	size_t first = (size_t)(batch->runs[run].parts - flight->parts);

	flight->stored[run] = true;
	for (size_t i = first; i < first + (size_t)batch->runs[run].count;
	     i++) {
		struct weir_write *write = flight->writes[i];

		if (write->flying == 1 && write->met)
			continue;
		flight->writes[i] = NULL;
		if (--write->flying == 0)
			weir_index_leave(index, write);
	}
}

/* The least stamp of those that met others and stay. */
static uint64_t oldest_to_stay(const struct weir_index *index,
			       const struct flight *flight)
{
	uint64_t oldest = index->late;
	size_t i = 0;

	for (uint32_t run = 0; run < flight->run_count; run++)
		for (int n = flight->runs[run].count; n > 0; n--, i++) {
			const struct weir_write *write = flight->writes[i];

			if (!flight->stored[run] && write->met &&
			    write->shown && write->stamp < oldest)
				oldest = write->stamp;
		}
	return oldest;
}

static bool may_leave(const struct weir_write *write, bool is_stored,
		      uint64_t oldest)
{
	return !write->shown || (is_stored && write->stamp < oldest);
}

static int by_stamp(const void *one, const void *other)
{
	const struct weir_write *const *a = one, *const *b = other;

	return ((*a)->stamp > (*b)->stamp) - ((*a)->stamp < (*b)->stamp);
}

/* Lands all; those that leave are moved to the front. Returns who stays. */
static uint64_t land(struct flight *flight, uint64_t oldest,
		     size_t *ret_leaving)
{
	size_t i = 0, leaving = 0;
	uint64_t staying = 0;

	for (uint32_t run = 0; run < flight->run_count; run++)
		for (int n = flight->runs[run].count; n > 0; n--, i++) {
			struct weir_write *write = flight->writes[i];

			if (!write || !write->flying)
				continue;
			write->flying = 0;
			if (may_leave(write, flight->stored[run], oldest))
				flight->writes[leaving++] = write;
			else
				staying++;
		}
	*ret_leaving = leaving;
	return staying;
}

uint64_t weir_batch_settle(struct weir_index *index, struct weir_batch *batch)
{
	struct flight *flight = batch->own;
	size_t leaving;
	uint64_t staying =
		land(flight, oldest_to_stay(index, flight), &leaving);

	if (leaving)
		qsort(flight->writes, leaving, sizeof(flight->writes[0]),
		      by_stamp);
	for (size_t i = 0; i < leaving; i++)
		weir_index_leave(index, flight->writes[i]);
	free_flight(flight);
	*batch = (struct weir_batch){ 0 };
	index->flies = false;
	weir_pieces_rest(&index->pieces);
	return staying;
}
