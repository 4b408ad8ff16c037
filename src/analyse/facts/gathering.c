/* SPDX-License-Identifier: BSD-3-Clause */
/* Models by how many requests a service would store what is written. */
#include "analyse/facts/gathering.h"

#include "base/grow.h"
#include "spec/constants.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* More are stored at once: what comes later hardly joins them. */
#define SPANS_MOST (UINT64_C(1) << 16)
#define TAIL	   512 /* spans that are not in order yet, at least */

/* ns until the service has taken in a write: others write meanwhile. */
#define TAKING 1000

/* Damaged traces may tell of longer files. */
#define FAR (UINT64_C(1) << 56)

void weir_gathering_fini(struct weir_gathering *gathering)
{
	free(gathering->list);
	*gathering = (struct weir_gathering){ 0 };
}

static uint64_t divide_up(uint64_t number, uint64_t by)
{
	return (number + by - 1) / by;
}

static uint64_t round_down(uint64_t number, uint64_t to)
{
	return number - number % to;
}

/* Pieces that fill a request before it has a megabyte: none crosses one. */
static uint64_t count_short(const struct weir_gathering_span *span,
			    uint64_t reach)
{
	uint64_t even = round_down(span->from, WEIR_SERVICE_ALIGN) +
			WEIR_SERVICE_ALIGN;
	uint64_t whole, last;

	if (span->to <= even)
		return divide_up(span->to - span->from, reach);
	whole = (span->to - even) / WEIR_SERVICE_ALIGN;
	last = (span->to - even) % WEIR_SERVICE_ALIGN;
	return divide_up(even - span->from, reach) +
	       whole * divide_up(WEIR_SERVICE_ALIGN, reach) +
	       divide_up(last, reach);
}

/*
 * A request has a limit of bytes and one of pieces, and ends at a multiple of a
 * megabyte if there is one in it.
 */
static uint64_t count_requests(const struct weir_gathering_span *span)
{
	uint64_t len = span->to - span->from, reach = WEIR_SERVICE_REQUEST;
	uint64_t from = round_down(span->from, WEIR_SERVICE_ALIGN);

	/* The last one may be shorter than the others. */
	if (span->pieces > IOV_MAX && len / span->pieces < reach / IOV_MAX)
		reach = len * IOV_MAX / (span->pieces - 1);
	if (reach > WEIR_SERVICE_REQUEST)
		reach = WEIR_SERVICE_REQUEST;
	if (reach < WEIR_SERVICE_ALIGN)
		return count_short(span, reach);
	return divide_up(span->to - from,
			 round_down(reach, WEIR_SERVICE_ALIGN));
}

static int by_place(const void *left, const void *right)
{
	const struct weir_gathering_span *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to > b->to ? -1 : a->to < b->to;
}

/* What is written over is no piece of its own any more. */
static void join_span(struct weir_gathering_span *to,
		      const struct weir_gathering_span *span)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t len = span->to - span->from;

	if (span->to <= to->to)
		return;
	to->pieces += (uint64_t)(((wide)span->pieces * (span->to - to->to) +
				  len - 1) / len);
	to->to = span->to;
}

/* In order, neighbours joined; then it is known how many bytes there are. */
static void arrange(struct weir_gathering *g)
{
	struct weir_gathering_span *list = g->list;
	size_t kept = 0;

	if (g->ordered == g->count)
		return;
	qsort(list, g->count, sizeof(*list), by_place);
	for (size_t i = 1; i < g->count; i++) {
		if (list[i].from <= list[kept].to)
			join_span(&list[kept], &list[i]);
		else
			list[++kept] = list[i];
	}
	g->count = g->ordered = kept + 1;
	g->bytes = 0;
	for (size_t i = 0; i < g->count; i++)
		g->bytes += list[i].to - list[i].from;
}

void weir_gathering_store(struct weir_gathering *g)
{
	arrange(g);
	for (size_t i = 0; i < g->count; i++)
		g->requests += count_requests(&g->list[i]);
	free(g->list);
	g->list = NULL;
	g->count = g->room = g->ordered = 0;
	g->bytes = g->pieces = g->oldest = g->changed = g->wanted = 0;
}

/* First it looks at all that there is. */
void weir_gathering_want(struct weir_gathering *g, uint64_t at)
{
	if (g->count && !g->wanted)
		g->wanted = at + g->pieces * TAKING;
}

