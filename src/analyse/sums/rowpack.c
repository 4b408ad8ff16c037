/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs a row in few bytes: most of its counts are 0, or the same. */
#include "analyse/sums/rowpack.h"

#include "base/grow.h"
#include "base/varint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What of a cell is not as it mostly is, and so is told. */
enum {
	HAS_FAILED = 1,	 /* mostly 0, as the next two and the places */
	HAS_BYTES = 2,
	HAS_TOP = 4,
	HAS_PLACES = 8,
	HAS_TIMED = 16,	  /* mostly all calls */
	HAS_LONGEST = 32, /* mostly the time, of a single call */
	HAS_SIZES = 64,	  /* mostly all calls are of one class */
	HAS_WAITS = 128,  /* likewise the timed ones */
	HAS_OUTER = 256,  /* mostly the time, too */
	HAS_DONE = 512,	  /* mostly 0 */
};

/* The class that all are of; `classes`: of several. */
static int single_class(const uint64_t *counts, int classes, uint64_t all)
{
	int class = classes;

	for (int i = 0; i < classes; i++) {
		if (!counts[i])
			continue;
		if (class < classes || counts[i] != all)
			return classes;
		class = i;
	}
	return class < classes ? class : all ? classes : 0;
}

static int put_counts(struct weir_bytes *to, const uint64_t *counts,
		      int classes)
{
	uint64_t some = 0;
	int err;

	for (int i = 0; i < classes; i++)
		some |= (uint64_t)(counts[i] != 0) << i;
	err = weir_bytes_add_varint(to, some);
	for (int i = 0; !err && i < classes; i++)
		if (counts[i])
			err = weir_bytes_add_varint(to, counts[i]);
	return err;
}

static int put_cell(struct weir_bytes *to, const struct weir_cell *cell)
{
	int size = single_class(cell->sizes, WEIR_SUM_SIZES, cell->calls);
	int wait = single_class(cell->waits, WEIR_SUM_WAITS, cell->timed);
	uint64_t has = (cell->failed ? HAS_FAILED : 0) |
		       (cell->bytes ? HAS_BYTES : 0) |
		       (cell->top ? HAS_TOP : 0) |
		       (cell->placed || cell->follow || cell->ahead ?
				HAS_PLACES : 0) |
		       (cell->timed != cell->calls ? HAS_TIMED : 0) |
		       (cell->longest != cell->time ? HAS_LONGEST : 0) |
		       (size == WEIR_SUM_SIZES ? HAS_SIZES : 0) |
		       (wait == WEIR_SUM_WAITS ? HAS_WAITS : 0) |
		       (cell->outer != cell->time ? HAS_OUTER : 0) |
		       (cell->done[0] || cell->done[1] ? HAS_DONE : 0);
	const struct {
		uint64_t when, number;
	} numbers[] = {
		{ 0, cell->calls }, { 0, cell->time },
		{ HAS_FAILED, cell->failed }, { HAS_BYTES, cell->bytes },
		{ HAS_TOP, cell->top }, { HAS_PLACES, cell->placed },
		{ HAS_PLACES, cell->follow }, { HAS_PLACES, cell->ahead },
		{ HAS_TIMED, cell->timed }, { HAS_LONGEST, cell->longest },
		{ HAS_OUTER, cell->outer }, { HAS_DONE, cell->done[0] },
		{ HAS_DONE, cell->done[1] },
	};
	const uint8_t classes = (uint8_t)(
		(has & HAS_SIZES ? 0 : size) |
		(has & HAS_WAITS ? 0 : wait) << 4);
	int err = weir_bytes_add_varint(to, has);

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!err && (numbers[i].when & has) == numbers[i].when)
			err = weir_bytes_add_varint(to, numbers[i].number);
	err = err ? err : weir_bytes_add(to, &classes, 1);
	if (!err && has & HAS_SIZES)
		err = put_counts(to, cell->sizes, WEIR_SUM_SIZES);
	if (!err && has & HAS_WAITS)
		err = put_counts(to, cell->waits, WEIR_SUM_WAITS);
	return err;
}

