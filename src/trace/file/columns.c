/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds an EVENTS payload: events of one thread, column by column. */
#include "trace/file/columns.h"

#include "base/grow.h"
#include "base/varint.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bits that each way of telling would take, to choose the best. */
struct weir_columns_cost {
	uint32_t off[3], ret_size, ret_last;
};

void weir_columns_fini(struct weir_columns *columns)
{
	for (int i = 0; i < WEIR_COLUMNS; i++)
		free(columns->column[i]);
	free(columns->sites);
	free(columns->costs);
	weir_bytes_fini(&columns->detail);
	weir_map_fini(&columns->site_of);
	weir_planes_fini(&columns->planes);
}

void weir_columns_reset(struct weir_columns *columns, uint64_t first_index)
{
	columns->count = 0;
	columns->site_count = 0;
	columns->detail.used = 0;
	columns->first_index = first_index;
	columns->lowest = UINT64_MAX;
	columns->highest = 0;
	weir_map_fini(&columns->site_of);
}

static int make_columns(struct weir_columns *columns, uint32_t rows)
{
	uint32_t room = columns->room ? columns->room : 1024;

	if (rows <= columns->room)
		return 0;
	while (room < rows)
		room *= 2;
	for (int i = 0; i < WEIR_COLUMNS; i++) {
		if (WEIR_GROW_EXACTLY(columns->column[i], room))
			return -ENOMEM;
	}
	columns->room = room;
	return 0;
}

/* Sites and their costs grow together. */
static int make_sites(struct weir_columns *columns)
{
	uint32_t room = columns->site_room ? 2 * columns->site_room : 64;

	if (columns->site_count < columns->site_room)
		return 0;
	if (WEIR_GROW_EXACTLY(columns->sites, room) ||
	    WEIR_GROW_EXACTLY(columns->costs, room))
		return -ENOMEM;
	columns->site_room = room;
	return 0;
}

static int is_site(const struct weir_site *site,
		   const struct weir_event *event)
{
	return site->call == event->call && site->flags == event->flags &&
	       site->depth == event->depth && site->fd == event->fd &&
	       site->file == event->file && site->handle == event->handle;
}

