/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares one way to search, and its shape. */
#ifndef WEIR_SEARCH_SEARCHER_H
#define WEIR_SEARCH_SEARCHER_H

#include "tune/search/trials.h"

struct weir_search {
	const struct weir_searcher *way;
	const struct weir_domain *domain;
	struct weir_dice dice;
	struct weir_trials trials; /* all that was told */
	void *own;
};

struct weir_searcher {
	const char *name;
	/* 0, -ENOMEM or -ENOSYS. */
	int (*open)(struct weir_search *search, const char **ret_lack);
	int (*ask)(struct weir_search *search,
		   struct weir_domain_point *ret_point);
	/* After the trial has been added to the list. */
	int (*told)(struct weir_search *search);
	void (*close)(struct weir_search *search);
};

extern const struct weir_searcher weir_search_random, weir_search_ga,
	weir_search_ga_repo, weir_search_model;

#endif
