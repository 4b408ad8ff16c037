/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parts of a file were written. */
#include "capture/written.h"

#include "base/sys.h"
#include "gate/confined.h"

#include <string.h>
#include <sys/mman.h>

#define GROWTH 16

static const struct weir_extent *list_of(const struct weir_written *w)
{
	return w->more ? w->more : w->few;
}

static struct weir_extent *list_to_change(struct weir_written *w)
{
	return w->more ? w->more : w->few;
}

static void let_go(struct weir_written *w)
{
	if (w->more && !weir_confined)
		weir_sys2(SYS_munmap, w->more, w->room * sizeof(*w->more));
	w->more = NULL;
	w->room = 0;
}

/* A forked child forgets the list, so it need not have the memory. */
static bool grow(struct weir_written *w)
{
	uint32_t room = (w->more ? w->room : WEIR_WRITTEN_FEW) * GROWTH;
	uint32_t count = w->count;
	long at;

	if (room > WEIR_WRITTEN_MOST)
		room = WEIR_WRITTEN_MOST;
	if (room <= w->room || weir_confined)
		return false;
	at = weir_sys6(SYS_mmap, 0, room * sizeof(*w->more),
		       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	if (weir_sys_failed(at))
		return false;
	weir_sys3(SYS_madvise, at, room * sizeof(*w->more), MADV_DONTFORK);
	memcpy((void *)at, list_of(w), count * sizeof(*w->more));
	let_go(w);
	w->more = (struct weir_extent *)at;
	w->room = room;
	return true;
}

/* Each with its neighbour: half as many. */
static void join_pairs(struct weir_written *w)
{
	struct weir_extent *list = list_to_change(w);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < w->count; i += 2, kept++) {
		uint32_t last = i + 1 < w->count ? i + 1 : i;

		list[kept] = (struct weir_extent){ list[i].from,
						   list[last].to };
	}
	w->count = kept;
	w->is_coarse = true;
}

/* The first extent that ends at this place or later. */
static uint32_t first_ending_at(const struct weir_written *w, uint64_t place)
{
	const struct weir_extent *list = list_of(w);
	uint32_t low = 0, high = w->count;

	/* Most files are written from the front to the back. */
	if (high && list[high - 1].to < place)
		return high;
	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (list[middle].to < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void make_room(struct weir_written *w)
{
	uint32_t room = w->more ? w->room : WEIR_WRITTEN_FEW;

	if (w->count == room && !grow(w))
		join_pairs(w);
}

static void insert(struct weir_written *w, uint64_t from, uint64_t to)
{
	struct weir_extent *list;
	uint32_t at;

	make_room(w);
	list = list_to_change(w);
	at = first_ending_at(w, from);
	if (at < w->count && list[at].from <= from)
		return; /* joined neighbours hold it */
	memmove(&list[at + 1], &list[at], (w->count - at) * sizeof(*list));
	list[at] = (struct weir_extent){ from, to };
	w->count++;
}

void weir_written_add(struct weir_written *w, uint64_t from, uint64_t to)
{
	struct weir_extent *list = list_to_change(w);
	uint32_t first = first_ending_at(w, from);
	uint32_t after = first;

	if (from >= to)
		return;
	while (after < w->count && list[after].from <= to)
		after++;
	if (first == after) {
		insert(w, from, to);
		return;
	}
	if (from < list[first].from)
		list[first].from = from;
	if (list[after - 1].to > to)
		to = list[after - 1].to;
	list[first].to = to;
	memmove(&list[first + 1], &list[after],
		(w->count - after) * sizeof(*list));
	w->count -= after - first - 1;
}

bool weir_written_find(const struct weir_written *w, uint64_t from,
		       uint64_t to, struct weir_extent *ret)
{
	const struct weir_extent *list = list_of(w);
	uint32_t at = first_ending_at(w, from + 1);

	if (at == w->count || list[at].from >= to || from >= to)
		return false;
	ret->from = list[at].from > from ? list[at].from : from;
	ret->to = list[at].to < to ? list[at].to : to;
	return true;
}

void weir_written_cut(struct weir_written *w, uint64_t from)
{
	struct weir_extent *list = list_to_change(w);
	uint32_t at = first_ending_at(w, from);

	if (at == w->count)
		return;
	if (list[at].from < from) {
		list[at].to = from;
		at++;
	}
	w->count = at;
}

void weir_written_clear(struct weir_written *w)
{
	let_go(w);
	w->count = 0;
	w->is_coarse = false;
}

/* --- as text ------------------------------------------------------------ */

struct text {
	char *to;
	size_t used, room;
};

static void put_number(struct text *text, char mark, uint64_t number)
{
	char digits[24];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	if (mark)
		digits[--at] = mark;
	memcpy(text->to + text->used, digits + at, sizeof(digits) - at);
	text->used += sizeof(digits) - at;
}

/* How many of the same length follow at the same distance, with this one. */
static uint32_t run_from(const struct weir_extent *list, uint32_t count)
{
	uint64_t length = list[0].to - list[0].from;
	uint64_t stride = count > 1 ? list[1].from - list[0].from : 0;
	uint32_t run = 1;

	while (run < count && list[run].to - list[run].from == length &&
	       list[run].from - list[run - 1].from == stride)
		run++;
	return run > 2 ? run : 1;
}

#define LONGEST_RUN 100 /* four numbers */

bool weir_written_tell(const struct weir_written *w, char *to, size_t room)
{
	const struct weir_extent *list = list_of(w);
	struct text text = { to, 0, room - LONGEST_RUN - 1 };
	uint32_t at = 0;
	bool all = true;

	while (at < w->count) {
		uint32_t run = run_from(list + at, w->count - at);
		uint64_t end = list[at].to;

		/* The last one says all the rest. */
		if (text.used + LONGEST_RUN > text.room) {
			run = w->count - at;
			end = list[w->count - 1].to;
			all = run == 1;
		}
		put_number(&text, at ? ',' : 0, list[at].from);
		put_number(&text, '-', end);
		if (all && run > 1) {
			put_number(&text, '*', run);
			put_number(&text, '/',
				   list[at + 1].from - list[at].from);
		}
		at += run;
	}
	to[text.used] = 0;
	return all;
}
