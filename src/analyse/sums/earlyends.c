/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps ends of operations that come before their begins. */
#include "analyse/sums/earlyends.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST 256 /* they are searched one by one */

void weir_earlyends_fini(struct weir_earlyends *ends)
{
	free(ends->list);
	*ends = (struct weir_earlyends){ 0 };
}

static void forget(struct weir_earlyends *ends, size_t at)
{
	ends->count--;
	memmove(&ends->list[at], &ends->list[at + 1],
		(ends->count - at) * sizeof(*ends->list));
}

int weir_earlyends_keep(struct weir_earlyends *ends, uint64_t key,
			const struct weir_event *event)
{
	if (ends->count == MOST)
		forget(ends, 0);
	if (WEIR_GROW(ends->list, ends->count, ends->room))
		return -ENOMEM;
	ends->list[ends->count++] = (struct weir_earlyends_one){
		.key = key, .start = event->start, .ret = event->ret,
		.call = event->call,
	};
	return 0;
}

bool weir_earlyends_take(struct weir_earlyends *ends, uint64_t key,
			 uint64_t begin, struct weir_earlyends_one *ret_end)
{
	for (size_t i = 0; i < ends->count;) {
		if (ends->list[i].key != key) {
			i++;
			continue;
		}
		*ret_end = ends->list[i];
		forget(ends, i);
		if (ret_end->start >= begin)
			return true;
	}
	return false;
}
