/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises how a file is read, and decides what to prefetch. */
#include "forward/prefetch/pattern.h"

#define ENOUGH	       2	    /* reads as expected, before a request */
#define FIRST	       (128u << 10) /* bytes of the first request */
#define ADVISED	       (1u << 20)   /* the same, when it was announced */
#define RECORDS	       8u	    /* of the first, if they lie apart */
#define RECORDS_MOST   256u
#define LARGEST	       (2u << 20)   /* reads that are longer are not helped */
#define LARGEST_RECORD (512u << 10) /* one that lies apart */
#define GRAIN	       (64u << 10)  /* requests end there */
#define VAIN	       4	    /* unexpected reads until it looks away */
#define NAP_LEAST      4
#define NAP_MOST       10
#define LOST	       256u	  /* KiB, and 4 reads: to waste */
#define LONG_AGO       (1u << 16) /* KiB: what was before counts less */
#define AHEAD	       UINT64_C(400000000) /* ns: what will be read by then */
#define CALL	       1000		   /* ns: what any call takes */
#define FAST	       400u  /* ns for a KiB: it is in memory somewhere */
#define RECENT	       4096u /* KiB whose times count */
#define SHORT	       UINT64_C(10000000) /* ns: too short to tell a rate */

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void look_away(struct weir_pattern *p)
{
	if (p->nap < NAP_LEAST)
		p->nap = NAP_LEAST;
	p->rest = (uint16_t)(1u << p->nap);
	if (p->nap < NAP_MOST)
		p->nap++;
	p->run = 0;
	p->vain = 0;
	p->used /= 2;
	p->wasted /= 2;
}

static bool is_wasteful(const struct weir_pattern *p)
{
	return p->wasted > LOST + (p->size >> 8) && p->wasted > p->used;
}

/* Somebody else has it in memory: who asks him has it at once. */
static bool is_fast(const struct weir_pattern *p)
{
	return p->moved && (uint64_t)p->spent * 1000 / p->moved < FAST;
}

void weir_pattern_time(struct weir_pattern *p, uint64_t size, uint64_t ns)
{
	uint64_t us = ns > CALL ? (ns - CALL) / 1000 : 0;

	p->moved += (uint32_t)((min(size, UINT32_C(1) << 30) + 1023) >> 10);
	p->spent += (uint32_t)min(us, UINT32_C(1) << 30);
	if (p->moved > RECENT || p->spent > UINT32_C(1) << 30) {
		p->moved /= 2;
		p->spent /= 2;
	}
}

/* Bytes that are requested from a place on. */
static uint64_t outstanding(const struct weir_pattern *p, uint64_t place)
{
	int64_t far = (int64_t)(p->asked - place);

	if (!p->window)
		return 0;
	if (!p->stride)
		return far > 0 ? (uint64_t)far : 0;
	far /= p->stride;
	return far > 0 ? (uint64_t)far * p->size : 0;
}

/* Not where it was expected: begin anew. */
static void begin_run(struct weir_pattern *p, int64_t stride)
{
	uint64_t lost = min(outstanding(p, p->next), UINT32_MAX / 2);

	p->wasted += (uint32_t)(lost >> 10);
	p->stride = stride;
	p->run = 0;
	p->window = 0;
	if (++p->vain >= VAIN || is_wasteful(p))
		look_away(p);
}

static void follow_read(struct weir_pattern *p,
			const struct weir_pattern_read *read)
{
	int64_t stride = (int64_t)(read->offset - p->last);

	if (read->offset == p->next) {
		if (p->stride && p->run >= ENOUGH)
			begin_run(p, 0);
		p->stride = 0;
		p->run++;
	} else if (p->stride && stride == p->stride && read->size == p->size) {
		p->run++;
	} else {
		begin_run(p, stride);
	}
	if (p->run > ENOUGH) {
		p->vain = 0;
		p->run = ENOUGH + 1;
	}
}

/* What was requested, and is not there, is wasted as well. */
static void judge_read(struct weir_pattern *p,
		       const struct weir_pattern_read *read)
{
	uint64_t missed = read->size - read->hit;

	p->used += (uint32_t)((read->hit + 1023) >> 10);
	if (read->hit && p->used > 2 * p->wasted)
		p->nap = 0;
	if (missed && p->window && outstanding(p, read->offset))
		p->wasted += (uint32_t)((missed + 1023) >> 10);
	if (p->used > LONG_AGO || p->wasted > LONG_AGO) {
		p->used /= 2;
		p->wasted /= 2;
	}
	p->done += read->size;
}

