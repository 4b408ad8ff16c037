/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches at random: any point that was not tried. */
#include "tune/search/searcher.h"

#include <errno.h>

#define DRAWS 10000 /* until it is believed that all have been tried */

static int draw_new(struct weir_search *search,
		    struct weir_domain_point *ret_point)
{
	for (int i = 0; i < DRAWS; i++) {
		weir_domain_draw(search->domain, &search->dice, ret_point);
		if (!weir_trials_find(&search->trials, search->domain,
				      ret_point))
			return 0;
	}
	return -ENODATA;
}

const struct weir_searcher weir_search_random = {
	.name = "random",
	.ask = draw_new,
};