static uint64_t site_hash(const struct weir_event *event)
{
	uint64_t low = event->call | (uint64_t)event->flags << 16 |
		       (uint64_t)event->depth << 24 |
		       (uint64_t)event->handle << 32;
	uint64_t high = (uint32_t)event->fd | (uint64_t)event->file << 32;

	low = (low ^ low >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return (low ^ low >> 29) + high * UINT64_C(0xbf58476d1ce4e5b9);
}

static int add_site(struct weir_columns *columns,
		    const struct weir_event *event, uint64_t key)
{
	uint32_t n = columns->site_count;
	int err = make_sites(columns);

	if (!err)
		err = weir_map_put(&columns->site_of, key, n + 1);
	if (err)
		return err;
	columns->costs[n] = (struct weir_columns_cost){ .ret_size = 0 };
	columns->sites[n] = (struct weir_site){
		.call = event->call,   .flags = event->flags,
		.depth = event->depth, .fd = event->fd,
		.file = event->file,   .handle = event->handle,
	};
	columns->site_count++;
	return 0;
}

/* Sites that share a hash stand at the keys that follow it. */
static int find_site(struct weir_columns *columns,
		     const struct weir_event *event, uint32_t *ret_site)
{
	uint64_t key, found;
	int err;

	if (columns->site_count &&
	    is_site(&columns->sites[columns->last_site], event)) {
		*ret_site = columns->last_site;
		return 0;
	}
	for (key = site_hash(event);; key++) {
		found = weir_map_get(&columns->site_of, key);
		if (!found)
			break;
		if (is_site(&columns->sites[found - 1], event)) {
			*ret_site = (uint32_t)found - 1;
			return 0;
		}
	}
	err = add_site(columns, event, key);
	*ret_site = columns->site_count - 1;
	return err;
}

static uint32_t bits_of(uint64_t difference)
{
	uint64_t zigzag = weir_varint_zigzag((int64_t)difference);

	return zigzag ? 64 - (uint32_t)__builtin_clzll(zigzag) : 0;
}

static void weigh(struct weir_columns_cost *cost,
		  struct weir_site *site,
		  const struct weir_event *event)
{
	uint64_t off = (uint64_t)event->off, ret = (uint64_t)event->ret;

	cost->ret_size += bits_of(ret - event->size);
	cost->ret_last += bits_of(ret - site->ret);
	if (event->flags & WEIR_EVENT_NOOFF)
		return;
	cost->off[WEIR_SITE_OFF_ZERO] += bits_of(off);
	cost->off[WEIR_SITE_OFF_NEXT] += bits_of(off - site->off - site->size);
	cost->off[WEIR_SITE_OFF_STRIDE] +=
		bits_of(off - site->off - site->step);
}

int weir_columns_add(struct weir_columns *columns,
		     const struct weir_event *event)
{
	uint32_t row = columns->count, had = columns->site_count, site = 0;
	int err;

	if (row == WEIR_EVENTS_MOST ||
	    event->detail_len > WEIR_EVENTS_MOST_DETAIL - columns->detail.used)
		return -ENOSPC;
	err = make_columns(columns, row + 1);
	if (!err)
		err = find_site(columns, event, &site);
	if (!err)
		err = weir_bytes_add(&columns->detail, event->detail,
				     event->detail_len);
	if (err)
		return err;
	if (!row)
		columns->base = columns->clock = event->start;
	columns->last_site = site;
	columns->column[WEIR_COLUMN_SITE][row] =
		site == had ? 0 : (uint64_t)site + 1;
	columns->column[WEIR_COLUMN_GAP][row] = weir_varint_zigzag(
		(int64_t)(event->start - columns->clock));
	columns->column[WEIR_COLUMN_DUR][row] = event->dur;
	columns->column[WEIR_COLUMN_SIZE][row] = event->size;
	columns->column[WEIR_COLUMN_OFF][row] = (uint64_t)event->off;
	columns->column[WEIR_COLUMN_RET][row] = (uint64_t)event->ret;
	columns->column[WEIR_COLUMN_DETAIL][row] = event->detail_len;
	columns->clock = event->start + event->dur;
	weigh(&columns->costs[site], &columns->sites[site], event);
	weir_foretell_recall(&columns->sites[site], event);
	if (event->start < columns->lowest)
		columns->lowest = event->start;
	if (columns->clock > columns->highest)
		columns->highest = columns->clock;
	columns->count++;
	return 0;
}

static void choose_modes(struct weir_columns *columns)
{
	for (uint32_t i = 0; i < columns->site_count; i++) {
		const struct weir_columns_cost *cost = &columns->costs[i];
		struct weir_site *site = &columns->sites[i];
		uint8_t best = WEIR_SITE_OFF_NEXT;

		if (cost->off[WEIR_SITE_OFF_STRIDE] < cost->off[best])
			best = WEIR_SITE_OFF_STRIDE;
		if (cost->off[WEIR_SITE_OFF_ZERO] < cost->off[best])
			best = WEIR_SITE_OFF_ZERO;
		if (cost->ret_size <= cost->ret_last)
			best |= WEIR_SITE_RET_SIZE;
		site->modes = best;
		site->off = site->step = site->size = site->ret = 0;
	}
}

/* Puts what cannot be foretold in the place of the numbers themselves. */
static void foretell(struct weir_columns *columns)
{
	uint32_t seen = 0;

	for (uint32_t row = 0; row < columns->count; row++) {
		uint64_t code = columns->column[WEIR_COLUMN_SITE][row];
		struct weir_site *site =
			&columns->sites[code ? code - 1 : seen++];
		uint64_t *size = &columns->column[WEIR_COLUMN_SIZE][row];
		uint64_t *off = &columns->column[WEIR_COLUMN_OFF][row];
		uint64_t *ret = &columns->column[WEIR_COLUMN_RET][row];
		struct weir_event event = {
			.flags = site->flags, .size = *size,
			.off = (int64_t)*off, .ret = (int64_t)*ret,
		};

		*ret = weir_varint_zigzag((int64_t)(
			*ret - weir_foretell_ret(site, *size)));
		*off = site->flags & WEIR_EVENT_NOOFF ? 0 :
			weir_varint_zigzag((int64_t)(
				*off - weir_foretell_off(site)));
		*size = weir_varint_zigzag((int64_t)(*size - site->size));
		weir_foretell_recall(site, &event);
	}
}

static int put_sites(struct weir_columns *columns, struct weir_bytes *payload)
{
	uint32_t n = columns->site_count;
	struct weir_site before = { .fd = -1 };
	uint64_t *cell[WEIR_SITE_COLUMNS];
	uint64_t *cells = calloc(n, sizeof(*cells) * WEIR_SITE_COLUMNS);
	int err = cells || !n ? 0 : -ENOMEM;

	for (uint32_t c = 0; !err && c < WEIR_SITE_COLUMNS; c++)
		cell[c] = cells + (size_t)c * n;
	for (uint32_t i = 0; !err && i < n; i++) {
		const struct weir_site *site = &columns->sites[i];

		cell[WEIR_SITE_CALL][i] = site->call;
		cell[WEIR_SITE_FLAGS][i] = site->flags;
		cell[WEIR_SITE_DEPTH][i] = site->depth;
		cell[WEIR_SITE_FD][i] =
			weir_varint_zigzag((int64_t)site->fd - before.fd);
		cell[WEIR_SITE_FILE][i] =
			weir_varint_zigzag((int64_t)site->file - before.file);
		cell[WEIR_SITE_HANDLE][i] = weir_varint_zigzag(
			(int64_t)site->handle - before.handle);
		cell[WEIR_SITE_MODES][i] = site->modes;
		before = *site;
	}
	for (uint32_t c = 0; !err && c < WEIR_SITE_COLUMNS; c++)
		err = weir_planes_put(&columns->planes, cell[c], n, payload);
	free(cells);
	return err;
}

int weir_columns_encode(struct weir_columns *columns,
			struct weir_bytes *payload)
{
	struct weir_events_head head = {
		.first_index = columns->first_index,
		.base = columns->base,
		.sites = columns->site_count,
		.detail_bytes = (uint32_t)columns->detail.used,
	};
	int err = weir_bytes_add(payload, &head, sizeof(head));

	choose_modes(columns);
	foretell(columns);
	if (!err)
		err = put_sites(columns, payload);
	for (int c = 0; !err && c < WEIR_COLUMNS; c++)
		err = weir_planes_put(&columns->planes, columns->column[c],
				      columns->count, payload);
	if (!err)
		err = weir_planes_put_bytes(&columns->planes,
					    columns->detail.data,
					    columns->detail.used, payload);
	return err;
}