int weir_rowpack_put(struct weir_bytes *to, const struct weir_row *row,
		     uint64_t base)
{
	const uint64_t head[] = {
		row->count,
		(uint64_t)row->processes << 2 | (uint64_t)!row->first << 1 |
			(row->is_channel != 0),
		row->first ? weir_varint_zigzag((int64_t)(row->first - base)) :
			     0,
		row->last - row->first, row->own, row->longest,
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(head) / sizeof(*head); i++)
		err = weir_bytes_add_varint(to, head[i]);
	for (uint32_t i = 0; !err && i < row->count; i++) {
		err = weir_bytes_add_varint(to, row->entries[i].call);
		err = err ? err : put_cell(to, &row->entries[i].cell);
	}
	return err;
}

/* What is left to be read; once it fails, all numbers are 0. */
struct reading {
	const uint8_t *at;
	size_t left;
	int failed;
};

static uint64_t get_number(struct reading *r)
{
	uint64_t number = 0;
	size_t n = weir_varint_get(r->at, r->left, &number);

	r->failed |= !n;
	r->at += n;
	r->left -= n;
	return n ? number : 0;
}

static uint64_t get_if(struct reading *r, uint64_t has, uint64_t otherwise)
{
	return has ? get_number(r) : otherwise;
}

static void get_counts(struct reading *r, uint64_t *counts, int classes)
{
	uint64_t some = get_number(r);

	for (int i = 0; i < classes; i++)
		counts[i] = get_if(r, some >> i & 1, 0);
}

static void get_cell(struct reading *r, struct weir_cell *cell)
{
	uint64_t has = get_number(r);
	uint8_t classes;

	memset(cell, 0, sizeof(*cell));
	cell->calls = get_number(r);
	cell->time = get_number(r);
	cell->failed = get_if(r, has & HAS_FAILED, 0);
	cell->bytes = get_if(r, has & HAS_BYTES, 0);
	cell->top = get_if(r, has & HAS_TOP, 0);
	cell->placed = get_if(r, has & HAS_PLACES, 0);
	cell->follow = get_if(r, has & HAS_PLACES, 0);
	cell->ahead = get_if(r, has & HAS_PLACES, 0);
	cell->timed = get_if(r, has & HAS_TIMED, cell->calls);
	cell->longest = get_if(r, has & HAS_LONGEST, cell->time);
	cell->outer = get_if(r, has & HAS_OUTER, cell->time);
	cell->done[0] = get_if(r, has & HAS_DONE, 0);
	cell->done[1] = get_if(r, has & HAS_DONE, 0);
	if (r->failed || !r->left) {
		r->failed = 1;
		return;
	}
	classes = *r->at++;
	r->left--;
	if (has & HAS_SIZES)
		get_counts(r, cell->sizes, WEIR_SUM_SIZES);
	else if ((classes & 15) < WEIR_SUM_SIZES)
		cell->sizes[classes & 15] = cell->calls;
	if (has & HAS_WAITS)
		get_counts(r, cell->waits, WEIR_SUM_WAITS);
	else
		cell->waits[classes >> 4] = cell->timed;
}

uint32_t weir_rowpack_count(const uint8_t *data, size_t len)
{
	struct reading r = { data, len, 0 };

	return (uint32_t)get_number(&r);
}

static int size_row(struct weir_row *row, uint64_t count)
{
	if (count <= row->room)
		return 0;
	if (count > UINT16_MAX + 1)
		return -EBADMSG;
	if (WEIR_GROW_EXACTLY(row->entries, count))
		return -ENOMEM;
	row->room = (uint32_t)count;
	return 0;
}

int weir_rowpack_get(const uint8_t *data, size_t len, uint64_t base,
		     struct weir_row *row)
{
	struct reading r = { data, len, 0 };
	uint64_t count = get_number(&r), who = get_number(&r),
		 first = get_number(&r);
	int err = size_row(row, count);

	if (err)
		return err;
	row->first = who & 2 ? 0 :
			       base + (uint64_t)weir_varint_unzigzag(first);
	row->last = row->first + get_number(&r);
	row->own = get_number(&r);
	row->longest = get_number(&r);
	row->processes = (uint32_t)(who >> 2);
	row->is_channel = who & 1;
	row->count = (uint32_t)count;
	for (uint32_t i = 0; i < count; i++) {
		row->entries[i].call = (uint16_t)get_number(&r);
		get_cell(&r, &row->entries[i].cell);
	}
	return r.failed ? -EBADMSG : 0;
}
