/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what points have cost. */
#ifndef WEIR_SEARCH_TRIALS_H
#define WEIR_SEARCH_TRIALS_H

#include "tune/search/domain.h"

#include <stddef.h>

enum weir_trials_end {
	WEIR_TRIALS_DONE,
	WEIR_TRIALS_STOPPED, /* after so long: it takes longer */
	WEIR_TRIALS_FAILED,  /* never to be tried again */
};

struct weir_trial {
	struct weir_domain_point point;
	double seconds; /* above 0; of no meaning when it failed */
	enum weir_trials_end end;
};

/* Begins as zeros. Wants weir_trials_fini. */
struct weir_trials {
	struct weir_trial *list;
	size_t count, room;
};

/* 0 or -ENOMEM. */
int weir_trials_add(struct weir_trials *trials, const struct weir_trial *trial);
void weir_trials_fini(struct weir_trials *trials);

/* The first of this point, or NULL. */
const struct weir_trial *
weir_trials_find(const struct weir_trials *trials,
		 const struct weir_domain *domain,
		 const struct weir_domain_point *point);

#endif
