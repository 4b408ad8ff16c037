/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses which point to try next. Whoever asks measures the point and tells
 * what it cost, the same point twice if it was measured twice; a search that is
 * asked and told the same again chooses the same again.
 */
#ifndef WEIR_SEARCH_SEARCH_H
#define WEIR_SEARCH_SEARCH_H

#include "tune/search/trials.h"

struct weir_search;

/* The name of one of them by its number; NULL: there are no more. */
const char *weir_search_name(unsigned number);

/* The domain must stay. -EINVAL: no such name; -ENOMEM; -ENOSYS, `ret_lack`
 * says what is not installed. */
int weir_search_open(const char *name, const struct weir_domain *domain,
		     uint64_t seed, struct weir_search **ret_search,
		     const char **ret_lack);
void weir_search_close(struct weir_search *search);

/*
 * 0; -ENODATA: it has come to its end, or nothing is left that may be better;
 * -ENOMEM.
 */
int weir_search_ask(struct weir_search *search,
		    struct weir_domain_point *ret_point);
int weir_search_tell(struct weir_search *search,
		     const struct weir_trial *trial);

#endif