/* Asked for, or nobody has written for a while, or the first has waited. */
static int is_due(const struct weir_gathering *g, uint64_t now)
{
	if (!g->count || now <= g->changed)
		return 0;
	return (g->wanted && now >= g->wanted) ||
	       now - g->changed >= WEIR_SERVICE_IDLE ||
	       now - g->oldest >= WEIR_SERVICE_AGE;
}

static int is_much(struct weir_gathering *g)
{
	if (g->bytes >= WEIR_SERVICE_BULK ||
	    g->count - g->ordered >= g->ordered + TAIL)
		arrange(g);
	return g->bytes >= WEIR_SERVICE_BULK || g->count >= SPANS_MOST;
}

/* Most go on where the last one ended. */
static int add_span(struct weir_gathering *g,
		    const struct weir_gathering_span *span)
{
	struct weir_gathering_span *last =
		g->count ? &g->list[g->count - 1] : NULL;

	g->bytes += span->to - span->from;
	if (last && last->to == span->from) {
		last->to = span->to;
		last->pieces += span->pieces;
		return 0;
	}
	if (WEIR_GROW(g->list, g->count, g->room))
		return -ENOMEM;
	g->list[g->count++] = *span;
	return 0;
}

int weir_gathering_take(struct weir_gathering *g,
			const struct weir_gathering_write *write)
{
	struct weir_gathering_span span = { .from = write->from };

	if (is_due(g, write->at))
		weir_gathering_store(g);
	if (span.from == UINT64_MAX)
		span.from = g->end;
	g->writes++;
	if (!write->bytes || write->bytes > FAR || span.from > FAR)
		return 0;
	span.to = span.from + write->bytes;
	span.pieces = 1 + write->bytes / WEIR_SERVICE_ALIGN;
	if (span.to > g->end)
		g->end = span.to;
	if (!g->count)
		g->oldest = write->at;
	if (write->at > g->changed)
		g->changed = write->at;
	g->pieces += span.pieces;
	if (add_span(g, &span))
		return -ENOMEM;
	if (is_much(g))
		weir_gathering_store(g);
	return 0;
}

void weir_gathering_fini_all(struct weir_gatherings *all)
{
	for (size_t i = 0; i < all->count; i++)
		weir_gathering_fini(&all->list[i]);
	free(all->list);
	*all = (struct weir_gatherings){ 0 };
}

static struct weir_gathering *find_node(const struct weir_gatherings *all,
					uint32_t number)
{
	for (size_t i = 1; i < all->count; i++)
		if (all->list[i].node == number)
			return &all->list[i];
	return NULL;
}

static struct weir_gathering *add_node(struct weir_gatherings *all,
				       uint32_t number)
{
	if (WEIR_GROW(all->list, all->count, all->room))
		return NULL;
	all->list[all->count] = (struct weir_gathering){ .node = number };
	return &all->list[all->count++];
}

int weir_gathering_take_at(struct weir_gatherings *all,
			   struct weir_gathering_node node,
			   const struct weir_gathering_write *write)
{
	struct weir_gathering *own;

	if (!all->count && !add_node(all, node.number))
		return -ENOMEM;
	if (weir_gathering_take(&all->list[0], write))
		return -ENOMEM;
	if (!node.has_others)
		return 0;
	own = find_node(all, node.number) ?: add_node(all, node.number);
	return own ? weir_gathering_take(own, write) : -ENOMEM;
}

void weir_gathering_want_at(struct weir_gatherings *all,
			    struct weir_gathering_node node, uint64_t at)
{
	struct weir_gathering *own = find_node(all, node.number);

	if (all->count)
		weir_gathering_want(&all->list[0], at);
	if (own)
		weir_gathering_want(own, at);
}

uint64_t weir_gathering_end_all(struct weir_gatherings *all)
{
	for (size_t i = 0; i < all->count; i++)
		weir_gathering_store(&all->list[i]);
	return all->count ? all->list[0].writes : 0;
}

uint64_t weir_gathering_count_all(const struct weir_gatherings *all,
				  uint64_t *ret_joined)
{
	uint64_t requests = 0;

	*ret_joined = all->count ? all->list[0].requests : 0;
	for (size_t i = 1; i < all->count; i++)
		requests += all->list[i].requests;
	return all->count > 1 ? requests : *ret_joined;
}
