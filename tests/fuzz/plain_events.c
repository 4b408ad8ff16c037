/* SPDX-License-Identifier: BSD-3-Clause */
/* EVENTS payloads with nothing squeezed in them. */
#include "plain_events.h"

#include "base/varint.h"
#include "trace/event/foretell.h"
#include "trace/file/planes.h"

#include <stdbool.h>
#include <string.h>
#include <zstd.h>

/* A walk over planes, and what becomes of them. */
struct planes {
	struct weir_planes_source from;
	uint8_t *to;
	size_t used, room;
};

static bool put(struct planes *p, const void *bytes, size_t size)
{
	if (size > p->room - p->used)
		return false;
	memcpy(p->to + p->used, bytes, size);
	p->used += size;
	return true;
}

static bool copy(struct planes *p, size_t size)
{
	if (size > p->from.left || !put(p, p->from.at, size))
		return false;
	p->from.at += size;
	p->from.left -= size;
	return true;
}

static bool expand(struct planes *p, size_t rows)
{
	static const uint8_t how = WEIR_PLANE_RAW;
	uint64_t length;
	size_t n = weir_varint_get(p->from.at, p->from.left, &length);

	if (!n || length > p->from.left - n || !put(p, &how, 1) ||
	    rows > p->room - p->used ||
	    ZSTD_decompress(p->to + p->used, rows, p->from.at + n, length) !=
		    rows)
		return false;
	p->used += rows;
	p->from.at += n + length;
	p->from.left -= n + length;
	return true;
}

static bool copy_plane(struct planes *p, size_t rows)
{
	if (!p->from.left)
		return false;
	switch (*p->from.at) {
	case WEIR_PLANE_CONST:
		return copy(p, 2);
	case WEIR_PLANE_RAW:
		return copy(p, 1 + rows);
	case WEIR_PLANE_ZSTD:
		p->from.at++;
		p->from.left--;
		return expand(p, rows);
	}
	return false;
}

static bool copy_columns(struct planes *p, int columns, size_t rows)
{
	while (columns--) {
		uint8_t planes = p->from.left ? *p->from.at : 0;

		if (!copy(p, 1))
			return false;
		while (planes--)
			if (!copy_plane(p, rows))
				return false;
	}
	return true;
}

size_t plain_events(const uint8_t *payload, size_t size, uint32_t count,
		    uint8_t *to, size_t room)
{
	struct planes p = { { payload, size }, to, 0, room };
	struct weir_events_head head;

	if (size < sizeof(head) || count > WEIR_EVENTS_MOST)
		return 0;
	memcpy(&head, payload, sizeof(head));
	if (head.sites > count || !copy(&p, sizeof(head)) ||
	    !copy_columns(&p, WEIR_SITE_COLUMNS, head.sites) ||
	    !copy_columns(&p, WEIR_COLUMNS, count) ||
	    !copy_plane(&p, head.detail_bytes) || !copy(&p, p.from.left))
		return 0;
	return p.used;
}
