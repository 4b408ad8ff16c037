/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands behind the question mark of an address: KEY=VALUE&... */
#ifndef WEIR_DESK_QUERY_H
#define WEIR_DESK_QUERY_H

#include <stddef.h>
#include <stdint.h>

/* In the order of the keys that are known; NULL: not given. */
struct weir_query {
	const char *const *keys; /* known ones, ended by NULL */
	const char *values[12];
};

/*
 * Takes the text apart and decodes it in its place; NULL: nothing is given.
 * Values that are empty count as not given. 0, or -EINVAL with *ret_wrong: what
 * is wrong with it.
 */
int weir_query_parse(struct weir_query *query, char *text,
		     const char *const *keys, const char **ret_wrong);

/* Numbers like 1-4,9, in any order. */
struct weir_query_numbers {
	size_t count;
	struct {
		uint64_t first, last;
	} ranges[512];
};

/* 0 or -EINVAL. */
int weir_query_numbers(const char *text, struct weir_query_numbers *ret_all);
int weir_query_has(const struct weir_query_numbers *all, uint64_t number);

/* Whether a word is one of a list A,B,C. */
int weir_query_names(const char *list, const char *word);

#endif