/* Where the program computes for long, little is enough, and fresh. */
static uint64_t by_rate(const struct weir_pattern *p, uint64_t now,
			uint64_t window)
{
	uint64_t passed = now - p->since;

	if (!p->since || passed < SHORT)
		return window;
	return min(window, p->done * (AHEAD / 1024) / (passed / 1024 + 1));
}

/* 0: nothing of it is of use. */
static uint64_t grow_window(struct weir_pattern *p, uint64_t first,
			    uint64_t most)
{
	uint64_t window = p->window;

	if (!is_wasteful(p))
		return window ? min(2 * window, most) : first;
	if (window > first)
		return window / 2;
	look_away(p);
	p->window = 0;
	return 0;
}

static void note_request(struct weir_pattern *p, uint64_t now)
{
	p->since = now;
	p->done = 0;
}

static bool request_all(struct weir_pattern *p,
			const struct weir_pattern_read *read,
			struct weir_pattern_request *ret_request)
{
	uint64_t first = p->advice == WEIR_PATTERN_SEQUENTIAL ? ADVISED : FIRST;
	uint64_t left = outstanding(p, p->next), window, until;

	if (p->window && left > p->window / 2)
		return false;
	first = first < 2 * read->size ? 2 * read->size : first;
	window = grow_window(p, first, WEIR_PATTERN_MOST);
	if (!window)
		return false;
	if (read->now > p->since)
		window = by_rate(p, read->now, window);
	if (window < 2 * read->size)
		window = 2 * read->size;
	if (!left)
		p->asked = p->next;
	until = (p->next + window + GRAIN - 1) / GRAIN * GRAIN;
	until = min(until, read->end);
	p->window = (uint32_t)window;
	if (until <= p->asked)
		return false;
	ret_request->from = p->asked;
	ret_request->record = (uint32_t)(until - p->asked);
	ret_request->stride = ret_request->record;
	ret_request->count = 1;
	p->asked = until;
	note_request(p, read->now);
	return true;
}

/* Records from here on, in this direction, within the file. */
static uint64_t records_left(const struct weir_pattern *p, uint64_t from,
			     uint64_t end)
{
	if (p->stride < 0)
		return (int64_t)from < 0 ? 0 : from / (uint64_t)-p->stride + 1;
	return from < end ? (end - from - 1) / (uint64_t)p->stride + 1 : 0;
}

static bool request_apart(struct weir_pattern *p,
			  const struct weir_pattern_read *read,
			  struct weir_pattern_request *ret_request)
{
	uint64_t left = outstanding(p, read->offset) / p->size;
	uint64_t most = WEIR_PATTERN_MOST / p->size, window, count;

	left -= left > 0; /* asked is the first that was not requested */
	if (p->window && left > p->window / 2)
		return false;
	window = grow_window(p, RECORDS, min(most, RECORDS_MOST));
	if (!window)
		return false;
	if (read->now > p->since)
		window = by_rate(p, read->now, window * p->size) / p->size;
	if (window < 2)
		window = 2;
	if (!left)
		p->asked = read->offset + (uint64_t)p->stride;
	p->window = (uint32_t)window;
	if (window <= left)
		return false;
	count = min(window - left, records_left(p, p->asked, read->end));
	if (!count)
		return false;
	*ret_request = (struct weir_pattern_request){.from = p->asked,
						     .stride = p->stride,
						     .record = p->size,
						     .count = (uint32_t)count};
	p->asked += count * (uint64_t)p->stride;
	note_request(p, read->now);
	return true;
}

static void move_to(struct weir_pattern *p,
		    const struct weir_pattern_read *read)
{
	p->last = read->offset;
	p->next = read->offset + read->size;
	p->size = (uint32_t)min(read->size, UINT32_MAX);
}

bool weir_pattern_see(struct weir_pattern *p,
		      const struct weir_pattern_read *read,
		      struct weir_pattern_request *ret_request)
{
	uint16_t enough = p->advice == WEIR_PATTERN_SEQUENTIAL ? 1 : ENOUGH;

	if (p->rest || p->advice == WEIR_PATTERN_RANDOM) {
		p->rest -= p->rest > 0;
		move_to(p, read);
		return false;
	}
	judge_read(p, read);
	follow_read(p, read);
	move_to(p, read);
	if (p->run >= enough && !p->window && is_fast(p))
		look_away(p);
	if (p->rest || p->run < enough || read->size > LARGEST)
		return false;
	if (!p->stride)
		return request_all(p, read, ret_request);
	return read->size <= LARGEST_RECORD &&
	       request_apart(p, read, ret_request);
}

void weir_pattern_advise(struct weir_pattern *p,
			 enum weir_pattern_advice advice)
{
	*p = (struct weir_pattern){.advice = (uint8_t)advice, .next = p->next};
}
