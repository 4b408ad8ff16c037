/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up how long each process is in calls, as far as that bounds savings. */
#include "analyse/facts/spending.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>

void weir_spending_fini(struct weir_spending *spending)
{
	free(spending->list);
	*spending = (struct weir_spending){ 0 };
}

static struct weir_spent *get_spent(struct weir_spending *spending,
				    uint32_t proc)
{
	if (proc >= spending->count) {
		if (WEIR_GROW_ZEROED(spending->list, (size_t)proc + 1,
				     spending->room))
			return NULL;
		spending->count = (size_t)proc + 1;
	}
	return &spending->list[proc];
}

static int is_of_system(uint8_t layer)
{
	return layer >= WEIR_CALLVIEW_POSIX && layer <= WEIR_CALLVIEW_ASYNC;
}

static void add_system(struct weir_spent *spent,
		       const struct weir_callview *view)
{
	const uint32_t together =
		WEIR_CALLVIEW_COLLECTIVE | WEIR_CALLVIEW_TOGETHER;

	spent->system += view->event.dur;
	spent->moved += view->moved;
	if (!view->moved || view->marks & together)
		return;
	spent->alone += view->moved;
	spent->alone_time += view->event.dur;
}

int weir_spending_take(struct weir_spending *spending,
		       const struct weir_callview *view)
{
	struct weir_spent *spent;

	if (!weir_callview_counts(view))
		return 0;
	spent = get_spent(spending, view->event.proc);
	if (!spent)
		return -ENOMEM;
	if (!view->event.depth)
		spent->calls += view->event.dur;
	if (is_of_system(view->layer) && !is_of_system(view->above))
		add_system(spent, view);
	return 0;
}

int weir_spending_merge(struct weir_spending *to,
			const struct weir_spending *from)
{
	for (size_t i = 0; i < from->count; i++) {
		struct weir_spent *spent = get_spent(to, (uint32_t)i);

		if (!spent)
			return -ENOMEM;
		spent->calls += from->list[i].calls;
		spent->system += from->list[i].system;
		spent->moved += from->list[i].moved;
		spent->alone += from->list[i].alone;
		spent->alone_time += from->list[i].alone_time;
	}
	return 0;
}

struct weir_spent weir_spending_of(const struct weir_spending *spending,
				   uint32_t proc)
{
	return proc < spending->count ? spending->list[proc] :
					(struct weir_spent){ 0 };
}
