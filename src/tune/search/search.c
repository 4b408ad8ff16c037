/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens searches by name, asks them and tells them. */
#include "tune/search/search.h"

#include "tune/search/searcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct weir_searcher *const ways[] = {
	&weir_search_model,
	&weir_search_ga,
	&weir_search_ga_repo,
	&weir_search_random,
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

const char *weir_search_name(unsigned number)
{
	return number < WAYS ? ways[number]->name : NULL;
}

static const struct weir_searcher *find_way(const char *name)
{
	for (unsigned i = 0; i < WAYS; i++)
		if (!strcmp(ways[i]->name, name))
			return ways[i];
	return NULL;
}

int weir_search_open(const char *name, const struct weir_domain *domain,
		     uint64_t seed, struct weir_search **ret_search,
		     const char **ret_lack)
{
	const struct weir_searcher *way = find_way(name);
	struct weir_search *search;
	int err;

	if (!way)
		return -EINVAL;
	search = calloc(1, sizeof(*search));
	if (!search)
		return -ENOMEM;
	search->way = way;
	search->domain = domain;
	search->dice.state = seed;
	err = way->open ? way->open(search, ret_lack) : 0;
	if (err)
		free(search);
	else
		*ret_search = search;
	return err;
}

void weir_search_close(struct weir_search *search)
{
	if (!search)
		return;
	if (search->way->close)
		search->way->close(search);
	weir_trials_fini(&search->trials);
	free(search);
}

int weir_search_ask(struct weir_search *search,
		    struct weir_domain_point *ret_point)
{
	return search->way->ask(search, ret_point);
}

int weir_search_tell(struct weir_search *search,
		     const struct weir_trial *trial)
{
	int err = weir_trials_add(&search->trials, trial);

	return err || !search->way->told ? err : search->way->told(search);
}
