/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the counted calls of a process as the payload of a PROFILE block. */
#include "analyse/sums/profile.h"

#include "base/varint.h"

#include <errno.h>
#include <string.h>

#define MOST_CALLS 65280

/* The numbers of a cell up to the last that is not 0. */
static int put_entry(struct weir_bytes *payload, const struct weir_entry *entry)
{
	uint64_t numbers[WEIR_CELL_NUMBERS];
	size_t count = WEIR_CELL_NUMBERS;
	int err = weir_bytes_add_varint(payload, entry->call);

	memcpy(numbers, &entry->cell, sizeof(numbers));
	while (count && !numbers[count - 1])
		count--;
	err = err ?: weir_bytes_add_varint(payload, count);
	for (size_t i = 0; !err && i < count; i++)
		err = weir_bytes_add_varint(payload, numbers[i]);
	return err;
}

static int pack_row(struct weir_bytes *payload, const struct weir_row *row)
{
	int err = weir_bytes_add_varint(payload, row->first);

	err = err ?: weir_bytes_add_varint(payload, row->last - row->first);
	err = err ?: weir_bytes_add_varint(payload, row->count);
	for (uint32_t i = 0; !err && i < row->count; i++)
		err = put_entry(payload, &row->entries[i]);
	return err;
}

int weir_profile_put(struct weir_bytes *payload, const char *name,
		     size_t name_len, const struct weir_row *row)
{
	int err = weir_bytes_add_varint(payload, name ? WEIR_PROFILE_FILE
						      : WEIR_PROFILE_NONE);

	if (name) {
		err = err ?: weir_bytes_add_varint(payload, name_len);
		err = err ?: weir_bytes_add(payload, name, name_len);
	}
	return err ?: pack_row(payload, row);
}

int weir_profile_put_others(struct weir_bytes *payload, uint64_t names,
			    const struct weir_row *row)
{
	int err = weir_bytes_add_varint(payload, WEIR_PROFILE_OTHERS);

	err = err ?: weir_bytes_add_varint(payload, names);
	return err ?: pack_row(payload, row);
}

static int get_number(struct weir_profile_walk *walk, uint64_t *ret_number)
{
	size_t n = weir_varint_get(walk->at, walk->left, ret_number);

	if (!n)
		return -EBADMSG;
	walk->at += n;
	walk->left -= n;
	return 0;
}

/* Numbers that a later version may add behind ours are passed over. */
static int get_entry(struct weir_profile_walk *walk, struct weir_row *row)
{
	uint64_t call, count, number, numbers[WEIR_CELL_NUMBERS] = { 0 };
	struct weir_cell *cell, got;
	int err = get_number(walk, &call);

	err = err ?: get_number(walk, &count);
	if (!err && (call >= MOST_CALLS || count > walk->left))
		err = -EBADMSG;
	for (uint64_t i = 0; !err && i < count; i++) {
		err = get_number(walk, &number);
		if (!err && i < WEIR_CELL_NUMBERS)
			numbers[i] = number;
	}
	if (err)
		return err;
	cell = weir_row_cell(row, (uint16_t)call);
	if (!cell)
		return -ENOMEM;
	memcpy(&got, numbers, sizeof(got));
	weir_cell_merge(cell, &got);
	return 0;
}

static int get_name(struct weir_profile_walk *walk,
		    struct weir_profile_row *row)
{
	uint64_t len;
	int err = get_number(walk, &len);

	if (err || len > walk->left)
		return -EBADMSG;
	row->name = (const char *)walk->at;
	row->name_len = len;
	walk->at += len;
	walk->left -= len;
	return 0;
}

int weir_profile_next(struct weir_profile_walk *walk,
		      struct weir_profile_row *ret_row)
{
	struct weir_profile_row row = { 0 };
	uint64_t kind, dur, count;
	int err;

	if (!walk->left)
		return 0;
	err = get_number(walk, &kind);
	if (!err && kind > WEIR_PROFILE_OTHERS)
		err = -EBADMSG;
	if (!err && kind == WEIR_PROFILE_FILE)
		err = get_name(walk, &row);
	if (!err && kind == WEIR_PROFILE_OTHERS)
		err = get_number(walk, &row.names);
	err = err ?: get_number(walk, &row.row.first);
	err = err ?: get_number(walk, &dur);
	err = err ?: get_number(walk, &count);
	if (!err && count > MOST_CALLS)
		err = -EBADMSG;
	for (uint64_t i = 0; !err && i < count; i++)
		err = get_entry(walk, &row.row);
	if (err) {
		weir_row_fini(&row.row);
		return err;
	}
	row.kind = (enum weir_profile_kind)kind;
	row.row.last = row.row.first + dur;
	*ret_row = row;
	return 1;
}
