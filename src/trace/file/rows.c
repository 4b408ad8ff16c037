/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes an EVENTS payload apart again. */
#include "trace/file/rows.h"

#include "base/grow.h"
#include "base/varint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_rows_fini(struct weir_rows *rows)
{
	for (int i = 0; i < WEIR_COLUMNS; i++)
		free(rows->column[i]);
	free(rows->sites);
	weir_bytes_fini(&rows->detail);
	weir_planes_fini(&rows->planes);
}

static int make_columns(struct weir_rows *rows, uint32_t room)
{
	if (room <= rows->room)
		return 0;
	for (int i = 0; i < WEIR_COLUMNS; i++) {
		if (WEIR_GROW_EXACTLY(rows->column[i], room))
			return -ENOMEM;
	}
	rows->room = room;
	return 0;
}

static int make_sites(struct weir_rows *rows, uint32_t room)
{
	if (room <= rows->site_room)
		return 0;
	if (WEIR_GROW_EXACTLY(rows->sites, room))
		return -ENOMEM;
	rows->site_room = room;
	return 0;
}

static int64_t unzigzag(uint64_t value)
{
	return weir_varint_unzigzag(value);
}

static void fill_sites(struct weir_rows *rows, uint64_t *const *cell)
{
	struct weir_site before = { .fd = -1 };

	for (uint32_t i = 0; i < rows->site_count; i++) {
		struct weir_site *site = &rows->sites[i];

		*site = (struct weir_site){
			.call = (uint16_t)cell[WEIR_SITE_CALL][i],
			.flags = (uint8_t)cell[WEIR_SITE_FLAGS][i],
			.depth = (uint8_t)cell[WEIR_SITE_DEPTH][i],
			.modes = (uint8_t)cell[WEIR_SITE_MODES][i],
			.fd = (int32_t)((uint32_t)before.fd +
				(uint32_t)unzigzag(cell[WEIR_SITE_FD][i])),
			.file = before.file +
				(uint32_t)unzigzag(cell[WEIR_SITE_FILE][i]),
			.handle = before.handle +
				(uint32_t)unzigzag(cell[WEIR_SITE_HANDLE][i]),
		};
		before = *site;
	}
}

static int get_sites(struct weir_rows *rows,
		     struct weir_planes_source *source)
{
	uint32_t n = rows->site_count;
	uint64_t *cell[WEIR_SITE_COLUMNS];
	uint64_t *cells = calloc(n, sizeof(*cells) * WEIR_SITE_COLUMNS);
	int err = cells || !n ? 0 : -ENOMEM;

	for (uint32_t c = 0; !err && c < WEIR_SITE_COLUMNS; c++) {
		cell[c] = cells + (size_t)c * n;
		err = weir_planes_get(&rows->planes, source, cell[c], n);
	}
	if (!err)
		fill_sites(rows, cell);
	free(cells);
	return err;
}

/* Makes site numbers of the codes and looks that all are within bounds. */
static int number_sites(struct weir_rows *rows)
{
	uint64_t *code = rows->column[WEIR_COLUMN_SITE];
	uint64_t seen = 0;

	for (uint32_t row = 0; row < rows->count; row++) {
		if (code[row] > seen)
			return -EBADMSG;
		if (!code[row] && seen == rows->site_count)
			return -EBADMSG;
		code[row] = code[row] ? code[row] - 1 : seen++;
	}
	return 0;
}

/* The lengths must add up to the bytes there are. */
static int check_details(struct weir_rows *rows)
{
	uint64_t *len = rows->column[WEIR_COLUMN_DETAIL];
	uint64_t left = rows->detail.used;

	for (uint32_t row = 0; row < rows->count; row++) {
		if (len[row] > left)
			return -EBADMSG;
		left -= len[row];
	}
	return left ? -EBADMSG : 0;
}

static int get_events(struct weir_rows *rows,
		       struct weir_planes_source *source)
{
	int err = make_columns(rows, rows->count);

	for (int c = 0; !err && c < WEIR_COLUMNS; c++)
		err = weir_planes_get(&rows->planes, source,
				      rows->column[c], rows->count);
	if (!err)
		err = weir_planes_get_bytes(&rows->planes, source,
					    rows->detail.data,
					    rows->detail.used);
	return err;
}

int weir_rows_decode(struct weir_rows *rows, const void *payload,
			size_t size, uint32_t count)
{
	struct weir_planes_source source = { payload, size };
	struct weir_events_head head;
	int err;

	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, payload, sizeof(head));
	source.at += sizeof(head);
	source.left -= sizeof(head);
	if (count > WEIR_EVENTS_MOST || head.sites > count ||
	    head.detail_bytes > WEIR_EVENTS_MOST_DETAIL)
		return -EBADMSG;
	rows->count = count;
	rows->site_count = head.sites;
	rows->first_index = head.first_index;
	rows->clock = head.base;
	rows->detail.used = 0;
	rows->detail_at = 0;
	rows->at = 0;
	err = weir_bytes_reserve(&rows->detail, head.detail_bytes);
	rows->detail.used = head.detail_bytes;
	if (!err)
		err = make_sites(rows, head.sites);
	if (!err)
		err = get_sites(rows, &source);
	if (!err)
		err = get_events(rows, &source);
	if (!err)
		err = number_sites(rows);
	return err ? err : check_details(rows);
}

void weir_rows_next(struct weir_rows *rows, struct weir_event *ret_event)
{
	uint32_t row = rows->at++;
	uint64_t *const *column = rows->column;
	struct weir_site *site =
		&rows->sites[column[WEIR_COLUMN_SITE][row]];
	uint64_t size = site->size +
			(uint64_t)unzigzag(column[WEIR_COLUMN_SIZE][row]);

	ret_event->start = rows->clock +
			   (uint64_t)unzigzag(column[WEIR_COLUMN_GAP][row]);
	ret_event->dur = column[WEIR_COLUMN_DUR][row];
	rows->clock = ret_event->start + ret_event->dur;
	ret_event->index = rows->first_index + row;
	ret_event->call = site->call;
	ret_event->flags = site->flags;
	ret_event->depth = site->depth;
	ret_event->fd = site->fd;
	ret_event->file = site->file;
	ret_event->handle = site->handle;
	ret_event->size = size;
	ret_event->ret =
		(int64_t)(weir_foretell_ret(site, size) +
			  (uint64_t)unzigzag(column[WEIR_COLUMN_RET][row]));
	ret_event->off = 0;
	if (!(site->flags & WEIR_EVENT_NOOFF))
		ret_event->off = (int64_t)(
			weir_foretell_off(site) +
			(uint64_t)unzigzag(column[WEIR_COLUMN_OFF][row]));
	weir_foretell_recall(site, ret_event);
	ret_event->detail_len = (uint32_t)column[WEIR_COLUMN_DETAIL][row];
	ret_event->detail = rows->detail.data + rows->detail_at;
	rows->detail_at += ret_event->detail_len;
}
