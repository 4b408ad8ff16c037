/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what points have cost. */
#include "tune/search/trials.h"

#include "base/grow.h"

int weir_trials_add(struct weir_trials *trials, const struct weir_trial *trial)
{
	if (WEIR_GROW(trials->list, trials->count, trials->room))
		return -ENOMEM;
	trials->list[trials->count++] = *trial;
	return 0;
}

void weir_trials_fini(struct weir_trials *trials)
{
	free(trials->list);
	*trials = (struct weir_trials){ 0 };
}

const struct weir_trial *
weir_trials_find(const struct weir_trials *trials,
		 const struct weir_domain *domain,
		 const struct weir_domain_point *point)
{
	for (size_t i = 0; i < trials->count; i++)
		if (weir_domain_same(domain, &trials->list[i].point, point))
			return &trials->list[i];
	return NULL;
}
