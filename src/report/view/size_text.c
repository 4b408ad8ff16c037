/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the number of requests of each size for people. */
#include "report/view/size_text.h"

#include <inttypes.h>
#include <stdio.h>

#define BAR WEIR_VIEW_BAR
#define say weir_view_say

static void say_heading(const struct weir_view *view,
			const struct weir_sizes *sizes)
{
	static const char *const grains[] = {
		[WEIR_SIZES_EACH] = "",
		[WEIR_SIZES_POWERS] = ", in powers of two",
		[WEIR_SIZES_CLASSES] = ", in the classes of a profile",
	};
	static const char *const heads[] = { "reads", "writes" };

	say(view, "requests by size, layer %s%s\n", view->layer,
	    grains[sizes->grain]);
	if (sizes->folded)
		say(view, "there are more than %d sizes: not all are shown\n",
		    WEIR_SIZES_EXACT);
	if (!sizes->count) {
		say(view, "nothing was moved\n");
		return;
	}
	say(view, "\n%22s", "bytes");
	for (int way = 0; way < 2; way++)
		if (weir_view_has(view, way))
			say(view, " %12s %6s%*s", heads[way], "%",
			    view->ways >> (way + 1) ? BAR + 1 : 0, "");
	say(view, "\n");
}

static void say_size(const struct weir_view *view,
		     const struct weir_sizes *sizes,
		     const struct weir_sizes_row *row)
{
	char range[64];

	snprintf(range, sizeof(range), "%" PRIu64, row->from);
	if (row->to == UINT64_MAX)
		snprintf(range, sizeof(range), "%" PRIu64 " or more",
			 row->from);
	else if (row->to > row->from)
		snprintf(range, sizeof(range), "%" PRIu64 "-%" PRIu64,
			 row->from, row->to);
	say(view, "%22s", range);
	for (int way = 0; way < 2; way++) {
		uint64_t count = row->count[way], total = sizes->total[way];

		if (!weir_view_has(view, way))
			continue;
		say(view, " %12" PRIu64 " %6.2f", count,
		    total ? 100.0 * (double)count / (double)total : 0.0);
		weir_view_bar(view, count, total,
			      view->ways >> (way + 1) ? BAR : 0);
	}
	say(view, "\n");
}

void weir_size_text_write(const struct weir_view *view,
			  const struct weir_sizes *sizes)
{
	say_heading(view, sizes);
	for (uint32_t i = 0; i < sizes->count; i++)
		say_size(view, sizes, &sizes->rows[i]);
}
